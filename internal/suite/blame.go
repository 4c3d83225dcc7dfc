package suite

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// entry is an entry of a list of cases, with its mistakes. Mistakes of an entry do not affect the file's other entries.
type entry struct {
	kind       Kind
	name       string // "" if the entry has no usable name
	pos        source.Pos
	at         source.Pos // position of the test whose table has the entry as a row; otherwise zero
	definition bool       // the entry is no case: it is in agents: only for tests to inherit from, or its cases are in a table
	heirs      []*entry   // tests that inherit from the entry, or the rows of its table
	mistakes   source.Errors
	foreign    []foreignUse
	models     []string // models of a test that is not read because it has foreign keys
	matrix     bool     // the models were given as a list
	faulty     bool     // a mistake was found while the entry was read
}

// span is a range of indexes of mistakes that were found while an entry was read.
type span struct {
	from, to int
	of       *entry
}

// entryOf returns the entry at a position, and creates it if needed. Aliases can repeat a whole list, and so an entry.
func (r *reader) entryOf(pos source.Pos, kind Kind) *entry {
	e := r.entries[pos]
	if e == nil {
		e = &entry{kind: kind, pos: pos}
		r.entries[pos] = e
		r.inOrder = append(r.inOrder, e)
	}
	return e
}

func (r *reader) attributeTo(e *entry, read func()) {
	from := len(r.errs)
	read()
	if to := len(r.errs); to > from {
		r.spans = append(r.spans, span{from, to, e})
		e.faulty = true
	}
}

// assignMistakes assigns each mistake to the entries that it concerns, and reports whether a mistake concerns the file as a whole.
func (r *reader) assignMistakes() (stops bool) {
	if r.root.Stopped() || r.errs.Cut() {
		return true
	}
	owners := make([]*entry, len(r.errs))
	for _, s := range slices.Backward(r.spans) { // a row's span precedes its test's span, and so overwrites it
		for i := s.from; i < s.to; i++ {
			owners[i] = s.of
		}
	}
	places := r.places()
	for i, err := range r.errs {
		if owners[i] == r.loose {
			continue
		}
		isShared := places.key(err.Pos) == defaultsKey || r.isIncluded(err.Pos.File)
		if owners[i] == nil || isShared {
			owners[i] = places.entry(err.Pos)
		}
		if owners[i] == nil {
			return true
		}
		owners[i].mistakes = append(owners[i].mistakes, err)
	}
	return false
}

func (e *entry) allHeirs() []*entry {
	all := slices.Clone(e.heirs)
	for _, heir := range e.heirs {
		all = append(all, heir.allHeirs()...)
	}
	return all
}

// casePlace is the position of a case: its entry in the suite, and its row in the entry's table.
type casePlace struct{ entry, row source.Pos }

func (c *Case) place() casePlace { return casePlace{c.Pos, c.Row} }

func (e *entry) place() casePlace {
	if e.at == (source.Pos{}) {
		return casePlace{entry: e.pos}
	}
	return casePlace{e.at, e.pos}
}

func (r *reader) inheritMistakes() {
	for _, e := range r.inOrder {
		for _, heir := range e.allHeirs() {
			heir.mistakes = append(heir.mistakes, e.mistakes...)
			heir.foreign = append(heir.foreign, e.foreign...)
		}
	}
}

// defaultsKey is the key of the map that all tests inherit from. A mistake in it concerns the whole file, like a mistake in an
// included file.
const defaultsKey = "defaults"

// place is the beginning of a top-level key, or of an entry below such a key.
type place struct {
	pos   source.Pos
	key   string // the top-level key
	entry *entry // nil for the key itself
}

// filePlaces are the places of a file, sorted; nil if the file has aliases, because positions are then ambiguous.
type filePlaces []place

// places returns the places of all top-level keys and of the entries below them; nil for a file with aliases.
func (r *reader) places() filePlaces {
	if r.root.HasAliases() {
		return nil
	}
	var list filePlaces
	for _, key := range r.root.Keys() {
		list = append(list, place{pos: key.Pos, key: key.Value})
		v, _ := r.root.Value(key.Value)
		if !slices.Contains(caseLists, key.Value) || v.Kind() != yamlread.ListKind {
			continue
		}
		for _, item := range v.List() {
			list = append(list, place{item.Pos(), key.Value, r.entries[item.Pos()]})
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.pos.Compare(b.pos) < 0
	})
	return list
}

// caseLists are the keys of the lists of cases.
var caseLists = slices.Concat([]string{"agents", "tests"}, catalogLists)

func (p filePlaces) placeOf(pos source.Pos) place {
	i, exact := slices.BinarySearchFunc(p, pos, func(one place, at source.Pos) int { return one.pos.Compare(at) })
	if exact {
		return p[i]
	}
	if i == 0 || p[i-1].pos.File != pos.File {
		return place{}
	}
	return p[i-1]
}

// key returns the top-level key that contains a mistake; "" if it is unknown.
func (p filePlaces) key(pos source.Pos) string { return p.placeOf(pos).key }

// entry returns the entry that contains a mistake; nil if no entry does or it is unknown.
func (p filePlaces) entry(pos source.Pos) *entry { return p.placeOf(pos).entry }

// finishCases keeps one case for each id, and removes all checks and evidence from cases with mistakes. An entry that has no
// case because of mistakes or mcptest's keys gets one, so that reports list it.
func (r *reader) finishCases() {
	r.inheritMistakes()
	byEntry := make(map[casePlace][]*Case, len(r.suite.Cases))
	for _, c := range r.suite.Cases {
		byEntry[c.place()] = append(byEntry[c.place()], c)
	}
	byID := make(map[string]*Case, len(r.suite.Cases))
	cases := r.suite.Cases[:0:0]
	for _, e := range slices.Concat(r.inOrder, r.leftOut) {
		made := byEntry[e.place()]
		lacksCase := len(made) == 0 && !e.definition
		if lacksCase && len(e.mistakes)+len(e.foreign) > 0 {
			made = e.makeUnreadCases()
		}
		for _, c := range made {
			r.stripUnusable(c, e)
			if byID[c.ID] != nil && e.kind == Foreign {
				c.Name += fmt.Sprintf(" (entry at %d:%d)", e.pos.Line, e.pos.Col)
				c.ID = c.id(r.suite.File)
			}
			if first := byID[c.ID]; first != nil {
				if len(first.Mistakes)+len(c.Mistakes) == 0 { // cases that are left out skip the check in addCase
					r.errs.Addf(c.Pos, "case id %q is also that of the entry at %d:%d, expected another name", clip(c.ID), first.Pos.Line, first.Pos.Col)
					c.Mistakes = r.errs[len(r.errs)-1:]
				}
				*first = first.withoutChecks(append(first.Mistakes, c.Mistakes...))
				continue
			}
			byID[c.ID] = c
			cases = append(cases, c)
		}
	}
	r.suite.Cases = cases
}

func (e *entry) makeUnreadCases() (made []*Case) {
	for _, model := range e.models {
		made = append(made, &Case{Kind: e.kind, Name: e.title(), Model: model, Matrix: e.matrix, Pos: e.pos})
	}
	if made == nil {
		made = []*Case{{Kind: e.kind, Name: e.title(), Pos: e.pos}}
	}
	if e.at != (source.Pos{}) {
		made[0].Pos, made[0].Row = e.at, e.pos
	}
	return made
}

func (e *entry) title() string {
	return cmp.Or(e.name, fmt.Sprintf("entry at %d:%d", e.pos.Line, e.pos.Col))
}

// stripUnusable removes all checks and evidence from a case that is left out or whose entry has mistakes.
func (r *reader) stripUnusable(c *Case, e *entry) {
	if foreign := r.foreignOf(e); foreign != nil {
		c.LeftOut = foreign
		if !r.loader.SkipForeign {
			e.mistakes.Addf(foreign.Pos, "%s", foreign.Reason)
		}
	}
	if len(e.mistakes) == 0 && c.LeftOut == nil {
		return
	}
	c.Name = cmp.Or(c.Name, e.title())
	c.ID = c.id(r.suite.File)
	*c = c.withoutChecks(e.mistakes)
}

// withoutChecks returns the case with mistakes, but without checks and evidence.
func (c *Case) withoutChecks(mistakes source.Errors) Case {
	return Case{
		Kind: c.Kind, ID: c.ID, Name: c.Name, Model: c.Model, Matrix: c.Matrix, Pos: c.Pos, Row: c.Row, CassettePos: c.Pos,
		Runs: 1, Tags: c.Tags, LeftOut: c.LeftOut, Mistakes: mistakes.Sorted(),
	}
}
