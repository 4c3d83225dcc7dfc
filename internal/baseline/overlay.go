package baseline

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/sorting"
	"github.com/org/mcp-gates/internal/suite"
)

// Judge returns the file system in which the base's suites judge the head's recordings and catalogs: an overlay whose
// judges are the suites that the base has under the given names (files, globs and folders; none: the usual places) and
// all other YAML files. Suites that only the head has are there too, because a change may add gates to those that judge
// it. A [*NoBaseline] says that the base has no suite.
func Judge(head, base fs.FS, suites []string) (fs.FS, error) {
	found, err := suitesOf(base, suites)
	if err != nil {
		return nil, err
	}
	judges := func(name string) bool {
		_, isSuite := slices.BinarySearch(found, name)
		return isSuite || isYAML(name)
	}
	return newOverlay(head, base, judges), nil
}

func isYAML(name string) bool {
	ending := path.Ext(name)
	return strings.EqualFold(ending, ".yml") || strings.EqualFold(ending, ".yaml")
}

// suitesOf returns the suites that a commit has under the given names, sorted. Names that it does not know are passed
// over: they are of suites that were added since.
func suitesOf(base fs.FS, names []string) ([]string, error) {
	selected := len(names) > 0
	if !selected {
		names = []string{"."}
	}
	var found []string
	var missing error
	for _, name := range names {
		some, err := suite.Find(base, []string{name})
		found = append(found, some...)
		missing = cmp.Or(missing, err)
	}
	if err := treeError(base); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &NoBaseline{Reason: "the base has no suite: " + missing.Error(), Selected: selected}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// newOverlay returns the files of head, but for those that judges names and base has: these are base's. Folders hold what
// either has. Its Err method is that of base.
func newOverlay(head, base fs.FS, judges func(name string) bool) fs.FS {
	return &overlay{head, base, judges}
}

type overlay struct {
	head, base fs.FS
	judges     func(string) bool
}

// Err returns why base could not be read.
func (o *overlay) Err() error { return treeError(o.base) }

// treeError returns why the files of a commit could not be read; nil for other file systems.
func treeError(fsys fs.FS) error {
	if tree, ok := fsys.(interface{ Err() error }); ok {
		return tree.Err()
	}
	return nil
}

// of returns the file system that a file or folder is taken from.
func (o *overlay) of(name string) (from fs.FS, isFolder bool) {
	inBase, err := fs.Stat(o.base, name)
	switch {
	case err == nil && inBase.IsDir():
		return o.base, true
	case o.judges(name) && !errors.Is(err, fs.ErrNotExist):
		return o.base, false // also when it cannot be read: head must not replace it
	}
	inHead, err := fs.Stat(o.head, name)
	return o.head, err == nil && inHead.IsDir()
}

// Open opens a file or folder.
func (o *overlay) Open(name string) (fs.File, error) {
	from, isFolder := o.of(name)
	if !isFolder {
		return from.Open(name)
	}
	about, err := fs.Stat(from, name)
	if err != nil {
		return nil, err
	}
	entries, err := o.ReadDir(name)
	if err != nil {
		return nil, err
	}
	return &openFolder{about: about, rest: entries}, nil
}

// Stat describes a file or folder.
func (o *overlay) Stat(name string) (fs.FileInfo, error) {
	from, _ := o.of(name)
	return fs.Stat(from, name)
}

// ReadDir returns what a folder holds in either file system, by name.
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	if from, isFolder := o.of(name); !isFolder {
		return fs.ReadDir(from, name)
	}
	inBase, err := listFolder(o.base, name)
	if err != nil {
		return nil, err
	}
	inHead, err := listFolder(o.head, name)
	if err != nil {
		return nil, err
	}
	fromBase := func(entry fs.DirEntry) bool { return entry.IsDir() || o.judges(path.Join(name, entry.Name())) }
	merged := slices.DeleteFunc(inBase, func(entry fs.DirEntry) bool { return !fromBase(entry) })
	merged = append(merged, inHead...)
	sorting.Stable(merged, byName) // of two with one name, base's stays first
	return slices.CompactFunc(merged, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}

func byName(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) }

// listFolder returns what a folder holds; nothing where there is no such folder.
func listFolder(fsys fs.FS, name string) ([]fs.DirEntry, error) {
	if about, err := fs.Stat(fsys, name); err != nil || !about.IsDir() {
		return nil, nil
	}
	return fs.ReadDir(fsys, name)
}
