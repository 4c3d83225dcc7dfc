// Package staleness compares the runs of a case with the suite and the current tools. It finds out whether a recording still
// belongs to its case, and whether agents still get the tools that its runs were offered.
//
// [Of] takes all values to compare and returns a [Staleness], which is not changed afterwards. The report shows its state.
// [Staleness.Decide] divides its differences into errors and warnings, by the policy of the case. Before a live run, [Lost]
// reports whether its case needs a tool that is gone.
package staleness

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Input has the values to compare. It is not changed.
type Input struct {
	*suite.Case
	Trace      *trace.Trace // the runs
	Live       bool         // the runs were made just now, for the case
	Recordings []report.Recording
	Base       *Base                 // nil without a base
	Outdated   []report.OutdatedTool // tools whose snapshots are older than the code
	Demanded   bool                  // a recording must list the tools that its runs were offered

	// AgentVersion is the current version of the case's program; "" if no program made the runs, or if versions are not compared.
	// VersionErr is the reason why the version is unknown.
	AgentVersion string
	VersionErr   error

	// Argued returns the runs with the arguments of their calls; nil if they are not available.
	Argued func() []trace.Run

	Cache *Cache // comparisons that the cases of a check share
}

// Base has the suite and the recordings of the case before the change.
type Base struct {
	Suite      *suite.Suite // suite of the paired case; nil if the base has no such case
	Recordings []report.Recording
}

func (in *Input) baseCase() *Base {
	if in.Base == nil || in.Base.Suite == nil {
		return nil
	}
	return in.Base
}

// Staleness is the difference of a case's runs from the suite and the current tools.
type Staleness struct {
	Input
	*report.Freshness // Unknown for live runs; a pointer, so that a report can keep it without the runs

	own         *catalog.Catalog // the recorded tools without distractors; nil if no catalog was recorded
	namedOnly   []catalog.Ref    // deferred tools that own lacks; nil if no catalog was recorded
	distractors []catalog.Ref
	*toolDiff                 // nil for live runs, and if the offered tools are unknown or known only by their hash
	broken      []staleTool   // the tools that break the case
	lacking     []staleTool   // tools that affect the case and require arguments that recorded calls lack
	mentioned   []catalog.Ref // tools that runs called or gates name
	outdated    []Difference
}

// Difference is a difference between the runs and the current suite and snapshots.
type Difference struct {
	Pos     source.Pos
	Message string
	state   report.FreshnessState // state that the difference causes; the policy decides which states are errors
	alone   bool                  // the difference is an error only if there is no other error, and never a warning
}

// Of compares the runs of a case with the suite and the current tools.
func Of(in Input) *Staleness {
	s := &Staleness{
		Input: in, Freshness: &report.Freshness{State: report.Unknown, Tools: []report.StaleTool{}},
		distractors: Distractors(in.Case, &in.Trace.Header),
	}
	if in.Trace.Recorded != nil {
		s.own = in.Trace.Recorded.Without(s.distractors)
		s.namedOnly = in.Trace.NamedOnly()
	}
	if in.Live {
		s.broken = s.lostMembers()
		return s
	}
	s.findState()
	s.addOutdated()
	s.Lines = s.placesToChange()
	return s
}

// Lost returns an error if the gates of a case need a tool that is gone from the snapshots, because a live run would then show
// nothing. It returns nil under a policy that does not treat this as an error.
func Lost(c *suite.Case, policy suite.StalePolicy) (errs source.Errors) {
	s := &Staleness{Input: Input{Case: c}, Freshness: &report.Freshness{}}
	s.broken = s.lostMembers()
	if len(s.broken) == 0 {
		return nil
	}
	if d := s.brokenTools(); d.isErrorUnder(policy) {
		errs.Addf(d.Pos, "%s", d.Message)
	}
	return errs
}

// Decide returns the differences that are errors under a policy, and those that are only warnings.
func (s *Staleness) Decide(policy suite.StalePolicy) (refused source.Errors, warned []Difference) {
	refused = s.caseMistakes()
	if RefusesOutdated(policy) { // under any other policy, the comparison with the base reports outdated tools
		for _, d := range s.outdated {
			refused.Addf(d.Pos, "%s", d.Message)
		}
	}
	if policy == suite.StaleIgnore {
		return refused, nil
	}
	before := len(refused)
	for _, d := range s.toolDifferences() {
		isFirst := len(refused) == before
		if d.isErrorUnder(policy) && (!d.alone || isFirst) {
			refused.Addf(d.Pos, "%s", d.Message)
		} else if !d.alone {
			warned = append(warned, d)
		}
	}
	return refused, warned
}

func (d Difference) isErrorUnder(policy suite.StalePolicy) bool {
	switch policy {
	case suite.StaleFail:
		return d.state != report.Fresh
	case suite.StaleAffected:
		return d.state == report.Broken || d.state == report.Affected
	case suite.StaleDefault:
		return d.state == report.Broken
	}
	return false
}

// RefusesOutdated reports whether a policy treats evidence that is older than the code as an error.
func RefusesOutdated(policy suite.StalePolicy) bool {
	return policy == suite.StaleFail || policy == suite.StaleAffected
}

func (s *Staleness) toolDifferences() []Difference {
	list := slices.Concat(s.editedRecordings(), s.serverDifferences(), s.notOffered())
	if s.Live {
		if len(s.broken) > 0 {
			list = append(list, s.brokenTools()) // shown by policies that only warn
		}
		if s.Snapshots() == nil {
			return list
		}
		gone, reported := s.goneTools()
		return slices.Concat(list, gone, s.catalogDifference(reported))
	}
	var reported []catalog.Ref
	if s.State == report.Broken {
		list = append(list, s.brokenTools())
		for _, t := range s.broken {
			reported = append(reported, t.Ref)
			if t.now != nil {
				reported = append(reported, t.now.Ref())
			}
		}
	} else if s.own == nil && s.Snapshots() != nil {
		gone, _ := s.goneTools() // the model may have made up these tools
		list = append(list, gone...)
	}
	if s.Snapshots() != nil {
		list = append(list, s.catalogDifference(reported)...)
	}
	return slices.Concat(list, s.lackingCalls(), s.spareMembers(), s.unknownDifference())
}

// newDifference returns a difference that is a warning by default.
func (s *Staleness) newDifference(format string, args ...any) Difference {
	return Difference{Pos: s.CassettePos, Message: fmt.Sprintf(format, args...), state: report.Touched}
}

func (d Difference) causing(state report.FreshnessState) Difference {
	d.state = state
	return d
}
