package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"syscall"
)

// openWorkspace returns the files under dir, out of which neither ".." nor a symbolic link leads.
func openWorkspace(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		return &workspace{rootFS: root.FS().(rootFS), root: root, folders: map[string]*os.Root{".": root}}, nil
	}
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err
	}
	return nil, fmt.Errorf("--workspace %q: %w", dir, err)
}

// workspace is the files under a folder. Opening one walks the way to it, part by part, and checks each. A suite has
// hundreds of cassettes in one folder, so that folders are kept open.
type workspace struct {
	rootFS
	root *os.Root

	mu      sync.Mutex
	folders map[string]*os.Root // nil for one that cannot be opened
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

// Open opens a file. What its folder does not give, such as a link to a file elsewhere in the workspace, the workspace
// may.
func (w *workspace) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return w.rootFS.Open(name) // knows what is wrong with a name, and what Windows makes of it
	}
	if folder := w.folder(path.Dir(name)); folder != nil {
		if file, err := folder.OpenFile(path.Base(name), openFlags, 0); err == nil {
			return file, nil
		}
	}
	file, err := w.root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, err // and no *os.File, which would be a file to the caller
	}
	return file, nil
}

// maxFolders bounds how many folders are kept open: systems bound the open files of a process.
const maxFolders = 64

// folder returns a folder of the workspace, or nil.
func (w *workspace) folder(dir string) *os.Root {
	w.mu.Lock()
	defer w.mu.Unlock()
	folder, known := w.folders[dir]
	if known || len(w.folders) == maxFolders {
		return folder
	}
	folder, err := w.root.OpenRoot(dir)
	if err != nil {
		folder = nil
	}
	w.folders[dir] = folder
	return folder
}
