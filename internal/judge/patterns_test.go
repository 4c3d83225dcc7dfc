package judge

import (
	"fmt"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// programs are regular expressions of every kind of part.
var programs = []string{
	"", "a", "abc", "(?i)abc", ".", "(?s).*", "a|b|cd", "(a|b)*?c+d?", "a{3}", "a{3,}", "a{0,7}", "a{0}", "(a{2}){3,5}", "[a-z]", "[^a-z]",
	`\pL`, `(?i)[\pL\d]{20}`, `^\bfoo\B$`, `(?m)^x$`, `\A(?:x|)\z`, "(((a{10}){10}){10})", "(?:abc){1000}", "(?:a?){3}", "(|)", "((a*)*)*",
	"(?:)|(?:)", "[^\\x00-\\x{10FFFF}]", "(?P<n>x){2,3}", strings.Repeat("a", 1000), strings.Repeat("a?", 500), strings.Repeat("(a|b)", 200),
}

// TestSizeOfProgram pins that the estimate is no less than what comes out, and not far more.
func TestSizeOfProgram(t *testing.T) {
	for _, text := range programs {
		got, want := newPattern(text).size, instructions(t, text)
		if got < want || got > 3*want+4 {
			t.Errorf("%.40q: %d instructions, want %d or a little more", text, got, want)
		}
	}
}

// instructions returns the size of a text's program by compiling it.
func instructions(t *testing.T, text string) int {
	t.Helper()
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	return len(program.Inst)
}

func FuzzSizeOfProgram(f *testing.F) {
	for _, text := range programs {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := newPattern(text)
		if p.err != nil || p.size > 100_000 {
			return
		}
		if want := instructions(t, text); p.size < want {
			t.Errorf("%q: %d instructions, want at least %d", text, p.size, want)
		}
	})
}

// dearPattern compiles to more than a megabyte: 28,000 instructions.
func dearPattern(i int) string { return fmt.Sprintf("(%s%04d){1000}", strings.Repeat("a", 22), i) }

// suiteOf reads the expectations of a suite with these matchers of final_response, one a line from line 2 on.
func suiteOf(t *testing.T, matchers ...string) (RunExpect, source.Errors) {
	t.Helper()
	var errs source.Errors
	m := yamlread.Parse("s.yml", []byte("expect:\n- final_response: "+strings.Join(matchers, "\n- final_response: ")+"\n"), &errs)
	e := ReadRunExpect(m)
	CheckPatterns(m)
	return e, errs.Sorted()
}

func repeated(n int, text func(int) string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = text(i)
	}
	return list
}

// TestPatternsOfOneSuite pins that a text counts once, that each kind of matcher counts, and the place of the first that is
// too much.
func TestPatternsOfOneSuite(t *testing.T) {
	regex := func(i int) string { return "{regex: '" + dearPattern(i) + "'}" }
	inSchema := func(i int) string {
		return "{schema: {anyOf: [{type: integer}, {pattern: '" + strings.Replace(dearPattern(i), "1000", "200", 1) + "'}]}}"
	}
	over := "compile to more than 67108864 bytes"
	tests := []struct {
		name     string
		matchers []string
		want     string // "" for none
	}{
		{"one text ten thousand times", repeated(10_000, func(int) string { return regex(0) }), ""},
		{"as many as there may be", repeated(57, regex), ""},
		{"one too many", repeated(70, regex), "s.yml:59:27: "},
		{"of schemas", repeated(400, inSchema), "s.yml:287:28: "},
		{"one schema many times", repeated(400, func(int) string { return inSchema(0) }), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, errs := suiteOf(t, test.matchers...)
			switch {
			case test.want == "" && len(errs) > 0:
				t.Errorf("got %.300s, want no mistake", errs)
			case test.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), test.want) || !strings.Contains(errs[0].Msg, over)):
				t.Errorf("got %.300s, want one mistake: %s… %s", errs, test.want, over)
			}
		})
	}
}

// TestPatternsInOrder pins that what is read first has no part in where the mistake stands.
func TestPatternsInOrder(t *testing.T) {
	var errs source.Errors
	root := yamlread.Parse("s.yml", []byte("a: 1\n"), &errs)
	patterns := yamlread.Shared[patterns](root)
	for i := 99; i >= 0; i-- {
		if _, err := patterns.lookUp(dearPattern(i), source.Pos{File: "s.yml", Line: i + 1, Col: 1}); err != nil {
			t.Fatal(err)
		}
	}
	CheckPatterns(root)
	if len(errs) != 1 || errs[0].Pos.Line != 58 {
		t.Errorf("got %v, want a mistake at line 58", errs)
	}
}

// TestPatternsAreNotCompiledWhenRead pins that reading a suite takes the memory of its text, not of its programs.
func TestPatternsAreNotCompiledWhenRead(t *testing.T) {
	matchers := repeated(57, func(i int) string { return "{regex: '" + dearPattern(i) + "'}" })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	suiteOf(t, matchers...)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 4<<20 {
		t.Errorf("reading %d expressions takes %d bytes, want at most 4 MiB", len(matchers), bytes)
	}
}

// TestWorkOfOneCase pins the cost of matching: counted over the runs of a case, exactly, and past the bound an error.
func TestWorkOfOneCase(t *testing.T) {
	e, errs := suiteOf(t, "{regex: '"+strings.Repeat("a?", 499)+"b'}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	size := int64(newPattern(strings.Repeat("a?", 499) + "b").size)
	run := &trace.Run{Number: 1, HasFinal: true, FinalResponse: strings.Repeat("c", 999)}
	var work Work
	if got := work.Judge(e, run)[0]; got.Verdict != Fail || work.spent != 1000*size {
		t.Errorf("got %s (%s) for %d steps, want fail for %d", got.Verdict, got.Message, work.spent, 1000*size)
	}
	work.spent = maxWork - 1000*size
	if got := work.Judge(e, run)[0]; got.Verdict != Fail {
		t.Errorf("got %s (%s) for the last steps there are, want fail", got.Verdict, got.Message)
	}
	for range 2 {
		if got := work.Judge(e, &trace.Run{Number: 2, HasFinal: true})[0]; got.Verdict != Error {
			t.Errorf("got %s (%s) for a run without text past the bound, want an error", got.Verdict, got.Message)
		}
	}
	if got := work.Judge(e, run)[0]; got.Verdict != Error || !strings.Contains(got.Message, "more than 17179869184 steps") {
		t.Errorf("got %s (%s) past the bound, want an error that says so", got.Verdict, got.Message)
	}
}

// TestWorkOfSchemasAndResults pins that patterns of schemas and of gates cost as much as regex.
func TestWorkOfSchemasAndResults(t *testing.T) {
	e, errs := suiteOf(t, "{schema: {pattern: 'b$'}}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	run := trace.Run{Number: 1, HasFinal: true, FinalResponse: "aaa", Calls: []trace.Call{
		{Tool: &trace.Tool{}, Detail: &trace.Detail{Result: "aaaaa"}},
	}}
	size := int64(newPattern("b$").size)
	var work Work
	work.Judge(e, &run)
	if work.spent != 4*size {
		t.Errorf("a pattern of a schema takes %d steps, want %d", work.spent, 4*size)
	}
	check := Check{Gate: &Gate{Name: "g"}, Plan: Plan{Measurer: Measure(func(tr *trace.Trace) Measurement {
		m := NewMeter(1)
		m.Match(newPattern("b$"), tr.Runs[0].Calls[0].Detail.Result)
		return Measurement{Steps: m.Steps()}
	})}}
	work = Work{}
	tr := &trace.Trace{Runs: []trace.Run{run}}
	work.Evaluate("x", []Check{check}, tr)
	if work.spent != 6*size {
		t.Errorf("a pattern of a gate takes %d steps, want %d", work.spent, 6*size)
	}
	work.spent = maxWork
	if got := work.Evaluate("x", []Check{check}, tr)[0]; got.Verdict != Error || got.Err == nil || got.Err.Exit != exitInput {
		t.Errorf("past the bound: got %s, want an error with exit status %d", got.Verdict, exitInput)
	}
}

// TestLargePatternsTakeTurns pins that a large program is matched with one text at a time, for the memory that this takes, and a small
// one with several at once.
func TestLargePatternsTakeTurns(t *testing.T) {
	for text, want := range map[string]bool{dearPattern(0): true, "a{1000}": false} {
		p := newPattern(text)
		p.match("a", &Work{})
		p.serial.Lock() // as another match does
		done := make(chan struct{})
		go func() {
			p.match("a", &Work{})
			close(done)
		}()
		wait := time.Minute // for what does not wait
		if want {
			wait = 50 * time.Millisecond
		}
		waits := false
		select {
		case <-done:
		case <-time.After(wait):
			waits = true
		}
		if waits != want {
			t.Errorf("a pattern of %d instructions: waits is %v, want %v", p.size, waits, want)
		}
		p.serial.Unlock()
		<-done
	}
}

// TestPatternsAreShared pins that cases that are judged at once may match one pattern, each with a count of its own.
func TestPatternsAreShared(t *testing.T) {
	e, errs := suiteOf(t, "{regex: '"+dearPattern(0)+"'}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	run := &trace.Run{Number: 1, HasFinal: true, FinalResponse: "aaa"}
	var cases sync.WaitGroup
	spent := make([]Work, 8)
	for i := range spent {
		cases.Go(func() { spent[i].Judge(e, run) })
	}
	cases.Wait()
	for i := range spent {
		if spent[i] != spent[0] || spent[i].spent == 0 {
			t.Errorf("case %d took %d steps, the first %d", i, spent[i].spent, spent[0].spent)
		}
	}
}

// TestFindErrors pins that runs stay as they are where the pattern of a test finds errors in them.
func TestFindErrors(t *testing.T) {
	call := func(result string) trace.Call { return trace.Call{Detail: &trace.Detail{Result: result}} }
	runs := []trace.Run{{Calls: []trace.Call{call("ok"), call("failed: a"), {}, call("failed: b")}}, {Calls: []trace.Call{call("failed: c")}}}
	var found []bool
	for _, run := range new(Work).FindErrors(runs, newPattern("^failed")) {
		for _, c := range run.Calls {
			found = append(found, c.Failed)
		}
	}
	if want := []bool{false, true, false, true, true}; !slices.Equal(found, want) {
		t.Errorf("got %v, want %v", found, want)
	}
	for _, run := range runs {
		for i, c := range run.Calls {
			if c.Failed {
				t.Errorf("call %d of the given runs failed, too", i+1)
			}
		}
	}
}
