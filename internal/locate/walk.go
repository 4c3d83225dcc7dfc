package locate

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxFile    = 1 << 20
	maxSource  = 50 << 20
	maxEntries = 200_000

	// sniffed is the number of bytes at the beginning of a file that show whether the file is text.
	sniffed = 8 << 10
)

// scope is the part of a workspace that globs select.
type scope struct {
	globs   []string
	folders []string // the folders that the globs name before their first special character
}

func newScope(globs []string) (scope, error) {
	s := scope{globs: globs}
	for _, glob := range globs {
		if !doublestar.ValidatePattern(glob) {
			return scope{}, fmt.Errorf("source %q is not a valid glob", glob)
		}
		folder, _ := doublestar.SplitPattern(glob)
		s.folders = append(s.folders, folder)
	}
	return s, nil
}

func (s scope) enters(folder string) bool {
	if len(s.globs) == 0 {
		return !skipsFolder(path.Base(folder))
	}
	for _, named := range s.folders {
		if isWithin(folder, named) || isWithin(named, folder) && !skipsFolder(path.Base(folder)) {
			return true
		}
	}
	return false
}

func isWithin(outer, inner string) bool {
	return outer == "." || inner == outer || strings.HasPrefix(inner, outer+"/")
}

func (s scope) selects(name string) bool {
	if skipsFile(path.Base(name)) {
		return false
	}
	if len(s.globs) == 0 {
		return rankOf(name) > side
	}
	for _, glob := range s.globs {
		if doublestar.MatchUnvalidated(glob, name) {
			return true
		}
	}
	return false
}

// walk visits the text files of a workspace.
type walk struct {
	fsys  fs.FS
	scope scope
	skip  map[string]bool
	visit func(name string, text []byte) error

	buffer  bytes.Buffer
	entries int
	size    int
}

func (w *walk) run() error { return w.eachName(w.visitFile) }

func (w *walk) eachName(visit func(name string) error) error {
	return fs.WalkDir(w.fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		w.entries++
		switch {
		case err != nil && name == ".":
			return fmt.Errorf("search the workspace: %w", err)
		case err != nil:
			return skipEntry(entry)
		case w.entries > maxEntries:
			return ErrTooMuch
		case entry.IsDir() && name != "." && !w.scope.enters(name):
			return fs.SkipDir
		case !entry.Type().IsRegular() || w.skip[name] || !w.scope.selects(name):
			return nil
		}
		return visit(name)
	})
}

func skipEntry(entry fs.DirEntry) error {
	if entry != nil && entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (w *walk) visitFile(name string) error {
	text, ok := w.read(name)
	if !ok {
		return nil
	}
	w.size += len(text)
	if w.size > maxSource {
		return ErrTooMuch
	}
	if isGeneratedOrMinified(text) {
		return nil
	}
	return w.visit(name, text)
}

// read returns the text of a file, which is valid until the next call. It returns false if the file is too long, cannot be read
// or is not text.
func (w *walk) read(name string) ([]byte, bool) {
	file, err := w.fsys.Open(name)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, false
	}
	w.buffer.Reset()
	head := io.LimitReader(file, sniffed)
	if _, err := w.buffer.ReadFrom(head); err != nil || bytes.IndexByte(w.buffer.Bytes(), 0) >= 0 {
		return nil, false
	}
	// A file can grow after its size was read.
	_, err = w.buffer.ReadFrom(io.LimitReader(file, maxFile+1-int64(w.buffer.Len())))
	return w.buffer.Bytes(), err == nil && w.buffer.Len() <= maxFile
}
