package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// foreignUse is a use of one of mcptest's keys in the file.
type foreignUse struct {
	key  *foreignKey
	pos  source.Pos
	what string // text in the file
	in   *yamlread.Map
}

func (u foreignUse) problem() string {
	return fmt.Sprintf("%q is mcptest's, and mcp-gates does not have it: %s", u.what, u.key.advice)
}

// foreignDefaults is mcptest's key for the map that all tests inherit from.
const foreignDefaults = "defaultTest"

func (r *reader) readForeign() {
	for _, m := range r.parts() {
		for _, use := range r.takeForeign(m, foreignTop) {
			if use.what == foreignDefaults {
				r.inAll = append(r.inAll, use)
				continue
			}
			r.foreign = append(r.foreign, use)
		}
	}
}

// readForeignDefaults notes mcptest's keys in defaults:, including defaults: of included files. Each of them counts as a key of
// all tests, because without it every test would be judged differently from its author's intent.
func (r *reader) readForeignDefaults() {
	for _, m := range append([]*yamlread.Map{r.defaults}, r.inherited...) {
		r.inAll = append(r.inAll, r.takeForeign(m, foreignTest)...)
	}
}

// takeForeign returns the keys of m that are mcptest's at a level, and excludes them from the check for unknown keys.
func (r *reader) takeForeign(m *yamlread.Map, level string) []foreignUse {
	var uses []foreignUse
	for _, key := range m.Keys() {
		if row := findKey(level, key.Value); row != nil {
			m.Pass(key.Value)
			uses = append(uses, foreignUse{row, key.Pos, key.Value, m})
		}
	}
	return uses
}

// noteForeign notes mcptest's keys in a test, and reports whether there are any. A test with such keys is not read any further.
func (r *reader) noteForeign(t test) bool {
	uses := r.takeForeign(t.m, foreignTest)
	if row, v := foreignType(t); row != nil {
		uses = append(uses, foreignUse{row, v.Pos(), "type: " + v.Text(), t.m})
	} else {
		uses = append(uses, r.inAll...)
	}
	uses = append(uses, r.foreignInExpect(t.m.Value(judge.ExpectKey))...)
	for _, b := range t.blocks {
		if b.value.Kind() == yamlread.MapKind {
			block, _ := b.value.Map()
			uses = append(uses, r.foreignInExpect(block.Peek(judge.ExpectKey))...)
		}
	}
	t.of.foreign = append(t.of.foreign, uses...)
	if len(uses) > 0 {
		t.of.models, t.of.matrix = r.foreignModels(t.m)
	}
	return len(uses) > 0
}

// foreignModels returns the models of a test that is not read, except unusable names, and whether they are a list.
// The test keeps its usual cases in this way, so that a comparison finds them.
func (r *reader) foreignModels(m *yamlread.Map) (names []string, matrix bool) {
	v, ok := m.Value("models")
	if !ok {
		v, ok = m.Value("model")
	}
	if !ok {
		return nil, false
	}
	r.noteModelValues(v)
	list := []yamlread.Value{v}
	if matrix = v.Kind() == yamlread.ListKind; matrix {
		list = v.List()
	}
	for _, one := range list {
		name := r.asLive(one.Text(), one.Pos())
		isUsable := one.Kind() == yamlread.TextKind && name != "" && utf8.RuneCountInString(name) <= maxName && !strings.ContainsFunc(name, unicode.IsControl)
		if isUsable && !slices.Contains(names, name) && len(names) < maxForeignModels {
			r.countNames(len(name))
			names = append(names, name)
		}
	}
	return names, matrix
}

// maxForeignModels bounds the number of cases of a test that is not read.
const maxForeignModels = 100

func foreignType(t test) (*foreignKey, yamlread.Value) {
	v, ok := t.m.Peek("type")
	if !ok {
		return nil, v
	}
	return findKey(foreignTop, foreignTypes[v.Text()]), v
}

// foreignInExpect returns mcptest's keys in v, the value of expect:, which is a list of expectations or a map with such a list. ok
// is false without expect:.
func (r *reader) foreignInExpect(v yamlread.Value, ok bool) []foreignUse {
	if !ok {
		return nil
	}
	if v.Kind() == yamlread.MapKind {
		long, _ := v.Map()
		list, ok := long.Value("assertions")
		if !ok {
			return nil
		}
		v = list
	}
	if v.Kind() != yamlread.ListKind {
		return nil
	}
	var uses []foreignUse
	for _, item := range v.List() {
		if item.Kind() != yamlread.MapKind {
			continue
		}
		m, _ := item.Map()
		uses = append(uses, r.takeForeign(m, foreignExpect)...)
		uses = append(uses, r.foreignInMatchers(m)...)
		if target, ok := m.Peek("target"); ok && findKey(foreignExpect, target.Text()) != nil {
			uses = append(uses, foreignUse{findKey(foreignExpect, target.Text()), target.Pos(), target.Text(), m})
		}
	}
	return uses
}

// foreignInMatchers returns mcptest's matchers in an expectation: below matcher:, or directly below the target.
func (r *reader) foreignInMatchers(m *yamlread.Map) []foreignUse {
	matchers := m.Entries()
	if v, ok := m.Value("matcher"); ok {
		matchers = []yamlread.Entry{{Value: v}}
	}
	var uses []foreignUse
	for _, e := range matchers {
		if e.Value.Kind() == yamlread.MapKind {
			one, _ := e.Value.Map()
			uses = append(uses, r.takeForeign(one, foreignExpect)...)
		}
	}
	return uses
}

// reportForeign reports each of mcptest's keys once, at its first use: as a mistake that affects no other test, or as a warning
// if such keys are left out.
func (r *reader) reportForeign() {
	byKey := map[string]*foundForeign{}
	find := func(u foreignUse) *foundForeign {
		f := byKey[u.what]
		if f == nil {
			f = &foundForeign{first: u, in: map[*entry]bool{}}
			byKey[u.what] = f
		}
		if u.pos.Compare(f.first.pos) < 0 {
			f.first = u
		}
		return f
	}
	for _, u := range r.inAll {
		find(u)
	}
	for _, u := range r.foreign {
		find(u).checks += r.leaveOutChecks(u)
	}
	for _, e := range r.inOrder {
		for _, u := range e.foreign {
			find(u).addEntry(e)
		}
	}
	made := r.casesMade()
	for _, f := range byKey { // messages are sorted
		r.reportForeignUse(f.first, f.cases(made))
	}
}

// foundForeign is one of mcptest's keys with its first use, and the checks and entries that are left out because of it.
type foundForeign struct {
	first  foreignUse
	checks int // checks below a top-level key
	in     map[*entry]bool
}

func (f *foundForeign) addEntry(e *entry) {
	f.in[e] = true
	for _, heir := range e.heirs {
		f.in[heir] = true
	}
}

// cases returns the number of cases that are left out, given the number of cases that each entry made.
func (f *foundForeign) cases(made map[source.Pos]int) int {
	n := f.checks
	for e := range f.in {
		if !e.definition {
			n += max(1, len(e.models), made[e.pos])
		}
	}
	return n
}

func (r *reader) casesMade() map[source.Pos]int {
	made := map[source.Pos]int{}
	for _, c := range r.suite.Cases {
		made[c.Pos]++
	}
	return made
}

func (r *reader) reportForeignUse(u foreignUse, cases int) {
	if !r.loader.SkipForeign {
		r.attributeTo(r.loose, func() {
			r.errs.Addf(u.pos, "%s; \"run --skip-foreign\" leaves it out", u.problem())
		})
		return
	}
	left := "; it is left out"
	if cases > 0 {
		left += ", and " + judge.CountOf(cases, "case") + " with it"
	}
	r.warnf(u.pos, "%s%s", u.problem(), left)
}

// leaveOutChecks adds an entry for each check below a top-level key, so that reports list the check as a case that is left out. It
// returns the number of checks.
func (r *reader) leaveOutChecks(u foreignUse) int {
	if !r.loader.SkipForeign || !u.key.judges {
		return 0
	}
	v, _ := u.in.Peek(u.key.key) // Peek does not add the key to the suggestions for unknown keys
	places := []yamlread.Value{v}
	if v.Kind() == yamlread.ListKind && len(v.List()) > 0 {
		places = v.List()
	}
	for _, one := range places {
		if len(r.suite.Cases)+len(r.leftOut) > maxCases {
			r.root.Stopf(r.root.Pos(), "holds more than %d cases", maxCases)
			break
		}
		e := &entry{kind: Foreign, name: u.key.key, pos: u.pos, foreign: []foreignUse{u}}
		if one != v {
			e.name, e.pos = u.key.key+": "+foreignName(one), one.Pos()
		}
		if e.pos.File != r.suite.File {
			e.name += oneLine(fmt.Sprintf(" (%s:%d)", clip(e.pos.File), e.pos.Line))
			e.pos = r.includePos()
		}
		r.countNames(len(r.suite.File) + len(e.name))
		r.leftOut = append(r.leftOut, e)
	}
	return len(places)
}

// foreignName returns the name of one of mcptest's checks, or its position if it has none.
func foreignName(v yamlread.Value) string {
	place := fmt.Sprintf("entry at %d:%d", v.Pos().Line, v.Pos().Col)
	if v.Kind() == yamlread.MapKind {
		m, _ := v.Map()
		v, _ = m.Value("name")
	}
	if v == (yamlread.Value{}) || v.Kind() != yamlread.TextKind || v.Text() == "" {
		return place
	}
	return oneLine(clip(v.Text()))
}

func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}

// foreignOf returns the reason for leaving out a case of an entry; nil if the entry has none of mcptest's keys.
func (r *reader) foreignOf(e *entry) *LeftOut {
	if len(e.foreign) == 0 {
		return nil
	}
	first := slices.MinFunc(e.foreign, func(a, b foreignUse) int { return cmp.Or(a.pos.Compare(b.pos), cmp.Compare(a.key.key, b.key.key)) })
	return &LeftOut{first.pos, first.problem()}
}

// foreignKey is a key of mcptest's suites that has no counterpart of the same name here.
type foreignKey struct {
	level  string // foreignTop, foreignTest, foreignExpect or foreignServer
	key    string
	advice string // what to do
	judges bool   // a top-level key that contains checks, or names files of checks; when it is left out, each becomes a case
}

// Foreign keys occur at these levels of a suite.
const (
	foreignTop    = "top level"
	foreignTest   = "test"
	foreignExpect = "expectation"
	foreignServer = "server"
)

// Several keys share this advice.
const (
	adviceCalls    = `mcp-gates asks no model for a verdict; write an expectation on "tool_calls" or "final_response", or use the gate "narrative"`
	adviceKeep     = "the key tests a server, not an agent; keep it in mcptest"
	adviceTools    = `mcp-gates does not call single tools; in a test of "agents", name the tools that a prompt should lead to`
	adviceScore    = "each expectation must hold; there are no weights and no combined score"
	adviceCaching  = `mcp-gates has no cache; name recordings under "cassette"`
	adviceBaseline = `list "models" on a test, and compare with "run --baseline"`
)

// foreignKeys are the documented keys of mcptest's suites that suites do not have here. The sources are these pages of
// https://mcptest.sh/docs: reference/config, capability-lanes, suite-composition, compositions, scenario-world, cache,
// url-targets, metamorphic-testing and the guide to evaluations.
var foreignKeys = []foreignKey{
	{foreignTop, "tools", adviceTools, true},
	{foreignTop, "evals", adviceCalls, true},
	{foreignTop, "compliance", adviceKeep, true},
	{foreignTop, "conformance", adviceKeep, true},
	{foreignTop, "security", adviceKeep + `; "lint" judges descriptions`, true},
	{foreignTop, "compositions", adviceKeep, true},
	{foreignTop, "scenarios", `record a run of the scenario, and judge it with "trajectory", "tool_edges" or "golden_path"`, true},
	{foreignTop, "model_compat", adviceBaseline, true},
	{foreignTop, "coverage", `use the gate "tool_edges", which counts the "allowed" tools that were called`, true},
	{foreignTop, "performance", `use "max_duration" of the gate "limits"`, true},
	{foreignTop, "corpus", adviceKeep, true},
	{foreignTop, "model_compatibility", adviceBaseline, false},
	{foreignTop, "imports", `name files of shared servers, variables, prices and defaults under "include"; write tests into the suite itself`, true},
	{foreignTop, "fixtures", `write the errors as "faults" of a test, or start the mock server with "mock --fault"`, false},
	{foreignTop, "cache", adviceCaching, false},
	{foreignTop, "defaultTest", `write the keys under "defaults"`, false},
	{foreignTop, "run_options", `use the expectation "tool_selection.certified_rate", which allows for the number of runs`, false},

	{foreignTest, "threshold", adviceScore, false},
	{foreignTest, "cache", adviceCaching, false},
	{foreignTest, "tool", adviceTools, false},
	{foreignTest, "args", adviceTools, false},
	{foreignTest, "rubric", adviceCalls, false},
	{foreignTest, "metamorphic", adviceKeep, false},
	{foreignTest, "setup", "start what a test needs in a separate step before the run", false},
	{foreignTest, "teardown", "stop what a test needs in a separate step after the run", false},
	{foreignTest, "effects", adviceCaching, false},

	{foreignExpect, "llm-judge", adviceCalls, false},
	{foreignExpect, "eval.rubric", adviceCalls, false},
	{foreignExpect, "snapshot", `write the value itself, with "exact" or "contains"`, false},
	{foreignExpect, "weight", adviceScore, false},
	{foreignExpect, "assert-set", adviceScore, false},

	{foreignServer, "http", `limit the time with the server's "timeout" and "wait_for_ready"`, false},
	{foreignServer, "oauth", `fetch the token in an earlier step, and name its environment variable under "bearer_token_env"`, false},
	{foreignServer, "server_version", `name a snapshot of the server's tools under "catalog"`, false},
}

// foreignTypes maps the values of type: of tests that are not agent tests to the top-level key with the same advice.
var foreignTypes = map[string]string{
	"tool": "tools", "resource": "conformance", "prompt": "conformance", "composition": "compositions", "scenario": "scenarios", "eval": "evals",
}

// findKey returns the row of a key at a level; nil if the key is not one of mcptest's.
func findKey(level, key string) *foreignKey {
	for i := range foreignKeys {
		if row := &foreignKeys[i]; row.level == level && row.key == key {
			return row
		}
	}
	return nil
}
