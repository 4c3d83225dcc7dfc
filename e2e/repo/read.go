package repo

import (
	"fmt"
	"strconv"
	"strings"
)

// Info is the content of a commit.
type Info struct {
	Tree    string
	Parents []string
	Message string
}

// ReadCommit returns the content of the commit with a hash.
func (r *Repo) ReadCommit(sha string) (Info, error) {
	raw, err := run(r.Dir, nil, "cat-file", "commit", sha)
	if err != nil {
		return Info{}, err
	}
	var c Info
	header, message, _ := strings.Cut(string(raw), "\n\n")
	c.Message = message
	for _, line := range strings.Split(header, "\n") {
		switch key, value, _ := strings.Cut(line, " "); key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		}
	}
	return c, nil
}

// Entry is an entry of a tree, such as a file or a folder.
type Entry struct {
	Path, Mode, Type, SHA string
	Size                  int64 // of a blob, in bytes
}

// Tree returns the entries of a commit's tree, including folders. If recursive is true, it also returns all entries below the
// folders.
func (r *Repo) Tree(sha string, recursive bool) ([]Entry, error) {
	args := []string{"ls-tree", "-z", "--long"}
	if recursive {
		args = append(args, "-r", "-t")
	}
	out, err := run(r.Dir, nil, append(args, sha)...)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, record := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		about, name, ok := strings.Cut(record, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 4 {
			return nil, fmt.Errorf("git ls-tree: unexpected %q", record)
		}
		size, _ := strconv.ParseInt(fields[3], 10, 64) // "-" for an entry without a size
		entries = append(entries, Entry{Path: name, Mode: fields[0], Type: fields[1], SHA: fields[2], Size: size})
	}
	return entries, nil
}

// Blob returns the content of a file by its hash.
func (r *Repo) Blob(sha string) ([]byte, error) { return run(r.Dir, nil, "cat-file", "blob", sha) }

// MergeBase returns the merge base of two commits.
func (r *Repo) MergeBase(a, b string) (string, error) {
	out, err := run(r.Dir, nil, "merge-base", a, b)
	return strings.TrimSpace(string(out)), err
}

// Archive returns the files of a commit as a compressed tar file, in a folder with the name that GitHub gives it.
func (r *Repo) Archive(sha string) ([]byte, error) {
	if !r.Has(sha) {
		return nil, fmt.Errorf("there is no commit %q", sha)
	}
	return run(r.Dir, nil, "archive", "--format=tar.gz", "--prefix=octo-tools-"+sha[:7]+"/", sha)
}
