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

// append writes text behind what is there.
func (t *tempFile) append(text []byte) (chunk, error) {
	if err := t.create(); err != nil {
		return chunk{}, err
	}
	if _, err := t.file.WriteAt(text, t.end); err != nil {
		return chunk{}, err
	}
	c := chunk{t.end, int64(len(text))}
	t.end += c.size
	return c, nil
}

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
