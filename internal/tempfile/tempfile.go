// Package tempfile keeps data that does not fit in memory in a temporary file that disappears with the program.
package tempfile

import (
	"io"
	"os"
)

// File is a temporary file. Its name is removed at once, so that no other program can open the file, and it disappears with the
// program. On a system that cannot remove the name of an open file, Close removes it.
type File struct {
	file *os.File // nil before the first write
	end  int64
}

// Chunk is a part of a temporary file.
type Chunk struct {
	at   int64
	Size int64 // bytes
}

// Write appends text to the file.
func (t *File) Write(text []byte) (int, error) {
	if err := t.createOnce(); err != nil {
		return 0, err
	}
	n, err := t.file.WriteAt(text, t.end)
	t.end += int64(n)
	return n, err
}

// Since returns the part of the file from an earlier end to the present end.
func (t *File) Since(end int64) Chunk { return Chunk{end, t.end - end} }

// Cut drops the text that was written after an earlier end of the file.
func (t *File) Cut(end int64) { t.end = end }

func (t *File) createOnce() error {
	if t.file != nil {
		return nil
	}
	file, err := os.CreateTemp("", "mcp-gates-*")
	if err != nil {
		return err
	}
	t.file = file
	_ = os.Remove(file.Name()) // some systems cannot remove an open file: Close tries again
	return nil
}

// Position returns the end of the file, in bytes; see Since.
func (t *File) Position() int64 { return t.end }

// Open returns a part as a stream.
func (t *File) Open(c Chunk) io.Reader { return io.NewSectionReader(t.file, c.at, c.Size) }

// Read returns a part.
func (t *File) Read(c Chunk) ([]byte, error) {
	text := make([]byte, c.Size)
	if _, err := t.file.ReadAt(text, c.at); err != nil && err != io.EOF {
		return nil, err
	}
	return text, nil
}

// Close removes the file.
func (t *File) Close() {
	if t.file != nil {
		_ = t.file.Close()
		_ = os.Remove(t.file.Name())
	}
}

// ReadAt reads from an offset of the file and implements [io.ReaderAt].
func (t *File) ReadAt(text []byte, at int64) (int, error) { return t.file.ReadAt(text, at) }
