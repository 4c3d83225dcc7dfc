package trace_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

const aHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// partialOf returns a partial recording of runs with everything that such a one can hold, as it is read back.
func partialOf() *trace.Partial {
	tool := &trace.Tool{Ref: catalog.Ref{Server: "a.b c", Name: "get \"x\"\n"}}
	return &trace.Partial{
		Header:   trace.Header{Test: "t </script> \u2028 😀\n", Model: "m", PromptSHA256: aHash, Distractors: []catalog.Ref{{Name: "x"}}},
		MadeWith: []trace.Fact{{Of: "prompt", SHA256: aHash}, {Of: "servers", SHA256: aHash}},
		Runs: []trace.PartialRun{
			{Run: trace.Run{
				Number: 5, Cost: trace.Known(1), Duration: trace.Known(3), Offered: trace.Known(1), HasFinal: true, FinalResponse: "a\r\nb",
				Turns: []trace.Turn{{Role: "user", Content: "é\n"}},
				Calls: []trace.Call{{Tool: tool, Args: trace.ArgsObject, Detail: &trace.Detail{Args: []byte(`{"a":1.0}`), Result: "{\n}", Duration: trace.Known(2)}}},
			}, ProviderModel: "m-1", Deferred: []catalog.Ref{}},
			{Run: trace.Run{Number: 2, Error: "down"}},
			{Run: trace.Run{Number: 6}, Beside: 2, Deferred: []catalog.Ref{{Server: "s", Name: "n"}}},
		},
	}
}

func writtenPartial(t testing.TB, p *trace.Partial) string {
	t.Helper()
	var out bytes.Buffer
	err := p.WriteHead(&out)
	for i := range p.Runs {
		if err == nil {
			err = p.Runs[i].WriteLine(&out)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func partialReader(text string) (*trace.Partial, error) {
	p, errs := trace.ReadPartial(fstest.MapFS{"a.json": {Data: []byte(text)}}, "a.json")
	return p, errs.Err()
}

func TestPartial(t *testing.T) {
	want := partialOf()
	text := writtenPartial(t, want)
	if n := strings.Count(text, "\n"); n != 4 {
		t.Fatalf("%d lines, want 4:\n%s", n, text)
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !strings.HasPrefix(line, `{"partial":true,`) {
			t.Errorf("a line does not begin with the mark: %s", line)
		}
	}
	got, err := partialReader(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Runs {
		got.Runs[i].Pos = want.Runs[i].Pos
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reading what was written (-want +got):\n%s", diff)
	}
}

// TestPartialCut pins that a partial recording whose end was not written holds the runs before it, wherever it is cut, and that no
// part of it is read as a recording.
func TestPartialCut(t *testing.T) {
	text := writtenPartial(t, partialOf())
	for n := range len(text) {
		got, err := partialReader(text[:n])
		if want := max(0, strings.Count(text[:n], "\n")-1); err != nil || len(got.Runs) != want {
			t.Fatalf("cut after %d bytes: %v, want %d runs", n, err, want)
		}
		if _, errs := trace.Read(fstest.MapFS{"a.json": {Data: []byte(text[:n])}}, []string{"a.json"}, 0); len(errs) == 0 {
			t.Fatalf("a part of %d bytes was read as a recording", n)
		}
	}
}

func TestNotPartial(t *testing.T) {
	head, run := `{"partial":true,"cassette":1,"made_with":[]}`+"\n", `{"partial":true,"number":1,"tool_calls":[]}`+"\n"
	for _, test := range []struct{ text, want string }{
		{`{"cassette":1,"runs":[{"tool_calls":[]}]}` + "\n", `a.json:1:1: is not a part of a recording, which has "partial" in its first line and a run in each other`},
		{`{"partial":true,"cassette":1,"runs":[{"tool_calls":[]}]}` + "\n", `a.json:1:1: is not a part of a recording, which has "partial" in its first line and a run in each other`},
		{`{"cassette":1}` + "\n" + run, `a.json:1:1: is not a part of`},
		{run, `a.json:1:1: is not a part of`},
		{head + run + run, `a.json:3:1: "number" is 1, expected that of a run that no other line has`},
		{head + `{"partial":true,"tool_calls":[]}` + "\n", `a.json:2:1: "number" is 0`},
		{head + `{"partial":true,"number":1}` + "\n", `a.json:2:1: a run must have "tool_calls"`},
		{head + head, `a.json:2:1: a cassette object can stand only at the beginning`},
		{strings.Replace(head, "[]", `[{"of":"prompt","sha256":"x"}]`, 1) + run, `a.json:1:67: "sha256" must be 64 hex digits, found "x"`},
	} {
		if _, err := partialReader(test.text); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %s", test.text, err, test.want)
		}
	}
}

func FuzzReadPartial(f *testing.F) {
	f.Add([]byte(writtenPartial(f, partialOf())))
	f.Add([]byte(`{"partial":true,"cassette":1,"made_with":[{"of":"prompt"}]}` + "\n" + `{"partial":true,"number":1,"beside":3,"error":"x"}` + "\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		fsys := fstest.MapFS{"a.json": {Data: content}}
		p, errs := trace.ReadPartial(fsys, "a.json")
		for _, err := range errs {
			checkPlace(t, content, err)
		}
		if len(errs) > 0 || len(p.Runs) == 0 {
			return
		}
		if _, errs := trace.Read(fsys, []string{"a.json"}, 0); len(errs) == 0 {
			t.Fatalf("%q is read as a recording", content)
		}
		text := writtenPartial(t, p)
		if again, err := partialReader(text); err != nil || len(again.Runs) != len(p.Runs) {
			t.Fatalf("%q is written as %q: %v", content, text, err)
		}
	})
}
