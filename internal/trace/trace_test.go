package trace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

func TestRunsAreNumberedAndPlaced(t *testing.T) {
	fsys := fstest.MapFS{
		"a.json":  {Data: []byte("{\"runs\": [{\"tool_calls\": []}, {\"error\": \"x\"},\n {\"tool_calls\": []}\n]}")},
		"b.jsonl": {Data: []byte("{\"cassette\": 1}\n{\"tool_calls\": []}\n\n{\"tool_calls\": []}\n")},
		"c.json":  {Data: []byte("\n{\"tool_calls\": []}")},
	}
	tr, errs := trace.Read(fsys, []string{"a.json", "b.jsonl", "c.json"}, 0)
	if errs != nil {
		t.Fatal(errs)
	}
	type place struct {
		Number int
		Pos    string
	}
	var got []place
	for _, run := range tr.Runs {
		got = append(got, place{run.Number, run.Pos.String()})
	}
	want := []place{{1, "a.json:1"}, {2, "a.json:1"}, {3, "a.json:2"}, {4, "b.jsonl:2"}, {5, "b.jsonl:4"}, {6, "c.json:2"}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
	scored, failed := tr.Split()
	if len(scored) != 5 || len(failed) != 1 || failed[0].Number != 2 {
		t.Errorf("got %d scored runs and %d failed ones %v, want 5 and run 2", len(scored), len(failed), failed)
	}
}

// TestPieces pins that a recording means the same in one file and in several.
func TestPieces(t *testing.T) {
	runs := []string{`{"tool_calls": [{"name": "a", "server": "s", "args": {"x": 1}}]}`, `{"error": "x"}`, `{"tool_calls": [{"name": "b"}, {"name": "a", "server": "s"}]}`}
	one := readAll(t, `{"test": "t", "runs": [`+strings.Join(runs, ",")+`]}`)
	fsys := fstest.MapFS{
		"1.json": {Data: []byte(`{"test": "t", "runs": [` + runs[0] + `]}`)},
		"2.json": {Data: []byte(runs[1] + "\n" + runs[2])},
	}
	several, errs := trace.Read(fsys, []string{"1.json", "2.json"}, keepAll)
	if errs != nil {
		t.Fatal(errs)
	}
	if diff := cmp.Diff(several, one, traces); diff != "" {
		t.Errorf("two files differ from one (-two +one):\n%s", diff)
	}
	if want := []trace.Source{{File: "1.json", Runs: 1}, {File: "2.json", Runs: 2}}; !cmp.Equal(several.Sources, want) {
		t.Errorf("sources: got %v, want %v", several.Sources, want)
	}
	if several.Runs[0].Calls[0].Tool != several.Runs[2].Calls[1].Tool {
		t.Error("equal tools of two files have two pointers")
	}
}

// traces compares traces by what they hold, wherever it was read.
var traces = cmp.Options{cmpopts.IgnoreFields(trace.Run{}, "Pos"), cmpopts.IgnoreFields(trace.Trace{}, "Sources"), cmpopts.IgnoreUnexported(catalog.Tool{})}

func TestKeep(t *testing.T) {
	const in = `{"tool_calls": [{"name": "a", "args": {"x": 1}, "result": "r", "error": "e", "duration_ms": 5, "fault": "hang"}, {"name": "b", "args": "{\"x\": 1}"}, {"name": "c"}],
		"conversation": {"turns": [{"role": "user", "content": "hi"}]}, "final_response": "bye"}`
	x := &trace.Names{List: []string{"x"}}
	tests := []struct {
		name string
		keep trace.Keep
		want trace.Run
	}{
		{"nothing", 0, trace.Run{Calls: []trace.Call{{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Fault: "hang"}}, {Args: trace.ArgsObject}, {}}}},
		{"arguments", trace.KeepArgs, trace.Run{Calls: []trace.Call{
			{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Args: []byte(`{"x":1}`), Fault: "hang"}},
			{Args: trace.ArgsObject, Detail: &trace.Detail{Args: []byte(`{"x":1}`)}}, {},
		}}},
		{"results", trace.KeepResults, trace.Run{Calls: []trace.Call{
			{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Result: "r", Error: "e", Duration: trace.Known(5), Fault: "hang"}},
			{Args: trace.ArgsObject}, {},
		}}},
		{"turns", trace.KeepTurns, trace.Run{
			Calls: []trace.Call{{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Fault: "hang"}}, {Args: trace.ArgsObject}, {}},
			Turns: []trace.Turn{{Role: "user", Content: "hi"}},
		}},
		{"turns without their content", trace.KeepUsage, trace.Run{
			Calls: []trace.Call{{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Fault: "hang"}}, {Args: trace.ArgsObject}, {}},
			Turns: []trace.Turn{{Role: "user"}},
		}},
		{"answers", trace.KeepAnswers, trace.Run{
			Calls:         []trace.Call{{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Fault: "hang"}}, {Args: trace.ArgsObject}, {}},
			FinalResponse: "bye", HasFinal: true,
		}},
		{"timelines", trace.KeepTimelines, trace.Run{Calls: []trace.Call{
			{Args: trace.ArgsObject, Names: x, Failed: true, Detail: &trace.Detail{Duration: trace.Known(5), Fault: "hang"}},
			{Args: trace.ArgsObject, Names: x}, {},
		}}},
		{"timelines and arguments", trace.KeepTimelines | trace.KeepArgs, trace.Run{Calls: []trace.Call{
			{Args: trace.ArgsObject, Failed: true, Detail: &trace.Detail{Args: []byte(`{"x":1}`), Duration: trace.Known(5), Fault: "hang"}},
			{Args: trace.ArgsObject, Detail: &trace.Detail{Args: []byte(`{"x":1}`)}}, {},
		}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr, errs := trace.Read(fstest.MapFS{"a.json": {Data: []byte(in)}}, []string{"a.json"}, tt.keep)
			if errs != nil {
				t.Fatal(errs)
			}
			tt.want.Number = 1
			if diff := cmp.Diff(tr.Runs[0], tt.want, traces, cmpopts.IgnoreFields(trace.Call{}, "Tool")); diff != "" {
				t.Errorf("(-got +want):\n%s", diff)
			}
		})
	}
}

func TestDetailIsOptional(t *testing.T) {
	var bare trace.Call
	if bare.Arguments() != nil || bare.Result() != "" {
		t.Errorf("got arguments %s and result %q of a call without detail", bare.Arguments(), bare.Result())
	}
	full := trace.Call{Detail: &trace.Detail{Args: []byte("{}"), Result: "r"}}
	if string(full.Arguments()) != "{}" || full.Result() != "r" {
		t.Errorf("got arguments %s and result %q, want {} and r", full.Arguments(), full.Result())
	}
}

func TestTokens(t *testing.T) {
	tests := []struct {
		in   string
		want trace.Count
	}{
		{`12`, trace.Known(12)},
		{`0`, trace.Known(0)},
		{`null`, trace.Count{}},
		{`{}`, trace.Count{}},
		{`{"input": 1, "output": 2}`, trace.Known(3)},
		{`{"input": 1, "output": 2, "total": 5}`, trace.Known(5)},
		{`{"input": 1, "output": null, "total": null, "cached": "x"}`, trace.Count{}},
		{`1000000000000`, trace.Known(1_000_000_000_000)},
	}
	for _, tt := range tests {
		tr := readAll(t, `{"tool_calls": [], "conversation": {"tokens": `+tt.in+`}}`)
		if got := tr.Runs[0].Tokens(); got != tt.want {
			t.Errorf("tokens %s: got %v, want %v", tt.in, got, tt.want)
		}
	}
}

func TestCost(t *testing.T) {
	tests := []struct {
		in   string
		want int64 // micro-dollars; -1 for a mistake
	}{
		{"0", 0}, {"-0", 0}, {"-0.0e5", 0}, {"0e99999999999999999999", 0}, {"0.00E-3", 0},
		{"1", 1_000_000}, {"0.0051", 5100}, {"5.1e-3", 5100}, {"51E-4", 5100}, {"0.00051e1", 5100}, {"0.0051000", 5100},
		{"0.0000005", 1}, {"0.00000049999999999999999999999999", 0}, {"0.0000014999", 1}, {"0.0000015", 2}, {"1.0000005", 1_000_001}, {"0.9999995", 1_000_000},
		{"5e-7", 1}, {"4.9e-7", 0}, {"9e-8", 0}, {"1e-99999999999999999999", 0}, {"12.5", 12_500_000}, {"0.1", 100_000}, {"0.07", 70_000},
		{"1000000", 1_000_000_000_000}, {"1e6", 1_000_000_000_000}, {"1000000.0000004", 1_000_000_000_000},
		{"1000000.0000005", -1}, {"1e7", -1}, {"1e99999999999999999999", -1}, {"9999999.9", -1}, {"-0.0000001", -1}, {"-1", -1},
		{"1" + strings.Repeat("0", 5000) + "e-5000", 1_000_000}, {"0." + strings.Repeat("0", 5000) + "1e5001", 1_000_000},
	}
	for _, tt := range tests {
		fsys := fstest.MapFS{"a.json": {Data: []byte(`{"tool_calls": [], "conversation": {"cost_usd": ` + tt.in + `}}`)}}
		tr, errs := trace.Read(fsys, []string{"a.json"}, 0)
		got := trace.Known(-1)
		if errs == nil {
			got = tr.Runs[0].Cost
		}
		if got != trace.Known(tt.want) {
			t.Errorf("cost %.50s: got %v, want %d (%v)", tt.in, got, tt.want, errs)
		}
	}
}

func TestUnreadableFiles(t *testing.T) {
	fsys := fstest.MapFS{
		"folder/a.json": {Data: []byte("{}")},
		"b.json":        {Data: []byte(`{"runs": 1}`)},
	}
	_, errs := trace.Read(fsys, []string{"none.json", "folder", "b.json"}, 0)
	const want = "b.json:1:10: \"runs\" must be a list, found 1\nfolder: is not a regular file\nnone.json: no such file"
	if got := errs.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, errs := trace.Read(fsys, nil, 0); errs.Error() != ": no cassette to read" {
		t.Errorf("no files: got %s", errs)
	}
}

func TestMistakesAreCapped(t *testing.T) {
	in := "[" + strings.Repeat("5,\n", 1000) + "5]"
	for _, content := range []string{in, `{"tool_calls": ` + in + "}"} {
		_, errs := trace.Read(fstest.MapFS{"a.json": {Data: []byte(content)}}, []string{"a.json"}, 0)
		if len(errs) != 101 || errs[100].Msg != "has 901 more mistakes" {
			t.Errorf("%.20s…: got %d mistakes, the last is %s; want 101", content, len(errs), errs[len(errs)-1])
		}
	}
}

// TestRealCassettes reads recordings of real agents.
func TestRealCassettes(t *testing.T) {
	root := os.Getenv("MCP_GATES_DATA")
	if root == "" {
		t.Skip("MCP_GATES_DATA is not set: real cassettes are not read")
	}
	names, err := filepath.Glob(filepath.Join(root, "suites/cassettes/*/*.json*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no cassettes in %s (%v)", root, err)
	}
	for _, name := range names {
		fsys, file := os.DirFS(filepath.Dir(name)), filepath.Base(name)
		tr, errs := trace.Read(fsys, []string{file}, keepAll)
		if errs != nil {
			t.Errorf("%s", errs)
			continue
		}
		checkRoundTrip(t, tr)
	}
	for _, name := range []string{"azure-copilot-cli", "livemcpbench-claude-sonnet-4", "tau-bench-airline-gpt-4o", "tau2-airline-whissle-pr"} {
		if _, errs := trace.Read(os.DirFS(root), []string{"traces/" + name + ".jsonl"}, keepAll); errs != nil {
			t.Errorf("%s", errs)
		}
	}
}

// checkRoundTrip checks that a trace is written as what it was read from. The text is the same, too, when it is read
// and written again.
func checkRoundTrip(t *testing.T, tr *trace.Trace) {
	t.Helper()
	text := written(t, tr)
	fsys := fstest.MapFS{"a.json": {Data: []byte(text)}}
	again, errs := trace.Read(fsys, []string{"a.json"}, keepAll)
	if errs != nil {
		t.Fatalf("%.2000s\n%s", text, errs)
	}
	if diff := cmp.Diff(again, tr, traces, cmpopts.IgnoreFields(trace.Header{}, "Recorded"), cmpopts.IgnoreFields(trace.Trace{}, "Catalog")); diff != "" {
		t.Fatalf("reading what was written (-got +want):\n%s\n%.2000s", diff, text)
	}
	if diff := cmp.Diff(written(t, again), text); diff != "" {
		t.Fatalf("writing twice (-second +first):\n%s", diff)
	}
}

func TestWrite(t *testing.T) {
	tool := &trace.Tool{Ref: catalog.Ref{Server: "a.b c", Name: "get \"x\"\n"}}
	tr := &trace.Trace{
		Header: trace.Header{Test: "t </script> \u2028 😀 \x00", Model: "m", Distractors: []catalog.Ref{{Name: "x"}}},
		Runs: []trace.Run{
			{
				Number: 1, Cost: trace.Known(1), Total: trace.Known(0), Duration: trace.Known(3), Offered: trace.Known(1), StopReason: "end",
				HasFinal: true, FinalResponse: " line\r\n\ttab ", Turns: []trace.Turn{{Role: "user", Content: "é"}},
				Calls: []trace.Call{
					{Tool: tool, Args: trace.ArgsObject, Detail: &trace.Detail{Args: []byte(`{"a":[],"b":1.0}`), Result: "\\\"", Error: "e"}, Failed: true},
					{Tool: tool, Args: trace.ArgsMalformed}, {Tool: tool},
				},
			},
			{Number: 2, Error: "down"},
		},
	}
	checkRoundTrip(t, tr)
	if text := written(t, tr); !strings.HasSuffix(text, "}\n") || strings.Contains(text, "\t") {
		t.Errorf("not indented by two spaces with a final newline:\n%s", text)
	}
}

// TestWriteOfAMadeTool pins that a tool that was not read from anywhere, such as a near duplicate, is recorded like others.
func TestWriteOfAMadeTool(t *testing.T) {
	made := &catalog.Tool{Server: "shop", Name: "get_product_v2", Description: "Gets.", InputSchema: []byte(`{"type":"object"}`)}
	want := &catalog.Catalog{Tools: []*catalog.Tool{made}}
	got := readAll(t, written(t, &trace.Trace{Header: trace.Header{Recorded: want}, Runs: []trace.Run{{Number: 1}}})).Recorded
	if diff := catalog.Compare(want, got); !diff.Empty() || len(got.Tools) != 1 {
		t.Errorf("got %d tools, which differ in %+v", len(got.Tools), diff)
	}
}

func TestWriteRefuses(t *testing.T) {
	tr := readAll(t, `{"tool_calls": [{"name": "a", "args": {"x": 1}}]}`)
	tr.Runs[0].Calls[0].Detail = nil
	var out strings.Builder
	const want = "write cassette: the arguments were not kept"
	if err := trace.Write(&out, tr); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, dir := range []string{"shapes", "mistakes"} {
		for _, content := range examples(f, dir) {
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		fsys := fstest.MapFS{"a.json": {Data: content}}
		tr, errs := trace.Read(fsys, []string{"a.json"}, keepAll)
		if _, fewer := trace.Read(fsys, []string{"a.json"}, 0); (fewer == nil) != (errs == nil) {
			t.Fatalf("%q: mistakes with everything kept: %v\nwith nothing: %v", content, errs, fewer)
		}
		for _, err := range errs {
			checkPlace(t, content, err)
		}
		if errs != nil {
			return
		}
		if len(tr.Runs) == 0 {
			t.Fatalf("%q: no runs and no mistake", content)
		}
		checkRoundTrip(t, tr)
	})
}

func examples(f *testing.F, dir string) [][]byte {
	f.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no examples in %s (%v)", dir, err)
	}
	var contents [][]byte
	for _, path := range paths {
		contents = append(contents, archived(f, path)...)
	}
	return contents
}

// checkPlace checks that a mistake stands in the file, on one line.
func checkPlace(t *testing.T, content []byte, err *source.Error) {
	t.Helper()
	lines := strings.Split(string(content), "\n")
	p := err.Pos
	if p.File != "a.json" || p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > len(lines[p.Line-1])+1 {
		t.Fatalf("%q: mistake outside of the file: %s", content, err)
	}
	if strings.ContainsAny(err.Msg, "\r\n") {
		t.Fatalf("%q: mistake of several lines: %q", content, err.Msg)
	}
}
