package judge

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// Sought are tools of which a run is to call one: those of a class, or the expected ones of a gate.
type Sought struct {
	Name    string // of the class; the expected tools otherwise
	Line    int    // in the suite
	Members []string
}

// SoughtClasses returns the tools of each class.
func SoughtClasses(classes []Class) []Sought {
	sought := make([]Sought, len(classes))
	for i, class := range classes {
		sought[i] = Sought{class.Name, class.Pos.Line, class.Members}
	}
	return sought
}

// Hunt is what became of sought tools in one run whose tools were deferred.
type Hunt struct {
	Found  bool // a search returned one, it was loaded by its name, or it was in front of the model from the start
	ByName bool // one was loaded by its name
	Rank   int  // of the first one in the first search that returned one, from 1; 0 where none did
	Called bool
	Picked bool // one was called after one was found
}

// Hunter follows sought tools through runs. What depends on a tool alone is worked out once.
type Hunter struct {
	byID, byName map[string][]int
	of           map[catalog.Ref][]int
	eager        []Hunt // of a run without a call
	hunts        []Hunt
}

// NewHunter returns what follows the tools through the runs of a trace; servers are the declared ones, sorted.
func NewHunter(sought []Sought, servers []string, tr *trace.Trace) *Hunter {
	h := &Hunter{byID: map[string][]int{}, byName: map[string][]int{}, of: map[catalog.Ref][]int{}}
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
	list, known := h.of[ref]
	if !known {
		list = slices.Concat(h.byID[ref.ID()], h.byName[ref.Name])
		slices.Sort(list)
		list = slices.Compact(list)
		h.of[ref] = list
	}
	return list
}

// Run returns what became of each of the sought in a run. The next run takes the place of the result.
func (h *Hunter) Run(run *trace.Run) []Hunt {
	copy(h.hunts, h.eager)
	for i := range run.Calls {
		call := &run.Calls[i]
		if search := call.Search(); search != nil {
			h.search(search)
			continue
		}
		for _, at := range h.indexesOf(call.Tool.Ref) {
			one := &h.hunts[at]
			one.Called = true
			one.Picked = one.Picked || one.Found
		}
	}
	return h.hunts
}

func (h *Hunter) search(search *trace.Search) {
	for place, ref := range search.Tools {
		for _, at := range h.indexesOf(ref) {
			one := &h.hunts[at]
			one.Found, one.ByName = true, one.ByName || search.ByName
			if one.Rank == 0 && !search.ByName {
				one.Rank = place + 1
			}
		}
	}
}
