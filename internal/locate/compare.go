package locate

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Sides are the two versions of a server's source, before and after a change.
type Sides struct {
	Base, Head fs.FS
	Globs      []string        // of the base
	HeadGlobs  []string        // globs of the head; they also select the files to which descriptions were moved
	Skip       map[string]bool // files that are not source: catalogs, recordings, suites
}

// Lost is a tool whose description was in the source of the base, and is not in the source of the head.
type Lost struct {
	Tool *catalog.Tool
	Was  source.Pos // in the base
	Now  source.Pos // the place in the head that replaces it; the zero Pos if that is not known
	Name bool       // the description is still there, but the tool has another name
}

// Comparison is the result of [Compare].
type Comparison struct {
	Lost  []Lost          // lost descriptions, in the order of the tools
	Files map[string]bool // files of the base in which descriptions were found; incomplete if both sides have the same globs
}

// Compare finds the descriptions that are texts in the source of the base (strings, joined strings, comments, files of
// one text), but not in any file of the head. It ignores how a text is written: line breaks, indentation, escapes, the
// operators and comments between joined strings, values that the code inserts. It ignores descriptions that are nowhere
// in the base.
//
// The errors are those of [Find].
func Compare(s Sides, tools []*catalog.Tool) (Comparison, error) {
	c := &comparison{Sides: s, index: newIndex(tools), sites: map[*said]*site{}}
	if len(c.index.all) == 0 || len(s.Globs) == 0 {
		return Comparison{}, nil
	}
	if err := c.readBase(); err != nil || len(c.sites) == 0 {
		return Comparison{}, err
	}
	if err := c.readHead(); err != nil {
		return Comparison{}, err
	}
	out := Comparison{Files: map[string]bool{}}
	for _, p := range c.sites {
		for name := range p.files {
			out.Files[name] = true
		}
	}
	var err error
	out.Lost, err = c.lostDescriptions(tools)
	return out, err
}

// weight ranks the texts in which a tool's description is found; the greatest counts.
type weight int

const (
	worthless weight = iota
	commented        // a comment of documentation
	stored           // data, or a file that consists of one text
	shown            // code of an example
	coded            // code
)

// weigh returns how much a match counts: code counts more than an example or a comment.
func weigh(name string, at *piece, h how) weight {
	ending := strings.ToLower(path.Ext(name))
	w := worthless
	switch rankOf(name) {
	case code:
		w = coded
	case example:
		w = shown
	case side:
		isPlain := wholeTexts[ending]
		isLoose := rankOf(path.Join(path.Dir(name), "x")) > side && !testName.MatchString(path.Base(name))
		if sideEndings[ending] && isLoose && (!isPlain || h == all) {
			w = stored
		}
	}
	switch {
	case !at.isComment || w == worthless:
		return w
	case at.isDoc:
		return commented
	}
	return worthless
}

// site is the place in the base's files that matches a description best.
type site struct {
	weight weight
	how    how
	pos    source.Pos
	files  map[string]bool // all files of the base with this description
	stands bool            // the head also has the description
	now    source.Pos      // place of the description in the head; zero if only its letters were found
}

// comparison compares two sides.
type comparison struct {
	Sides
	index *index
	sites map[*said]*site

	base, head      *walk
	names           []string        // file names of the head
	isSame, changed map[string]bool // files of the base that the head has, unchanged or changed
}

// readBase finds the descriptions in those files of the base that the head lacks or has changed; if the globs differ,
// in all files of the base.
func (c *comparison) readBase() error {
	scope, err := newScope(c.Globs)
	if err != nil {
		return err
	}
	c.base, c.head = &walk{fsys: c.Base, scope: scope, skip: c.Skip}, &walk{fsys: c.Head, scope: scope, skip: c.Skip}
	c.isSame, c.changed = map[string]bool{}, map[string]bool{}
	if err := c.head.each(func(name string) error { c.names = append(c.names, name); return nil }); err != nil {
		return err
	}
	here := map[string]bool{}
	for _, name := range c.names {
		here[name] = true
	}
	isWhole := !slices.Equal(c.Globs, c.HeadGlobs)
	return c.base.each(func(name string) error {
		if here[name] {
			same := sameFile(c.Base, c.Head, name)
			c.isSame[name], c.changed[name] = same, !same
		}
		if c.isSame[name] && !isWhole {
			return nil
		}
		return c.base.pieces(name, func(p *pieces) error {
			return c.index.find(p, func(one *said, h how, at *piece) { c.found(name, p, one, h, at) })
		})
	})
}

// pieces calls visit with the texts of a text file.
func (w *walk) pieces(name string, visit func(*pieces) error) error {
	text, ok := w.read(name)
	if !ok || isForeign(text) {
		return nil
	}
	if w.size += len(text); w.size > maxSource {
		return ErrTooMuch
	}
	return visit(piecesOf(name, text))
}

// found notes a place in the base. Data and files of one text count only if a glob names their file ending.
func (c *comparison) found(name string, p *pieces, one *said, h how, at *piece) {
	w := weigh(name, at, h)
	if w == worthless || w == stored && !c.namesEnding(name) {
		return
	}
	known := c.sites[one]
	if known == nil {
		known = &site{files: map[string]bool{}}
		c.sites[one] = known
	}
	known.files[name] = true
	if w > known.weight || w == known.weight && h > known.how {
		known.weight, known.how = w, h
		known.pos = source.Pos{File: name, Line: lineOf(p.text, at.start)}
	}
}

func (c *comparison) namesEnding(name string) bool {
	return slices.ContainsFunc(c.Globs, func(glob string) bool {
		return strings.HasSuffix(glob, path.Ext(name)) && doublestar.MatchUnvalidated(glob, name)
	})
}

// lineOf returns the line of an offset, 1-based.
func lineOf(text []byte, offset int) int { return bytes.Count(text[:offset], []byte("\n")) + 1 }

func (c *comparison) readHead() error {
	if err := c.follow(); err != nil {
		return err
	}
	rank := func(name string) int {
		if c.isSame[name] {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(c.names, func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	for _, name := range c.names {
		if !c.isAnyLost() {
			return nil
		}
		err := c.head.pieces(name, func(p *pieces) error {
			return c.index.find(p, func(one *said, h how, at *piece) { c.noteKept(name, p, one, h, at) })
		})
		if err != nil {
			return err
		}
	}
	return c.guard()
}

// follow adds the files of the head's globs to those that are searched, if a description is gone from its file.
func (c *comparison) follow() error {
	isGone := func(p *site) bool {
		for name := range p.files {
			if !c.isSame[name] && !c.changed[name] {
				return true
			}
		}
		return false
	}
	gone := false
	for _, p := range c.sites {
		gone = gone || isGone(p)
	}
	if !gone || len(c.HeadGlobs) == 0 || slices.Equal(c.Globs, c.HeadGlobs) {
		return nil
	}
	scope, err := newScope(c.HeadGlobs)
	if err != nil {
		return err
	}
	more := &walk{fsys: c.Head, scope: scope, skip: c.Skip}
	err = more.each(func(name string) error { c.names = append(c.names, name); return nil })
	slices.Sort(c.names)
	c.names = slices.Compact(c.names)
	return err
}

// noteKept notes a description that a file of the head matches at least as well as the base. If the file did not have the
// description in the base, the description has moved.
func (c *comparison) noteKept(name string, p *pieces, one *said, h how, at *piece) {
	was := c.sites[one]
	if was == nil || h < was.how {
		return
	}
	w := weigh(name, at, h)
	if w >= was.weight || w >= stored && !was.files[name] {
		was.stands, was.now = true, source.Pos{File: name, Line: lineOf(p.text, at.start)}
	}
}

func (c *comparison) isAnyLost() bool {
	for _, p := range c.sites {
		if !p.stands {
			return true
		}
	}
	return false
}

// guard keeps a description whose letters are in a changed file of the head outside the strings and comments that were
// read, because the meaning of that text is unknown.
func (c *comparison) guard() error {
	c.head.size = 0 // the changed files are read a second time
	byText := map[string]*site{}
	var tools []*catalog.Tool
	for _, one := range c.index.all {
		if p := c.sites[one]; p != nil && !p.stands {
			tools = append(tools, one.tools[0])
			byText[one.tools[0].Description] = p
		}
	}
	search := newSearch(tools)
	for _, name := range c.names {
		if len(search.patterns) == 0 || c.isSame[name] || rankOf(name) == side {
			continue
		}
		err := c.head.pieces(name, func(p *pieces) error {
			hits, err := search.hits(p.text)
			for _, h := range hits {
				if h.kind == whole && !p.holds(h.start) {
					byText[h.pattern.tools[0].tool.Description].stands = true
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sameFile reports whether a file is the same on both sides. If the base knows git's name of the content, the file is
// not read.
func sameFile(base, head fs.FS, name string) bool {
	type blobs interface {
		Blob(name string) (string, error)
	}
	known, ok := base.(blobs)
	if !ok {
		was, err := readWhole(base, name)
		is, headErr := readWhole(head, name)
		return err == nil && headErr == nil && bytes.Equal(was, is)
	}
	was, err := known.Blob(name)
	if err != nil || was == "" {
		return false
	}
	if other, ok := head.(blobs); ok {
		is, err := other.Blob(name)
		return err == nil && is == was
	}
	is, err := readWhole(head, name)
	if err != nil {
		return false
	}
	sum, err := source.BlobSum(bytes.NewReader(is), int64(len(is)), was)
	return err == nil && sum == was
}

// readWhole reads a file that is at most as long as the files that are searched.
func readWhole(fsys fs.FS, name string) ([]byte, error) { return source.ReadFile(fsys, name, maxFile) }
