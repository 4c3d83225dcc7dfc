package live

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// TestUnfitRuns pins what is left of a run that no recording can hold: why it broke, and what it took.
func TestUnfitRuns(t *testing.T) {
	const cannot = "a recording cannot hold what the agent did: "
	named := func(name string) trace.Run {
		return trace.Run{
			Number: 2, Input: trace.Known(3), Offered: trace.Known(4), Cost: trace.Known(5), HasFinal: true, FinalResponse: "done",
			Calls: []trace.Call{{Tool: &trace.Tool{Ref: catalog.Ref{Name: name}}}},
		}
	}
	name := strings.Repeat("n", trace.MaxName)
	fits := named(name)
	broke, counted := named(name+"n"), named(name)
	broke.Error, counted.Input.N = "the server ended", trace.MaxCount+1
	for what, tt := range map[string]struct{ run, want trace.Run }{
		"a long name": {fits, fits},
		"a longer name": {named(name + "n"), trace.Run{
			Number: 2, Input: trace.Known(3), Offered: trace.Known(4), Cost: trace.Known(5),
			Error: cannot + `"name" of a call is 1001 bytes long, at most 1000 are read`,
		}},
		"a longer name in a run that broke": {broke, trace.Run{
			Number: 2, Input: trace.Known(3), Offered: trace.Known(4), Cost: trace.Known(5), Error: "the server ended",
		}},
		"too many tokens": {counted, trace.Run{
			Number: 2, Error: cannot + `"input" must be at most 1000000000000, found 1000000000001`,
		}},
	} {
		got := tt.run
		breakOversized(&got)
		if diff := cmp.Diff(got, tt.want); diff != "" {
			t.Errorf("%s (-got +want):\n%s", what, diff)
		}
		if err := got.Check(); err != nil {
			t.Errorf("%s: no recording can hold what is left: %s", what, err)
		}
	}
}

// TestMadeUpNames pins that a run breaks in which a model makes up a name that no recording can hold, and that the others are
// recorded and can be read.
func TestMadeUpNames(t *testing.T) {
	long := strings.Repeat("n", trace.MaxName+1)
	p := planFor(nil, trace.Count{})
	p.tested = &suite.Case{Name: "c"}
	var runs []*oneRun
	for _, name := range []string{"echo", long} {
		use := model.Reply{Calls: []model.Call{{ID: "1", Name: name, Args: "{}"}}, Stop: model.StopToolUse}
		p.provider = &replies{list: []model.Reply{use, {Stop: model.StopEndTurn}}}
		runs = append(runs, &oneRun{plan: p, run: talk(t, p).run})
	}
	scored, failed := p.assemble(runs).Split()
	if len(scored) != 1 || len(failed) != 1 || !strings.Contains(failed[0].Error, "1001 bytes long") {
		t.Errorf("got the scored runs %+v and the failed ones %+v, want one each", scored, failed)
	}
}

// TestUnreadableRecording pins that a recording which could not be read is not written, and that the case says so.
func TestUnreadableRecording(t *testing.T) {
	p := planFor(nil, trace.Count{})
	p.tested = &suite.Case{Name: "c", Cassettes: []string{"c.json"}}
	p.runner().options.FS = fstest.MapFS{}
	p.runner().options.Save = func(path string, _ func(io.Writer) error) error {
		t.Errorf("%s was written", path)
		return nil
	}
	tr := &trace.Trace{Runs: []trace.Run{{Number: 1}}}
	tr.ProviderModel = strings.Repeat("m", 10_001)
	want := `nothing was recorded, because the recording could not be read: "provider_model" is 10001 bytes long, at most 10000 are read`
	if err := p.save(tr); err == nil || !strings.Contains(err.Error(), want) || p.saveOutcome != outcomeLeft {
		t.Errorf("got the error %v and the outcome %d, want %q and %d", err, p.saveOutcome, want, outcomeLeft)
	}
}

// TestLongServer pins that a server whose name no recording can hold is refused before anything is run.
func TestLongServer(t *testing.T) {
	name := strings.Repeat("é", 600) // of as many characters as a suite may have
	text := "servers: { " + name + ": { command: [x] } }\ntests:\n" +
		"- { name: a, model: \"builtin:lexical\", servers: [" + name + "], prompt: p, limits: { max_calls: 5 } }\n"
	files := fstest.MapFS{"s.yml": {Data: []byte(text)}}
	s, errs := suite.NewLoader(files).Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	_, errs = NewRunner(context.Background(), Options{FS: files, Getenv: func(string) string { return "" }}).Prepare(s, s.Cases)
	if want := "s.yml:1:12: the name of the server is 1200 bytes long, at most 1000 are read in a cassette"; errs.Error() != want {
		t.Errorf("got %s, want %s", errs.Error(), want)
	}
}
