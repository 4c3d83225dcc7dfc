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
	Globs      []string        // globs of the base
	HeadGlobs  []string        // globs of the head; they also select the files to which descriptions were moved
	Skip       map[string]bool // files that are not source: catalogs, recordings, suites
}

// Lost is a tool whose description was in the source of the base, and is not in the source of the head.
type Lost struct {
	Tool *catalog.Tool
	Was  source.Pos // place of the description in the base
	Now  source.Pos // the place in the head that replaces it; the zero Pos if that is not known
	Name bool       // the description is still there, but the tool has another name
}

// Comparison is the result of [Compare].
type Comparison struct {
	Lost  []Lost          // lost descriptions, in the order of the tools
	Files map[string]bool // files of the base in which descriptions were found; incomplete if both sides have the same globs
}

// Compare finds the descriptions that are texts in the source of the base (strings, joined strings, comments, files of one
// text), but are in no file of the head. It compares texts without the way they are written: without line breaks, indentation,
// escapes, the operators and comments between joined strings, and the values that the code inserts. It leaves out descriptions
// that are nowhere in the base.
//
// The errors are those of [Find].
func Compare(s Sides, tools []*catalog.Tool) (Comparison, error) {
	c := &comparison{Sides: s, index: newIndex(tools), sites: map[*plainDescription]*site{}}
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

// weight ranks the texts in which a tool's description is found. The text with the greatest weight is the place of the
// description.
type weight int

const (
	worthless weight = iota
	commented        // a comment of documentation
	stored           // data, or a file that consists of one text
	shown            // code of an example
	coded            // code
)

// weigh returns how much a match counts: code counts more than an example or a comment.
func weigh(name string, at *piece, h extent) weight {
	ending := strings.ToLower(path.Ext(name))
	w := worthless
	switch rankOf(name) {
	case code:
		w = coded
	case example:
		w = shown
	case side:
		isBesideCode := rankOf(path.Join(path.Dir(name), "x")) > side && !testName.MatchString(path.Base(name)) // "x" is any code
		isFound := !wholeTexts[ending] || h == matchesWhole
		if sideEndings[ending] && isBesideCode && isFound {
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
	extent extent
	pos    source.Pos
	files  map[string]bool // all files of the base with this description
	isKept bool            // the head also has the description
	keptAt source.Pos      // place of the description in the head; zero if only its letters were found
}

type comparison struct {
	Sides
	index *index
	sites map[*plainDescription]*site

	base, head         *walk
	headNames          []string        // file names of the head
	unchanged, changed map[string]bool // files of the base that the head has, unchanged or changed
}

// readBase finds the descriptions in the files of the base. It leaves out files that are the same in the head, unless the globs
// of the two sides differ.
func (c *comparison) readBase() error {
	scope, err := newScope(c.Globs)
	if err != nil {
		return err
	}
	c.base, c.head = &walk{fsys: c.Base, scope: scope, skip: c.Skip}, &walk{fsys: c.Head, scope: scope, skip: c.Skip}
	c.unchanged, c.changed = map[string]bool{}, map[string]bool{}
	if err := c.head.eachName(func(name string) error { c.headNames = append(c.headNames, name); return nil }); err != nil {
		return err
	}
	inHead := map[string]bool{}
	for _, name := range c.headNames {
		inHead[name] = true
	}
	readsAll := !slices.Equal(c.Globs, c.HeadGlobs)
	return c.base.eachName(func(name string) error {
		if inHead[name] {
			same := sameFile(c.Base, c.Head, name)
			c.unchanged[name], c.changed[name] = same, !same
		}
		if c.unchanged[name] && !readsAll {
			return nil
		}
		return c.base.visitPieces(name, func(p *pieces) error {
			return c.index.find(p, func(one *plainDescription, h extent, at *piece) { c.noteBase(name, p, one, h, at) })
		})
	})
}

// visitPieces calls visit with the texts of a text file.
func (w *walk) visitPieces(name string, visit func(*pieces) error) error {
	text, ok := w.read(name)
	if !ok || isGeneratedOrMinified(text) {
		return nil
	}
	if w.size += len(text); w.size > maxSource {
		return ErrTooMuch
	}
	return visit(piecesOf(name, text))
}

// noteBase notes a place of a description in the base. A place in data, or in a file of one text, counts only if a glob names
// the file's ending.
func (c *comparison) noteBase(name string, p *pieces, one *plainDescription, h extent, at *piece) {
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
	isBetter := w > known.weight || w == known.weight && h > known.extent
	if isBetter {
		known.weight, known.extent = w, h
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
	if err := c.addMovedFiles(); err != nil {
		return err
	}
	order := func(name string) int { // changed files first
		if c.unchanged[name] {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(c.headNames, func(a, b string) int { return cmp.Or(order(a)-order(b), strings.Compare(a, b)) })
	for _, name := range c.headNames {
		if !c.isAnyLost() {
			return nil
		}
		err := c.head.visitPieces(name, func(p *pieces) error {
			return c.index.find(p, func(one *plainDescription, h extent, at *piece) { c.noteKept(name, p, one, h, at) })
		})
		if err != nil {
			return err
		}
	}
	return c.keepUnclear()
}

// addMovedFiles adds the files of the head's globs to the files that are searched, if a file of the base with a description is
// gone.
func (c *comparison) addMovedFiles() error {
	isAnyGone := false
	for _, p := range c.sites {
		for name := range p.files {
			isInHead := c.unchanged[name] || c.changed[name]
			isAnyGone = isAnyGone || !isInHead
		}
	}
	hasMoreGlobs := len(c.HeadGlobs) > 0 && !slices.Equal(c.Globs, c.HeadGlobs)
	if !isAnyGone || !hasMoreGlobs {
		return nil
	}
	scope, err := newScope(c.HeadGlobs)
	if err != nil {
		return err
	}
	more := &walk{fsys: c.Head, scope: scope, skip: c.Skip}
	err = more.eachName(func(name string) error { c.headNames = append(c.headNames, name); return nil })
	slices.Sort(c.headNames)
	c.headNames = slices.Compact(c.headNames)
	return err
}

// noteKept notes a description that a file of the head matches at least as well as the base does. A lower weight is enough if the
// description has moved to a file that did not have it in the base.
func (c *comparison) noteKept(name string, p *pieces, one *plainDescription, h extent, at *piece) {
	was := c.sites[one]
	if was == nil || h < was.extent {
		return
	}
	w := weigh(name, at, h)
	isMoved := w >= stored && !was.files[name]
	if w >= was.weight || isMoved {
		was.isKept, was.keptAt = true, source.Pos{File: name, Line: lineOf(p.text, at.start)}
	}
}

func (c *comparison) isAnyLost() bool {
	for _, p := range c.sites {
		if !p.isKept {
			return true
		}
	}
	return false
}

// keepUnclear keeps a description whose letters are in a changed file of the head, but outside the strings and comments that were
// read. The meaning of such a text is unknown.
func (c *comparison) keepUnclear() error {
	c.head.size = 0 // the changed files are read a second time
	byText := map[string]*site{}
	var tools []*catalog.Tool
	for _, one := range c.index.all {
		if p := c.sites[one]; p != nil && !p.isKept {
			tools = append(tools, one.tools[0])
			byText[one.tools[0].Description] = p
		}
	}
	search := newSearch(tools)
	for _, name := range c.headNames {
		if len(search.patterns) == 0 || c.unchanged[name] || rankOf(name) == side {
			continue
		}
		err := c.head.visitPieces(name, func(p *pieces) error {
			hits, err := search.findHits(p.text)
			for _, h := range hits {
				if h.kind == whole && !p.contains(h.start) {
					description := h.pattern.tools[0].tool.Description
					byText[description].isKept = true
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

// sameFile reports whether a file is the same on both sides. If the base knows git's name of the content, the base's file is not
// read.
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

// readWhole reads a file. It fails for a file that is too long to be searched.
func readWhole(fsys fs.FS, name string) ([]byte, error) { return source.ReadFile(fsys, name, maxFile) }
