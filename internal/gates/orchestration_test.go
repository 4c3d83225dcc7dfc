package gates

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

func TestEfficiency(t *testing.T) {
	tests := []struct{ needed, calls, want int }{
		{2, 3, 67}, {1, 8, 13}, {199, 200, 99}, {200, 200, 100}, {3, 2, 100}, {0, 5, 0}, {5, 0, 0}, {0, 0, 0}, {1, 3, 33},
	}
	for _, test := range tests {
		if got := efficiency(test.needed, test.calls); got != test.want {
			t.Errorf("efficiency(%d, %d) = %d, want %d", test.needed, test.calls, got, test.want)
		}
	}
}

// TestExhausted leaves the figure out when there was not enough work for all calls.
func TestExhausted(t *testing.T) {
	call := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Name: "get"}}, Args: trace.ArgsObject, Detail: &trace.Detail{Args: jsontext.Value(`{"a":1}`)}}
	c := orchestrationCount{calls: 1, listed: 1, meter: &judge.Meter{}}
	doc, _ := judge.DecodeJSON(jsontext.Value(`{"type":"object"}`))
	schema, err := judge.NewMeter(1).Compile(doc)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.checkArguments(&call, &calledTool{schema: schema}); got != judge.ArgsUnchecked || !c.meter.Exhausted() {
		t.Errorf("check without work left: %d, want %d", got, judge.ArgsUnchecked)
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	c.addCatalog(&m)
	const want = "checking the arguments against the tools' schemas takes too much work"
	if got := m.Absent[schemaValidTarget]; got != want {
		t.Errorf("the figure is absent because %q, want %q", got, want)
	}
}

// TestErrorPatternTakesWork pins that matching error_pattern costs what the results' length, and one, times the program is.
func TestErrorPatternTakesWork(t *testing.T) {
	steps := func(result string) int64 {
		var errs source.Errors
		m := yamlread.Parse("s.yml", []byte("error_pattern: b$\n"), &errs)
		tr := &trace.Trace{Runs: []trace.Run{{Calls: []trace.Call{{Tool: &trace.Tool{}, Detail: &trace.Detail{Result: result}}}}}}
		return configureOrchestration(m, judge.Context{}).Measure(tr).Steps
	}
	if short, long := steps("aaaaa"), steps("aaaaaaaaaaa"); short == 0 || long != 2*short {
		t.Errorf("a result of 5 bytes takes %d steps and one of 11 takes %d, want twice as many", short, long)
	}
}

// TestRecovery gives each call as TOOL or TOOL! (an error), and wants how many errors were made good.
func TestRecovery(t *testing.T) {
	classes := []judge.Class{{Name: "search", Members: []string{"a.search", "b.search"}}, {Name: "both", Members: []string{"a.search", "fetch"}}}
	tests := []struct {
		runs              []string
		errors, recovered int
	}{
		{[]string{"a.search! a.search"}, 1, 1},
		{[]string{"a.search a.search!"}, 1, 0},
		{[]string{"a.search! b.search"}, 1, 1},
		{[]string{"a.search! c.fetch"}, 1, 1},
		{[]string{"b.search! c.fetch"}, 1, 0},
		{[]string{"a.search! a.search! a.search"}, 2, 2},
		{[]string{"a.search! a.search a.search!"}, 2, 1},
		{[]string{"a.search!", "a.search"}, 1, 0},
		{[]string{"c.other! d.other"}, 1, 0},
		{[]string{"c.other! d.other c.other"}, 1, 1},
		{[]string{"a.search! b.search!"}, 2, 0},
		{[]string{""}, 0, 0},
	}
	for _, test := range tests {
		tr := &trace.Trace{}
		for i, calls := range test.runs {
			run := trace.Run{Number: i + 1}
			for _, word := range strings.Fields(calls) {
				id, failed := strings.CutSuffix(word, "!")
				server, name, _ := strings.Cut(id, ".")
				run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}, Failed: failed})
			}
			tr.Runs = append(tr.Runs, run)
		}
		o := orchestration{in: judge.Context{Servers: []string{"a", "b", "c", "d"}, Classes: classes}}
		m := o.Measure(tr)
		if m.Counts["errors"] != test.errors || m.Counts["recovered"] != test.recovered {
			t.Errorf("%q: %d of %d errors recovered, want %d of %d", test.runs, m.Counts["recovered"], m.Counts["errors"], test.recovered, test.errors)
		}
	}
}

// naiveOrchestration counts as the rules are worded, call by call.
func naiveOrchestration(o orchestration, tr *trace.Trace) map[string]int {
	counts := map[string]int{"calls": 0, "errors": 0, "recovered": 0, "well_formed": 0, "with_args": 0}
	for _, run := range tr.Runs {
		for i, call := range run.Calls {
			counts["calls"]++
			tool, listed := tr.Catalog.Lookup(call.Tool.Ref)
			if call.Args == trace.ArgsObject || call.Args == trace.ArgsEmpty && listed && !strings.Contains(string(tool.InputSchema), `"properties":{"`) {
				counts["with_args"]++
			}
			if call.Args != trace.ArgsMalformed && call.Tool.Name != "" {
				counts["well_formed"]++
			}
			if !call.Failed {
				continue
			}
			counts["errors"]++
			if slices.ContainsFunc(run.Calls[i+1:], func(later trace.Call) bool {
				return !later.Failed && equivalent(o, call.Tool.Ref, later.Tool.Ref)
			}) {
				counts["recovered"]++
			}
		}
	}
	return counts
}

func equivalent(o orchestration, a, b catalog.Ref) bool {
	return a == b || slices.ContainsFunc(o.in.Classes, func(class judge.Class) bool {
		members := judge.NewMembers(class.Members, o.in.Servers)
		return members.Names(a) && members.Names(b)
	})
}

// orchestrationCase makes a catalog, classes and runs of few names, so that they overlap.
func orchestrationCase(r *rand.Rand) (orchestration, *trace.Trace) {
	classes, in, runs := scoringCase(r)
	in.Classes = classes
	tr := &trace.Trace{Runs: runs}
	schemas := []string{"", "null", `{}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"properties":{"a":{}},"required":["a"]}`, `[]`, `{"type":7}`}
	if r.IntN(4) > 0 {
		tr.Catalog = &catalog.Catalog{}
		for _, id := range []string{"a x", "a.b y", " z", "c x"} {
			server, name, _ := strings.Cut(id, " ")
			schema := jsontext.Value(schemas[r.IntN(len(schemas))])
			tr.Catalog.Tools = append(tr.Catalog.Tools, &catalog.Tool{Server: server, Name: name, InputSchema: schema})
		}
	}
	for i := range runs {
		for j := range runs[i].Calls {
			call := &runs[i].Calls[j]
			call.Failed, call.Args = r.IntN(3) == 0, trace.ArgsState(r.IntN(3))
			if call.Args == trace.ArgsObject && r.IntN(5) > 0 {
				call.Detail = &trace.Detail{Args: jsontext.Value([]string{`{"a":1}`, `{"a":"1"}`, `{"b":1}`}[r.IntN(3)])}
			}
		}
	}
	return orchestration{in: in}, tr
}

func FuzzOrchestration(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		o, tr := orchestrationCase(r)
		got := o.Measure(tr)
		want := naiveOrchestration(o, tr)
		for name, count := range want {
			if got.Counts[name] != count {
				t.Errorf("%s is %d, want %d", name, got.Counts[name], count)
			}
		}
		checkPercents(t, got)
		for _, target := range orchestrationTargets {
			_, defined := got.Values[target.Name]
			if _, absent := got.Absent[target.Name]; defined == absent {
				t.Errorf("%s is defined: %v, and absent: %v", target.Name, defined, absent)
			}
		}
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, o.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}
