package main

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// openWorkspace returns the files under dir, out of which neither ".." nor a symbolic link leads.
func openWorkspace(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		return &workspace{root.FS().(rootFS), root}, nil
	}
	return nil, fmt.Errorf("--workspace %q: %w", dir, reason(err))
}

// workspace is the files under a folder.
type workspace struct {
	rootFS
	root *os.Root
}

// rootFS is what the documentation of [os.Root.FS] promises.
type rootFS interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.ReadLinkFS
	fs.StatFS
}

// openFlags keep a named pipe from holding up the check until something writes to it.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

// Open opens a file without waiting for a writer.
func (w *workspace) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return w.rootFS.Open(name) // knows what is wrong with a name, and what Windows makes of it
	}
	file, err := w.root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, err // and no *os.File, which would be a file to the caller
	}
	return file, nil
}

// leadsOut reports whether a file was not opened because ".." or a symbolic link leads out of the folder. Package os has no
// value for this error, only a text.
func leadsOut(err error) bool { return err != nil && reason(err).Error() == "path escapes from parent" }
