package gates

import (
	"bytes"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

var update = flag.Bool("update", false, "rewrite what the examples and the documentation hold")

// An example is a file testdata/*.txtar: a line that says what it pins, and
//
//	test.yaml      the keys of a test: name, servers (only names), runs, discovery, classes, error_pattern, faults (server, tool and kind), expect and any
//	               gates; and surface
//	               and current_surface, the token counts that a real check would make, and tool_tokens, those of the
//	               tools in the catalog's order
//	runs.json      the cassette; for max_response_tokens each word counts as one token. Gates that judge a catalog need none
//	catalog.json   optional: the servers' snapshots
//	beside.json    optional: catalogs that compete with that
//	base.json      optional: catalog.json in the base, and what competes there; "no base" without it
//	want.json      the results; or mistakes.txt, what is wrong with test.yaml
type example struct {
	file     string
	archive  *txtar.Archive
	test     *yamlread.Map
	mistakes source.Errors
}

// outcome is the content of want.json.
type outcome struct {
	Gates  []judge.Result      `json:"gates"`
	Texts  []map[string]string `json:"texts"`            // by gate and target: the evidence for a figure, or why it is absent
	Expect [][]judge.Assertion `json:"expect,omitempty"` // by run
}

func readExamples(t *testing.T) []*example {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no examples in testdata: %v", err)
	}
	var examples []*example
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := &example{file: file, archive: archive}
		if len(strings.TrimSpace(string(archive.Comment))) == 0 {
			t.Errorf("%s: the first line must say what the example pins", file)
		}
		e.test = yamlread.Parse("test.yaml", e.content("test.yaml"), &e.mistakes)
		examples = append(examples, e)
	}
	return examples
}

func (e *example) content(name string) []byte {
	for _, f := range e.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// set replaces the content of a file of the example, or adds it.
func (e *example) set(name string, data []byte) {
	for i, f := range e.archive.Files {
		if f.Name == name {
			e.archive.Files[i].Data = data
			return
		}
	}
	e.archive.Files = append(e.archive.Files, txtar.File{Name: name, Data: data})
}

// checks configures the gates of the example.
func (e *example) checks(t *testing.T) (checks []judge.Check, expect judge.RunExpect) {
	t.Helper()
	in := e.context(t)
	for _, g := range All {
		if !e.test.Has(g.Name) {
			continue
		}
		checks = append(checks, judge.Check{Gate: g, Pos: e.test.KeyPos(g.Name), Plan: g.Configure(e.test.Map(g.Name), in)})
	}
	expect = judge.ReadRunExpect(e.test)
	for _, key := range []string{"name", "error_pattern", "surface", "current_surface", "tool_tokens", "upfront", "loaded_tokens", "instructions_tokens"} {
		e.test.Has(key)
	}
	e.test.Done()
	return checks, expect
}

func (e *example) context(t *testing.T) judge.Context {
	t.Helper()
	in := judge.Context{Test: e.name(), Runs: e.test.Int("runs", 1, 0)}
	for _, s := range e.test.Strs("servers") {
		in.Servers = append(in.Servers, s.Value)
	}
	slices.Sort(in.Servers)
	if discovery := e.test.Map("discovery"); discovery != nil {
		in.NameFree = discovery.Bool("name_free", false)
	}
	// Mistakes in classes are reported by the gate; this reading is for the other gates.
	var ignored source.Errors
	again := yamlread.Parse("test.yaml", e.content("test.yaml"), &ignored)
	for _, name := range []string{"token_efficiency", "equal_function_sets"} {
		if block := again.Map(name); block.Has("classes") {
			in.Classes = ReadClasses(block)
		}
	}
	if e.test.Has("classes") {
		in.TestClasses = ReadClasses(e.test)
		in.Classes = in.TestClasses
	}
	for _, m := range e.test.Maps("faults") {
		in.Faults = append(in.Faults, fault.Fault{Server: m.Str("server").Value, Tool: m.Str("tool").Value, Kind: m.Str("kind").Value})
		m.Done()
	}
	if snapshot := e.snapshot(t); snapshot != nil {
		in.Snapshot = snapshot.Tools
		in.SnapshotOf = func(server string) ([]*catalog.Tool, bool) {
			tools := slices.DeleteFunc(slices.Clone(snapshot.Tools), func(tool *catalog.Tool) bool { return tool.Server != server })
			return tools, len(tools) > 0
		}
	}
	return in
}

func (e *example) name() string {
	s, _ := e.test.OptStr("name")
	return s.Value
}

func (e *example) snapshot(t *testing.T) *catalog.Catalog {
	t.Helper()
	return e.catalog(t, "catalog.json")
}

func (e *example) catalog(t *testing.T, name string) *catalog.Catalog {
	t.Helper()
	data := e.content(name)
	if data == nil {
		return nil
	}
	cat, errs := catalog.Read(name, data)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", e.file, errs.Err())
	}
	return cat
}

func (e *example) trace(t *testing.T) *trace.Trace {
	t.Helper()
	tr := e.runs(t)
	tr.Runs = new(judge.Work).FindErrors(tr.Runs, judge.ReadErrorPattern(e.test))
	tr.Current = e.snapshot(t)
	beside := e.catalog(t, "beside.json")
	tr.Competing = &trace.Competing{Beside: beside, Base: e.catalog(t, "base.json"), BaseBeside: beside, NoBase: "no base"}
	if tr.Catalog == nil {
		tr.Catalog = tr.Current
	}
	if e.test.Has("surface") {
		tr.Surface = trace.Known(int64(e.test.Int("surface", 0, 0)))
	}
	if e.test.Has("current_surface") {
		tr.CurrentSurface = trace.Known(int64(e.test.Int("current_surface", 0, 0)))
	}
	if v, ok := e.test.Value("tool_tokens"); ok {
		for _, item := range v.List() {
			n, _ := item.Rat()
			tr.ToolTokens = append(tr.ToolTokens, n.Num().Int64())
			tr.Surface = trace.Known(tr.Surface.N + n.Num().Int64())
		}
	}
	if e.test.Has("instructions_tokens") {
		tr.InstructionsTokens = trace.Known(int64(e.test.Int("instructions_tokens", 0, 0)))
	}
	if e.test.Has("upfront") {
		tr.Deferral = e.deferral(tr)
	}
	return tr
}

// deferral returns what the runs had in front of the model: the tools that are not deferred, and upfront: tokens.
func (e *example) deferral(tr *trace.Trace) *trace.Deferral {
	d := &trace.Deferral{Upfront: trace.Known(int64(e.test.Int("upfront", 0, 0))), Eager: map[catalog.Ref]bool{}, Tools: map[catalog.Ref]int64{}}
	v, _ := e.test.Value("loaded_tokens")
	for i, item := range v.List() {
		n, _ := item.Rat()
		ref := tr.Catalog.Tools[i].Ref()
		d.Tools[ref], d.Eager[ref] = n.Num().Int64(), !slices.Contains(tr.Deferred, ref)
		if !d.Eager[ref] {
			delete(d.Eager, ref)
		}
	}
	return d
}

// runs reads the cassette, where there is one.
func (e *example) runs(t *testing.T) *trace.Trace {
	t.Helper()
	if e.content("runs.json") == nil {
		return &trace.Trace{}
	}
	fsys := fstest.MapFS{"runs.json": {Data: e.content("runs.json")}}
	const everything = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers
	tr, errs := trace.Read(fs.FS(fsys), []string{"runs.json"}, everything)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", e.file, errs.Err())
	}
	return tr
}

// evaluate returns the content of want.json.
func (e *example) evaluate(t *testing.T, checks []judge.Check, expect judge.RunExpect) outcome {
	t.Helper()
	tr := e.trace(t)
	out := outcome{Gates: new(judge.Work).Evaluate(e.name(), checks, tr)}
	for i := range checks {
		out.Texts = append(out.Texts, e.texts(checks, i, tr))
	}
	if expect.Empty() {
		return out
	}
	for i := range tr.Runs {
		tr.Runs[i].ResponseTokens = trace.Known(int64(len(strings.Fields(tr.Runs[i].FinalResponse))))
		out.Expect = append(out.Expect, expect.Judge(&tr.Runs[i]))
	}
	return out
}

// onlooker is a Measurer that notes what another one measures.
type onlooker struct {
	measure func(*trace.Trace) judge.Measurement
}

func (o onlooker) Measure(tr *trace.Trace) judge.Measurement { return o.measure(tr) }

// texts returns what a message would say of each figure of a gate, whatever the example expects.
func (e *example) texts(checks []judge.Check, i int, tr *trace.Trace) map[string]string {
	var m judge.Measurement
	measurer := checks[i].Plan.Measurer
	checks = slices.Clone(checks)
	seen := onlooker{func(tr *trace.Trace) judge.Measurement {
		m = measurer.Measure(tr)
		return m
	}}
	switch same := measurer.(type) { // the engine shows these other runs
	case judge.Searcher:
		checks[i].Plan.Measurer = struct {
			onlooker
			judge.Searcher
		}{seen, same}
	case judge.Selector:
		checks[i].Plan.Measurer = struct {
			onlooker
			judge.Selector
		}{seen, same}
	default:
		checks[i].Plan.Measurer = seen
	}
	new(judge.Work).Evaluate(e.name(), checks, tr)
	texts := maps.Clone(m.Detail)
	if texts == nil {
		texts = map[string]string{}
	}
	for target, why := range m.Absent {
		texts[target] = "absent: " + why
	}
	return texts
}

func TestExamples(t *testing.T) {
	for _, e := range readExamples(t) {
		t.Run(strings.TrimSuffix(filepath.Base(e.file), ".txtar"), func(t *testing.T) {
			checks, expect := e.checks(t)
			if len(e.mistakes) > 0 {
				e.compare(t, "mistakes.txt", e.mistakes.Err().Error()+"\n")
				return
			}
			var got bytes.Buffer
			enc := jsontext.NewEncoder(&got, jsontext.WithIndent("  "))
			if err := json.MarshalEncode(enc, e.evaluate(t, checks, expect), json.Deterministic(true)); err != nil {
				t.Fatal(err)
			}
			e.compare(t, "want.json", got.String())
		})
	}
}

// compare compares with a file of the example, or writes it.
func (e *example) compare(t *testing.T, name, got string) {
	t.Helper()
	want := string(e.content(name))
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s: %s (-want +got):\n%s", e.file, name, cmp.Diff(want, got))
		return
	}
	e.set(name, []byte(got))
	if err := os.WriteFile(e.file, txtar.Format(e.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestExamplesComplete fails for a gate without an example that passes and one that fails, and for a key, a target
// or a kind of notes that no example has.
func TestExamplesComplete(t *testing.T) {
	used := map[string]bool{}
	for _, e := range readExamples(t) {
		checks, expect := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		out := e.evaluate(t, checks, expect)
		for i, check := range checks {
			name := check.Gate.Name
			used[name+" "+string(out.Gates[i].Verdict)] = true
			noteKeys(used, name, check.Gate.Keys, e.test.Map(name))
			for _, n := range out.Gates[i].Notes {
				used["notes "+n.Kind] = true
			}
			for _, a := range out.Gates[i].Assertions {
				if target, _, ok := judge.FindTarget(check.Gate.Targets, a.Target); ok {
					used[name+" target "+target.Name] = true
				}
			}
		}
		for _, target := range expect.Targets() {
			used["expect "+target] = true
		}
	}
	for _, want := range wantedExamples() {
		if !used[want] {
			t.Errorf("no example in testdata shows: %s", want)
		}
	}
}

func noteKeys(used map[string]bool, name string, keys []judge.Key, block *yamlread.Map) {
	for _, key := range keys {
		if !block.HasOwn(key.Name) {
			continue
		}
		used[name+" key "+key.Name] = true
		if key.Type == judge.TypeMap {
			noteKeys(used, name+" "+key.Name, key.Keys, block.Map(key.Name))
		}
	}
}

func wantedExamples() []string {
	var wanted []string
	for _, g := range All {
		wanted = append(wanted, g.Name+" pass", g.Name+" fail")
		wanted = append(wanted, wantedKeys(g.Name, g.Keys)...)
		for _, target := range g.Targets {
			wanted = append(wanted, g.Name+" target "+target.Name)
		}
	}
	for _, kind := range judge.Kinds {
		wanted = append(wanted, "notes "+kind.Name)
	}
	targets, limits := judge.RunWords()
	for _, target := range slices.Concat(targets, limits) {
		wanted = append(wanted, "expect "+target.Name)
	}
	return wanted
}

func wantedKeys(name string, keys []judge.Key) []string {
	var wanted []string
	for _, key := range keys {
		wanted = append(wanted, name+" key "+key.Name)
		if key.Type == judge.TypeMap {
			wanted = append(wanted, wantedKeys(name+" "+key.Name, key.Keys)...)
		}
	}
	return wanted
}

// TestRequiredKeys holds that examples without a mistake leave out each optional key, and no required one.
func TestRequiredKeys(t *testing.T) {
	lacked := map[*judge.Key]bool{}
	for _, e := range readExamples(t) {
		if e.checks(t); len(e.mistakes) > 0 {
			continue
		}
		for _, g := range All {
			if v, ok := e.test.Value(g.Name); ok {
				block, _ := v.JSON()
				noteLacked(lacked, g.Keys, block)
			}
		}
	}
	for _, g := range All {
		checkRequired(t, lacked, g.Name, g.Keys)
	}
}

// noteLacked notes the keys that a map, or one in a list, leaves out. Gates share lists of keys.
func noteLacked(lacked map[*judge.Key]bool, keys []judge.Key, in any) {
	switch in := in.(type) {
	case []any:
		for _, one := range in {
			noteLacked(lacked, keys, one)
		}
	case map[string]any:
		for i := range keys {
			key := &keys[i]
			value, has := in[key.Name]
			lacked[key] = lacked[key] || !has
			noteLacked(lacked, key.Keys, value)
		}
	}
}

func checkRequired(t *testing.T, lacked map[*judge.Key]bool, name string, keys []judge.Key) {
	t.Helper()
	for i := range keys {
		key := &keys[i]
		isLacked, isSeen := lacked[key]
		if isSeen && isLacked == key.Required && (key.Name != "name" || strings.Contains(name, ".")) { // suites read the name of a block
			t.Errorf("%s.%s: required is %t, and some example without a mistake leaves it out: %t", name, key.Name, key.Required, isLacked)
		}
		checkRequired(t, lacked, name+"."+key.Name, key.Keys)
	}
}
