package gates

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

func axesOf(t testing.TB, block string) *trajectoryAxes {
	t.Helper()
	var errs source.Errors
	plan := configureTrajectoryAxes(yamlread.Parse("s.yml", []byte(block), &errs), judge.Context{Servers: []string{"s", "t"}})
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	return plan.Measurer.(*trajectoryAxes)
}

// flowRun makes a run of calls TOOL(ARGUMENTS)RESULT; an argument list is a JSON object, ! before the result marks an error.
func flowRun(calls ...string) *trace.Trace {
	run := trace.Run{Number: 1}
	for _, text := range calls {
		name, rest, _ := strings.Cut(text, "(")
		args, result, _ := strings.Cut(rest, ")")
		result, failed := strings.CutPrefix(result, "!")
		call := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Name: name}}, Failed: failed, Detail: &trace.Detail{Result: result}}
		if args != "" {
			call.Args, call.Detail.Args = trace.ArgsObject, jsontext.Value(args)
		}
		run.Calls = append(run.Calls, call)
	}
	return &trace.Trace{Runs: []trace.Run{run}}
}

// TestDataFlow holds one run against one edge. want is what the evidence says; "" where the edge held.
func TestDataFlow(t *testing.T) {
	const plain = "data_flow: [{from: find, to: del.args.id}]"
	tests := []struct {
		name, block string
		calls       []string
		want        string
	}{
		{"equal", plain, []string{`find(){"id":"A-17"}`, `del({"id":"A-17"})`}, ""},
		{"a call more", plain, []string{`find(){"id":"A-17"}`, `del({"id":"A-17"})`, `del({"id":"A-18"})`}, `call 3: "A-18" is in no earlier result of find`},
		{"within a word", plain, []string{`find(){"id":"A-17"}`, `del({"id":"A-178"})`}, `call 2: "A-178" is in no earlier result of find`},
		{"as a whole word", plain, []string{`find(){"id":"A-17"}`, `del({"id":"https://x.test/A-17/"})`}, ""},
		{"in a longer leaf", plain, []string{`find()Found A-17.`, `del({"id":"A-17"})`}, ""},
		{"in the word of a leaf", plain, []string{`find()Found BA-17.`, `del({"id":"A-17"})`}, `call 2: "A-17" is in no earlier result of find`},
		{"a short number", plain, []string{`find(){"id":170}`, `del({"id":170})`}, `call 2: 170 is in no earlier result of find`},
		{"a number", plain, []string{`find(){"id":1700}`, `del({"id":1.7e3})`}, ""},
		{"a number as a text", plain, []string{`find(){"id":1700}`, `del({"id":"1700"})`}, ""},
		{"a text as a number", plain, []string{`find(){"id":"1700"}`, `del({"id":1700})`}, ""},
		{"a short text", plain, []string{`find(){"id":"ab"}`, `del({"id":"ab"})`}, `call 2: "ab" is in no earlier result of find`},
		{"characters are not bytes", plain, []string{`find(){"id":"äö"}`, `del({"id":"äö"})`}, `call 2: "äö" is in no earlier result of find`},
		{"case counts", plain, []string{`find(){"id":"a-17"}`, `del({"id":"A-17"})`}, `call 2: "A-17" is in no earlier result of find`},
		{"a truth value", plain, []string{`find(){"id":true}`, `del({"id":true})`}, `call 2: true is in no earlier result of find`},
		{"too late", plain, []string{`del({"id":"A-17"})`, `find(){"id":"A-17"}`}, "no successful call of find before call 1"},
		{"failed", plain, []string{`find()!{"id":"A-17"}`, `del({"id":"A-17"})`}, "no successful call of find before call 2"},
		{"no call and no argument", plain, []string{`del()`}, "call 1 has no argument id"},
		{"no argument", plain, []string{`find(){"id":"A-17"}`, `del()`}, "call 2 has no argument id"},
		{"each of a list", plain, []string{`find()["A-17","A-18"]`, `del({"id":["A-18","A-17",1]})`}, ""},
		{"one of a list is missing", plain, []string{`find()["A-17","A-18"]`, `del({"id":["A-18","A-19"]})`}, `call 2: "A-19" is in no earlier result of find`},
		{"nothing to recognise in a list", plain, []string{`find()["A-17"]`, `del({"id":[1,2]})`}, `call 2: [1,2] is in no earlier result of find`},
		{"structured content", plain, []string{`find(){"content":[{"type":"text","text":"see above"}],"structuredContent":{"id":"A-17"}}`, `del({"id":"A-17"})`}, ""},
		{"text content", plain, []string{`find(){"content":[{"type":"text","text":"{\"id\":\"A-17\"}"}]}`, `del({"id":"A-17"})`}, ""},
		{"keys are not leaves", plain, []string{`find(){"A-17":1}`, `del({"id":"A-17"})`}, `call 2: "A-17" is in no earlier result of find`},
		{"cut", plain, []string{`find(){"id":"A-16", "text": "abc…[+12 chars]"}`, `del({"id":"A-17"})`}, `call 2: "A-17" is in no earlier result of find (the recording cut the result of call 1)`},
		{"cut, and read again", plain, []string{`find(){"id":"A-16", "text": "abc…[+12 chars]"}`, `del({"id":"A-16"})`, `del({"id":"A-17"})`}, `call 3: "A-17" is in no earlier result of find (the recording cut the result of call 1)`},
		{"cut twice", plain, []string{`find()some text...`, `find()more …`, `del({"id":"A-17"})`}, `call 3: "A-17" is in no earlier result of find (the recording cut the results of 2 calls, the first call 1)`},
		{"a result after the consumer", plain, []string{`find()A-16`, `del({"id":"A-16"})`, `find()A-17`, `del({"id":"A-17"})`}, ""},
		{"a path", "data_flow: [{from: {tool: find, path: items.id}, to: {tool: del, arg: id}}]", []string{`find(){"items":[{"id":"A-17"},{"id":"A-18"}]}`, `del({"id":"A-18"})`}, ""},
		{"another path", "data_flow: [{from: {tool: find, path: items.name}, to: {tool: del, arg: id}}]", []string{`find(){"items":[{"id":"A-17","name":"x y"}]}`, `del({"id":"A-17"})`}, `call 2: "A-17" is in no earlier result of find`},
		{"a path with a position", "data_flow: [{from: {tool: find, path: 'items[1].id'}, to: {tool: del, arg: 'ids[0].x'}}]", []string{`find(){"items":[{"id":"A-17"},{"id":"A-18"}]}`, `del({"ids":[{"x":"A-18"}]})`}, ""},
		{"a tool with .args. in it", "data_flow: [{from: find, to: x.args.del.args.id}]", []string{`find()A-17`, `x.args.del({"id":"A-17"})`}, ""},
	}
	for _, test := range tests {
		m := axesOf(t, test.block).Measure(flowRun(test.calls...))
		got := ""
		for _, note := range m.Notes {
			got += strings.TrimPrefix(note.Text, "run 1: ")
		}
		held := 100
		if test.want != "" {
			held = 0
		}
		if figure := percentsOf(m)[dataFlowTarget]; got != test.want || figure != held {
			t.Errorf("%s: %q at %d, want %q at %d", test.name, got, figure, test.want, held)
		}
	}
}

// TestOrder counts by hand. order is -1 where it is absent.
func TestOrder(t *testing.T) {
	tests := []struct {
		runs             []string
		order, unreached int
	}{
		{[]string{"find(1) del(1)"}, 100, 0},
		{[]string{"del(1) find(1) del(2)"}, 0, 0},
		{[]string{"find(1)! del(1)"}, 0, 0},
		{[]string{"find(1)! find(1) del(1)!"}, 100, 0},
		{[]string{"find(1)"}, -1, 1},
		{[]string{"find(1) del(1)", "del(1)", "find(1) del(1)", "other"}, 66, 1},
		{[]string{"find(1) del(1)", ""}, 100, 1},
	}
	for _, test := range tests {
		m := axesOf(t, "order: [{before: find, after: del}]").Measure(sketchRuns(test.runs...))
		want := map[string]int{unreachedTarget: test.unreached}
		if test.order >= 0 {
			want[orderTarget] = test.order
		}
		sameFigures(t, test.runs, m, want)
	}
}

// flowSketches returns runs of two tools whose arguments and results share a few values.
func flowSketches(r *rand.Rand) *trace.Trace {
	values := []string{`"A-1"`, `"A-2"`, `"x"`, `1234`, `"1234"`, `12`, `"see A-1 now"`, `["A-1","A-2"]`, `{"id":"A-2"}`, `true`, `"A-12"`}
	tr := &trace.Trace{}
	for i := range 1 + r.IntN(6) {
		var calls []string
		for range r.IntN(6) {
			call := []string{"find", "del", "find"}[r.IntN(3)]
			if r.IntN(5) > 0 {
				call += fmt.Sprintf(`({"id":%s})`, values[r.IntN(len(values))])
			} else {
				call += "()"
			}
			if r.IntN(5) == 0 {
				call += "!"
			}
			calls = append(calls, call+fmt.Sprintf(`[%s,%s]`, values[r.IntN(len(values))], values[r.IntN(len(values))]))
		}
		run := flowRun(calls...).Runs[0]
		run.Number = i + 1
		tr.Runs = append(tr.Runs, run)
	}
	return tr
}

// naiveAxes counts as the rules are worded, for an edge from find to del and one from del to find, on each axis.
func naiveAxes(tr *trace.Trace) map[string]int {
	pairs, held, unreached, calls := map[string]int{}, map[string]int{}, 0, 0
	for _, run := range tr.Runs {
		calls += len(run.Calls)
		for _, edge := range [][2]string{{"find", "del"}, {"del", "find"}} {
			reached, order, flow := false, false, true
			for i, call := range run.Calls {
				if call.Tool.Name != edge[1] {
					continue
				}
				if !reached {
					reached = true
					for _, before := range run.Calls[:i] {
						order = order || before.Tool.Name == edge[0] && !before.Failed
					}
				}
				flow = flow && naiveSupplied(run.Calls[:i], edge[0], call)
			}
			if !reached {
				unreached += 2
				continue
			}
			pairs[orderTarget]++
			pairs[dataFlowTarget]++
			if order {
				held[orderTarget]++
			}
			if flow {
				held[dataFlowTarget]++
			}
		}
	}
	if calls == 0 {
		return map[string]int{}
	}
	figures := map[string]int{unreachedTarget: unreached}
	for target, n := range pairs {
		figures[target] = 100 * held[target] / n
	}
	return figures
}

func naiveSupplied(before []trace.Call, tool string, call trace.Call) bool {
	var args map[string]any
	if json.Unmarshal(call.Detail.Args, &args) != nil || args["id"] == nil {
		return false
	}
	var leaves []string
	for _, c := range before {
		if c.Tool.Name == tool && !c.Failed {
			var result any
			if json.Unmarshal([]byte(c.Detail.Result), &result) == nil {
				leaves = append(leaves, naiveTexts(result)...)
			}
		}
	}
	values := naiveTexts(args["id"])
	for _, value := range values {
		found := false
		for _, leaf := range leaves {
			found = found || strings.Contains(" "+leaf+" ", " "+value+" ") || strings.Contains(" "+value+" ", " "+leaf+" ")
		}
		if !found {
			return false
		}
	}
	return len(values) > 0
}

// naiveTexts returns the texts of three characters and the numbers of four digits.
func naiveTexts(value any) (texts []string) {
	for _, leaf := range naiveLeaves(value) {
		switch v := leaf.(type) {
		case string:
			if len(v) >= 3 {
				texts = append(texts, v)
			}
		case float64:
			if v >= 1000 {
				texts = append(texts, fmt.Sprint(v))
			}
		}
	}
	return texts
}

func FuzzTrajectoryAxes(f *testing.F) {
	gate := axesOf(f, `{order: [{before: find, after: del}, {before: del, after: find}], data_flow: [{from: find, to: del.args.id}, {from: del, to: find.args.id}]}`)
	for seed := range thorough.Cases(uint64(3500)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		tr := flowSketches(r)
		got := gate.Measure(tr)
		sameFigures(t, seed, got, naiveAxes(tr))
		checkPercents(t, got)
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, gate.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

// FuzzSupply reads hostile results and arguments.
func FuzzSupply(f *testing.F) {
	f.Add(`{"content":[null,{"text":7}],"structuredContent":null}`, `"a"`)
	f.Add("\xff\xfe A-17", `"\ud800"`)
	f.Add(strings.Repeat("[", 9000), `{"a":[[]]}`)
	f.Add(`1e999999999`, `1e999999999`)
	f.Fuzz(func(t *testing.T, result, value string) {
		if decoded, ok := judge.DecodeJSON(jsontext.Value(value)); ok {
			s := newSupply(new(judge.Work))
			s.addResult(result, nil, 1)
			s.missingValue(decoded)
		}
	})
}

func BenchmarkTrajectoryAxes(b *testing.B) {
	gate := axesOf(b, `{order: [{before: find, after: del}], data_flow: [{from: find, to: del.args.id}]}`)
	tr := &trace.Trace{}
	for i := range 10_000 {
		run := flowRun(`find(){"items":[{"id":"A-17","name":"one"},{"id":"A-18","name":"two"}],"next":"page 2"}`, `del({"id":"A-18"})`).Runs[0]
		run.Number = i + 1
		tr.Runs = append(tr.Runs, run)
	}
	for b.Loop() {
		gate.Measure(tr)
	}
}

// TestSupplyWithoutWork pins that a value counts as supplied only where it was found: without work that is left, nobody looked.
func TestSupplyWithoutWork(t *testing.T) {
	work := new(judge.Work)
	s := newSupply(work)
	s.addResult(`{"note": "saved as n-1234 today"}`, nil, 1)
	if !s.supplies("n-1234") || s.supplies("n-9999") {
		t.Error("before: want n-1234 supplied, and n-9999 not")
	}
	for work.Spend(1 << 40) {
	}
	if s.supplies("n-1234") || s.supplies("n-9999") {
		t.Error("without work that is left, a value is supplied")
	}
}
