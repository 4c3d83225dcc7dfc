package live

import (
	"context"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// A case whose runs have said more than a recording holds makes no more of them, and keeps what it has.
func TestHold(t *testing.T) {
	const long = 1 << 20
	say := model.Reply{Text: strings.Repeat("x", long), Calls: []model.Call{{ID: "1", Name: "echo", Args: "{}"}}, Stop: model.StopToolUse}
	p := planFor(&replies{list: []model.Reply{say, say, say}}, trace.Count{})
	p.keptBytes = source.MaxCassette - 2*long
	c := talk(t, p)
	if len(c.run.Turns) != 2 || c.err == nil || !strings.Contains(c.err.Error(), "more than 268435456 bytes") {
		t.Errorf("a run of a case that was full in its second turn has %d, and the error %v", len(c.run.Turns), c.err)
	}
	next := &oneRun{plan: p, number: 2}
	if next.makeSafely(context.Background()); next.err == nil || !strings.Contains(next.err.Error(), "not begun: the runs of the case hold more") {
		t.Errorf("the next run ends with %v", next.err)
	}
}

// What the first run saw is kept, whichever run ends first, and of the others nothing.
func TestSeenFirst(t *testing.T) {
	var seen firstListing
	runs := []*oneRun{{number: 1}, {number: 2}, {number: 3}, {number: 4}}
	for _, i := range []int{2, 0, 1, 3} {
		if i > 0 { // the first could not ask
			runs[i].real, runs[i].distractors = &catalog.Catalog{}, []*catalog.Tool{{}}
		}
		seen.note(runs[i])
	}
	for i, run := range runs {
		if kept := run.real != nil || run.distractors != nil; kept != (i == 1) {
			t.Errorf("what run %d saw is kept: %v", run.number, kept)
		}
	}
}
