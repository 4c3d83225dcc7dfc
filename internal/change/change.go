// Package change compares the tools of servers in two catalogs: renamed tools, differences of each tool, changes that
// break callers, and new or fixed findings of the description rules.
package change

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
)

// Side is one of the two catalogs that are compared, with the result of [lint.Check].
type Side struct {
	Catalog *catalog.Catalog // nil if there is no catalog
	Result  lint.Result
}

// Diff is the difference between two catalogs. All lists are sorted by server and name. If several tools have the same
// server and name, the first counts; in Changed, the first that differs.
type Diff struct {
	Added, Removed []*catalog.Tool
	Hidden         []Pair   // tools that models no longer see; the new catalog still has them, for apps
	Renamed        []Change // tools with another name, and their other changed fields; see catalog.Pairs
	Probable       []Pair   // tools of Removed, each with its probable successor
	Changed        []Change
	Lost           []Pair  // tools that stay but whose schemas are no longer known, because the new catalog is a manifest
	Breaking       []Break // changes that break callers of the old tools
	MayBreak       []Break // changes that may break callers of the old tools

	New, Fixed []lint.Finding // new and fixed findings, in the order of lint.Result.Findings

	isAboutUnknown func(lint.Finding) bool // whether a new finding is about a schema that was unknown before
}

// Pair is a tool in the old and in the new catalog.
type Pair struct{ Old, New *catalog.Tool }

// SchemasKnown reports whether the schemas of both tools are known. If not, only name and description are compared.
func (p Pair) SchemasKnown() bool { return !p.Old.SchemaUnknown && !p.New.SchemaUnknown }

// Change is a tool that differs in a field that clients show or use.
type Change struct {
	Pair
	Fields []string // see [Pair.Fields]; empty if only the number of tools with this server and name differs
}

// Compare returns the difference of a catalog from an older one. It ignores white space between the tokens of JSON, the
// order of keys and the order of tools.
func Compare(old, new Side) Diff {
	before, after := byRef(old.Catalog), byRef(new.Catalog)
	pairing := catalog.Pairs(old.Catalog, new.Catalog)
	d := Diff{Added: pairing.Added, Removed: pairing.Removed}
	for _, p := range pairing.Renamed {
		pair := Pair{p.Base, p.Head}
		d.Renamed = append(d.Renamed, Change{pair, pair.Fields()})
	}
	for _, p := range pairing.Hidden {
		d.Hidden = append(d.Hidden, Pair{p.Base, p.Head})
	}
	for _, p := range pairing.Probable {
		d.Probable = append(d.Probable, Pair{p.Base, p.Head})
	}
	for _, p := range pairing.Same {
		if !p.Base.SchemaUnknown && p.Head.SchemaUnknown {
			d.Lost = append(d.Lost, Pair{p.Base, p.Head})
		}
		was, is := before[p.Base.Ref()], after[p.Base.Ref()]
		if c := changeOf(was, is); len(c.Fields) > 0 || len(was) != len(is) {
			d.Changed = append(d.Changed, c)
		}
	}
	d.Breaking, d.MayBreak = d.Breaks()
	newRef := d.refMapper()
	d.New = unmatched(new.Result, old.Result, (*catalog.Tool).Ref, newRef)
	d.Fixed = unmatched(old.Result, new.Result, newRef, (*catalog.Tool).Ref)
	oldUnknown, newUnknown := unknownSchemas(old.Catalog, newRef), unknownSchemas(new.Catalog, (*catalog.Tool).Ref)
	d.Fixed = slices.DeleteFunc(d.Fixed, func(f lint.Finding) bool { return newUnknown[newRef(f.Tool)] && readsSchemas(f) })
	d.isAboutUnknown = func(f lint.Finding) bool { return oldUnknown[f.Tool.Ref()] && readsSchemas(f) }
	return d
}

// unknownSchemas returns the tools of a catalog whose schemas are not known, by the references that refOf returns.
func unknownSchemas(cat *catalog.Catalog, refOf func(*catalog.Tool) catalog.Ref) map[catalog.Ref]bool {
	refs := map[catalog.Ref]bool{}
	if cat == nil {
		return refs
	}
	for _, t := range cat.Tools {
		if t.SchemaUnknown {
			refs[refOf(t)] = true
		}
	}
	return refs
}

func readsSchemas(f lint.Finding) bool {
	rule, ok := lint.Find(f.Rule)
	return ok && rule.Reads == lint.Schemas
}

// Comparable returns the new findings, without findings about schemas that the old catalog lacks because it is a manifest.
func (d *Diff) Comparable() []lint.Finding {
	return slices.DeleteFunc(slices.Clone(d.New), d.isAboutUnknown)
}

func byRef(cat *catalog.Catalog) map[catalog.Ref][]*catalog.Tool {
	tools := map[catalog.Ref][]*catalog.Tool{}
	if cat == nil {
		return tools
	}
	for _, t := range cat.Tools {
		tools[t.Ref()] = append(tools[t.Ref()], t)
	}
	return tools
}

// changeOf compares tools with the same server and name in pairs, and returns the change of the first pair that differs. If no
// pair differs, it returns the first pair without fields.
func changeOf(before, after []*catalog.Tool) Change {
	for i := range min(len(before), len(after)) {
		pair := Pair{before[i], after[i]}
		if fields := pair.Fields(); len(fields) > 0 {
			return Change{pair, fields}
		}
	}
	return Change{Pair: Pair{before[0], after[0]}}
}

// fields are the compared fields of a tool besides its description, in the order in which they are listed.
var fields = []struct {
	aspect Aspect
	value  func(*catalog.Tool) jsontext.Value
	shown  bool // the old and the new value are shown, shortened
}{
	{InputSchema, func(t *catalog.Tool) jsontext.Value { return t.InputSchema }, false},
	{OutputSchema, func(t *catalog.Tool) jsontext.Value { return t.OutputSchema }, false},
	{Annotations, func(t *catalog.Tool) jsontext.Value { return t.Annotations }, true},
	{Title, func(t *catalog.Tool) jsontext.Value { return t.Field("title") }, true},
	{Icons, func(t *catalog.Tool) jsontext.Value { return t.Field("icons") }, false},
	{Execution, func(t *catalog.Tool) jsontext.Value { return t.Field("execution") }, true},
	{Meta, func(t *catalog.Tool) jsontext.Value { return t.Field("_meta") }, false},
}

// Fields returns the names of the differing fields that a client shows or uses.
func (p Pair) Fields() []string {
	if len(p.Old.Raw) > 0 && bytes.Equal(p.Old.Raw, p.New.Raw) {
		return nil
	}
	var differ []string
	if p.Old.Description != p.New.Description {
		differ = append(differ, string(Description))
	}
	for _, field := range fields {
		if p.SchemasKnown() && canonicalText(field.value(p.Old)) != canonicalText(field.value(p.New)) {
			differ = append(differ, string(field.aspect))
		}
	}
	return differ
}

// Successors maps the old references of renamed tools to the new ones, so that findings about these tools are not new. It
// includes probably renamed tools whose description is the same.
func (d *Diff) Successors() map[catalog.Ref]catalog.Ref {
	successors := map[catalog.Ref]catalog.Ref{}
	for _, pair := range d.Probable {
		if pair.Old.Description == pair.New.Description {
			successors[pair.Old.Ref()] = pair.New.Ref()
		}
	}
	for _, pair := range d.Renamed {
		successors[pair.Old.Ref()] = pair.New.Ref()
	}
	return successors
}

func (d *Diff) refMapper() func(*catalog.Tool) catalog.Ref {
	successors := d.Successors()
	return func(t *catalog.Tool) catalog.Ref {
		if ref, ok := successors[t.Ref()]; ok {
			return ref
		}
		return t.Ref()
	}
}

// findingKey identifies a finding. It leaves out the line and the wording, which may change while the finding stays the same.
type findingKey struct {
	rule, argument string
	tool           catalog.Ref
}

// unmatched returns the findings of have that are not in known. haveRef and knownRef map the tools of have and of known to
// references in the new catalog.
func unmatched(have, known lint.Result, haveRef, knownRef func(*catalog.Tool) catalog.Ref) []lint.Finding {
	count := map[findingKey]int{}
	for _, f := range known.Findings {
		count[findingKey{f.Rule, f.Argument, knownRef(f.Tool)}]++
	}
	var rest []lint.Finding
	for _, f := range have.Findings {
		key := findingKey{f.Rule, f.Argument, haveRef(f.Tool)}
		if count[key] > 0 || f.Rule == lint.PassRule {
			count[key]--
			continue
		}
		rest = append(rest, f)
	}
	return rest
}

func compareTools(a, b *catalog.Tool) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
}
