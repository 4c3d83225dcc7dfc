package gates

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// sketchRuns returns a run for each text, which lists calls as TOOL(ARGUMENT), with ! after one that failed; SERVER.TOOL
// names the server.
func sketchRuns(texts ...string) *trace.Trace {
	tr := &trace.Trace{}
	for i, text := range texts {
		run := trace.Run{Number: i + 1}
		for _, word := range strings.Fields(text) {
			run.Calls = append(run.Calls, sketchCall(word))
		}
		tr.Runs = append(tr.Runs, run)
	}
	return tr
}

func sketchCall(word string) trace.Call {
	word, failed := strings.CutSuffix(word, "!")
	id, args, has := strings.Cut(strings.TrimSuffix(word, ")"), "(")
	server, name, qualified := strings.Cut(id, ".")
	if !qualified {
		server, name = "", id
	}
	call := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}, Failed: failed}
	if has && args != "" {
		call.Args = trace.ArgsObject
		call.Detail = &trace.Detail{Args: jsontext.Value(fmt.Sprintf(`{"a":%s}`, args))}
	}
	return call
}

// sketches returns n runs of few tools and arguments, so that calls repeat.
func sketches(r *rand.Rand, n int) *trace.Trace {
	texts := make([]string, n)
	for i := range texts {
		words := make([]string, r.IntN(9))
		for j := range words {
			words[j] = []string{"s.a", "s.b", "t.b", "c"}[r.IntN(4)] + []string{"", "(1)", "(1.0)", `("1")`, "([1,2])", `({"x":2})`}[r.IntN(6)]
			if r.IntN(3) == 0 {
				words[j] += "!"
			}
		}
		texts[i] = strings.Join(words, " ")
	}
	return sketchRuns(texts...)
}

// percentsOf returns the whole figures of a measurement, by target.
func percentsOf(m judge.Measurement) map[string]int {
	figures := map[string]int{}
	for target, v := range m.Values {
		figures[target] = int(v.Rat.Num().Int64())
	}
	return figures
}

// sameFigures compares figures that two implementations count; an absent one is in neither.
func sameFigures(t *testing.T, what any, got judge.Measurement, want map[string]int) {
	t.Helper()
	figures := percentsOf(got)
	for target, n := range want {
		if value, ok := figures[target]; !ok || value != n {
			t.Errorf("%v: %s is %d (defined: %v), want %d", what, target, value, ok, n)
		}
	}
	for target, n := range figures {
		if _, ok := want[target]; !ok {
			t.Errorf("%v: %s is %d, want it absent", what, target, n)
		}
	}
}
