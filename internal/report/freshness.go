package report

import "cmp"

// Freshness compares the evidence of a recorded case with the current tools, which are those in the snapshots of its servers.
type Freshness struct {
	State FreshnessState `json:"state"`

	// Since says where a difference comes from: SinceBase if the base's snapshots already have it, otherwise SinceChange; "" if
	// nothing was compared, or nothing differs.
	Since Optional `json:"since"`

	Tools []StaleTool `json:"tools"` // changed tools that decide the state, by server and name

	Lines []Place `json:"lines,omitzero"` // lines of gates that name removed or renamed tools, sorted
}

// Place is a line of a file.
type Place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// Compare orders places by file, then by line.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Path, q.Path), cmp.Compare(p.Line, q.Line))
}

// FreshnessState is how well the evidence of a case fits the current tools.
type FreshnessState string

// These are the states, from best to worst. Unknown is not in this order.
const (
	Fresh    FreshnessState = "fresh"    // no tool differs in what an agent reads: name, description and input schema
	Touched  FreshnessState = "touched"  // a tool differs, but no run called it, no gate names it, and it resembles no such tool
	Affected FreshnessState = "affected" // a tool that a run called or a gate names differs, or a look-alike of such a tool was added
	Broken   FreshnessState = "broken"   // a called or needed tool is gone, renamed or hidden, or requires arguments that calls lack
	Unknown  FreshnessState = "unknown"  // it is unknown which tools the runs were offered, or a server has no snapshot
)

// These are the values of Freshness.Since.
const (
	SinceChange = "change"
	SinceBase   = "base"
)

// These are the values of StaleTool.What.
const (
	WhatDescription = "description"
	WhatSchema      = "input schema"
	WhatBoth        = "description and input schema"
)

// StaleTool is a tool that differs from the tool that the runs of a case were offered.
type StaleTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	Change string   `json:"change"`         // Added, Removed, Hidden, Renamed, Changed or Outdated
	What   Optional `json:"what,omitzero"`  // for a changed tool: WhatDescription, WhatSchema or WhatBoth
	Now    Optional `json:"now,omitzero"`   // the new name of a renamed tool
	Like   Optional `json:"like,omitzero"`  // for an added tool: the tool that it looks like
	Lacks  Optional `json:"lacks,omitzero"` // for a changed tool: the newly required arguments that recorded calls lack, separated by commas
	Path   string   `json:"path"`           // path of the snapshot
	Line   int      `json:"line"`           // line in the snapshot; 0 for a removed tool
}

// ByWords compares how well a prompt finds the right tool by its words alone, with the built-in selector and without a model.
// It is set only if a right tool came first among the base's tools, and no right tool comes first now.
type ByWords struct {
	First Optional `json:"first"` // the tool that comes first now
	Gone  []string `json:"gone"`  // words of the prompt that no longer lead to the right tool
}

// WordsRow has the tools that come first for the prompt of a case by its words alone. It is not in the JSON report.
type WordsRow struct {
	Index           int // index of the case
	ID              string
	First, Before   Optional // tools now and in the base; "" if no tool shares a word with the prompt, or there is no base
	Right, WasRight bool     // the gates expect First, and Before
	Gone            []string // words that no longer lead to the tool, see ByWords; nil if no word was lost
}
