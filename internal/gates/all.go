// Package gates holds the gates. Each gate measures a catalog, or recorded or live runs of an agent. Package judge judges the
// results.
//
// CONTRIBUTING.md says how to add one.
package gates

import "github.com/org/mcp-gates/internal/judge"

// All lists the gates in the order of the documentation.
//
// The key discovery is left out, because it changes its test and measures nothing.
var All = []*judge.Gate{
	EqualFunctionSets, ToolSelection, Distractors, Orchestration, TokenEfficiency, ToolEdges, Trajectory, GoldenPath, Limits,
	Stability, Recovery, TrajectoryAxes, Narrative, ToolSearch,
	ToolQuality, ToolBench, Findability,
}

// Find returns the gate with a name; nil if there is none.
func Find(name string) *judge.Gate {
	for _, g := range All {
		if g.Name == name {
			return g
		}
	}
	return nil
}
