package suggest

import (
	"bytes"
	"io/fs"
	"path"
	"time"
)

// withFiles adds files in memory to a file system. They hide files with the same path.
type withFiles struct {
	fs.FS
	texts map[string][]byte
}

// Open opens a file.
func (w withFiles) Open(name string) (fs.File, error) {
	text, has := w.texts[name]
	if !has {
		return w.FS.Open(name)
	}
	return memoryFile{bytes.NewReader(text), memoryInfo{path.Base(name), int64(len(text))}}, nil
}

// memoryFile is an open file in memory.
type memoryFile struct {
	*bytes.Reader
	info memoryInfo
}

// Stat describes the file.
func (f memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close does nothing: the file is in memory.
func (f memoryFile) Close() error { return nil }

type memoryInfo struct {
	name string
	size int64
}

func (i memoryInfo) Name() string     { return i.name }
func (i memoryInfo) Size() int64      { return i.size }
func (memoryInfo) Mode() fs.FileMode  { return 0o444 }
func (memoryInfo) ModTime() time.Time { return time.Time{} }
func (memoryInfo) IsDir() bool        { return false }
func (memoryInfo) Sys() any           { return nil }
