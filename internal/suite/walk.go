package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// ErrUnsearched is the error for a folder that may contain suites that were not found.
var ErrUnsearched = errors.New("not all folders could be searched for suites, so name those to check")

// These constants bound the search below a folder. A large repository of services is far below them. A hostile repository costs
// a few seconds.
const (
	maxFolders = 100_000
	maxFiles   = 500_000
	maxDepth   = 64
)

type bounds struct{ folders, files, depth int }

// isLeftOut reports whether folders of this name are not searched, because their files belong to programs or to other projects.
func isLeftOut(folder string) bool {
	return strings.HasPrefix(folder, ".") || folder == "node_modules" || folder == "vendor" || folder == "testdata"
}

// IsSearched reports whether a search from the top of the workspace enters a folder, judged by the folder's path alone.
func IsSearched(folder string) bool {
	for name := range strings.SplitSeq(path.Clean(folder), "/") {
		if name != "." && isLeftOut(name) {
			return false
		}
	}
	return true
}

func isSuiteName(file string) bool { return file == "mcp-gates.yml" || file == "mcp-gates.yaml" }

// submodules is implemented by the files of a commit, in which submodules look like folders.
type submodules interface{ IsSubmodule(name string) bool }

// walk searches the folders below top for suites. It does not follow links.
type walk struct {
	fsys  fs.FS
	top   string
	most  bounds
	found []string

	folders, files int
}

func findNested(fsys fs.FS, top string, most bounds) ([]string, error) {
	w := &walk{fsys: fsys, top: top, most: most}
	if err := w.search(top, 0); err != nil {
		return nil, err
	}
	return w.found, nil
}

func (w *walk) search(folder string, depth int) error {
	w.folders++
	switch {
	case depth > w.most.depth:
		return fmt.Errorf("%w: %q is more than %d folders deep", ErrUnsearched, clipName(folder), w.most.depth)
	case w.folders > w.most.folders:
		return fmt.Errorf("%w: there are more than %d folders", ErrUnsearched, w.most.folders)
	}
	inner, err := w.listFolder(folder)
	if err != nil {
		return err
	}
	for _, name := range inner {
		if err := w.search(name, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// entriesAtOnce is the number of entries of a folder that are read at a time, so that a huge folder is not held in memory.
const entriesAtOnce = 1024

// listFolder notes the suites in a folder, and returns those of its folders that are to be searched. If the folder is a repository
// of its own, it notes and returns nothing.
func (w *walk) listFolder(name string) ([]string, error) {
	file, err := w.fsys.Open(name)
	if err != nil {
		return nil, w.listError(name, err)
	}
	defer file.Close()
	folder, ok := file.(fs.ReadDirFile)
	if !ok { // the folder was replaced by a file after its parent was read
		return nil, nil
	}
	var inner, found []string
	for {
		entries, err := folder.ReadDir(entriesAtOnce)
		if w.files += len(entries); w.files > w.most.files {
			return nil, fmt.Errorf("%w: there are more than %d files and folders", ErrUnsearched, w.most.files)
		}
		for _, entry := range entries {
			at := path.Join(name, entry.Name())
			switch {
			case entry.Name() == ".git" && name != w.top:
				return nil, nil
			case entry.IsDir() && w.enters(at):
				inner = append(inner, at)
			case entry.Type().IsRegular() && isSuiteName(entry.Name()):
				found = append(found, at)
			}
		}
		switch {
		case err == io.EOF:
			w.found = append(w.found, found...)
			return inner, nil
		case err != nil:
			return nil, w.listError(name, err)
		}
	}
}

// enters reports whether a folder is searched. A folder whose path is not UTF-8 is left out, because a report cannot name its
// files.
func (w *walk) enters(folder string) bool {
	if isLeftOut(path.Base(folder)) || !utf8.ValidString(folder) {
		return false
	}
	commit, ok := w.fsys.(submodules)
	return !ok || !commit.IsSubmodule(folder)
}

// listError returns the error for a folder that was not read; nil if the folder no longer exists.
func (w *walk) listError(folder string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%w: folder %q: %w", ErrUnsearched, clipName(folder), reason(err))
}

// clipName cuts a long name for a message.
func clipName(name string) string {
	const most = 100
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
