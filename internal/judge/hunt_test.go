package judge

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// searching returns a call that searched, and what it returned.
func searching(query string, names ...string) trace.Call {
	search := &trace.Search{Query: query, Tools: []catalog.Ref{}}
	for _, name := range names {
		search.Tools = append(search.Tools, catalog.Ref{Name: name})
	}
	return trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: trace.BuiltinServer, Name: "ToolSearch"}}, Detail: &trace.Detail{Search: search}}
}

// TestHuntNotesAreBounded pins what a report holds of steps that failed, whatever a model searches for and a server is called: an order
// of the runs makes no difference, and what is not told is counted.
func TestHuntNotesAreBounded(t *testing.T) {
	const runs = 300
	tr := &trace.Trace{}
	for i := range runs {
		var calls []trace.Call
		for k := range 8 {
			calls = append(calls, searching(fmt.Sprint(i, k, strings.Repeat("q", 5000)), fmt.Sprint("a", i, k)))
		}
		tr.Runs = append(tr.Runs, trace.Run{Number: i + 1, Calls: calls})
	}
	p := Plan{Sought: []Sought{{Name: "w", Members: []string{"w"}}, {Name: "v", Members: []string{"v"}}}}
	var got, again Grounds
	p.huntNotes(tr, &got)
	slices.Reverse(tr.Runs)
	p.huntNotes(tr, &again)
	if !reflect.DeepEqual(got, again) {
		t.Error("the order of runs makes a difference")
	}
	told := 0
	for _, n := range got.Notes {
		told += len(n.Runs)
		if len(n.Queries) > mostQueries || len(n.Members) > mostReturned || len(n.Queries[0]) > 210 {
			t.Errorf("a note holds %d queries, the first of %d bytes, and %d tools", len(n.Queries), len(n.Queries[0]), len(n.Members))
		}
	}
	if len(got.Notes) > 2*mostHuntNotes || told+got.NotesCut[NotFound] != 2*runs {
		t.Errorf("%d notes tell %d runs, and %d are cut; want %d in all", len(got.Notes), told, got.NotesCut[NotFound], 2*runs)
	}
}

// TestHuntNotesWithoutSearches pins that runs without a search have no such notes, also where a class is missed.
func TestHuntNotesWithoutSearches(t *testing.T) {
	tr := &trace.Trace{Runs: []trace.Run{{Number: 1, Calls: []trace.Call{{Tool: &trace.Tool{Ref: catalog.Ref{Name: "a"}}}}}}}
	p := Plan{Sought: []Sought{{Name: "w", Members: []string{"w"}}}}
	var got Grounds
	if p.huntNotes(tr, &got); len(got.Notes) > 0 {
		t.Errorf("got %+v", got.Notes)
	}
}
