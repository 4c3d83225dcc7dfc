package judge

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// Sought is a set of tools of which a run should call one: the tools of a class, or the expected tools of a gate.
type Sought struct {
	Name    string // name of the class, or of the expected tools
	Line    int    // line in the suite
	Members []string
}

// SoughtClasses returns the tools of each class.
func SoughtClasses(classes []Class) []Sought {
	return lists.Map(classes, func(c Class) Sought { return Sought{c.Name, c.Pos.Line, c.Members} })
}

// Hunt describes how one run with deferred tools searched for sought tools.
type Hunt struct {
	Found  bool // the run got a sought tool: from a search, by its name, or from the start
	ByName bool // the run loaded a sought tool by its name
	Rank   int  // rank, from 1, of the first sought tool in the first search that returned a sought tool; 0 if no search did
	Called bool
	Picked bool // the run called a sought tool after finding it
}

// Hunter follows how runs find sought tools. It looks up the Soughts of each tool only once.
type Hunter struct {
	byID, byName map[string][]int // indexes of Soughts
	indexes      map[catalog.Ref][]int
	eager        []Hunt // the hunts of a run without a call
	hunts        []Hunt // result of the last call of Run
}

// NewHunter returns a Hunter for the runs of a trace; servers are the declared servers, sorted.
func NewHunter(sought []Sought, servers []string, tr *trace.Trace) *Hunter {
	h := &Hunter{byID: map[string][]int{}, byName: map[string][]int{}, indexes: map[catalog.Ref][]int{}}
	h.eager, h.hunts = make([]Hunt, len(sought)), make([]Hunt, len(sought))
	for i, one := range sought {
		for _, member := range one.Members {
			h.byID[member] = append(h.byID[member], i)
			if !Qualified(member, servers) {
				h.byName[member] = append(h.byName[member], i)
			}
		}
	}
	if tr.Deferral != nil {
		for ref := range tr.Deferral.Eager {
			for _, i := range h.indexesOf(ref) {
				h.eager[i].Found = true
			}
		}
	}
	return h
}

func (h *Hunter) indexesOf(ref catalog.Ref) []int {
	return lists.Cached(h.indexes, ref, func() []int {
		list := slices.Concat(h.byID[ref.ID()], h.byName[ref.Name])
		slices.Sort(list)
		return slices.Compact(list)
	})
}

// Run returns the Hunt of one run for each Sought. The next call of Run overwrites the result.
func (h *Hunter) Run(run *trace.Run) []Hunt {
	copy(h.hunts, h.eager)
	for i := range run.Calls {
		call := &run.Calls[i]
		if search := call.Search(); search != nil {
			h.noteSearch(search)
			continue
		}
		for _, i := range h.indexesOf(call.Tool.Ref) {
			hunt := &h.hunts[i]
			hunt.Called = true
			hunt.Picked = hunt.Picked || hunt.Found
		}
	}
	return h.hunts
}

func (h *Hunter) noteSearch(search *trace.Search) {
	for place, ref := range search.Tools {
		for _, i := range h.indexesOf(ref) {
			hunt := &h.hunts[i]
			hunt.Found, hunt.ByName = true, hunt.ByName || search.ByName
			if hunt.Rank == 0 && !search.ByName {
				hunt.Rank = place + 1
			}
		}
	}
}
