package git

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// Entry is an entry in the tree of a commit, as `git ls-tree` lists it.
type Entry struct {
	Path string // with slashes
	Mode string // six octal digits: 100644 and 100755 are files, 120000 a link, 040000 a folder, 160000 a submodule
	Size int64  // size of a file or link in bytes; below 0 if unknown, as in all lists of this package: see [Objects.Size]
	SHA  string // hash of the object, in lower-case hexadecimal
}

// maxListing is the greatest size of a tree's listing in bytes: about a hundred for each file. A malicious tree can
// name the same folders over and over.
const maxListing = 64 << 20

const (
	folderMode    = "040000"
	linkMode      = "120000"
	submoduleMode = "160000"
)

// List returns the entries of a commit in a folder and below it, with paths relative to the folder. The folder is ""
// for the top, otherwise it ends with a slash. If the commit lacks the folder, there are no entries. A link or a
// submodule in its place is an error, because its content is not known.
func (o *Objects) List(commit, folder string) ([]Entry, error) {
	c, err := o.Commit(commit)
	if err != nil {
		return nil, err
	}
	tree, err := o.Folder(c.Tree, folder)
	if err != nil || tree == "" {
		return nil, err
	}
	l := &lister{objects: o, left: maxListing}
	err = l.list(tree, "")
	return l.entries, err
}

// Folder returns the hash of the tree of a folder in a commit's tree; "" if there is no such folder. The folder is ""
// for the top, otherwise it ends with a slash. A link or a submodule in its place is an error.
func (o *Objects) Folder(tree, folder string) (string, error) {
	l := &lister{objects: o}
	for step := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if step == "" {
			break
		}
		var err error
		if tree, err = l.subtree(tree, step); err != nil || tree == "" {
			return "", err
		}
	}
	return tree, nil
}

// Tree returns the entries of a tree in order, without the content of its folders.
func (o *Objects) Tree(hash string) (entries []Entry, err error) {
	l := &lister{objects: o}
	err = l.eachEntry(hash, func(e Entry) error {
		entries = append(entries, e)
		return nil
	})
	return entries, err
}

// lister lists a tree.
type lister struct {
	objects *Objects
	entries []Entry
	left    int // bytes that the listing may still have
}

// subtree returns the hash of the folder with a name in a tree; "" if there is none.
func (l *lister) subtree(tree, name string) (string, error) {
	found := ""
	err := l.eachEntry(tree, func(e Entry) error {
		switch {
		case e.Path != name:
		case e.Mode == folderMode:
			found = e.SHA
		case e.Mode == linkMode:
			return fmt.Errorf("%q is a link there, expected a folder", name)
		case e.Mode == submoduleMode:
			return fmt.Errorf("%q is a submodule there, expected a folder", name)
		}
		return nil
	})
	return found, err
}

// list adds the entries of a tree, and then those of its folders. above is the beginning of their paths. It does not keep the
// trees above in memory.
func (l *lister) list(tree, above string) error {
	first := len(l.entries)
	err := l.eachEntry(tree, func(e Entry) error {
		e.Path = above + e.Path
		if l.left -= len(e.Path) + 2*len(e.SHA); l.left < 0 {
			return fmt.Errorf("the list of its files is longer than %d MiB", maxListing>>20)
		}
		l.entries = append(l.entries, e)
		return nil
	})
	for i, end := first, len(l.entries); i < end && err == nil; i++ {
		if e := l.entries[i]; e.Mode == folderMode {
			err = l.list(e.SHA, e.Path+"/")
		}
	}
	return err
}

// eachEntry calls do with each entry of a tree, which is "MODE NAME", a zero byte and the bytes of a hash.
func (l *lister) eachEntry(tree string, do func(Entry) error) error {
	k, text, err := l.objects.read(tree, maxListing+1)
	if err == nil && len(text) > maxListing {
		err = fmt.Errorf("is longer than %d MiB", maxListing>>20)
	}
	if err != nil {
		return fmt.Errorf("tree %s %w", tree, err)
	}
	if k != treeKind {
		return fmt.Errorf("%s is a %s, expected a tree", tree, k)
	}
	for size := l.objects.repository.hashSize; len(text) > 0; {
		about, rest, found := bytes.Cut(text, []byte{0})
		mode, name, named := strings.Cut(string(about), " ")
		isMode := len(mode) <= len(folderMode) && strings.Trim(mode, "01234567") == ""
		isEntry := found && named && isMode && len(rest) >= size
		if !isEntry {
			return fmt.Errorf("tree %s: expected mode, name and hash, found %.80q", tree, text[:min(len(text), 80)])
		}
		mode = strings.Repeat("0", len(folderMode)-len(mode)) + mode
		entry := Entry{Path: name, Mode: mode, SHA: hex.EncodeToString(rest[:size])}
		if mode != folderMode && mode != submoduleMode {
			entry.Size = -1
		}
		if err := do(entry); err != nil {
			return err
		}
		text = rest[size:]
	}
	return nil
}
