package baseline

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"time"
)

// Open opens the file or folder name.
func (t *Tree) Open(name string) (fs.File, error) {
	n, err := t.lookup("open", name, true)
	if err != nil {
		return nil, err
	}
	about := info{path.Base(name), n}
	if n.kind == fs.ModeDir {
		list, err := n.entries()
		if err != nil {
			return nil, pathError("open", name, err)
		}
		return &openFolder{about: about, rest: list}, nil
	}
	content, err := n.tree.openContent(n.entry)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &openFile{about, content}, nil
}

// Stat describes the file or folder name, following links.
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return t.stat("stat", name, true) }

// Lstat describes the file, folder or link name.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) { return t.stat("lstat", name, false) }

func (t *Tree) stat(op, name string, follow bool) (fs.FileInfo, error) {
	n, err := t.lookup(op, name, follow)
	if err != nil {
		return nil, err
	}
	return info{path.Base(name), n}, nil
}

// ReadLink returns the target of the link name, as written.
func (t *Tree) ReadLink(name string) (string, error) {
	n, err := t.lookup("readlink", name, false)
	if err != nil {
		return "", err
	}
	if n.kind != fs.ModeSymlink {
		return "", pathError("readlink", name, fs.ErrInvalid)
	}
	target, err := n.target()
	if err != nil {
		return "", pathError("readlink", name, err)
	}
	return target, nil
}

func (n *node) entries() ([]fs.DirEntry, error) {
	children, err := n.listChildren()
	list := make([]fs.DirEntry, len(children))
	for i, child := range children {
		list[i] = fs.FileInfoToDirEntry(info{child.name, child})
	}
	return list, err
}

// info describes a node under the requested name. Commits keep no times.
type info struct {
	name string
	node *node
}

func (i info) Name() string       { return i.name }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.node.kind == fs.ModeDir }
func (i info) Sys() any           { return nil }

func (i info) Size() int64 {
	if n := i.node; n.entry.Size < 0 && n.tree.size != nil {
		return n.tree.size(n.entry)
	}
	return max(i.node.entry.Size, 0)
}

func (i info) Mode() fs.FileMode {
	switch {
	case i.node.kind == fs.ModeSymlink:
		return fs.ModeSymlink | 0o777
	case i.IsDir():
		return fs.ModeDir | 0o755
	case i.node.executable:
		return 0o755
	}
	return 0o644
}

type openFile struct {
	info
	io.ReadCloser
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

var errFolder = errors.New("is a folder")

// openFolder is a folder that is being listed.
type openFolder struct {
	about fs.FileInfo
	rest  []fs.DirEntry
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.about, nil }
func (f *openFolder) Close() error               { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, pathError("read", f.about.Name(), errFolder)
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.rest) {
		if n > 0 && len(f.rest) == 0 {
			return nil, io.EOF
		}
		n = len(f.rest)
	}
	list := f.rest[:n:n]
	f.rest = f.rest[n:]
	return list, nil
}
