package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/lists"
)

// question is something that an evaluation asked about the files of a commit.
type question struct {
	kind byte // one of open, list, stat, lstat
	name string
}

const (
	open  = 'o' // a file was opened: the answer is its content
	list  = 'd' // a folder was listed: the answer is the names and kinds of its entries
	stat  = 's' // a file was described; of a folder, the answer is only that it is one
	lstat = 'l' // the same as stat, but of a link itself
)

// answered is a question and its answer.
type answered struct {
	question
	answer string // hash of the answer; "" if there was no such file
}

// watched gives access to the files of a commit, and records the questions that are asked about them. It is not safe for
// concurrent use.
type watched struct {
	tree    *baseline.Tree
	asked   []answered
	answers map[question]string
	linked  bool  // a link was followed, so that changes of other paths matter
	err     error // why content could not be read; all results are then useless
}

// ask returns the answer to a question, and records both.
func (w *watched) ask(q question) string {
	answer, known := w.answers[q]
	if !known {
		answer = w.findAnswer(q)
		w.answers[q] = answer
	}
	w.asked = append(w.asked, answered{q, answer})
	return answer
}

func (w *watched) findAnswer(q question) string {
	if !fs.ValidPath(q.name) {
		return ""
	}
	id, isFolder, through, err := w.tree.Identity(q.name, q.kind != lstat)
	w.linked = w.linked || through
	w.noteError(err)
	switch {
	case err != nil:
		return ""
	case !isFolder:
		return id
	case q.kind != list:
		return "folder"
	}
	return w.listingAnswer(q.name)
}

// listingAnswer returns the answer for a folder: the names and kinds of its entries.
func (w *watched) listingAnswer(name string) string {
	entries, err := fs.ReadDir(w.tree, name)
	if w.noteError(err); err != nil {
		return ""
	}
	hash := sha256.New()
	for _, entry := range entries {
		fmt.Fprintf(hash, "%q %o\n", entry.Name(), entry.Type())
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// noteError keeps the first reason why content could not be read. A missing file does not count.
func (w *watched) noteError(err error) {
	if unreadable, ok := errors.AsType[*baseline.Unreadable](err); ok && w.err == nil {
		w.err = unreadable
	}
}

// Open opens a file or a folder.
func (w *watched) Open(name string) (fs.File, error) {
	file, err := w.tree.Open(name)
	w.noteError(err)
	_, isFolder := file.(fs.ReadDirFile)
	if isFolder {
		w.ask(question{list, name})
		return file, err
	}
	w.ask(question{open, name})
	if err != nil {
		return nil, err
	}
	return &watchedFile{file, w}, nil
}

// watchedFile is an open file. Its content can turn out to be missing from the clone while it is read.
type watchedFile struct {
	fs.File
	files *watched
}

func (f *watchedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.files.noteError(err)
	return n, err
}

// Stat describes a file or a folder.
func (w *watched) Stat(name string) (fs.FileInfo, error) {
	w.ask(question{stat, name})
	info, err := w.tree.Stat(name)
	w.noteError(err)
	return info, err
}

// Lstat describes a file, a folder or a link.
func (w *watched) Lstat(name string) (fs.FileInfo, error) {
	w.ask(question{lstat, name})
	info, err := w.tree.Lstat(name)
	w.noteError(err)
	return info, err
}

// ReadLink returns the target of a link.
func (w *watched) ReadLink(name string) (string, error) {
	w.ask(question{lstat, name})
	target, err := w.tree.ReadLink(name)
	w.noteError(err)
	return target, err
}

// Err returns the reason why content could not be read; nil if all could.
func (w *watched) Err() error { return w.err }

// questionsSince returns the questions after the first n, without repeats.
func (w *watched) questionsSince(n int) []answered {
	var found []answered
	seen := map[question]bool{}
	for _, one := range w.asked[n:] {
		if !seen[one.question] {
			seen[one.question] = true
			found = append(found, one)
		}
	}
	return found
}

// answersAsBefore asks questions that another commit has answered, and reports whether this commit has the same answers.
func (w *watched) answersAsBefore(before []answered) bool {
	return !slices.ContainsFunc(before, func(one answered) bool { return w.ask(one.question) != one.answer })
}

// contentHash returns a hash of the names and contents of the files that were opened; "" if none was.
func (w *watched) contentHash() string {
	var opened []answered
	for q, answer := range w.answers {
		if q.kind == open && answer != "" {
			opened = append(opened, answered{q, answer})
		}
	}
	if len(opened) == 0 {
		return ""
	}
	lists.SortStable(opened, func(a, b *answered) int { return cmp.Compare(a.name, b.name) })
	return digest(opened)
}

// digest returns a hash of questions and their answers. It leaves out the files in without.
func digest(asked []answered, without ...string) string {
	hash := sha256.New()
	for _, one := range asked {
		if !slices.Contains(without, one.name) {
			fmt.Fprintf(hash, "%c %q %s\n", one.kind, one.name, one.answer)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// affectsAnswers reports whether a change affects an answer: it changes a file that was asked about, or an entry of a listed folder
// is added, is removed or gets another mode.
func affectsAnswers(asked map[question]string, changes []baseline.Change) bool {
	isAsked := func(kind byte, name string) bool { _, ok := asked[question{kind, name}]; return ok }
	return slices.ContainsFunc(changes, func(c baseline.Change) bool {
		for _, kind := range []byte{open, list, stat, lstat} {
			if isAsked(kind, c.Path) {
				return true
			}
		}
		return c.Before.Mode != c.After.Mode && isAsked(list, path.Dir(c.Path))
	})
}

// tree is a decision tree that returns a kept result. A fork has a question, and a branch for each answer; a leaf has the
// result.
type tree[T any] struct {
	ask   question
	next  map[string]*tree[T]
	found *T // result of a leaf; nil for a fork
}

// findResult returns the result for the answers of this commit; nil if there is none. It asks the questions of the tree about this
// commit.
func (t *tree[T]) findResult(w *watched) *T {
	for t != nil && t.next != nil {
		t = t.next[w.ask(t.ask)]
	}
	if t == nil {
		return nil
	}
	return t.found
}

// keepResult adds a result to the tree with a key, which is made at its first result.
func keepResult[T any](trees map[string]*tree[T], key string, asked []answered, found *T) {
	if trees[key] == nil {
		trees[key] = &tree[T]{}
	}
	trees[key].addResult(asked, found)
}

// addResult adds a result with the questions and answers that led to it. If the tree asks the questions in another order, the new
// branch replaces the old one.
func (t *tree[T]) addResult(asked []answered, found *T) {
	for _, one := range asked {
		if t.found != nil || t.next == nil || t.ask != one.question {
			t.found, t.ask, t.next = nil, one.question, map[string]*tree[T]{}
		}
		child := t.next[one.answer]
		if child == nil {
			child = &tree[T]{}
			t.next[one.answer] = child
		}
		t = child
	}
	t.found, t.next = found, nil
}
