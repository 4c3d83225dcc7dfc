package report

import "cmp"

// Freshness compares a recorded case's evidence with the tools of today: the snapshots of its servers.
type Freshness struct {
	State FreshnessState `json:"state"`

	// Since is the origin of the difference: SinceChange if the base's snapshots do not have it, else SinceBase; "" if nothing was
	// compared, or nothing differs.
	Since Optional `json:"since"`

	Tools []StaleTool `json:"tools"` // differing tools on which the state depends, by server and name

	Lines []Place `json:"lines,omitzero"` // lines of gates that name tools which are gone or renamed, sorted
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
	Touched  FreshnessState = "touched"  // a tool differs that no run called and no gate names, and that resembles no such tool
	Affected FreshnessState = "affected" // a tool that a run called or a gate names differs, or a look-alike of such a tool was added
	Broken   FreshnessState = "broken"   // a tool that a run called or a gate needs is gone, renamed or hidden, or requires what calls lack
	Unknown  FreshnessState = "unknown"  // the tools that the runs were offered are not known, or a server has no snapshot
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
	Lacks  Optional `json:"lacks,omitzero"` // of a changed tool: newly required arguments that recorded calls lack, with commas
	Path   string   `json:"path"`           // of the snapshot
	Line   int      `json:"line"`           // in the snapshot; 0 for a removed tool
}

// ByWords is the result of ranking the tools by the words of a prompt alone, with the built-in selector and no model. It is set only if
// a right tool came first among the base's tools and none does among today's.
type ByWords struct {
	First Optional `json:"first"` // the tool that comes first now
	Gone  []string `json:"gone"`  // words of the prompt that no longer lead to the right tool
}

// WordsRow holds the tool that comes first for the prompt of a case by its words alone. It is not in the JSON report.
type WordsRow struct {
	Index           int // of the case
	ID              string
	First, Before   Optional // tools, today and in the base; "" if none shares a word with the prompt, and without a base
	Right, WasRight bool     // whether the tool is one that the gates expect
	Gone            []string // see ByWords; nil if nothing was lost
}
