package git

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ErrNoRepository means that a folder is not in a repository.
var ErrNoRepository = errors.New("the workspace is not in a git repository")

// Repository is a repository with a work tree.
type Repository struct {
	// Prefix is the folder from which the repository was searched, relative to the top of the work tree: with slashes,
	// also at its end; "" for the top.
	Prefix string

	Name string // name of the folder at the top of the work tree

	own      string // folder of this work tree, with its HEAD
	common   string // folder that all work trees share, with references and objects
	hashSize int    // bytes: 20, or 32 for SHA-256
}

// Find finds the repository of a folder, in the folder or above it, but not above the folder within; "" means no limit.
// Only a .git is accepted as a repository: the author of the workspace could make any other folder look like one.
func Find(dir, within string) (*Repository, error) {
	dir, err := realPath(dir)
	if err != nil {
		return nil, err
	}
	limit, err := realPath(cmp.Or(within, filepath.VolumeName(dir)+string(filepath.Separator)))
	if err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(limit, dir); err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("folder %q does not lie in %q", dir, within)
	}
	for at := dir; ; at = filepath.Dir(at) {
		r, err := openAt(at)
		if err != nil {
			return nil, err
		}
		if r != nil {
			r.Prefix, r.Name = prefix(at, dir), filepath.Base(at)
			return r, nil
		}
		if at == limit || at == filepath.Dir(at) {
			return nil, ErrNoRepository
		}
	}
}

// realPath returns the absolute path of a folder without links, so that paths can be compared.
func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func prefix(top, dir string) string {
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// openAt opens the repository whose work tree has its top at dir; nil if there is none. A folder .git that is not a
// repository is ignored, as in git; a file .git that leads nowhere is a mistake.
func openAt(dir string) (*Repository, error) {
	name := filepath.Join(dir, ".git")
	about, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case about.IsDir():
		r, err := open(name, dir)
		if errors.Is(err, ErrNoRepository) {
			return nil, nil
		}
		return r, err
	}
	text, err := readSmall(name)
	if err != nil {
		return nil, err
	}
	target, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "gitdir: ")
	if !ok {
		return nil, fmt.Errorf("%q: expected \"gitdir: PATH\"", name)
	}
	r, err := open(resolvePath(dir, target), dir)
	if errors.Is(err, ErrNoRepository) {
		return nil, fmt.Errorf("%q leads to %.300q, which is not a git repository", name, target)
	}
	return r, err
}

// open opens the repository in a folder, which may belong to an additional work tree. The work tree has its top at top.
func open(dir, top string) (*Repository, error) {
	r := &Repository{own: dir, common: dir, hashSize: 20}
	text, err := readSmall(filepath.Join(dir, "commondir"))
	if err == nil {
		r.common = resolvePath(dir, strings.TrimRight(text, "\r\n"))
	}
	_, err = os.Lstat(filepath.Join(dir, "HEAD"))
	if errors.Is(err, os.ErrPermission) {
		return nil, err
	}
	hasFolders := isFolder(filepath.Join(r.common, "objects")) && isFolder(filepath.Join(r.common, "refs"))
	if err != nil || !hasFolders {
		return nil, ErrNoRepository
	}
	settings, err := readSmall(filepath.Join(r.common, "config"))
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if namesSHA256.MatchString(settings) {
		r.hashSize = 32
	}
	for _, m := range namesWorkTree.FindAllStringSubmatch(settings, -1) {
		if r.own == r.common && !isSame(resolvePath(dir, strings.Trim(m[1], `"`)), top) {
			return nil, fmt.Errorf("the repository %q has its work tree elsewhere: core.worktree is %.300q", dir, m[1])
		}
	}
	return r, nil
}

// namesWorkTree finds the setting that moves the top of the work tree. In a submodule the setting names the usual
// place. In another place, the paths of a commit would not be found.
var namesWorkTree = regexp.MustCompile(`(?mi)^\s*(?:\[[^]]*\]\s*)?worktree\s*=[ \t]*(.*?)\s*$`)

func isSame(one, two string) bool {
	a, err := os.Stat(one)
	b, otherErr := os.Stat(two)
	return err == nil && otherErr == nil && os.SameFile(a, b)
}

// namesSHA256 finds the only setting that is needed to read objects: the kind of their hashes.
var namesSHA256 = regexp.MustCompile(`(?mi)^\s*objectformat\s*=\s*"?sha256"?\s*$`)

func resolvePath(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

func isFolder(name string) bool {
	about, err := os.Stat(name)
	return err == nil && about.IsDir()
}

// maxSmall is the greatest size in bytes of a repository's files with a few lines. The longest is the list of a shallow
// clone's ends.
const maxSmall = 16 << 20

// readSmall reads a file with a few lines. It opens only regular files, because a pipe would never end.
func readSmall(name string) (string, error) {
	about, err := os.Stat(name)
	switch {
	case err != nil:
		return "", err
	case !about.Mode().IsRegular():
		return "", fmt.Errorf("%q is not a regular file", name)
	case about.Size() > maxSmall:
		return "", fmt.Errorf("%q is %d bytes long, at most %d are read", name, about.Size(), maxSmall)
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSmall))
	return string(text), err
}

// shallowEnds returns the commits whose parents the clone lacks; none if the clone is complete.
func (r *Repository) shallowEnds() (map[string]bool, error) {
	text, err := readSmall(filepath.Join(r.common, "shallow"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ends := map[string]bool{}
	for line := range strings.Lines(text) {
		ends[strings.TrimSpace(line)] = true
	}
	return ends, nil
}

// IsShallow reports whether the clone lacks a part of the history.
func (r *Repository) IsShallow() bool {
	ends, err := r.shallowEnds()
	return err == nil && len(ends) > 0
}
