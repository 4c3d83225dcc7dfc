package gates

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

// spoken returns a run with an answer and calls TOOL(JSON)RESULT; ! before the result marks an error.
func spoken(answer string, calls ...string) trace.Run {
	run := flowRun(calls...).Runs[0]
	run.FinalResponse, run.HasFinal = answer, true
	return run
}

// TestNarrative counts by hand.
func TestNarrative(t *testing.T) {
	tests := []struct {
		answer                      string
		calls                       []string
		absent, unclaimed, mismatch int
	}{
		{"I have created the ticket.", []string{"create_ticket()"}, 0, 0, 0},
		{"I have created the ticket.", []string{"get_ticket()"}, 1, 0, 0},
		{"I have created the ticket.", []string{"create_ticket()!refused"}, 1, 0, 0},
		{"I could not create the ticket.", []string{"create_ticket()"}, 0, 1, 0},
		{"The ticket was closed and a mail was sent.", []string{"close_ticket()"}, 1, 0, 0},
		{"I have sent the mail to 12 people.", []string{`send_mail({"to":11})`}, 0, 0, 1},
		{"Shall I delete the file? I will delete it once you agree.", []string{"list_files()"}, 0, 0, 0},
		{"I have sent the mail to 1,200 people.", []string{`send_mail({"to":1200})`}, 0, 0, 0},
		{`I have sent "hello" to bob@x.test.`, []string{`send_mail({"text":"hello"})to bob`}, 0, 0, 0},
		{"The file has been saved.", []string{`run_script({"code":"x"})`}, 0, 0, 0},
		{"The order was cancelled.", []string{`order({"action":"cancel"})`}, 0, 0, 0},
		{"The order was cancelled.", []string{`delete_order()`}, 0, 0, 0},
		{"I have updated record 5.", []string{`update_record({"n":5})`, `edit_cell({"n":6})`}, 0, 0, 0},
		{"I have updated record 6.", []string{`update_record({"n":5})`, `edit_cell({"n":6})`}, 0, 0, 1}, // the noun chooses update_record
		{"I have updated row 5.", []string{`update_row({"n":6})`, `edit_cell({"n":5})`}, 0, 0, 0},       // a short word is no noun
		{`I have sent "goodbye" to bob@x.test.`, []string{`send_mail({"text":"hello"})to bob`}, 0, 0, 1},
		{`I have sent "hello, you" to bob@x.test.`, []string{`send_mail({"text":"hello, you"})to bob`}, 0, 0, 0},
		{"I have updated the record (6).", []string{`update_record({"n":6})`}, 0, 0, 0},
		{"I moved the files on the 3rd day.", []string{"move_file()"}, 0, 0, 0},
	}
	for _, test := range tests {
		n := &narrative{verbs: standardVerbs}
		m := n.Measure(&trace.Trace{Runs: []trace.Run{spoken(test.answer, test.calls...)}})
		sameFigures(t, test.answer, m, map[string]int{
			claimedAbsentTarget: test.absent, presentUnclaimedTarget: test.unclaimed, argumentMismatchTarget: test.mismatch,
		})
	}
}

// TestManyStatements pins how many claims have a note, and that those without one are counted unless their figure is absent.
func TestManyStatements(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	runs := make([]trace.Run, maxStatements+2)
	for i := range runs {
		runs[i] = spoken(fmt.Sprintf("I deleted file %d.", i), "get()")
	}
	for args, want := range map[trace.ArgsState]int{trace.ArgsEmpty: 2, trace.ArgsUnknown: 0} {
		for i := range runs {
			runs[i].Calls[0].Args = args
		}
		m := planOf(t, Narrative, "{}", judge.Context{}).Measure(&trace.Trace{Runs: runs})
		if got := m.NotesCut[judge.Unproven]; got != want {
			t.Errorf("arguments of state %d: %d claims without a note, want %d", args, got, want)
		}
	}
}

// TestClaimVerbs holds the table of verbs against the list.
func TestClaimVerbs(t *testing.T) {
	for _, verb := range standardVerbs {
		if claimVerbs[verb] == "" {
			t.Errorf("%s has no synonyms", verb)
		}
	}
	for verb, synonyms := range claimVerbs {
		if !slices.Contains(standardVerbs, verb) {
			t.Errorf("%s is not in the list", verb)
		}
		words := strings.Fields(synonyms)
		slices.Sort(words)
		if len(slices.Compact(words)) != len(strings.Fields(synonyms)) {
			t.Errorf("%s has a synonym twice", verb)
		}
		if slices.Contains(words, verb) {
			t.Errorf("%s is its own synonym", verb)
		}
	}
}

// clauses are sentences with the verbs that they claim and the values in them.
var clauses = []struct {
	text, verb string
	value      string
}{
	{"I have created ticket %s.", "create", "value"}, {"Ticket %s was closed.", "close", "value"}, {"We sent %s mails.", "send", "value"},
	{"I have not created ticket %s.", "", ""}, {"I will close ticket %s.", "", ""}, {"Was ticket %s closed?", "", ""},
	{"If I have sent %s, fine.", "", ""}, {"See the sent mail %s.", "", ""},
}

// tools are names with the verbs of clauses that they bear out, and whether they have one in the name.
var narrators = []struct {
	name  string
	verbs string
	named bool
}{
	{"create_ticket", "create", true}, {"close_ticket", "close", true}, {"send_mail", "send", true}, {"make", "create", false},
	{"look", "", false}, {"shell", "create close send", false}, {"deliver", "send", false},
}

// naiveNarrative counts claims, calls and values by their tables.
func naiveNarrative(runs []narrated) map[string]int {
	figures := map[string]int{claimedAbsentTarget: 0, presentUnclaimedTarget: 0, argumentMismatchTarget: 0}
	calls := 0
	for _, run := range runs {
		calls += len(run.calls)
		told := map[int]bool{}
		for _, said := range run.said {
			clause := clauses[said.clause]
			if clause.verb == "" {
				continue
			}
			var bearing []int
			for i, call := range run.calls {
				if !call.failed && strings.Contains(narrators[call.tool].verbs, clause.verb) {
					bearing, told[i] = append(bearing, i), true
				}
			}
			if len(bearing) == 0 {
				figures[claimedAbsentTarget]++
				continue
			}
			if noun := map[string]string{"create": "ticket", "close": "ticket", "send": "mail"}[clause.verb]; slices.ContainsFunc(bearing, func(i int) bool { return strings.Contains(narrators[run.calls[i].tool].name, noun) }) {
				bearing = slices.DeleteFunc(bearing, func(i int) bool { return !strings.Contains(narrators[run.calls[i].tool].name, noun) })
			}
			if !slices.ContainsFunc(bearing, func(i int) bool { return run.calls[i].value == said.value }) {
				figures[argumentMismatchTarget]++
			}
		}
		for i, call := range run.calls {
			if !call.failed && narrators[call.tool].named && !told[i] {
				figures[presentUnclaimedTarget]++
			}
		}
	}
	if calls == 0 {
		return map[string]int{}
	}
	return figures
}

// narrated is a run by the numbers of its clauses and tools.
type narrated struct {
	said  []struct{ clause, value int }
	calls []struct {
		tool, value int
		failed      bool
	}
}

func (n narrated) run(number int) trace.Run {
	var answer []string
	for _, said := range n.said {
		answer = append(answer, fmt.Sprintf(clauses[said.clause].text, fmt.Sprint(70+said.value)))
	}
	run := trace.Run{Number: number, FinalResponse: strings.Join(answer, " "), HasFinal: true}
	for _, call := range n.calls {
		run.Calls = append(run.Calls, trace.Call{
			Tool: &trace.Tool{Ref: catalog.Ref{Name: narrators[call.tool].name}}, Args: trace.ArgsObject, Failed: call.failed,
			Detail: &trace.Detail{Args: jsontext.Value(fmt.Sprintf(`{"n":%d}`, 70+call.value))},
		})
	}
	return run
}

func FuzzNarrative(f *testing.F) {
	for seed := range thorough.Cases(uint64(2500)) {
		f.Add(seed)
	}
	gate := &narrative{verbs: standardVerbs}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 8))
		tr := &trace.Trace{}
		var runs []narrated
		for range 1 + r.IntN(8) {
			var n narrated
			for range r.IntN(4) {
				n.said = append(n.said, struct{ clause, value int }{r.IntN(len(clauses)), r.IntN(3)})
			}
			for range r.IntN(5) {
				n.calls = append(n.calls, struct {
					tool, value int
					failed      bool
				}{r.IntN(len(narrators)), r.IntN(3), r.IntN(4) == 0})
			}
			runs = append(runs, n)
			tr.Runs = append(tr.Runs, n.run(len(runs)))
		}
		got := gate.Measure(tr)
		sameFigures(t, seed, got, naiveNarrative(runs))
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, gate.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

func BenchmarkNarrative(b *testing.B) {
	tr := &trace.Trace{}
	for i := range 10_000 {
		run := spoken("I have created ticket 71, and a mail was sent to Ann.", `create_ticket({"title":"lamp"})71`, `send_mail({"to":"Ann"})`)
		run.Number = i + 1
		tr.Runs = append(tr.Runs, run)
	}
	gate := &narrative{verbs: standardVerbs}
	for b.Loop() {
		gate.Measure(tr)
	}
}
