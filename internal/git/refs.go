package git

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// maxLinks bounds the number of references that are read in a chain, because they can form a circle. Git has the same bound.
const maxLinks = 5

var errNoRef = errors.New("there is no such reference")

// refPatterns are the patterns of full names under which a short name is searched for, in git's order.
var refPatterns = []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"}

// refsNamed returns the references that a name can mean; a full name means only one.
func (r *Repository) refsNamed(name string) ([]Revision, error) {
	var found []Revision
	for _, pattern := range refPatterns {
		full := strings.Replace(pattern, "%s", name, 1)
		if !isRef(full) {
			continue
		}
		hash, end, err := r.followRef(full)
		if errors.Is(err, errNoRef) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, Revision{hash, end})
		if full == name {
			break
		}
	}
	return found, nil
}

// atTop matches references outside refs, such as HEAD and FETCH_HEAD.
var atTop = regexp.MustCompile(`^[A-Z][A-Z_]*$`)

// isRef reports whether a text can be the full name of a reference. It rejects all other files in the repository's
// folder, and all files outside it.
func isRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") {
		return atTop.MatchString(name)
	}
	isControl := func(r rune) bool { return r < ' ' }
	if strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.ContainsFunc(name, isControl) {
		return false
	}
	if strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	isRefused := func(part string) bool {
		return part == "" || part[0] == '.' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock")
	}
	return !slices.ContainsFunc(strings.Split(name, "/"), isRefused)
}

// followRef returns the hash of a reference, and the name of the reference at the end of the chain.
func (r *Repository) followRef(name string) (hash, end string, err error) {
	for range maxLinks {
		text, err := r.readRef(name)
		if err != nil {
			return "", "", err
		}
		target, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			hash, _, _ := strings.Cut(strings.TrimRight(text, "\r\n"), "\t") // in FETCH_HEAD, further text follows the hash
			if len(hash) != 2*r.hashSize || !isHex(hash) {
				return "", "", fmt.Errorf("reference %q: expected a hash, found %.80q", name, hash)
			}
			return hash, name, nil
		}
		target = strings.TrimSpace(target)
		if !isRef(target) {
			return "", "", fmt.Errorf("reference %q leads to %.80q, expected a reference", name, target)
		}
		name = target
	}
	return "", "", fmt.Errorf("reference %q: no hash in the %d references that lead to it", name, maxLinks)
}

// readRef returns the text in the file of a reference, or its hash in packed-refs.
func (r *Repository) readRef(name string) (string, error) {
	dir := r.common
	if isOfWorkTree(name) {
		dir = r.own
	}
	if isFolder(filepath.Join(r.common, "reftable")) {
		return "", errors.New("the repository keeps its references in the format reftable, which is not read; name a full commit hash")
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	text, err := readSmall(file)
	switch {
	case err == nil:
		return text, nil
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG), isFolder(file):
		return r.readPackedRef(name)
	}
	return "", err
}

func isOfWorkTree(name string) bool {
	return !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/bisect/") ||
		strings.HasPrefix(name, "refs/rewritten/")
}

// readPackedRef returns the hash of a reference in packed-refs, which has a line "HASH NAME" for each reference.
func (r *Repository) readPackedRef(name string) (string, error) {
	path := filepath.Join(r.common, "packed-refs")
	about, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", errNoRef
	}
	if err == nil && !about.Mode().IsRegular() {
		err = fmt.Errorf("%q is not a regular file", path)
	}
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if hash, ref, _ := strings.Cut(strings.TrimRight(lines.Text(), "\r"), " "); ref == name {
			return hash, nil
		}
	}
	if err := lines.Err(); err != nil {
		return "", fmt.Errorf("read %q: %w", path, err)
	}
	return "", errNoRef
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
