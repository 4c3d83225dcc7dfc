package suite

import (
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/yamlread"
)

// rulesKey is the only key that entries of tool_quality: inherit from defaults:.
const rulesKey = "rules"

func (r *reader) readCatalogCases() {
	r.readCatalogList(ToolQuality, gates.ToolQuality, r.defaults.Only(rulesKey))
	r.readCatalogList(ToolBench, gates.ToolBench, nil)
	r.readCatalogList(Findability, gates.Findability, nil)
	r.applyRules()
}

func (r *reader) readCatalogList(kind Kind, gate *judge.Gate, inherited *yamlread.Map) {
	for _, item := range r.items(gate.Name) {
		of := r.entryOf(item.Pos(), kind)
		r.attributeTo(of, func() {
			if m, ok := item.Map(); ok {
				m.Inherit(inherited)
				r.readCatalogCase(m, gate, of)
			}
		})
	}
}

func (r *reader) readCatalogCase(m *yamlread.Map, gate *judge.Gate, of *entry) {
	kind, name := of.kind, r.readName(m, of)
	if of.foreign = r.foreignInExpect(m.Peek(judge.ExpectKey)); of.foreign != nil {
		return
	}
	c := &Case{Kind: kind, Name: name.Value, Pos: m.Pos(), Runs: 1, CassettePos: m.Pos(), Tags: values(m.Strs("tags"))}
	c.ID = c.id(r.suite.File)
	c.Catalog = r.catalogOf(m, c)
	in := judge.Context{Test: c.Name, Servers: r.serverNames, Runs: 1, Clients: r.clients(), SnapshotOf: r.snapshotOf()}
	if c.Catalog != nil && kind == ToolQuality && !r.countJudged(c.Catalog, c.Pos) {
		return
	}
	if c.Catalog != nil {
		in.Snapshot, in.Hidden = c.Catalog.Tools, c.Catalog.Hidden
	}
	m, asked := r.withIntents(m, c)
	plan := gate.Configure(m, in)
	if holder, ok := plan.Measurer.(judge.Holder); ok && holder.Catalog() != nil {
		c.Catalog = holder.Catalog()
	}
	if ruler, ok := plan.Measurer.(gates.Ruler); ok {
		rules, uses := ruler.Rules()
		r.useRules(c.Catalog, AppliedRules{rules, c.ID}, uses)
	}
	if searcher, ok := plan.Measurer.(gates.Searcher); ok {
		r.addSearches(c, m, plan, searcher)
		return
	}
	r.addCheck(c, m, judge.Check{Gate: gate, Pos: m.Pos(), Plan: plan})
	if asked != nil && r.loader.Settings {
		c.Checks[0].Settings = settingsByTool(c.Checks[0].Settings, plan)
	}
	c.Settings = r.caseSettings(c, m)
	m.Done()
	r.addCase(c)
}

func (r *reader) clients() []string {
	names := map[string]bool{}
	for _, c := range r.suite.Cases {
		if c.Agent != nil && c.Agent.Preset != nil {
			names[c.Agent.Preset.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// catalogOf returns the catalog that an entry names: a server's snapshot, or a file. It is nil if there is none yet, or if the
// entry contains the tools themselves.
func (r *reader) catalogOf(m *yamlread.Map, c *Case) *catalog.Catalog {
	if c.Kind == Findability {
		return r.readJudged(m, c)
	}
	keys := []string{"server", "catalog"}
	if c.Kind == ToolBench {
		keys = append(keys, "catalog_path")
	}
	key, ok := m.OneOf(keys...)
	if !ok {
		r.errs.Addf(m.Pos(), `"server" and "catalog" are missing, expected one of them`)
		return nil
	}
	if key != "server" {
		if v, _ := m.Value(key); c.Kind == ToolBench && v.Kind() != yamlread.TextKind {
			return nil
		}
		return r.readSnapshot(m, key, c.Name, "")
	}
	name, ok := m.OptStr(key)
	if !ok || !r.checkName(name, key) {
		return nil
	}
	c.ServerNames = []string{name.Value}
	s := r.serverNamed(name)
	if s == nil {
		return nil
	}
	c.Servers = []*Server{s}
	return s.Snapshot
}
