package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"
)

// openWorkspace returns the files under dir, out of which neither ".." nor a symbolic link leads.
func openWorkspace(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		return &workspace{rootFS: root.FS().(rootFS), root: root, folders: map[string]fs.FS{}}, nil
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
	folders map[string]fs.FS // nil for one that cannot be opened
}

// rootFS is what the documentation of [os.Root.FS] promises.
type rootFS interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.ReadLinkFS
	fs.StatFS
}

// Open opens a file. What its folder does not give, such as a link to a file elsewhere in the workspace, the workspace
// may, which also knows what is wrong with a name.
func (w *workspace) Open(name string) (fs.File, error) {
	if folder := w.folder(path.Dir(name)); folder != nil && fs.ValidPath(name) {
		if file, err := folder.Open(path.Base(name)); err == nil {
			return file, nil
		}
	}
	return w.rootFS.Open(name)
}

// maxFolders bounds how many folders are kept open: systems bound the open files of a process.
const maxFolders = 64

// folder returns the files of a folder below the workspace, or nil.
func (w *workspace) folder(dir string) fs.FS {
	w.mu.Lock()
	defer w.mu.Unlock()
	folder, known := w.folders[dir]
	if known || dir == "." || len(w.folders) == maxFolders {
		return folder
	}
	if root, err := w.root.OpenRoot(dir); err == nil {
		folder = root.FS()
	}
	w.folders[dir] = folder
	return folder
}
