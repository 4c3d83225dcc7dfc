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
	p.addHuntNotes(tr, &got)
	slices.Reverse(tr.Runs)
	p.addHuntNotes(tr, &again)
	if !reflect.DeepEqual(got, again) {
		t.Error("the order of runs makes a difference")
	}
	told := 0
	for _, n := range got.Notes {
		told += len(n.Runs)
		if len(n.Queries) > maxQueries || len(n.Members) > maxReturnedTools || len(n.Queries[0]) > 210 {
			t.Errorf("a note holds %d queries, the first of %d bytes, and %d tools", len(n.Queries), len(n.Queries[0]), len(n.Members))
		}
	}
	if len(got.Notes) > 2*maxHuntNotes || told+got.NotesCut[NotFound] != 2*runs {
		t.Errorf("%d notes tell %d runs, and %d are cut; want %d in all", len(got.Notes), told, got.NotesCut[NotFound], 2*runs)
	}
}

// TestHuntNotesOfManyOutcomes pins that a gate makes notes of the first outcomes up to the bound, and counts the runs of others.
func TestHuntNotesOfManyOutcomes(t *testing.T) {
	tr := &trace.Trace{}
	for i := range maxGateNotes + 50 {
		tr.Runs = append(tr.Runs, hunting(i+1, fmt.Sprintf("search q%d: a", min(i, maxGateNotes))))
	}
	p := Plan{Sought: []Sought{{Name: "w", Members: []string{"w"}}}}
	var got Grounds
	p.addHuntNotes(tr, &got)
	for _, n := range got.Notes {
		if len(n.Runs) != 1 {
			t.Errorf("the outcome of %d runs, which comes after %d others, has a note", len(n.Runs), maxGateNotes)
		}
	}
	if want := maxGateNotes + 50 - maxHuntNotes; len(got.Notes) != maxHuntNotes || got.NotesCut[NotFound] != want {
		t.Errorf("got %d notes, and %d runs without; want %d and %d", len(got.Notes), got.NotesCut[NotFound], maxHuntNotes, want)
	}
}

// hunting returns a run of such calls: "search QUERY: TOOL TOOL", "load TOOL", and otherwise the name of a tool.
func hunting(number int, calls ...string) trace.Run {
	run := trace.Run{Number: number}
	for _, call := range calls {
		query, found, isSearch := strings.Cut(strings.TrimPrefix(call, "search "), ":")
		loaded, byName := strings.CutPrefix(call, "load ")
		switch {
		case isSearch:
			run.Calls = append(run.Calls, searching(query, strings.Fields(found)...))
		case byName:
			one := searching("", loaded)
			one.Detail.Search.ByName = true
			run.Calls = append(run.Calls, one)
		default:
			server, name, _ := strings.Cut(call, ".")
			run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}})
		}
	}
	return run
}

// TestHuntNotes pins which step failed in a run: nothing found the tool, or it was found and another one called.
func TestHuntNotes(t *testing.T) {
	for _, test := range []struct {
		name string
		runs []trace.Run
		want []string
	}{
		{"called", []trace.Run{hunting(1, "search a page: find", "s.find")}, nil},
		{"called by another name", []trace.Run{hunting(1, "search a page: find", "s.seek")}, nil},
		{"never found", []trace.Run{hunting(1, "search a page: get", "search pages: get put", "s.get")}, []string{`not_found find at 7, runs [1], 2 calls: ["a page" "pages"] got ["get" "put"]`}},
		{"never found, twice", []trace.Run{hunting(2, "search a page: get"), hunting(1, "search a page: get")}, []string{`not_found find at 7, runs [1 2], 2 calls: ["a page"] got ["get"]`}},
		{"never found, otherwise", []trace.Run{hunting(1, "search b: get"), hunting(2, "search a: get"), hunting(3, "search b: get")},
			[]string{`not_found find at 7, runs [1 3], 2 calls: ["b"] got ["get"]`, `not_found find at 7, runs [2], 1 calls: ["a"] got ["get"]`}},
		{"not picked", []trace.Run{hunting(1, "search a page: get find", "search again: find", "builtin.Read", "s.get", "s.get")}, []string{`not_picked find at 7, runs [1], 2 calls: found (rank 2) ["get"]`}},
		{"not picked, by another call", []trace.Run{hunting(1, "search a page: find", "s.get"), hunting(2, "search a page: find", "s.put")},
			[]string{`not_picked find at 7, runs [1], 1 calls: found (rank 1) ["get"]`, `not_picked find at 7, runs [2], 1 calls: found (rank 1) ["put"]`}},
		{"loaded and not picked", []trace.Run{hunting(1, "load find", "s.get")}, []string{`not_picked find at 7, runs [1], 0 calls: loaded by name ["get"]`}},
		{"another one loaded", []trace.Run{hunting(1, "load get")}, []string{`not_found find at 7, runs [1], 0 calls: [] got ["get"]`}},
		{"found on another server", []trace.Run{hunting(1, "search a page: open")}, []string{`not_found find at 7, runs [1], 1 calls: ["a page"] got ["open"]`}},
		{"there from the start", []trace.Run{hunting(1, "search a page: get", "s.get")}, []string{`not_picked eager at 9, runs [1], 0 calls: there from the start ["get"]`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			class := Class{Name: "find", Members: []string{"find", "s.seek", "s.open"}}
			class.Pos.Line = 7
			tr := &trace.Trace{Runs: test.runs}
			if test.name == "there from the start" {
				class.Name, class.Members, class.Pos.Line = "eager", []string{"first"}, 9
				tr.Deferral = &trace.Deferral{Eager: map[catalog.Ref]bool{{Server: "s", Name: "first"}: true}}
			}
			p := Plan{Sought: SoughtClasses([]Class{class}), Servers: []string{"s"}}
			var got Grounds
			p.addHuntNotes(tr, &got)
			var lines []string
			for _, n := range got.Notes {
				line := fmt.Sprintf("%s %s at %d, runs %v, %d calls: ", n.Kind, n.Subject, n.Line, n.Runs, n.Calls+n.Call)
				if n.Kind == NotFound {
					line += fmt.Sprintf("%q got %q", n.Queries, n.Members)
				} else {
					line += fmt.Sprintf("%s %q", n.Text, n.Members)
				}
				lines = append(lines, line)
			}
			if !slices.Equal(lines, test.want) {
				t.Errorf("got  %q\nwant %q", lines, test.want)
			}
		})
	}
}

// TestHuntNotesWithoutSearches pins that runs without a search have no such notes, also where a class is missed.
func TestHuntNotesWithoutSearches(t *testing.T) {
	tr := &trace.Trace{Runs: []trace.Run{{Number: 1, Calls: []trace.Call{{Tool: &trace.Tool{Ref: catalog.Ref{Name: "a"}}}}}}}
	p := Plan{Sought: []Sought{{Name: "w", Members: []string{"w"}}}}
	var got Grounds
	if p.addHuntNotes(tr, &got); len(got.Notes) > 0 {
		t.Errorf("got %+v", got.Notes)
	}
}
