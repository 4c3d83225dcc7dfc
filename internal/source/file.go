package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Limits on the size of users' files, in bytes, as documented in docs/suite.md.
const (
	MaxSuite       = 4 << 20
	MaxCassette    = 256 << 20
	MaxCatalog     = 32 << 20
	MaxDescription = 1 << 20
	MaxDepth       = 512 // nesting of JSON values
)

// Open opens the regular file name for reading. It refuses folders, devices and files larger than limit bytes; every
// error is an [*Error] at the file.
func Open(fsys fs.FS, name string, limit int64) (fs.File, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, &Error{Pos{File: name}, openProblem(err)}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("is not a regular file")
	case info.Size() > limit:
		err = fmt.Errorf("is %d bytes long, at most %d are read", info.Size(), limit)
	}
	if err != nil {
		file.Close()
		return nil, &Error{Pos{File: name}, err.Error()}
	}
	return file, nil
}

// Stands reports whether a path exists, even as a folder, a broken link or an unreadable file.
func Stands(fsys fs.FS, name string) bool {
	_, err := fs.Lstat(fsys, name)
	return !errors.Is(err, fs.ErrNotExist)
}

func openProblem(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return "cannot be opened: " + path.Err.Error()
	}
	return "cannot be opened: " + err.Error()
}

// ReadFile reads the whole regular file name, of at most limit bytes; every error is an [*Error] at the file.
func ReadFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	file, err := Open(fsys, name, limit)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var data bytes.Buffer
	if info, err := file.Stat(); err == nil {
		data.Grow(int(info.Size()) + bytes.MinRead) // prevents reallocation
	}
	// A file can grow after its size was read.
	if _, err := data.ReadFrom(io.LimitReader(file, limit+1)); err != nil {
		return nil, &Error{Pos{File: name}, "cannot be read: " + err.Error()}
	}
	if int64(data.Len()) > limit {
		return nil, &Error{Pos{File: name}, fmt.Sprintf("is more than %d bytes long", limit)}
	}
	return data.Bytes(), nil
}
