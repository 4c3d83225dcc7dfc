package report

import "cmp"

// Freshness says how a recorded case's evidence stands to the tools of today: to the snapshots of its servers.
type Freshness struct {
	State FreshnessState `json:"state"`

	// Since says where the difference comes from: SinceChange when the base's snapshots do not have it, else SinceBase; ""
	// where nothing was compared, or nothing differs.
	Since Optional `json:"since"`

	Tools []StaleTool `json:"tools"` // that differ and that the state rests on, by server and name

	Lines []Place `json:"lines,omitzero"` // where the gates name tools that are gone or have another name, sorted
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

// FreshnessState is one of five states.
type FreshnessState string

// The states, from best to worst; Unknown is none of these.
const (
	Fresh    FreshnessState = "fresh"    // no tool differs in what an agent reads: name, description, input schema
	Touched  FreshnessState = "touched"  // a tool differs that no run called, no gate names, and that looks like none of those
	Affected FreshnessState = "affected" // a tool that a run called or a gate names differs, or a look-alike of one was added
	Broken   FreshnessState = "broken"   // a tool that a run called or a gate needs is gone, renamed, hidden, or requires what calls lack
	Unknown  FreshnessState = "unknown"  // it is not known what the runs were offered, or a server has no snapshot
)

// The values of Freshness.Since.
const (
	SinceChange = "change"
	SinceBase   = "base"
)

// The values of StaleTool.What.
const (
	WhatDescription = "description"
	WhatSchema      = "input schema"
	WhatBoth        = "description and input schema"
)

// StaleTool is a tool that differs from what the runs of a case were offered.
type StaleTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	Change string   `json:"change"`         // Added, Removed, Hidden, Renamed, Changed or Outdated
	What   Optional `json:"what,omitzero"`  // of a changed tool: WhatDescription, WhatSchema or WhatBoth
	Now    Optional `json:"now,omitzero"`   // the new name of a renamed tool
	Like   Optional `json:"like,omitzero"`  // the tool that an added one looks like
	Lacks  Optional `json:"lacks,omitzero"` // of a changed tool: arguments that it requires now and that recorded calls lack, with commas
	Path   string   `json:"path"`           // of the snapshot
	Line   int      `json:"line"`           // in the snapshot; 0 for a tool that is gone
}

// ByWords says where the words of a prompt alone lead to: the built-in selector, and no model, ranks the tools. It is there
// only where a right tool came first among the base's tools and none does among today's.
type ByWords struct {
	First Optional `json:"first"` // the tool that comes first now
	Gone  []string `json:"gone"`  // words of the prompt that led to the right tool and lead to it no more
}

// WordsRow says which tool comes first for the prompt of a case by its words alone. It is not in the JSON report.
type WordsRow struct {
	Index           int // of the case
	ID              string
	First, Before   Optional // tools, today and in the base; "" where none shares a word with the prompt, and without a base
	Right, WasRight bool     // whether it is one that the gates expect
	Gone            []string // as ByWords has it; nil where nothing was lost
}
