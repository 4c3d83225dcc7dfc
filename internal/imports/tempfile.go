package imports

import (
	"io"
	"os"
)

// tempFile is a temporary file that no other program can open. It has no name: it is gone with the program.
type tempFile struct {
	file *os.File // nil until something is appended
	end  int64
}

// chunk is a part of a temporary file.
type chunk struct{ at, size int64 }

// Write writes text behind what is there.
func (t *tempFile) Write(text []byte) (int, error) {
	if err := t.create(); err != nil {
		return 0, err
	}
	n, err := t.file.WriteAt(text, t.end)
	t.end += int64(n)
	return n, err
}

// since returns the part from an end of the file up to the present one.
func (t *tempFile) since(end int64) chunk { return chunk{end, t.end - end} }

func (t *tempFile) create() error {
	if t.file != nil {
		return nil
	}
	file, err := os.CreateTemp("", "mcp-gates-import-*")
	if err != nil {
		return err
	}
	t.file = file
	_ = os.Remove(file.Name()) // not everywhere while it is open: close tries again
	return nil
}

// open returns a part as a stream.
func (t *tempFile) open(c chunk) io.Reader { return io.NewSectionReader(t.file, c.at, c.size) }

// read returns a part.
func (t *tempFile) read(c chunk) ([]byte, error) {
	text := make([]byte, c.size)
	if _, err := t.file.ReadAt(text, c.at); err != nil && err != io.EOF {
		return nil, err
	}
	return text, nil
}

func (t *tempFile) close() {
	if t.file != nil {
		_ = t.file.Close()
		_ = os.Remove(t.file.Name())
	}
}
