package suite

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// draft is a test before it is split into one case for each model.
type draft struct {
	Case
	classes  []judge.Class
	models   []yamlread.Str
	inherits bool // cassette: is inherited
	nameAt   source.Pos
	row      *tableRow // nil for a case outside a table
	number   int       // number of the test in the suite
	of       *entry
}

// maxTemperature is the highest temperature that model providers accept.
var maxTemperature = big.NewRat(2, 1)

// readTest reads a test, or a row of a table, and adds a case for each of its models.
func (r *reader) readTest(t test) {
	if len(r.suite.Cases) > maxCases {
		return
	}
	d := r.readCase(t.m)
	r.tests++
	d.number, d.of = r.tests, t.of
	d.Name, d.nameAt, d.Pos = t.name.Value, t.name.Pos, t.m.Pos()
	if d.row = t.row; d.row != nil {
		d.Row = d.row.pos
	}
	if d.Agent = r.readAgent(t); d.Agent != nil {
		d.dropLoopSettings(t.m)
		r.checkAgent(&d)
	}
	if !r.countValues(t.m.Size(), len(d.models), d.Pos) {
		return
	}
	r.readChecks(t, &d)
	paths := r.readCassette(t.m, &d)
	for _, gate := range catalogLists {
		t.m.Misplaced(gate, `it judges a catalog, not an agent, and is a list at the top of the suite, beside "agents"`)
	}
	t.m.Done()
	if len(d.models) == 0 && !d.Matrix {
		d.models = []yamlread.Str{{}}
	}
	for _, name := range d.models {
		if len(r.suite.Cases) > maxCases || r.asked.named > maxNamed {
			return
		}
		c := d.Case
		c.Model = name.Value
		r.checkAPI(&c, t.m)
		c.ID = c.id(r.suite.File)
		c.Cassettes, c.DefaultCassette = r.claimCassettes(&d, paths, name), paths == nil
		c.Log = d.Log.forCase(&c)
		c.Settings = r.caseSettings(&c, t.m)
		r.addCase(&c)
	}
}

func (r *reader) checkAPI(c *Case, m *yamlread.Map) {
	choice := model.Choice{Model: c.Model, Provider: c.Live.Provider, BaseURL: c.Live.BaseURL, API: c.Live.API}
	if err := choice.CheckAPI(); err != nil {
		api, _ := m.OptStr("api")
		r.errs.Addf(api.Pos, "%s", err)
	}
}

// addCase adds a case to the suite. Names of tests are unique, but the id of one test with a model, NAME::MODEL, can be the name of
// another test, which is a mistake. Both cases are added, and finishCases drops one.
func (r *reader) addCase(c *Case) {
	if other := r.ids[c.ID]; other != nil && other.Name != c.Name {
		r.errs.Addf(c.Pos, "case id %q is also that of the test at %d:%d, expected another name", clip(c.ID), other.Pos.Line, other.Pos.Col)
	}
	r.countNames(len(c.ID))
	r.ids[c.ID] = c
	r.suite.Cases = append(r.suite.Cases, c)
	if len(r.suite.Cases) > maxCases {
		r.root.Stopf(r.root.Pos(), "holds more than %d cases", maxCases)
	}
}

func (c *Case) id(file string) string {
	id := file + "::" + c.Name
	if c.Model != "" {
		id += "::" + c.Model
	}
	return id
}

// readCase reads the keys that tests can inherit, except gates, expect: and cassette:.
func (r *reader) readCase(m *yamlread.Map) draft {
	var d draft
	r.readModels(m, &d)
	r.readServerNames(m, &d)
	r.readFaults(m, &d)
	r.readDeferred(m, &d)
	r.readPrompts(m, &d)
	d.Tags = values(m.Strs("tags"))
	d.Runs = max(1, m.Int("runs", 1, 0))
	d.AllowRunErrors = m.Int("allow_run_errors", 0, 0)
	d.Builtins = readBuiltins(m)
	d.ErrorPattern = judge.ReadErrorPattern(m)
	d.StaleCatalog = StalePolicy(judge.ReadChoice(m, "stale_catalog", string(StaleFail), string(StaleAffected), string(StaleWarn), string(StaleIgnore)))
	d.Live = Live{
		BaseURL:         r.readURL(m, "base_url"),
		API:             model.API(judge.ReadChoice(m, "api", model.APINames()...)),
		MaxTurns:        m.Int("max_turns", 0, 1),
		MaxOutputTokens: m.Int("max_output_tokens", 0, 1),
	}
	if v, ok := m.Value("script"); ok {
		d.Live.Script, _ = r.readPath(v, "script")
	}
	if m.Has("classes") {
		d.classes = gates.ReadClasses(m)
	}
	d.Live.Temperature, _ = m.Decimal("temperature", new(big.Rat), maxTemperature)
	if provider, ok := m.OptStr("provider"); ok {
		provider.Value = r.asLive(provider.Value, provider.Pos)
		r.checkName(provider, "provider")
		d.Live.Provider = provider.Value
	}
	if discovery := m.Map("discovery"); discovery != nil {
		d.NameFree = discovery.Bool("name_free", false)
		discovery.Done()
	}
	return d
}

func (r *reader) readModels(m *yamlread.Map, d *draft) {
	key, ok := m.OneOf("model", "models")
	switch {
	case !ok:
		return
	case key == "model":
		v, _ := m.Value(key)
		r.noteModelValues(v)
		model, ok := m.OptStr(key)
		model.Value = r.asLive(model.Value, model.Pos)
		if ok && r.checkName(model, key) {
			d.models = []yamlread.Str{model}
		}
		return
	}
	d.Matrix = true
	v, _ := m.Value(key)
	if v.IsEmptyList() {
		v.Errorf("%q must name at least one model, found an empty list", key)
	}
	r.noteModelValues(v)
	seen := map[string]bool{}
	for _, model := range m.Strs(key) {
		model.Value = r.asLive(model.Value, model.Pos)
		if seen[model.Value] {
			r.errs.Addf(model.Pos, "model %q is given twice", clip(model.Value))
		} else if r.checkName(model, "an entry of \"models\"") {
			d.models = append(d.models, model)
		}
		seen[model.Value] = true
	}
}

func (r *reader) readServerNames(m *yamlread.Map, d *draft) {
	key, ok := m.OneOf("servers", "server")
	if !ok {
		return
	}
	var names []yamlread.Str
	if key == "servers" {
		names = m.Strs(key)
	} else if name, ok := m.OptStr(key); ok && r.checkName(name, key) {
		names = []yamlread.Str{name}
	}
	d.ServerNames = []string{}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name.Value] {
			r.errs.Addf(name.Pos, "server %q is given twice", clip(name.Value))
			continue
		}
		seen[name.Value] = true
		d.ServerNames = append(d.ServerNames, name.Value)
		if s := r.serverNamed(name); s != nil {
			d.Servers = append(d.Servers, s)
		}
	}
}

// serverNamed returns the declared server; nil if there is none or its mistakes were already reported. If a suite declares
// servers, an undeclared name is a mistake: it would hide that a recording is stale.
func (r *reader) serverNamed(name yamlread.Str) *Server {
	s, declared := r.servers[name.Value]
	if declared || len(r.servers) == 0 {
		return s
	}
	hint := cmp.Or(r.hint(name.Value, r.serverNames), ", which has "+quoted(r.serverNames))
	r.errs.Addf(name.Pos, `server %q is not declared in "servers"%s (%q among the servers is enough for a replay)`, clip(name.Value), hint, clip(name.Value)+": {}")
	return nil
}

func (r *reader) readPrompts(m *yamlread.Map, d *draft) {
	if key, ok := m.OneOf("prompt", "user_prompt"); ok {
		var prompt yamlread.Str
		prompt, d.HasPrompt = m.OptStr(key)
		d.Prompt, d.PromptPos = prompt.Value, prompt.Pos
	}
	system, ok := m.OptStr("system_prompt")
	d.SystemPrompt, d.HasSystemPrompt = system.Value, ok
	d.Recorded = Texts{d.Prompt, d.SystemPrompt}
	d.Prompt, d.SystemPrompt = r.asLive(d.Prompt, d.PromptPos), r.asLive(system.Value, system.Pos)
	bytes := (len(d.Prompt) + len(d.SystemPrompt)) * max(1, len(d.models))
	r.countWithin(&r.asked.prompted, bytes, maxPrompted, r.root.Pos(), "the prompts of all cases are more than %d bytes long")
}

func (r *reader) readChecks(t test, d *draft) {
	m, before := t.m, len(r.errs)
	in := r.contextOf(t, d)
	d.Checks = make([]judge.Check, 0, len(t.blocks))
	for _, b := range t.blocks {
		if block, ok := b.value.Map(); ok {
			r.addCheck(&d.Case, block, judge.Check{Gate: b.gate, Pos: m.KeyPos(b.gate.Name), Plan: b.gate.Configure(block, in)})
			block.Done()
		}
	}
	d.addClassMembers()
	d.Expect = judge.ReadRunExpect(m)
	hasMistakes := len(r.errs) > before
	lacksExpectations := !m.Has("expect") || d.Expect.Empty() && !hasMistakes && !r.isBroken(m, "expect")
	if len(t.blocks) == 0 && lacksExpectations {
		r.reportGateless(m, d)
	}
	r.checkMembers(d)
	if d.NameFree && d.HasPrompt {
		r.checkNameFree(d, in)
	}
}

// isBroken reports whether parsing the file already reported the value of key, or a part of the value. In a file with aliases,
// it reports whether parsing reported anything.
func (r *reader) isBroken(m *yamlread.Map, key string) bool {
	v, _ := m.Value(key)
	return r.brokenYAML && (r.root.HasAliases() || v.IsBroken())
}

// reportGateless reports a test without gates and expectations. A test with runs: comes from mcptest, which only lists the runs
// of such a test. It is left out with a warning.
func (r *reader) reportGateless(m *yamlread.Map, d *draft) {
	const nothing = `no gate and no expect: the test has nothing to evaluate`
	if !m.HasOwn("runs") {
		r.errs.Addf(d.Pos, nothing+`, expected one of %s`, r.namesOfChecks())
		return
	}
	d.LeftOut = &LeftOut{d.Pos, nothing}
	r.warnf(d.Pos, nothing+` and is skipped, expected one of %s`, r.namesOfChecks())
}

// addClassMembers adds the members of the test's own classes. Each member is checked once, even if several gates use the
// classes.
func (d *draft) addClassMembers() {
	if len(d.classes) == 0 {
		return
	}
	for _, class := range d.classes {
		for i, place := range class.Places {
			d.Members = append(d.Members, judge.Member{Name: class.Members[i], Pos: place})
		}
	}
	seen := map[judge.Member]bool{}
	d.Members = slices.DeleteFunc(d.Members, func(m judge.Member) bool {
		twice := seen[m]
		seen[m] = true
		return twice
	})
}

func (r *reader) addCheck(c *Case, block *yamlread.Map, check judge.Check) {
	if r.loader.Settings {
		check.Settings = judge.Settings(check, block)
	}
	c.Checks = append(c.Checks, check)
	c.Members = append(c.Members, check.Plan.Members...)
	c.Listed = append(c.Listed, check.Plan.Listed...)
}

func (r *reader) namesOfChecks() string {
	var names string
	for _, g := range r.gates {
		names += g.Name + ", "
	}
	return names + "expect"
}

func (r *reader) contextOf(t test, d *draft) judge.Context {
	in := judge.Context{Test: d.Name, Servers: r.serverNames, NameFree: d.NameFree, Runs: d.Runs, SnapshotOf: r.snapshotOf()}
	in.TestClasses, in.Classes = d.classes, d.classes
	if len(t.blocks) > 1 { // the gates of a test share the classes that one of them has
		in.Classes = r.classesOf(t, d)
	}
	in.Snapshot, in.Faults = r.toolsOf(d), d.PlainFaults()
	return in
}

func (r *reader) classesOf(t test, d *draft) []judge.Class {
	classes := d.classes
	for _, gate := range []*judge.Gate{gates.EqualFunctionSets, gates.TokenEfficiency} {
		if block := t.m.Map(gate.Name); len(classes) == 0 && block.Has("classes") {
			classes = gates.ReadClasses(block)
		}
	}
	return classes
}

// toolsOf returns the tools of a test's servers that have a snapshot. Tests with the same servers share the list.
func (r *reader) toolsOf(d *draft) []*catalog.Tool {
	key := strings.Join(d.ServerNames, "\n") // no name contains a line break
	tools, known := r.tools[key]
	if known {
		return tools
	}
	for _, s := range d.Servers {
		if s.Snapshot != nil {
			tools = append(tools, s.Snapshot.Tools...)
		}
	}
	if !r.countWithin(&r.asked.served, len(tools), maxServed, d.Pos, "servers, and tests of different servers, have more than %d tools altogether") {
		tools = nil
	}
	r.tools[key] = tools
	return tools
}

// snapshotOf returns a function that returns a server's tools. Gates call it long after the file was read, so it must not
// retain the reader, which holds the whole file.
func (r *reader) snapshotOf() func(server string) ([]*catalog.Tool, bool) {
	servers := r.servers
	return func(server string) ([]*catalog.Tool, bool) {
		s := servers[server]
		if s == nil || s.Snapshot == nil {
			return nil, false
		}
		return s.Snapshot.Tools, true
	}
}

func (r *reader) checkNameFree(d *draft, in judge.Context) {
	const excess = "the prompts promise of more than %d names that they do not hold them, expected fewer tests with \"name_free\""
	if !r.countWithin(&r.asked.promised, len(r.serverNames)+len(d.Members)+len(in.Snapshot), maxPromised, d.Pos, excess) {
		return
	}
	names := slices.Clone(r.serverNames)
	for _, m := range d.Members {
		names = append(names, r.bareName(m.Name))
	}
	for _, t := range in.Snapshot {
		names = append(names, t.Name)
	}
	if broken := d.BrokenPromise(names); broken != "" {
		r.warnf(d.PromptPos, "%s", broken)
	}
}

// BrokenPromise returns a message with the names that the prompt of a name_free case contains; "" if it contains none or the case
// is not name_free. It sorts names.
func (c *Case) BrokenPromise(names []string) string {
	if !c.NameFree || !c.HasPrompt {
		return ""
	}
	slices.Sort(names)
	found := namesIn(c.Prompt, slices.Compact(names))
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf(`the prompt names %s, which "discovery: {name_free: true}" promises that it does not`, quoted(found))
}
