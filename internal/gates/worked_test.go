package gates

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// readWorked reads runs as the documentation of gates writes them: calls apart by blanks, runs by ";". A call is a tool, bare
// or as server.name, with the argument x in parentheses where it has one, and with ! where it returned an error. ?a,b is a search that returned a and b, and
// =a a load by name.
func readWorked(text string) *trace.Trace {
	tr := &trace.Trace{}
	for i, calls := range strings.Split(text, ";") {
		run := trace.Run{Number: i + 1}
		for _, word := range strings.Fields(calls) {
			run.Calls = append(run.Calls, readWorkedCall(word))
		}
		tr.Runs = append(tr.Runs, run)
	}
	return tr
}

func readWorkedCall(word string) trace.Call {
	var call trace.Call
	if word[0] == '?' || word[0] == '=' {
		search := &trace.Search{Tools: []catalog.Ref{}, ByName: word[0] == '='}
		for name := range strings.SplitSeq(word[1:], ",") {
			if name != "" {
				search.Tools = append(search.Tools, catalog.Ref{Name: name})
			}
		}
		call.Tool, call.Detail = &trace.Tool{Ref: catalog.Ref{Server: trace.BuiltinServer, Name: "ToolSearch"}}, &trace.Detail{Search: search}
		return call
	}
	word, call.Failed = strings.CutSuffix(word, "!")
	if id, x, has := strings.Cut(strings.TrimSuffix(word, ")"), "("); has {
		word, call.Args, call.Detail = id, trace.ArgsObject, &trace.Detail{Args: jsontext.Value(`{"x":` + x + `}`)}
	}
	server, name, qualified := strings.Cut(word, ".")
	if !qualified {
		server, name = "", word
	}
	call.Tool = &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}
	return call
}

// planOf configures a gate with a block.
func planOf(t *testing.T, g *judge.Gate, block string, in judge.Context) judge.Plan {
	t.Helper()
	var errs source.Errors
	plan := g.Configure(yamlread.Parse("s.yml", []byte(block), &errs), in)
	if len(errs) > 0 {
		t.Fatalf("%s\nhas mistakes: %v", block, errs.Err())
	}
	return plan
}

// workedRows returns the cells of the table of the documentation that begins with a heading, the heading first.
func workedRows(t *testing.T, doc, heading string) [][]string {
	t.Helper()
	_, rest, found := strings.Cut(doc, "\n| "+heading+" |")
	if !found {
		t.Fatalf("the documentation has no table that begins with %q", heading)
	}
	var rows [][]string
	for line := range strings.Lines("| " + heading + " |" + rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|---") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	if len(rows) < 7 {
		t.Errorf("the table has %d rows, want six and a heading", len(rows))
	}
	return rows
}

// checkWorked compares a table of the documentation with what the gate measures. Its first column holds runs, the others
// figures: "none" is an absent one.
func checkWorked(t *testing.T, g *judge.Gate, heading, block string, in judge.Context) {
	t.Helper()
	rows := workedRows(t, g.Doc, heading)
	for _, row := range rows[1:] {
		m := planOf(t, g, block, in).Measure(readWorked(row[0]))
		for i, figure := range rows[0][1:] {
			target := targetCalled(t, g, figure)
			got := "none"
			if v, ok := m.Values[target]; ok {
				got = v.Digits()
			} else if m.Absent[target] == "" && m.Err == "" {
				t.Errorf("%s: %s is neither there nor absent", row[0], target)
			}
			if got != row[i+1] {
				t.Errorf("%s: %s is %s, the documentation says %s", row[0], target, got, row[i+1])
			}
		}
	}
}

// targetCalled returns the name of a gate's figure that is written without what stands before its first dot.
func targetCalled(t *testing.T, g *judge.Gate, figure string) string {
	t.Helper()
	group, _, _ := strings.Cut(g.Targets[0].Name, ".")
	_, name, ok := judge.FindTarget(g.Targets, group+"."+figure)
	if !ok {
		t.Fatalf("%s has no figure %q", g.Name, figure)
	}
	return name
}

// wordRuns makes runs of a few tools and arguments, so that calls are often equal, in the notation of readWorked.
func wordRuns(r *rand.Rand, tools []string) string {
	runs := make([]string, 1+r.IntN(4))
	for i := range runs {
		for range r.IntN(8) {
			runs[i] += " " + tools[r.IntN(len(tools))]
			if r.IntN(2) == 0 {
				runs[i] += []string{"(1)", "(1.0)", "(2)", `("1")`}[r.IntN(4)]
			}
			if r.IntN(4) == 0 {
				runs[i] += "!"
			}
		}
	}
	return strings.Join(runs, ";")
}

// fuzzRuns fuzzes a gate with 4,000 seeds at least, which make 10,000 runs. By default it takes a tenth of them (thorough.Cases).
func fuzzRuns(f *testing.F, one func(t *testing.T, r *rand.Rand)) {
	for seed := range thorough.Cases(uint64(4000)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { one(t, rand.New(rand.NewPCG(seed, 7))) })
}

// compareFigures compares figures with those of a second implementation, which leaves out what is absent.
func compareFigures(t *testing.T, what string, got judge.Measurement, want map[string]string) {
	t.Helper()
	for target, v := range got.Values {
		if v.Digits() != want[target] {
			t.Errorf("%s: %s is %s, want %q", what, target, v.Digits(), want[target])
		}
	}
	for target, figure := range want {
		if _, ok := got.Values[target]; !ok {
			t.Errorf("%s: %s is absent (%s%s), want %s", what, target, got.Absent[target], got.Err, figure)
		}
	}
}

// percentText is a percentage of whole counts, rounded down.
func percentText(part, whole int) string { return strconv.Itoa(100 * part / whole) }

// checkRunOrder measures shuffled runs: nothing may change.
func checkRunOrder(t *testing.T, r *rand.Rand, plan judge.Plan, tr *trace.Trace) {
	t.Helper()
	want := fmt.Sprint(measured(plan, tr))
	r.Shuffle(len(tr.Runs), func(i, j int) { tr.Runs[i], tr.Runs[j] = tr.Runs[j], tr.Runs[i] })
	if got := fmt.Sprint(measured(plan, tr)); got != want {
		t.Errorf("the order of runs matters:\n%s\nshuffled:\n%s", want, got)
	}
}

// measured returns all that a report shows of a measurement, as texts.
func measured(plan judge.Plan, tr *trace.Trace) []any {
	m := plan.Measure(tr)
	figures := map[string]string{}
	for target, v := range m.Values {
		figures[target] = v.Digits()
	}
	return []any{figures, m.Absent, m.Detail, m.Err, m.Counts, m.Notes}
}
