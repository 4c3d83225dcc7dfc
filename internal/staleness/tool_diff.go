package staleness

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// toolDiff is the difference between the tools that runs were offered and the current tools, in the parts that an agent reads:
// names, descriptions and input schemas. Cases share it.
type toolDiff struct {
	was     *catalog.Catalog // the tools that the runs were offered, with their servers if known
	named   []catalog.Ref    // further tools that the runs were offered; only their names are known
	known   catalog.Index    // index of the tools in "was" and "named"
	today   catalog.Index
	changed []staleTool // sorted by tool
	added   []*catalog.Tool

	wasSHA256 func() string       // returns the hash of was
	content   func() catalog.Diff // difference in everything that the hash of a catalog covers
	alike     func() [][]alikeTool
}

// staleTool is a tool that has changed.
type staleTool struct {
	catalog.Ref               // the tool as the runs name it
	kind        string        // report.Removed, Hidden, Renamed, Changed or Added
	what        string        // the part of the tool that changed
	now         *catalog.Tool // nil for a removed tool
	probably    *catalog.Tool // the probable successor of a removed tool; nil if there is none
	dropped     bool          // the case no longer has the tool's server

	// The following fields depend on the case.
	member string           // the name in a gate, for a tool that lostMembers found; "" otherwise
	lacks  []lackedArgument // arguments that are now required and that calls lack
	like   string           // the name of the tool that an added tool resembles
}

// alikeTool is a current tool that an added tool resembles.
type alikeTool struct {
	catalog.Ref
	percent int
}

// These are bounds on the search for similar tools. Similarities are cosines, in percent.
const (
	alikeAffects     = 90  // least similarity with which an added tool affects an agent's choice
	alikeTold        = 80  // least similarity that is reported
	maxComparedTools = 100 // greatest number of added tools that are compared
)

// newToolDiff compares recorded tools with the case's snapshots. named are the tools of which the recording has only the names.
func newToolDiff(c *suite.Case, was *catalog.Catalog, named []catalog.Ref) *toolDiff {
	now := cmp.Or(c.Snapshots(), &catalog.Catalog{})
	d := &toolDiff{was: was, named: named, known: catalog.IndexOf(was), today: catalog.IndexOf(now)}
	changed := map[catalog.Ref]staleTool{}
	note := func(t staleTool) { changed[t.Ref] = t }
	d.compareNamed(c, note)
	now = withoutNamed(now, named)
	compared := &catalog.Catalog{}
	for _, t := range was.Tools {
		switch server := c.Server(t.Server); {
		case lacksServer(c, t.Server):
			note(staleTool{Ref: t.Ref(), kind: report.Removed, dropped: true})
		case server != nil && server.Snapshot == nil, server == nil && !c.HasAllSnapshots():
			// The current tool is unknown.
		default:
			compared.Tools = append(compared.Tools, t)
		}
	}
	pairs := catalog.Pairs(compared, now)
	comparePairs(pairs, note)
	d.added = pairs.Added
	d.changed = slices.SortedStableFunc(maps.Values(changed), compareTools)
	d.wasSHA256 = sync.OnceValue(was.SHA256)
	d.content = sync.OnceValue(func() catalog.Diff { return catalog.Compare(compared, now) })
	d.alike = sync.OnceValue(func() [][]alikeTool { return alikeTools(d.added, now) })
	return d
}

func compareTools(a, b staleTool) int { return catalog.CompareRefs(a.Ref, b.Ref) }

// compareNamed notes the tools in d.named that are gone. It is unknown whether the remaining tools in d.named changed.
func (d *toolDiff) compareNamed(c *suite.Case, note func(staleTool)) {
	for _, ref := range d.named {
		d.known.Add(ref)
		server := c.Server(ref.Server)
		isToday := len(d.today.Called(ref)) > 0
		hasSnapshot := server != nil && server.Snapshot != nil || server == nil && c.HasAllSnapshots()
		switch {
		case lacksServer(c, ref.Server):
			note(staleTool{Ref: ref, kind: report.Removed, dropped: true})
		case hasSnapshot && !isToday:
			note(goneFrom(c.Snapshots(), ref))
		}
	}
}

func goneFrom(today *catalog.Catalog, ref catalog.Ref) staleTool {
	if now := today.FindHidden(ref); now != nil {
		return staleTool{Ref: ref, kind: report.Hidden, now: now}
	}
	return staleTool{Ref: ref, kind: report.Removed}
}

func withoutNamed(cat *catalog.Catalog, named []catalog.Ref) *catalog.Catalog {
	if len(named) == 0 {
		return cat
	}
	index := catalog.Index{}
	for _, ref := range named {
		index.Add(ref)
	}
	out := &catalog.Catalog{File: cat.File, Tools: slices.Clone(cat.Tools), Hidden: cat.Hidden}
	out.Tools = slices.DeleteFunc(out.Tools, func(t *catalog.Tool) bool { return len(index.Called(t.Ref())) > 0 })
	return out
}

func comparePairs(pairs catalog.Pairing, note func(staleTool)) {
	for _, p := range pairs.Same {
		if !catalog.ReadsTheSame(p.Base, p.Head) {
			note(staleTool{Ref: p.Base.Ref(), kind: report.Changed, now: p.Head, what: whatChanged(p)})
		}
	}
	for _, t := range pairs.Removed {
		note(staleTool{Ref: t.Ref(), kind: report.Removed})
	}
	for _, p := range pairs.Hidden {
		note(staleTool{Ref: p.Base.Ref(), kind: report.Hidden, now: p.Head})
	}
	for _, p := range pairs.Probable {
		note(staleTool{Ref: p.Base.Ref(), kind: report.Removed, probably: p.Head})
	}
	for _, p := range pairs.Renamed {
		note(staleTool{Ref: p.Base.Ref(), kind: report.Renamed, now: p.Head})
	}
}

func whatChanged(p catalog.Pair) string {
	switch {
	case p.Base.Description == p.Head.Description:
		return report.WhatSchema
	case catalog.SameSchema(p.Base, p.Head):
		return report.WhatDescription
	}
	return report.WhatBoth
}

// alikeTools returns, for each added tool, the other current tools with similar descriptions.
func alikeTools(added []*catalog.Tool, now *catalog.Catalog) [][]alikeTool {
	var others []*catalog.Tool
	var texts []string
	for _, t := range now.Tools {
		if !slices.Contains(added, t) && strings.TrimSpace(t.Description) != "" {
			others, texts = append(others, t), append(texts, t.Description)
		}
	}
	lists := make([][]alikeTool, len(added))
	for i, t := range added[:min(len(added), maxComparedTools)] {
		for _, match := range lexical.Alike(t.Description, texts, alikeTold) {
			lists[i] = append(lists[i], alikeTool{others[match.Index].Ref(), match.Percent})
		}
	}
	return lists
}

// lacksServer reports whether a case names servers, but not the server of a recorded tool. If a case names no server, it is unknown
// which servers it has, and lacksServer returns false.
func lacksServer(c *suite.Case, name string) bool {
	return name != "" && len(c.ServerNames) > 0 && !slices.Contains(c.ServerNames, name)
}

// Attributed returns recorded tools with their servers. Tools without a server belong to the case's only server. If the case
// has several servers, such a tool belongs to the first that currently has a tool of its name, if any.
func Attributed(c *suite.Case, own *catalog.Catalog) *catalog.Catalog {
	nameless := func(t *catalog.Tool) bool { return t.Server == "" }
	if !slices.ContainsFunc(own.Tools, nameless) {
		return own
	}
	if len(c.ServerNames) == 1 {
		return own.Named(c.ServerNames[0])
	}
	today := catalog.IndexOf(c.Snapshots())
	out := &catalog.Catalog{File: own.File, Tools: slices.Clone(own.Tools), Hidden: own.Hidden}
	for i, t := range out.Tools {
		if refs := today[t.Name]; t.Server == "" && len(refs) > 0 {
			one := *t
			one.Server = refs[0].Server
			out.Tools[i] = &one
		}
	}
	return out
}
