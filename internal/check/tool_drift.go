package check

import (
	"bytes"
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

// toolDrift is how the tools that runs were offered differ from those of today, in what an agent reads: names, descriptions
// and input schemas.
type toolDrift struct {
	was     *catalog.Catalog // what the runs were offered, every tool with its server as far as it is known
	named   []catalog.Ref    // what they were offered besides, of which only the names are known
	known   nameIndex        // of was and named
	today   nameIndex
	changed map[catalog.Ref]toolChange // by the tool as the runs knew it
	order   []catalog.Ref              // of changed
	added   []*catalog.Tool

	sha256  func() string       // of was
	content func() catalog.Diff // in everything that hashes are of
	alike   func() [][]alikeTool
}

// toolChange is what became of a tool.
type toolChange struct {
	kind     string        // report.Removed, Hidden, Renamed or Changed
	what     string        // of a changed one
	now      *catalog.Tool // nil for a removed one
	probably *catalog.Tool // what a removed one probably is now; nil for nothing
	dropped  bool          // the case no longer has its server
}

// alikeTool is a tool of today that an added one looks like.
type alikeTool struct {
	catalog.Ref
	percent int
}

// nameIndex finds tools by the names that suites and calls have for them: bare or qualified.
type nameIndex map[string][]catalog.Ref

func indexOf(cat *catalog.Catalog) nameIndex {
	index := nameIndex{}
	if cat == nil {
		return index
	}
	for _, t := range cat.Tools {
		index.add(t.Ref())
	}
	return index
}

// add adds a tool.
func (n nameIndex) add(ref catalog.Ref) {
	n[ref.Name] = append(n[ref.Name], ref)
	if id := ref.ID(); id != ref.Name {
		n[id] = append(n[id], ref)
	}
}

// called returns the tools that a call can be to.
func (n nameIndex) called(ref catalog.Ref) []catalog.Ref {
	return slices.DeleteFunc(slices.Clone(n[ref.Name]), func(one catalog.Ref) bool { return !one.Matches(ref) })
}

// Bounds on the search for look-alikes: the cosine from which on an added tool changes how an agent chooses, the one from
// which on it is told, both in percent, and how many added tools are compared.
const (
	alikeAffects = 90
	alikeTold    = 80
	mostAlike    = 100
)

// newToolDrift compares the tools of servers that have a snapshot with those snapshots.
func newToolDrift(s selectedCase, was *catalog.Catalog, named []catalog.Ref) *toolDrift {
	now := cmp.Or(s.snapshots(), &catalog.Catalog{})
	d := &toolDrift{was: was, named: named, known: indexOf(was), today: indexOf(now), changed: map[catalog.Ref]toolChange{}}
	d.compareNamed(s)
	now = withoutNamed(now, named)
	compared := &catalog.Catalog{}
	for _, t := range was.Tools {
		switch server := s.serverOf(t.Server); {
		case s.lacksServer(t.Server):
			d.changed[t.Ref()] = toolChange{kind: report.Removed, dropped: true}
		case server != nil && server.Snapshot == nil, server == nil && !s.allSnapshots():
			// Nobody knows what it is today.
		default:
			compared.Tools = append(compared.Tools, t)
		}
	}
	d.compare(compared, now)
	d.order = slices.SortedStableFunc(maps.Keys(d.changed), compareRefs)
	d.sha256 = sync.OnceValue(was.SHA256)
	d.content = sync.OnceValue(func() catalog.Diff { return catalog.Compare(compared, now) })
	d.alike = sync.OnceValue(func() [][]alikeTool { return alikeTools(d.added, now) })
	return d
}

// compareNamed notes which of the tools of which only the names are known are gone. Nobody knows whether another changed.
func (d *toolDrift) compareNamed(s selectedCase) {
	hidden := hiddenIn(s.snapshots())
	for _, ref := range d.named {
		d.known.add(ref)
		server := s.serverOf(ref.Server)
		switch isToday := len(d.today.called(ref)) > 0; {
		case s.lacksServer(ref.Server):
			d.changed[ref] = toolChange{kind: report.Removed, dropped: true}
		case !isToday && (server != nil && server.Snapshot != nil || server == nil && s.allSnapshots()):
			d.changed[ref] = goneFrom(hidden, ref)
		}
	}
}

// hiddenIn returns the tools of a catalog that no model is offered, by the names that suites have for them.
func hiddenIn(cat *catalog.Catalog) func(catalog.Ref) *catalog.Tool {
	return func(ref catalog.Ref) *catalog.Tool {
		if cat == nil {
			return nil
		}
		for _, t := range cat.Hidden {
			if ref.Matches(t.Ref()) || ref == (catalog.Ref{Name: t.Ref().ID()}) {
				return t
			}
		}
		return nil
	}
}

// goneFrom says what became of a tool that models are not offered any more.
func goneFrom(hidden func(catalog.Ref) *catalog.Tool, ref catalog.Ref) toolChange {
	if now := hidden(ref); now != nil {
		return toolChange{kind: report.Hidden, now: now}
	}
	return toolChange{kind: report.Removed}
}

// withoutNamed returns the tools but for those of which a recording has only the names.
func withoutNamed(cat *catalog.Catalog, named []catalog.Ref) *catalog.Catalog {
	if len(named) == 0 {
		return cat
	}
	index := nameIndex{}
	for _, ref := range named {
		index.add(ref)
	}
	out := &catalog.Catalog{File: cat.File, Tools: slices.Clone(cat.Tools), Hidden: cat.Hidden}
	out.Tools = slices.DeleteFunc(out.Tools, func(t *catalog.Tool) bool { return len(index.called(t.Ref())) > 0 })
	return out
}

// compare notes what became of each tool.
func (d *toolDrift) compare(was, now *catalog.Catalog) {
	pairs := catalog.Pairs(was, now)
	for _, p := range pairs.Same {
		if !readsTheSame(p.Base, p.Head) {
			d.changed[p.Base.Ref()] = toolChange{kind: report.Changed, now: p.Head, what: whatChanged(p)}
		}
	}
	for _, t := range pairs.Removed {
		d.changed[t.Ref()] = toolChange{kind: report.Removed}
	}
	for _, p := range pairs.Hidden {
		d.changed[p.Base.Ref()] = toolChange{kind: report.Hidden, now: p.Head}
	}
	for _, p := range pairs.Probable {
		d.changed[p.Base.Ref()] = toolChange{kind: report.Removed, probably: p.Head}
	}
	for _, p := range pairs.Renamed {
		d.changed[p.Base.Ref()] = toolChange{kind: report.Renamed, now: p.Head}
	}
	d.added = pairs.Added
}

// readsTheSame reports whether an agent reads the same of two tools.
func readsTheSame(a, b *catalog.Tool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Description == b.Description && sameSchema(a, b)
}

func sameSchema(a, b *catalog.Tool) bool {
	if bytes.Equal(a.InputSchema, b.InputSchema) {
		return true
	}
	schemaOf := func(t *catalog.Tool) *catalog.Catalog {
		return &catalog.Catalog{Tools: []*catalog.Tool{{InputSchema: t.InputSchema}}}
	}
	return catalog.Compare(schemaOf(a), schemaOf(b)).Empty()
}

// whatChanged says in which part a tool changed.
func whatChanged(p catalog.Pair) string {
	switch {
	case p.Base.Description == p.Head.Description:
		return report.WhatSchema
	case sameSchema(p.Base, p.Head):
		return report.WhatDescription
	}
	return report.WhatBoth
}

// alikeTools returns, for each of the added tools, the other tools of today whose descriptions read like its own.
func alikeTools(added []*catalog.Tool, now *catalog.Catalog) [][]alikeTool {
	var others []*catalog.Tool
	var texts []string
	for _, t := range now.Tools {
		if !slices.Contains(added, t) && strings.TrimSpace(t.Description) != "" {
			others, texts = append(others, t), append(texts, t.Description)
		}
	}
	lists := make([][]alikeTool, len(added))
	for i, t := range added[:min(len(added), mostAlike)] {
		for _, match := range lexical.Alike(t.Description, texts, alikeTold) {
			lists[i] = append(lists[i], alikeTool{others[match.Index].Ref(), match.Percent})
		}
	}
	return lists
}

// serverOf returns the declared server of the case; nil where there is none of that name.
func (s selectedCase) serverOf(name string) *suite.Server {
	for _, server := range s.Servers {
		if server.Name == name {
			return server
		}
	}
	return nil
}

// lacksServer reports whether the case has servers, and not this one of a recorded tool. Nobody knows what a case without servers
// has today.
func (s selectedCase) lacksServer(name string) bool {
	return name != "" && len(s.ServerNames) > 0 && !slices.Contains(s.ServerNames, name)
}

// attributed returns recorded tools with their servers. A recording that names no server has the tools of the case's only
// server; where the case has several, those that have the name today.
func (s selectedCase) attributed(own *catalog.Catalog) *catalog.Catalog {
	nameless := func(t *catalog.Tool) bool { return t.Server == "" }
	if !slices.ContainsFunc(own.Tools, nameless) {
		return own
	}
	if len(s.ServerNames) == 1 {
		return own.Named(s.ServerNames[0])
	}
	today := indexOf(s.snapshots())
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

// driftCache remembers comparisons: the recordings of a suite's cases mostly hold one catalog. It changes no result.
type driftCache struct {
	mu     sync.Mutex
	drifts map[driftKey][]*toolDrift
	hashes map[driftKey]func() string
}

// driftKey names the tools of today that a case has.
type driftKey struct {
	suite   *suite.Suite
	servers string
}

func (s selectedCase) driftKey() driftKey {
	return driftKey{s.suite, strings.Join(s.ServerNames, "\n")} // which no name holds
}

// mostDrifts bounds the comparisons that are remembered for one list of servers.
const mostDrifts = 8

// drift compares the tools that runs were offered with those of today.
func (c *driftCache) drift(s selectedCase, was *catalog.Catalog, named []catalog.Ref) *toolDrift {
	key := s.driftKey()
	c.mu.Lock()
	for _, d := range c.drifts[key] {
		if sameTools(d.was, was) && slices.Equal(d.named, named) {
			c.mu.Unlock()
			return d
		}
	}
	c.mu.Unlock()
	d := newToolDrift(s, was, named)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drifts == nil {
		c.drifts = map[driftKey][]*toolDrift{}
	}
	if len(c.drifts[key]) < mostDrifts {
		c.drifts[key] = append(c.drifts[key], d)
	}
	return d
}

// today returns the hash of the snapshots of a case's servers.
func (c *driftCache) today(s selectedCase) string {
	key := s.driftKey()
	c.mu.Lock()
	if c.hashes == nil {
		c.hashes = map[driftKey]func() string{}
	}
	hash := c.hashes[key]
	if hash == nil {
		hash = sync.OnceValue(s.snapshots().SHA256)
		c.hashes[key] = hash
	}
	c.mu.Unlock()
	return hash()
}

// sameTools reports whether two catalogs hold the same tools, byte for byte.
func sameTools(a, b *catalog.Catalog) bool {
	return a == b || slices.EqualFunc(a.Tools, b.Tools, func(a, b *catalog.Tool) bool {
		return a.Server == b.Server && a.Name == b.Name && len(a.Raw) > 0 && bytes.Equal(a.Raw, b.Raw)
	})
}
