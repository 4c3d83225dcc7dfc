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

// Sides are the source of a server before and after a change.
type Sides struct {
	Base, Head fs.FS
	Globs      []string        // of the base
	HeadGlobs  []string        // of the head, which count for files to which others were moved
	Skip       map[string]bool // files that are no source: catalogs, recordings, suites
}

// Lost is a tool whose description stood in the source of the base and stands in that of the head no longer.
type Lost struct {
	Tool *catalog.Tool
	Was  source.Pos // in the base
	Now  source.Pos // what the head says there; the zero Pos where that is not known
	Name bool       // the description stands there, and the tool has another name
}

// Comparison is what became of descriptions in the source.
type Comparison struct {
	Lost  []Lost          // in the order of the tools
	Files map[string]bool // of the base in which descriptions were found; not all where both sides have the same globs
}

// Compare finds the descriptions that stand in the source of the base as texts (strings, joined strings, comments, files of one text),
// and stand in the source of the head no longer: neither there nor in another of its files. How a text is written makes no difference:
// line breaks, indentation, escapes, the operators and comments between joined strings, values that the code inserts. A description
// that the base has nowhere is not looked for.
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
	out.Lost, err = c.lost(tools)
	return out, err
}

// weight is how much a text counts as the description of a tool.
type weight int

const (
	worthless weight = iota
	commented        // a comment of documentation
	stored           // data, or a file that is one text
	shown            // code of an example
	coded            // code
)

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

// site is where the base says a description best.
type site struct {
	weight weight
	how    how
	pos    source.Pos
	files  map[string]bool // all that have it
	stands bool            // the head has it, too
	now    source.Pos      // where; the zero Pos where only its letters were found
}

// comparison compares two sides.
type comparison struct {
	Sides
	index *index
	sites map[*said]*site

	base, head      *walk
	names           []string        // of the head
	isSame, changed map[string]bool // files of the base that the head has, as they were and otherwise
}

// readBase finds the descriptions in those files of the base that the head does not have as they are, and in all where the globs differ.
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

// pieces reads the texts of a file that is text.
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

// found notes a place of the base. Data and files of one text count where a glob names their ending.
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
			return c.index.find(p, func(one *said, h how, at *piece) { c.stands(name, p, one, h, at) })
		})
		if err != nil {
			return err
		}
	}
	return c.guard()
}

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

// stands notes a description that a file of the head says as well as the base did. In a file that did not say it before it has moved.
func (c *comparison) stands(name string, p *pieces, one *said, h how, at *piece) {
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

// guard keeps a description that the changed files have letter by letter where no string and no comment was read: nobody knows
// what that text means.
func (c *comparison) guard() error {
	c.head.size = 0 // the files that changed are read once more
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

// sameFile reports whether both sides have the same file. Where the base knows the name that git gives to the content, it is not read.
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

// readWhole reads a file that is not longer than those that are searched.
func readWhole(fsys fs.FS, name string) ([]byte, error) { return source.ReadFile(fsys, name, maxFile) }
