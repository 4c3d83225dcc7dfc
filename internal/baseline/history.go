package baseline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sync"

	"github.com/org/mcp-gates/internal/git"
)

// Logged is a commit of a [History].
type Logged = git.Logged

// History is the history of a workspace: its commits with their files. Folders and small files that several commits
// share are read once. It is safe for concurrent use; [History.Close] closes what is open.
type History struct {
	repository *Repository
	objects    *git.Objects
	shared     *Tree // reads the content of all commits, but keeps no errors, because an error counts for one commit only

	mu      sync.Mutex
	folders map[string][]*node // entries of folders, by the hash of the tree
	nodes   int                // number of entries in folders
	content map[string][]byte  // content of small files, by hash
	bytes   int                // number of bytes in content
}

// Bounds on the memory of a history: entries of folders, about 200 bytes each, and the bytes of files, none of which is
// larger than maxKeptFile.
const (
	maxNodes    = 200_000
	maxContent  = 32 << 20
	maxKeptFile = 256 << 10
)

// History opens the history of the repository. It can be read until ctx ends. Every error is an [*Unreadable].
func (r *Repository) History(ctx context.Context) (*History, error) {
	objects, err := r.openObjects(ctx)
	if err != nil {
		return nil, err
	}
	h := &History{repository: r, objects: objects, folders: map[string][]*node{}, content: map[string][]byte{}}
	h.shared = &Tree{open: h.open, size: h.size}
	return h, nil
}

// Close closes all open objects. Further files cannot be opened.
func (h *History) Close() error { return h.objects.Close() }

// Log calls see with a commit and its ancestors, see [git.Objects.Log]. isCut is set if the clone ends before the
// history does.
func (h *History) Log(hash string, all bool, see func(Logged) bool) (isCut bool, err error) {
	isCut, err = h.objects.Log(hash, all, see)
	if err != nil {
		return isCut, unreadable(err, "git history")
	}
	return isCut, nil
}

// Named returns the hash of the commit that a user names; see [Repository.Named].
func (h *History) Named(ref string) (string, error) {
	rev, err := resolveName(h.objects, ref)
	if err != nil {
		return "", unreadable(err, "commit %q", ref)
	}
	return rev.Hash, nil
}

// Files returns the files of a commit in the workspace's folder. Folders are read when they are needed. Submodules are
// empty.
func (h *History) Files(c git.Commit) (*Tree, error) {
	tree, err := h.objects.Folder(c.Tree, h.repository.git.Prefix)
	if err != nil {
		return nil, unreadable(err, "commit")
	}
	root := &node{kind: fs.ModeDir, tree: h.shared, entry: Entry{Mode: folderMode, SHA: tree}}
	if tree != "" {
		root.load = h.folderLoader(tree)
	}
	return &Tree{root: root, open: h.open, size: h.size}, nil
}

// FilesOf returns the files of the commit with a hash.
func (h *History) FilesOf(hash string) (*Tree, error) {
	c, err := h.objects.Commit(hash)
	if err != nil {
		return nil, unreadable(err, "commit %s", hash)
	}
	return h.Files(c)
}

const folderMode = "040000"

func (h *History) folderLoader(tree string) func() ([]*node, error) {
	return func() ([]*node, error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if known, ok := h.folders[tree]; ok {
			return known, nil
		}
		entries, err := h.objects.Tree(tree)
		if err != nil {
			return nil, unreadable(err, "folder")
		}
		children := h.nodesOf(entries)
		if h.nodes += len(children) + 1; h.nodes > maxNodes {
			clear(h.folders)
			h.nodes = len(children) + 1
		}
		h.folders[tree] = children
		return children, nil
	}
}

// nodesOf returns the nodes of a folder's entries. Their content and their own entries are read at the first use.
func (h *History) nodesOf(entries []Entry) []*node {
	one := &Tree{root: &node{kind: fs.ModeDir}, submodules: map[string]string{}}
	nodes := map[string]*node{".": one.root}
	for _, entry := range entries {
		if path.Base(entry.Path) != entry.Path { // a folder of a work tree cannot contain it
			continue
		}
		one.add(nodes, entry)
	}
	for _, n := range one.root.children {
		n.tree = h.shared
		switch {
		case n.entry.Mode == submodule:
			n.within = func() []*node { return nil }
		case n.kind == fs.ModeDir:
			n.load = h.folderLoader(n.entry.SHA)
		case n.kind == fs.ModeSymlink:
			n.target = sync.OnceValues(func() (string, error) { return h.shared.readTarget(n.entry) })
		}
	}
	sortNodes(one.root.children)
	return one.root.children
}

// open opens the content of a file, and keeps it if it is small.
func (h *History) open(entry Entry) (io.ReadCloser, error) {
	h.mu.Lock()
	text, known := h.content[entry.SHA]
	h.mu.Unlock()
	if known {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	content, err := h.objects.Open(entry.SHA)
	if err != nil {
		return nil, err
	}
	start := make([]byte, maxKeptFile+1)
	n, err := io.ReadFull(content, start)
	if err == nil { // the file is larger
		return &continued{io.MultiReader(bytes.NewReader(start), content), content}, nil
	}
	content.Close()
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	text = bytes.Clone(start[:n])
	h.keepContent(entry.SHA, text)
	return io.NopCloser(bytes.NewReader(text)), nil
}

// continued is content whose beginning was already read.
type continued struct {
	io.Reader
	io.Closer
}

func (h *History) keepContent(sha string, text []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.bytes += len(text); h.bytes > maxContent {
		clear(h.content)
		h.bytes = len(text)
	}
	h.content[sha] = text
}

func (h *History) size(entry Entry) int64 {
	h.mu.Lock()
	text, known := h.content[entry.SHA]
	h.mu.Unlock()
	if known {
		return int64(len(text))
	}
	size, _ := h.objects.Size(entry.SHA) // 0 on an error: opening the file fails, too, and reports the reason
	return size
}

// Identity returns an id of the entry at a path, or, if follow is set, of the end of a link there. Entries with the
// same id in two commits have the same content and mode; the id of a folder covers everything below it. The id is "" if
// the path does not exist. through is set if a link was followed on the way.
func (t *Tree) Identity(name string, follow bool) (id string, isFolder, through bool, err error) {
	n, links, err := t.followPath(name, follow)
	if err != nil {
		return "", false, links > 0, err
	}
	return n.entry.Mode + n.entry.SHA, n.kind == fs.ModeDir, links > 0, nil
}

// maxCompared bounds the number of paths that are compared, because a malicious tree can name the same folders over and
// over. Beyond it, comparing is an error.
const maxCompared = 100_000

// ErrManyChanges means that too many paths of two commits must be compared, or too long ones.
var ErrManyChanges = fmt.Errorf("more than %d paths must be compared, or longer ones than %d bytes", maxCompared, maxPath)

// Changed returns the differences between two commits of a [History], in the order of the paths: files, links, and
// folders that only one commit has. Folders that are equal in both are not read. The error is [ErrManyChanges], or an
// [*Unreadable].
func Changed(before, after *Tree) ([]Change, error) {
	c := &changes{}
	err := c.compareFolders("", before.root, after.root)
	return c.list, err
}

// Change is the entry at a path in two commits; the zero Entry if there is none.
type Change struct {
	Path          string
	Before, After Entry
}

type changes struct {
	list []Change
	seen int // number of compared paths
}

// compareFolders compares the entries of two versions of a folder, both sorted by name. above is the folder's path.
func (c *changes) compareFolders(above string, one, two *node) error {
	before, err := childrenOf(one)
	if err != nil {
		return err
	}
	after, err := childrenOf(two)
	if err != nil {
		return err
	}
	for len(before) > 0 || len(after) > 0 {
		var a, b *node
		hasBoth := len(before) > 0 && len(after) > 0
		switch {
		case len(after) == 0 || hasBoth && before[0].name < after[0].name:
			a, before = before[0], before[1:]
		case len(before) == 0 || after[0].name < before[0].name:
			b, after = after[0], after[1:]
		default:
			a, b, before, after = before[0], after[0], before[1:], after[1:]
		}
		if err := c.compareEntries(path.Join(above, cmp.Or(a, b).name), a, b); err != nil {
			return err
		}
	}
	return nil
}

func childrenOf(n *node) ([]*node, error) {
	if n == nil || n.load == nil {
		return nil, nil
	}
	return n.load()
}

// compareEntries compares the entries of both trees at one path. An entry is nil if its tree does not have the path.
func (c *changes) compareEntries(name string, a, b *node) error {
	before, after := entryOf(a), entryOf(b)
	if c.seen++; c.seen > maxCompared || len(name) > maxPath {
		return ErrManyChanges
	}
	if before.SHA == after.SHA && before.Mode == after.Mode {
		return nil
	}
	isFolder := func(n *node) bool { return n != nil && n.load != nil }
	if !isFolder(a) || !isFolder(b) {
		c.list = append(c.list, Change{name, before, after})
	}
	if isFolder(a) || isFolder(b) {
		return c.compareFolders(name, a, b)
	}
	return nil
}

func entryOf(n *node) Entry {
	if n == nil {
		return Entry{}
	}
	return n.entry
}
