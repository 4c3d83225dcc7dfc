package gates

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

func TestToolEdgesWorked(t *testing.T) {
	checkWorked(t, ToolEdges, "calls of the runs", "{allowed: [a, b, shell.*], restricted: [shell.rm]}", judge.Context{Servers: []string{"shell"}})
}

// TestPatterns pins which calls an entry matches.
func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		entry     string
		want, not string // calls
	}{
		{"rm", "rm shell.rm files.rm rm(1)", "rmdir shell.rmdir"},
		{"shell.rm", "shell.rm", "rm files.rm"},
		{"files.rm", "files.rm", "rm shell.rm"},
		{"shell.*", "shell.rm shell.ls", "rm files.rm"},
		{"'*rm*'", "rm shell.rm files.rmdir alarm", "shell.ls"},
		{"r*m", "rm room files.rm", "shell.mr arm"},
		{"'*'", "rm shell.rm", ""},
		{"{tool: rm, args: {x: 1}}", "rm(1) rm(1.0) shell.rm(1e0)", `rm rm(2) rm("1") rm([1]) ls(1)`},
		{`{tool: "*", args: {x: {">=": 2}}}`, "rm(2) ls(3.5)", `rm(1) rm("2") rm`},
		{`{tool: rm, args: {x: {regex: "^/etc"}}}`, `rm("/etc/passwd")`, `rm("/home") rm(1)`},
		{`{tool: rm, args: {"x.path[0]": {contains: "b"}}}`, `rm({"path":["abc"]})`, `rm({"path":[]}) rm({"path":"b"}) rm(["b"])`},
		{`{tool: rm, args: {'["x"]': {exact: {b: 2, a: 1.0}}}}`, `rm({"a":1,"b":2.0})`, `rm({"a":1}) rm({"a":1,"b":2,"c":3})`},
		{`{tool: rm, args: {x: [1, {"exact": 2}]}}`, `rm([1.0,{"exact":2}])`, `rm([1])`},
		{"{tool: rm, args: {x: 9007199254740993}}", "rm(9007199254740993)", "rm(9007199254740992)"},
	} {
		plan := planOf(t, ToolEdges, "{restricted: ["+test.entry+"]}", judge.Context{Servers: []string{"files", "shell"}})
		for i, calls := range []string{test.want, test.not} {
			for _, call := range strings.Fields(calls) {
				got := plan.Measure(readWorked(call)).Values[restrictedTarget].Digits()
				if want := strconv.Itoa(1 - i); got != want {
					t.Errorf("%s: %s of %s, want %s", test.entry, got, call, want)
				}
			}
		}
	}
}

// TestPatternsOfUnknownArguments pins that a call whose arguments are malformed, or were not read, matches no arguments.
func TestPatternsOfUnknownArguments(t *testing.T) {
	plan := planOf(t, ToolEdges, `{restricted: [{tool: rm, args: {x: {"!=": 1}}}]}`, judge.Context{})
	for _, state := range []trace.ArgsState{trace.ArgsEmpty, trace.ArgsMalformed, trace.ArgsObject} {
		tr := readWorked("rm")
		tr.Runs[0].Calls[0].Args = state
		if got := plan.Measure(tr).Values[restrictedTarget].Digits(); got != "0" {
			t.Errorf("arguments of state %d: %s restricted attempts, want none", state, got)
		}
	}
}

// TestPatternsOfOddNames pins that no spelling of an argument's name hides it.
func TestPatternsOfOddNames(t *testing.T) {
	for _, test := range []struct{ name, args string }{
		{"path", `{"\u0070ath":1}`}, {"path", `{"a":"\\","path":1}`}, {`a"b`, `{"a\"b":1}`}, {`a"b`, `{"a\u0022b":1}`},
		{"a/b", `{"a\/b":1}`}, {"é", `{"\u00e9":1}`}, {"é", `{"é":1}`}, {"a\u2028b", "{\"a\u2028b\":1}"}, {"<", `{"<":1}`},
	} {
		plan := planOf(t, ToolEdges, `{restricted: [{tool: rm, args: {'[`+judge.CompactJSON(test.name)+`]': 1}}]}`, judge.Context{})
		tr := readWorked("rm(1)")
		tr.Runs[0].Calls[0].Detail.Args = jsontext.Value(test.args)
		if got := plan.Measure(tr).Values[restrictedTarget].Digits(); got != "1" {
			t.Errorf("%q of %s: %s restricted attempts, want one", test.name, test.args, got)
		}
	}
}

// TestPatternsTakeWork pins that comparing arguments costs their length, so that a case cannot compare without end.
func TestPatternsTakeWork(t *testing.T) {
	plan := planOf(t, ToolEdges, `{restricted: [{tool: rm, args: {x: {contains: b}}}]}`, judge.Context{})
	short, long := plan.Measure(readWorked(`rm("aa")`)).Steps, plan.Measure(readWorked(`rm("`+strings.Repeat("a", 2000)+`")`)).Steps
	if short == 0 || long < 100*short {
		t.Errorf("a short argument takes %d steps and a long one %d", short, long)
	}
}

// naiveEdges counts as the rules are worded, entry by entry.
func naiveEdges(allowed, restricted []string, tr *trace.Trace) map[string]string {
	names := func(entries []string, call trace.Call) bool {
		return slices.ContainsFunc(entries, func(entry string) bool {
			if prefix, glob := strings.CutSuffix(entry, "*"); glob {
				return strings.HasPrefix(call.Tool.ID(), prefix)
			}
			return entry == call.Tool.ID() || entry == call.Tool.Name
		})
	}
	attempts, outside, calls := 0, 0, 0
	used := map[string]bool{}
	for _, run := range tr.Runs {
		for _, call := range run.Calls {
			calls++
			if names(restricted, call) {
				attempts++
				continue
			}
			if !names(allowed, call) {
				outside++
			}
			for _, entry := range allowed {
				if names([]string{entry}, call) {
					used[entry] = true
				}
			}
		}
	}
	if calls == 0 {
		return nil
	}
	passed := "1"
	if attempts > 0 {
		passed = "0"
	}
	return map[string]string{
		restrictedTarget: strconv.Itoa(attempts), outsideTarget: strconv.Itoa(outside),
		allowedTarget: percentText(len(used), len(allowed)), edgesTarget: passed,
	}
}

func FuzzToolEdges(f *testing.F) {
	fuzzRuns(f, func(t *testing.T, r *rand.Rand) {
		entries := []string{"a", "shell.a", "shell.b", "shell.*", "files.*", "b", "files.c"}
		r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		n := 1 + r.IntN(len(entries)-1)
		allowed, restricted := entries[:n], entries[n:]
		text := wordRuns(r, []string{"a", "shell.a", "shell.b", "files.c", "files.a", "d"})
		tr := readWorked(text)
		plan := planOf(t, ToolEdges, "allowed: ["+strings.Join(allowed, ", ")+"]\nrestricted: ["+strings.Join(restricted, ", ")+"]\nexpect: [{edges.outside: {\"<=\": 0}}]",
			judge.Context{Servers: []string{"files", "shell"}})
		m := plan.Measure(tr)
		compareFigures(t, text, m, naiveEdges(allowed, restricted, tr))
		if len(m.Values) > 0 {
			checkPercents(t, m)
		}
		checkRunOrder(t, r, plan, tr)
	})
}

func BenchmarkToolEdges(b *testing.B) {
	classes, runs := longTrace()
	e := toolEdges{restricted: []callPattern{{text: "tool_9", tool: judge.NewToolName("tool_9", nil)}}}
	for _, class := range classes {
		e.allowed = append(e.allowed, callPattern{text: class.Name, tool: judge.NewToolName(class.Members[0], nil)})
	}
	for b.Loop() {
		e.Measure(&trace.Trace{Runs: runs})
	}
}
