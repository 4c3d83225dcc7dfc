package compare

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

type placedTool struct {
	report.CatalogTool
	path string
}

// toolKey is the key by which tools are paired: first by path, server and name, then by server and name with an empty path.
type toolKey struct{ path, server, name string }

// compareTools finds the tools that differ, the biggest increase of tokens first, and the changes that break their callers.
func (c *comparer) compareTools() {
	p := toolPairs{gone: toolsOf(c.before), added: toolsOf(c.after), hidden: hiddenOf(c.after), redact: c.options.Redact}
	isUndescribed := func(t placedTool) bool { return t.Tool == nil } // it is known only by hashes
	c.out.Undescribed = slices.ContainsFunc(p.gone, isUndescribed)
	all := p.added
	p.pairByKey(func(t placedTool) toolKey { return toolKey{t.path, t.Server, t.Name} })
	p.pairByKey(func(t placedTool) toolKey { return toolKey{"", t.Server, t.Name} })
	c.compareServers(&p)
	p.pairRenamed()
	p.noteUnpaired(all)
	lists.SortStable(p.changes, func(a, b *report.ToolChange) int {
		return cmp.Or(cmp.Compare(b.Delta(), a.Delta()), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	c.out.Tools, c.successors = p.changes, p.diff.Successors()
	breaks, may := p.diff.Breaks()
	c.out.Breaking = slices.Concat([]report.Breaking{}, c.out.Breaking, c.breakingChanges(&p, breaks))
	c.out.MayBreak = slices.Concat([]report.Breaking{}, c.out.MayBreak, c.breakingChanges(&p, may))
}

type toolPairs struct {
	gone, added []placedTool           // tools without a pair so far
	hidden      map[toolKey]placedTool // tools of the head that no model is offered, by server and name
	redact      func(string) string

	changes []report.ToolChange
	diff    change.Diff                  // difference of the tools whose full definitions are known
	places  map[*catalog.Tool]placedTool // places of the tools of both reports that changed or have no pair
}

// pairByKey pairs the tools with equal keys. If several tools have the same key, it pairs the first of p.gone with the first of
// p.added, and so on.
func (p *toolPairs) pairByKey(key func(placedTool) toolKey) {
	byKey := map[toolKey][]placedTool{}
	for _, t := range p.gone {
		byKey[key(t)] = append(byKey[key(t)], t)
	}
	paired := map[toolKey]int{}
	p.added = slices.DeleteFunc(slices.Clone(p.added), func(t placedTool) bool {
		k := key(t)
		n := paired[k]
		if n == len(byKey[k]) {
			return false
		}
		p.notePair(byKey[k][n], t)
		paired[k]++
		return true
	})
	p.gone = slices.DeleteFunc(p.gone, func(t placedTool) bool {
		paired[key(t)]--
		return paired[key(t)] >= 0
	})
}

func (p *toolPairs) notePair(b, h placedTool) {
	if b.Tool != nil && losesSchema(b, h) {
		p.diff.Lost = append(p.diff.Lost, change.Pair{Old: b.Tool, New: h.Tool})
	}
	if !sameTool(b, h) {
		p.noteChanged(report.Changed, b, h)
	}
}

func (p *toolPairs) noteChanged(kind string, b, h placedTool) {
	one := report.ToolChange{Kind: kind, Server: h.Server, Name: h.Name, Path: h.path, Line: h.Line, Base: b.Tokens, Head: h.Tokens}
	if kind == report.Renamed {
		one.Was = report.Optional(b.Name)
	}
	if b.Tool != nil && h.Tool != nil {
		pair := change.Pair{Old: b.Tool, New: h.Tool}
		one.Parts = report.ToolParts(pair, p.redact)
		list := &p.diff.Changed
		if kind == report.Renamed {
			list = &p.diff.Renamed
		}
		*list = append(*list, change.Change{Pair: pair, Fields: pair.Fields()})
		p.notePlaces(b, h)
	}
	p.changes = append(p.changes, one)
}

func (p *toolPairs) notePlaces(tools ...placedTool) {
	if p.places == nil {
		p.places = map[*catalog.Tool]placedTool{}
	}
	for _, t := range tools {
		p.places[t.Tool] = t
	}
}

// pairRenamed pairs the remaining tools that are one tool under two names.
func (p *toolPairs) pairRenamed() {
	pairing := catalog.Pairs(catalogOf(p.gone), catalogOf(p.added))
	p.notePlaces(p.gone...)
	p.notePlaces(p.added...)
	taken := map[*catalog.Tool]bool{}
	for _, pair := range pairing.Renamed {
		taken[pair.Base], taken[pair.Head] = true, true
		p.noteChanged(report.Renamed, p.places[pair.Base], p.places[pair.Head])
	}
	for _, pair := range pairing.Probable {
		p.diff.Probable = append(p.diff.Probable, change.Pair{Old: pair.Base, New: pair.Head})
	}
	isTaken := func(t placedTool) bool { return taken[t.Tool] }
	p.gone, p.added = slices.DeleteFunc(p.gone, isTaken), slices.DeleteFunc(p.added, isTaken)
}

// catalogOf returns a catalog of the tools whose full definition is known.
func catalogOf(tools []placedTool) *catalog.Catalog {
	out := &catalog.Catalog{}
	for _, t := range tools {
		if t.Tool != nil {
			out.Tools = append(out.Tools, t.Tool)
		}
	}
	return out
}

// noteUnpaired notes the tools that only one of the reports has. all lists the tools of the head.
func (p *toolPairs) noteUnpaired(all []placedTool) {
	successor := map[*catalog.Tool]string{}
	for _, pair := range p.diff.Probable {
		successor[pair.Old] = pair.New.Name
	}
	for _, t := range p.gone {
		if h, isHidden := p.hidden[toolKey{"", t.Server, t.Name}]; isHidden {
			p.noteHidden(t, h)
			continue
		}
		if t.Tool != nil {
			p.diff.Removed = append(p.diff.Removed, t.Tool)
		}
		p.changes = append(p.changes, report.ToolChange{
			Kind: report.Removed, Server: t.Server, Name: t.Name, Path: t.path, Base: t.Tokens, Probably: report.Optional(successor[t.Tool]),
		})
	}
	for _, t := range p.added {
		p.changes = append(p.changes, report.ToolChange{
			Kind: report.Added, Server: t.Server, Name: t.Name, Path: t.path, Line: t.Line, Head: t.Tokens, Alike: alikeTools(t, all),
		})
	}
}

// noteHidden notes a tool that models are no longer offered.
func (p *toolPairs) noteHidden(b, h placedTool) {
	if b.Tool != nil && h.Tool != nil {
		p.diff.Hidden = append(p.diff.Hidden, change.Pair{Old: b.Tool, New: h.Tool})
		p.notePlaces(h)
	}
	p.changes = append(p.changes, report.ToolChange{Kind: report.Hidden, Server: h.Server, Name: h.Name, Path: h.path, Line: h.Line, Base: b.Tokens})
}

// hiddenOf returns the tools that no model is offered, by server and name.
func hiddenOf(catalogs []report.Catalog) map[toolKey]placedTool {
	tools := map[toolKey]placedTool{}
	for _, c := range catalogs {
		for _, t := range c.Hidden {
			tools[toolKey{"", t.Server, t.Name}] = placedTool{report.CatalogTool{Server: t.Server, Name: t.Name, Line: t.Line, Tool: t.Tool}, c.PathOf(t.Path)}
		}
	}
	return tools
}

// maxAlike bounds the number of similar tools that are listed for an added tool.
const maxAlike = 3

// minAlike is the least cosine, in percent, of two descriptions that are called alike.
const minAlike = 80

func alikeTools(t placedTool, all []placedTool) []report.AlikeTool {
	if t.Tool == nil {
		return nil
	}
	var others []placedTool
	var texts []string
	for _, other := range all {
		if other.Tool != nil && other.Tool != t.Tool {
			others, texts = append(others, other), append(texts, other.Tool.Description)
		}
	}
	var alike []report.AlikeTool
	for _, m := range lexical.Alike(t.Tool.Description, texts, minAlike) {
		if len(alike) < maxAlike {
			alike = append(alike, report.AlikeTool{Server: others[m.Index].Server, Name: others[m.Index].Name, Percent: m.Percent})
		}
	}
	return alike
}

// breakingChanges returns the changes that break callers, for the servers that both reports name.
func (c *comparer) breakingChanges(p *toolPairs, breaks []change.Break) []report.Breaking {
	list := []report.Breaking{}
	for _, b := range breaks {
		if slices.Contains(c.out.ServersGone, b.Tool.Server) || c.namelessGone && b.Tool.Server == "" {
			continue
		}
		at := p.places[b.Tool]
		one := report.NewBreaking(b)
		one.Path = at.path
		switch b.Kind {
		case change.ToolRemoved:
			one.Path, one.Line = c.placeOfGone(at)
		case change.ToolRenamed:
			i := slices.IndexFunc(p.diff.Renamed, func(r change.Change) bool { return r.Old == b.Tool })
			now := p.places[p.diff.Renamed[i].New]
			one.Path, one.Line = now.path, now.Line
		}
		list = append(list, one)
	}
	return list
}

// placeOfGone returns the place of a removed tool: line 1 of its catalog. If the head lacks this catalog, the place is the server's
// declaration for a tool that had its own file, otherwise line 0 of the catalog.
func (c *comparer) placeOfGone(t placedTool) (path string, line int) {
	if slices.ContainsFunc(c.head.Catalogs, func(one report.Catalog) bool { return one.Path == t.path }) {
		return t.path, 1
	}
	if t.Path != "" {
		for _, s := range c.head.Servers {
			if s.Name == t.Server && s.Catalog != "" {
				return s.Path, s.Line
			}
		}
	}
	return t.path, 0
}

func missingServers(before, after []placedTool) []string {
	here := lists.SetOf(after, func(t placedTool) string { return t.Server })
	var gone []string
	for _, t := range before {
		if !here[t.Server] {
			gone = append(gone, t.Server)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(gone)))
}

func losesSchema(b, h placedTool) bool { return !b.SchemaUnknown && h.SchemaUnknown }

// sameTool compares the definitions if both tools have one, otherwise the hashes of their content, otherwise the sizes. If the base
// has the tool in a manifest, which has no schemas, it compares only name and description.
func sameTool(b, h placedTool) bool {
	gainsSchema := b.SchemaUnknown && !h.SchemaUnknown
	switch {
	case losesSchema(b, h):
		return false
	case gainsSchema && b.Tool == nil && h.Tool != nil:
		return string(b.SHA256) == h.Tool.WithoutSchema().SHA256()
	}
	if b.Tool != nil && h.Tool != nil {
		return len(change.Pair{Old: b.Tool, New: h.Tool}.Fields()) == 0
	}
	if b.SHA256 != "" && h.SHA256 != "" {
		return b.SHA256 == h.SHA256
	}
	return b.Tokens == h.Tokens
}

func toolsOf(catalogs []report.Catalog) (tools []placedTool) {
	for _, c := range catalogs {
		for _, t := range c.Tools {
			tools = append(tools, placedTool{t, c.PathOf(t.Path)})
		}
	}
	return tools
}
