package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/proxy"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// saidCalls returns a run of calls, each "ID SERVER.TOOL ARGS" with - for what is not there.
func saidCalls(lines ...string) *imports.Run {
	run := &imports.Run{}
	for _, line := range lines {
		part := strings.Fields(line)
		server, name, _ := strings.Cut(part[1], ".")
		call := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: strings.Trim(server, "-"), Name: name}}, Args: trace.ArgsEmpty, Detail: &trace.Detail{Result: "as the program has it"}}
		if part[2] != "-" {
			call.Args, call.Detail.Args = trace.ArgsObject, jsontext.Value(part[2])
		}
		run.Calls, run.IDs = append(run.Calls, call), append(run.IDs, strings.Trim(part[0], "-"))
	}
	return run
}

// seenCalls returns what two servers, a and b, saw: calls "TIME ID SERVER.TOOL ARGS", answered with their time.
func seenCalls(lines ...string) []proxy.Witness {
	seen := make([]proxy.Witness, 2)
	for _, line := range lines {
		part := strings.Fields(line)
		server, name, _ := strings.Cut(part[2], ".")
		var at int
		fmt.Sscan(part[0], &at)
		w := &seen[strings.Index("ab", server)]
		w.Calls = append(w.Calls, proxy.Call{
			ModelCallID: strings.Trim(part[1], "-"), Tool: name, Args: jsontext.Value(part[3]), Result: "answer " + part[0],
			Start: time.Unix(int64(at), 0), Answered: true,
		})
	}
	return seen
}

// TestPair pins how the calls of a program are put together with those that reached its servers.
func TestPair(t *testing.T) {
	for _, test := range []struct {
		name string
		said []string
		seen []string
		want []string
	}{
		{
			"each side knows all of them, and the program's order counts",
			[]string{`- a.x {"n":1}`, `- b.y -`},
			[]string{`1 - b.y {}`, `2 - a.x {"n":1}`},
			[]string{`a.x {"n":1} answer 2`, `b.y answer 1`},
		},
		{
			"by the model's id, whatever the arguments",
			[]string{`one a.x {"n":1}`, `two a.x {"n":1}`},
			[]string{`1 two a.x {"n":1}`, `2 one a.x {"n":1}`},
			[]string{`a.x {"n":1} answer 2`, `a.x {"n":1} answer 1`},
		},
		{
			"by equal arguments before the order",
			[]string{`- a.x {"n":1}`, `- a.x {"m":2,"n":3}`},
			[]string{`1 - a.x {"n":3,"m":2}`, `2 - a.x {"n":1.0}`},
			[]string{`a.x {"n":1} answer 2`, `a.x {"m":2,"n":3} answer 1`},
		},
		{
			"in order where the arguments differ; the program's stand",
			[]string{`- a.x {"n":"1"}`, `- a.x {"n":"2"}`},
			[]string{`1 - a.x {"n":1}`, `2 - a.x {"n":2}`},
			[]string{`a.x {"n":"1"} answer 1`, `a.x {"n":"2"} answer 2`},
		},
		{
			"calls that never left the program",
			[]string{`- a.none {"n":1}`, `- a.x -`, `- builtin.Bash -`},
			[]string{`1 - a.x {}`},
			[]string{`a.none {"n":1} as the program has it (program)`, `a.x answer 1`, `builtin.Bash as the program has it (program)`},
		},
		{
			"calls that the program does not tell of come by their time",
			[]string{`- a.x -`, `- b.y -`},
			[]string{`1 - b.z {}`, `2 - a.x {}`, `3 - a.hidden {"k":1}`, `4 - b.y {}`, `5 - a.last {}`},
			[]string{`b.z answer 1 (proxy)`, `a.x answer 2`, `a.hidden {"k":1} answer 3 (proxy)`, `b.y answer 4`, `a.last answer 5 (proxy)`},
		},
		{
			"a program that does not name the server, and one that cuts long names",
			[]string{`- -.x -`, `- b.beginning...end -`},
			[]string{`1 - b.x {}`, `2 - b.beginning_and_the_end {}`},
			[]string{`b.x answer 1`, `b.beginning_and_the_end answer 2`},
		},
		{"a call of another server is another call", []string{`- a.x -`}, []string{`1 - b.x {}`},
			[]string{`a.x as the program has it (program)`, `b.x answer 1 (proxy)`}},
		{"a program that says nothing", nil, []string{`2 - a.x {}`, `1 - b.y {}`}, []string{`b.y answer 1 (proxy)`, `a.x answer 2 (proxy)`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tested := &suite.Case{Servers: []*suite.Server{{Name: "a"}, {Name: "b"}}}
			run := &programRun{oneRun: &oneRun{plan: &plan{tested: tested}}}
			var got []string
			for _, call := range run.mergeCalls(saidCalls(test.said...), seenCalls(test.seen...)) {
				got = append(got, shown(call))
			}
			if diff := cmp.Diff(got, test.want); diff != "" {
				t.Errorf("said %q, seen %q (-got +want):\n%s", test.said, test.seen, diff)
			}
		})
	}
}

func shown(call trace.Call) string {
	parts := []string{call.Tool.Server + "." + call.Tool.Name, string(call.Detail.Args), call.Detail.Result}
	if call.Detail.Witness != "" {
		parts = append(parts, "("+call.Detail.Witness+")")
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// TestUnansweredCall pins that a call that was not answered has failed.
func TestUnansweredCall(t *testing.T) {
	one := serverCall{Call: &proxy.Call{Tool: "x", Args: jsontext.Value(`{"n":`)}, ref: catalog.Ref{Server: "a", Name: "x"}}
	call := one.traceCall()
	if !call.Failed || call.Detail.Error != notAnswered || call.Detail.Result != "" || call.Args != trace.ArgsMalformed || call.Detail.Duration.Known {
		t.Errorf("got %+v with %+v, want a failed call without a duration", call, call.Detail)
	}
}

// FuzzPair holds that no call is lost and none is counted twice.
func FuzzPair(f *testing.F) {
	f.Add("xyx", "xxz")
	f.Add("", "xy")
	f.Fuzz(func(t *testing.T, said, seen string) {
		said, seen = said[:min(len(said), 50)], seen[:min(len(seen), 50)]
		var a, b []string
		left := map[byte]int{}
		for i := range len(said) {
			a = append(a, fmt.Sprintf(`- a.%02x {"n":%d}`, said[i], i))
			left[said[i]]++
		}
		want := len(said)
		for i := range len(seen) {
			b = append(b, fmt.Sprintf(`%d - a.%02x {"n":%d}`, i+1, seen[i], len(seen)-i))
			if left[seen[i]]--; left[seen[i]] < 0 {
				want++
			}
		}
		tested := &suite.Case{Servers: []*suite.Server{{Name: "a"}, {Name: "b"}}}
		run := &programRun{oneRun: &oneRun{plan: &plan{tested: tested}}}
		if got := run.mergeCalls(saidCalls(a...), seenCalls(b...)); len(got) != want {
			t.Errorf("said %q, seen %q: got %d calls, want %d", said, seen, len(got), want)
		}
	})
}
