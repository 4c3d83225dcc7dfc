// Package tempfile keeps what does not fit in memory in a temporary file that goes with the program.
package tempfile

import (
	"io"
	"os"
)

// File is a temporary file that no other program can open. It has no name: it is gone with the program.
type File struct {
	file *os.File // nil until something is appended
	end  int64
}

// Chunk is a part of a temporary file.
type Chunk struct {
	at   int64
	Size int64 // bytes
}

// Write writes text behind what is there.
func (t *File) Write(text []byte) (int, error) {
	if err := t.create(); err != nil {
		return 0, err
	}
	n, err := t.file.WriteAt(text, t.end)
	t.end += int64(n)
	return n, err
}

// Since returns the part from an end of the file up to the present one.
func (t *File) Since(end int64) Chunk { return Chunk{end, t.end - end} }

// Cut drops what was written since an end of the file.
func (t *File) Cut(end int64) { t.end = end }

func (t *File) create() error {
	if t.file != nil {
		return nil
	}
	file, err := os.CreateTemp("", "mcp-gates-*")
	if err != nil {
		return err
	}
	t.file = file
	_ = os.Remove(file.Name()) // not everywhere while it is open: close tries again
	return nil
}

// Position returns where the file ends, in bytes; see since.
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

// ReadAt reads from a place of the file, as [io.ReaderAt] has it.
func (t *File) ReadAt(text []byte, at int64) (int, error) { return t.file.ReadAt(text, at) }
