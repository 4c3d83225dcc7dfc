package gates

import (
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// scoreClasses counts the classes that the calls of each run satisfy. The order of runs does not matter.
func scoreClasses(classes []judge.Class, in judge.Context, runs []trace.Run) selection {
	s := newScorer(classes, in.Servers)
	for i := range runs {
		s.countRun(&runs[i])
	}
	return s.selection()
}

// scorer counts over runs. Results that depend only on a tool are computed once, because a trace has many calls to few tools.
type scorer struct {
	classes   []judge.Class
	byID      map[string][]int // classes that a qualified id is a member of, in declaration order
	byName    map[string][]int // classes that a bare name is a member of
	tools     map[*trace.Tool]*toolScore
	refs      map[catalog.Ref]*toolScore
	satisfied []int               // for each class, the last run that satisfied it, numbered like index
	missed    []runList           // for each class, the runs that did not satisfy it
	matched   map[toolClass][]int // the runs in which the tool satisfied the class
	index     int                 // number of the current run, counted from 1 in the order of judging
	sum       selection
}

// toolClass is a tool with one of the classes that it satisfies.
type toolClass struct {
	tool  *toolScore
	class int
}

// toolScore has a tool's classes and the counts of its calls.
type toolScore struct {
	id      string
	classes []int // classes that contain the tool, in declaration order
	next    int   // position in classes from which to look for a class that is not satisfied
	seen    int   // run to which next belongs, numbered like scorer.index
	calls   int   // number of calls, if the tool belongs to no class
	runs    []int // runs with calls, if the tool belongs to no class
}

func newScorer(classes []judge.Class, servers []string) *scorer {
	s := &scorer{
		classes: classes,
		byID:    map[string][]int{}, byName: map[string][]int{},
		tools: map[*trace.Tool]*toolScore{}, refs: map[catalog.Ref]*toolScore{},
		satisfied: make([]int, len(classes)), missed: make([]runList, len(classes)),
		matched: map[toolClass][]int{},
	}
	for i, class := range classes {
		for _, member := range class.Members {
			s.byID[member] = appendNew(s.byID[member], i)
			if !judge.Qualified(member, servers) {
				s.byName[member] = appendNew(s.byName[member], i)
			}
		}
	}
	return s
}

func (s *scorer) countRun(run *trace.Run) {
	s.index++
	for i := range run.Calls {
		s.countCall(s.findTool(run.Calls[i].Tool), run.Number)
	}
	for class, last := range s.satisfied {
		if last != s.index {
			s.sum.FN++
			s.missed[class].add(run.Number, len(s.missed))
		}
	}
}

// countCall counts a call by the class that it satisfies, if any.
func (s *scorer) countCall(t *toolScore, run int) {
	if len(t.classes) == 0 {
		s.sum.FP++
		t.calls++
		t.runs = appendNew(t.runs, run)
		return
	}
	if t.seen != s.index {
		t.seen, t.next = s.index, 0
	}
	// A class stays satisfied within a run, so the search continues at its last position.
	for ; t.next < len(t.classes); t.next++ {
		if class := t.classes[t.next]; s.satisfied[class] != s.index {
			s.satisfied[class] = s.index
			s.sum.TP++
			s.matched[toolClass{t, class}] = append(s.matched[toolClass{t, class}], run)
			return
		}
	}
}

// appendNew appends n, unless it is already the last element.
func appendNew(list []int, n int) []int {
	if len(list) > 0 && list[len(list)-1] == n {
		return list
	}
	return append(list, n)
}

// findTool returns the score of a tool, with its classes.
func (s *scorer) findTool(tool *trace.Tool) *toolScore {
	return lists.Cached(s.tools, tool, func() *toolScore {
		return lists.Cached(s.refs, tool.Ref, func() *toolScore {
			// An id is looked up as a whole, because names of servers and of tools can contain dots.
			id := tool.ID()
			return &toolScore{id: id, classes: bothClasses(s.byID[id], s.byName[tool.Name])}
		})
	})
}

// bothClasses returns the union of both lists, in order. If byID is empty, it returns byName without a copy, because tools of many
// servers can share the name, and the list can be long.
func bothClasses(byID, byName []int) []int {
	if len(byID) == 0 {
		return byName
	}
	classes := slices.Concat(byID, byName)
	slices.Sort(classes)
	return slices.Compact(classes)
}

// selection returns the counts and their notes: classes in declaration order, tools by id, runs by number.
func (s *scorer) selection() selection {
	s.sum.Counts = map[string]int{"tp": s.sum.TP, "fp": s.sum.FP, "fn": s.sum.FN}
	byClass := make([]map[string][]int, len(s.classes))
	unexpected := map[string]judge.Note{}
	for match, runs := range s.matched {
		if byClass[match.class] == nil {
			byClass[match.class] = map[string][]int{}
		}
		byClass[match.class][match.tool.id] = append(byClass[match.class][match.tool.id], runs...)
	}
	for _, t := range s.refs {
		if t.calls > 0 {
			// Two tools can share an id: server a.b with tool c, and server a with tool b.c.
			unexpected[t.id] = judge.Note{Calls: unexpected[t.id].Calls + t.calls, Runs: append(unexpected[t.id].Runs, t.runs...)}
		}
	}
	// Matches come first, so that their list is not copied if all notes are matches, as usual.
	s.sum.Notes = append(append(s.matchNotes(byClass), s.missNotes()...), tallyNotes(judge.Unexpected, unexpected)...)
	s.sum.Lists = []string{judge.Matched, judge.Missed, judge.Unexpected}
	return s.sum
}

func (s *scorer) matchNotes(byClass []map[string][]int) []judge.Note {
	matches := make([]judge.Note, 0, len(byClass))
	for i, tools := range byClass {
		for _, id := range slices.Sorted(maps.Keys(tools)) {
			matches = append(matches, judge.Note{Kind: judge.Matched, Subject: s.classes[i].Name, Text: id, Runs: sortedRuns(tools[id])})
		}
	}
	return matches
}

func (s *scorer) missNotes() []judge.Note {
	var misses []judge.Note
	for i, missed := range s.missed {
		if len(missed.runs) > 0 {
			class := s.classes[i]
			misses = append(misses, judge.Note{
				Kind: judge.Missed, Subject: class.Name, Runs: sortedRuns(missed.runs), MoreRuns: missed.more, Line: class.Pos.Line, Members: class.Members,
			})
		}
	}
	return misses
}

func tallyNotes(kind string, byTool map[string]judge.Note) []judge.Note {
	var notes []judge.Note
	for _, tool := range slices.Sorted(maps.Keys(byTool)) {
		note := byTool[tool]
		note.Kind, note.Subject, note.Runs = kind, tool, sortedRuns(note.Runs)
		notes = append(notes, note)
	}
	return notes
}

func tally(byTool map[string]judge.Note, tool string, run int) {
	t := byTool[tool]
	byTool[tool] = judge.Note{Calls: t.Calls + 1, Runs: appendNew(t.Runs, run)}
}

func sortedRuns(runs []int) []int {
	if !slices.IsSorted(runs) {
		slices.Sort(runs)
	}
	return slices.Clip(slices.Compact(runs))
}
