package suite

import (
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/yamlread"
)

// These gates judge a catalog. Each has a top-level list of its own, under the name of the gate, and is not part of tests.
const (
	toolQuality = "tool_quality"
	toolBench   = "tool_bench"
	findability = "findability"
)

// catalogLists are the lists of cases that judge a catalog. A list has the name of its gate.
var catalogLists = []string{toolQuality, toolBench, findability}

func testGates() []*judge.Gate {
	return slices.DeleteFunc(slices.Clone(gates.All), func(g *judge.Gate) bool {
		return slices.Contains(catalogLists, g.Name)
	})
}

// test is an entry of agents: or tests:, or a row of a table.
type test struct {
	m        *yamlread.Map // nil for an entry that is not a map
	name     yamlread.Str
	inAgents bool      // the test is an entry of agents:, or a row of its table
	of       *entry    // the entry that the mistakes of the test belong to
	row      *tableRow // nil for a case outside a table

	blocks []block // gates of the test, its own and inherited ones; see readEntry
}

// block is the value by which a test asks for a gate.
type block struct {
	gate  *judge.Gate
	value yamlread.Value
}

func (r *reader) blocksOf(m *yamlread.Map) (blocks []block) {
	for _, g := range r.gates {
		if v, ok := m.Value(g.Name); ok {
			blocks = append(blocks, block{g, v})
		}
	}
	return blocks
}

// readTests reads agents: and tests:, in the order of the file.
func (r *reader) readTests() {
	r.defaults = r.joinDefaults()
	r.readForeignDefaults()
	entries, tests := r.list("agents"), r.list("tests")
	for _, a := range entries {
		a.m.Inherit(r.defaults)
		if a.m != nil && r.agents[a.name.Value] == nil {
			r.agents[a.name.Value] = a.m
		}
	}
	r.agentNames = slices.Sorted(maps.Keys(r.agents))
	referred := map[*yamlread.Map]bool{}
	for _, t := range tests {
		if t.m != nil {
			r.attributeTo(t.of, func() { referred[r.inherit(t)] = true })
		}
	}
	all := slices.Concat(entries, tests)
	if r.root.KeyPos("tests").Compare(r.root.KeyPos("agents")) < 0 {
		all = slices.Concat(tests, entries)
	}
	r.inOrder = r.inOrder[:0]
	for _, t := range all {
		if !slices.Contains(r.inOrder[max(0, len(r.inOrder)-1):], t.of) {
			r.inOrder = append(r.inOrder, t.of)
		}
		if t.m != nil {
			r.attributeTo(t.of, func() { r.readEntry(t, referred[t.m]) })
		}
	}
	r.readDefaults()
}

// inherit makes a test inherit from the entry of agents: that it names, and returns that entry. Without one, the test inherits
// from defaults:.
func (r *reader) inherit(t test) *yamlread.Map {
	if row, _ := foreignType(t); row != nil {
		return nil
	}
	judge.ReadChoice(t.m.Own(), "type", "agent")
	agent := r.agentOf(t.m)
	if agent == nil {
		t.m.Inherit(r.defaults)
		return nil
	}
	t.m.Inherit(agent)
	of := r.entries[agent.Pos()]
	of.heirs = append(of.heirs, t.of)
	return agent
}

func (r *reader) readEntry(t test, isReferred bool) {
	isDefinition := isReferred && !r.hasOwnChecks(t.m)
	t.of.definition = isDefinition
	t.blocks = r.blocksOf(t.m)
	switch {
	case r.noteForeign(t):
	case isDefinition:
		r.readAgent(t)
		r.readDefinition(t.m)
	default:
		if v, ok := t.m.Own().Value(casesKey); ok {
			if m, ok := v.Map(); ok {
				r.readTable(t, m)
			}
			return
		}
		r.readTest(t)
	}
}

// list returns the entries of agents: or tests:. Their names are never inherited.
func (r *reader) list(key string) []test {
	var list []test
	for _, item := range r.items(key) {
		t := test{inAgents: key == "agents", of: r.entryOf(item.Pos(), AgentTest)}
		r.attributeTo(t.of, func() {
			if m, ok := item.Map(); ok {
				t.m, t.name = m, r.readName(m, t.of)
			}
		})
		list = append(list, t)
	}
	return list
}

func (r *reader) items(key string) []yamlread.Value {
	v, ok := r.root.Value(key)
	if !ok {
		return nil
	}
	return v.List()
}

func (r *reader) readName(m *yamlread.Map, of *entry) yamlread.Str {
	name := m.Own().Str("name")
	if name.Value != "" && r.checkName(name, "name") {
		of.name = name.Value
		r.registerName(name, of)
	}
	return name
}

// agentOf returns the entry of agents: that a test names under agent:, itself or through defaults:. It returns nil if agent: is
// a program, or a label for a recorded agent.
func (r *reader) agentOf(m *yamlread.Map) *yamlread.Map {
	v, ok := m.Own().Value("agent")
	if !ok {
		v, ok = r.defaults.Value("agent")
	}
	if !ok || v.Kind() != yamlread.TextKind {
		return nil
	}
	label, _ := v.Str()
	if label.Value == "" {
		r.errs.Addf(label.Pos, `"agent" must not be empty`)
		return nil
	}
	agent := r.agents[label.Value]
	if agent == nil && agents.Find(label.Value) == nil {
		r.warnMisspelt(label, slices.Concat(r.agentNames, agents.Names()), `agent %q is not in "agents"`)
	}
	return agent
}

// warnMisspelt warns about a name that is not declared if it is close to a declared one. Undeclared names are allowed.
func (r *reader) warnMisspelt(name yamlread.Str, declared []string, format string) {
	if hint := r.hint(name.Value, declared); hint != "" {
		r.warnf(name.Pos, format+"%s", clip(name.Value), hint)
	}
}

func (r *reader) hasOwnChecks(m *yamlread.Map) bool {
	return m.HasOwn("expect") || m.HasOwn(casesKey) || slices.ContainsFunc(r.gates, func(g *judge.Gate) bool { return m.HasOwn(g.Name) })
}

// readDefinition checks defaults:, or an entry of agents: that only tests inherit from. Gates and cassettes are checked in the
// tests that inherit them, because the values that are valid depend on the test.
func (r *reader) readDefinition(m *yamlread.Map) {
	r.readCase(m)
	for _, g := range r.gates {
		m.Has(g.Name)
	}
	m.Has("expect")
	m.Has("cassette")
	m.Done()
}

// readDefaults checks defaults:, even if no test inherits from it.
func (r *reader) readDefaults() {
	r.readAgent(test{m: r.defaults})
	r.defaults.Has(rulesKey)
	r.readDefinition(r.defaults)
}
