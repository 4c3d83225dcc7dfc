package baseline

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/git"
)

// Entry is an entry in the tree of a commit, as `git ls-tree` and GitHub's API for trees list it.
type Entry = git.Entry

// Tree is the fs.FS of a commit's files. Links are followed as in a workspace: relative ones that stay in the tree.
// Submodules are empty folders, unless [OpenSubmodules] finds their files. It is safe for concurrent use if the
// function that opens files is.
type Tree struct {
	root       *node
	open       func(Entry) (io.ReadCloser, error)
	size       func(Entry) int64                     // finds the size of a file whose entry has none; nil if sizes cannot be found
	submodules map[string]string                     // hashes of the commits of other repositories, by path
	mount      func(name, sha string) (*Tree, error) // returns the files of a submodule, or nil if there are none; may be nil
	outer      *Tree                                 // the tree that contains this tree as a submodule

	mu      sync.Mutex
	err     *Unreadable
	lacking string // a submodule that was read but is missing
}

// NewTree returns the tree of entries in any order, with the folders in their paths. Entries that a workspace cannot
// have (an empty name, "..", a file below a file) are left out, and so is the second of two entries with the same path.
//
// open fetches the content of a file or link when it is needed. Its errors are kept in [Tree.Err]. A Git LFS pointer
// cannot be opened.
func NewTree(entries []Entry, open func(Entry) (io.ReadCloser, error)) *Tree {
	t := &Tree{open: open, root: &node{kind: fs.ModeDir}, submodules: map[string]string{}}
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	nodes := map[string]*node{".": t.root}
	for _, entry := range sorted {
		t.add(nodes, entry)
	}
	for _, n := range nodes {
		sortNodes(n.children)
	}
	return t
}

func sortNodes(nodes []*node) {
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(a.name, b.name) })
}

// Err returns the reason why content could not be fetched, or nil. The reason does not depend on the order of reading.
// After an error, nothing that was read from the tree can be trusted.
func (t *Tree) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		return nil
	}
	return t.err
}

// node is a file, link or folder.
type node struct {
	name       string
	kind       fs.FileMode // 0, fs.ModeDir or fs.ModeSymlink
	executable bool
	entry      Entry
	children   []*node                 // entries of a folder, sorted by name, if load and within are nil
	load       func() ([]*node, error) // reads the children of a folder at the first use
	within     func() []*node          // returns the children of a submodule
	tree       *Tree
	target     func() (string, error) // of a link
}

// maxPath is the greatest length in bytes of a path or a link's target, the same as in operating systems.
const maxPath = 4096

// add adds an entry below its folder. It ignores an entry that no work tree could contain.
func (t *Tree) add(nodes map[string]*node, entry Entry) {
	if entry.Mode == submodule {
		t.submodules[entry.Path] = entry.SHA
	}
	kind, ok := kindOf(entry.Mode)
	isPossible := entry.Path != "." && len(entry.Path) <= maxPath && fs.ValidPath(entry.Path)
	if !ok || !isPossible || nodes[entry.Path] != nil {
		return
	}
	parent := makeFolder(nodes, path.Dir(entry.Path))
	if parent == nil {
		return
	}
	n := &node{name: path.Base(entry.Path), kind: kind, entry: entry, executable: entry.Mode == "100755", tree: t}
	if entry.Mode == submodule {
		n.within = sync.OnceValue(func() []*node { return t.submoduleNodes(entry) })
	}
	if kind == fs.ModeSymlink {
		n.target = sync.OnceValues(func() (string, error) { return t.readTarget(entry) })
	}
	parent.children = append(parent.children, n)
	nodes[entry.Path] = n
}

// kindOf returns the type bits of a git mode; ok is false for modes that a tree does not show.
func kindOf(mode string) (kind fs.FileMode, ok bool) {
	switch {
	case mode == "040000" || mode == "40000" || mode == submodule:
		return fs.ModeDir, true
	case mode == "120000":
		return fs.ModeSymlink, true
	case len(mode) == 6 && strings.HasPrefix(mode, "100"): // old repositories have the mode 100664
		return 0, true
	}
	return 0, false
}

// makeFolder returns the folder at name, and creates missing folders; nil if another entry is in the way.
func makeFolder(nodes map[string]*node, name string) *node {
	var missing []string
	for nodes[name] == nil {
		missing = append(missing, name)
		name = path.Dir(name)
	}
	at := nodes[name]
	if at.kind != fs.ModeDir || at.within != nil {
		return nil
	}
	for _, dir := range slices.Backward(missing) {
		made := &node{name: path.Base(dir), kind: fs.ModeDir}
		at.children = append(at.children, made)
		nodes[dir], at = made, made
	}
	return at
}

func (t *Tree) readTarget(entry Entry) (string, error) {
	content, err := t.open(entry)
	if err != nil {
		return "", t.keepError(entry, err)
	}
	defer content.Close()
	target, err := io.ReadAll(io.LimitReader(content, maxPath+1))
	switch {
	case err != nil:
		return "", t.keepError(entry, err)
	case len(target) > maxPath:
		return "", errors.New("symbolic link is too long")
	}
	return string(target), nil
}

// A Git LFS pointer is a text of less than 1024 bytes that begins with the address of its specification.
const maxPointer = 1023

var pointerStart = []byte("version https://git-lfs.github.com/spec/")

// Blob returns git's hash of a file's content without reading it; "" if the hash is not known. Links are followed.
func (t *Tree) Blob(name string) (string, error) {
	n, err := t.lookup("open", name, true)
	switch {
	case err != nil:
		return "", err
	case n.kind == fs.ModeDir:
		return "", pathError("open", name, errFolder)
	}
	return n.entry.SHA, nil
}

func (t *Tree) openContent(entry Entry) (io.ReadCloser, error) {
	content, err := t.open(entry)
	if err != nil {
		return nil, t.keepError(entry, err)
	}
	buffered := bufio.NewReaderSize(content, maxPointer+1)
	start, err := buffered.Peek(maxPointer + 1)
	if err == io.EOF && bytes.HasPrefix(start, pointerStart) {
		err = errors.New("is a Git LFS pointer, its content is not in the repository")
	}
	if err != nil && err != io.EOF {
		content.Close()
		return nil, t.keepError(entry, err)
	}
	return &watched{buffered, content, t, entry}, nil
}

// keepError keeps the error in the tree, and returns it.
func (t *Tree) keepError(entry Entry, err error) error {
	failed := unreadable(err, "%q", entry.Path)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil || failed.Error() < t.err.Error() {
		t.err = failed
	}
	if t.outer != nil {
		_ = t.outer.keepError(entry, err)
	}
	return failed
}

// watched is content whose errors are kept in the tree.
type watched struct {
	buffered *bufio.Reader
	io.Closer
	tree  *Tree
	entry Entry
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.buffered.Read(p)
	if err != nil && err != io.EOF {
		err = w.tree.keepError(w.entry, err)
	}
	return n, err
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

var (
	errEscapes = errors.New("symbolic link leads out of the workspace")
	errLoop    = fmt.Errorf("more than %d symbolic links on the way", maxLinks)
)
