package judge

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// These constants bound the notes about searches. A report needs no more of them, and their texts come from a model or a
// server.
const (
	maxHuntNotes     = 10        // notes of one kind on one Sought
	maxGateNotes     = 200       // notes of one gate
	maxHuntPairs     = 1_000_000 // pairs of a run and a Sought
	maxQueries       = 5         // queries in one note
	maxReturnedTools = 20        // tools in one note that were returned or called
)

// Searcher is a Measurer that gets the calls that search for tools. These calls are hidden from other gates.
type Searcher interface {
	ReadsSearches()
}

// addHuntNotes adds notes about runs that called none of the sought tools. A note names the step that failed: no search returned a
// sought tool, or the model did not pick it.
func (p *Plan) addHuntNotes(view *trace.Trace, into *Grounds) {
	isSearch := func(c trace.Call) bool { return c.Search() != nil }
	if len(p.Sought) == 0 || !anyCall(view.Runs, isSearch) {
		return
	}
	n := huntNotes{sought: p.Sought, groups: make([]map[string]*Note, len(p.Sought)), cut: map[string]int{}}
	hunter := NewHunter(p.Sought, p.Servers, view)
	order := make([]int, len(view.Runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(view.Runs[a].Number, view.Runs[b].Number) })
	for _, i := range order {
		if n.pairs >= maxHuntPairs {
			break
		}
		run := &view.Runs[i]
		n.run, n.search = run, runSearch{}
		for at, hunt := range hunter.Run(run) {
			if !hunt.Called {
				n.addRun(at, hunt)
			}
		}
	}
	into.Notes = append(into.Notes, n.sortedNotes()...)
	for kind, cut := range n.cut {
		if into.NotesCut == nil {
			into.NotesCut = map[string]int{}
		}
		into.NotesCut[kind] += cut
	}
}

// huntNotes collects notes: runs with the same outcome share a note.
type huntNotes struct {
	sought    []Sought
	groups    []map[string]*Note // for each Sought, its notes by outcome
	noteCount int                // number of notes so far, including notes beyond the bound
	pairs     int                // number of pairs of a run and a Sought so far
	cut       map[string]int     // number of pairs of a run and a Sought for which no note was made, by kind
	run       *trace.Run         // current run
	search    runSearch          // searches of the current run; zero before they are read
}

// runSearch holds the queries of a run, the tools that they returned, and the tools that the run called.
type runSearch struct {
	queries, got, called []string
	searches             int
	key                  string // the same for runs with the same queries and returned tools
}

// addRun adds the current run to the note about its hunt. at is the index of the Sought.
func (n *huntNotes) addRun(at int, hunt Hunt) {
	n.pairs++
	if n.search.key == "" {
		n.search = readSearches(n.run)
	}
	key := n.search.key
	if hunt.Found {
		key = hunt.howFound() + "\x00" + strings.Join(n.search.called, "\x00")
	}
	if n.groups[at] == nil {
		n.groups[at] = map[string]*Note{}
	}
	note := n.groups[at][key]
	if note == nil {
		n.noteCount++
		if n.noteCount > maxGateNotes {
			n.cut[kindOfHunt(hunt)]++
			return
		}
		note = n.newNote(at, hunt)
		n.groups[at][key] = note
	}
	note.Runs = append(note.Runs, n.run.Number)
	if !hunt.Found {
		note.Calls += n.search.searches
	}
}

const loadedByName = "loaded by name"

func (h Hunt) howFound() string {
	switch {
	case h.Rank > 0:
		return "found (rank " + strconv.Itoa(h.Rank) + ")"
	case h.ByName:
		return loadedByName
	}
	return "there from the start"
}

func kindOfHunt(hunt Hunt) string {
	if hunt.Found {
		return NotPicked
	}
	return NotFound
}

func (n *huntNotes) newNote(at int, hunt Hunt) *Note {
	note := &Note{Kind: kindOfHunt(hunt), Subject: n.sought[at].Name, Line: n.sought[at].Line}
	if hunt.Found {
		note.Call, note.Text, note.Members = hunt.Rank, hunt.howFound(), n.search.called
		return note
	}
	note.Queries, note.Members = n.search.queries, n.search.got
	return note
}

func readSearches(run *trace.Run) runSearch {
	var found runSearch
	add := func(list []string, most int, text string) []string {
		text = Clip(text)
		if text == "" || len(list) == most || slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for i := range run.Calls {
		call := &run.Calls[i]
		search := call.Search()
		switch {
		case search != nil:
			if !search.ByName {
				found.searches++
				found.queries = add(found.queries, maxQueries, search.Query)
			}
			for _, ref := range search.Tools[:min(len(search.Tools), maxReturnedTools)] {
				found.got = add(found.got, maxReturnedTools, ref.Name)
			}
		case call.Tool.Server != trace.BuiltinServer:
			found.called = add(found.called, maxReturnedTools, call.Tool.Name)
		}
	}
	found.key = strconv.FormatBool(found.searches > 0) + "\x00\x00" + strings.Join(found.queries, "\x00") + "\x00\x00" + strings.Join(found.got, "\x00")
	return found
}

// sortedNotes returns the notes sorted by kind, then by Sought in the order of the suite, then by number of runs, most first.
func (n *huntNotes) sortedNotes() (notes []Note) {
	for _, kind := range []string{NotFound, NotPicked} {
		for _, group := range n.groups {
			var own []Note
			for _, key := range slices.Sorted(maps.Keys(group)) {
				if group[key].Kind == kind {
					own = append(own, *group[key])
				}
			}
			lists.SortStable(own, func(a, b *Note) int { return cmp.Compare(len(b.Runs), len(a.Runs)) })
			kept := min(len(own), maxHuntNotes)
			for _, note := range own[kept:] {
				n.cut[kind] += len(note.Runs)
			}
			notes = append(notes, own[:kept]...)
		}
	}
	return notes
}
