// Package staleness holds the runs of a case against the suite and the tools of today: whether a recording still belongs to its
// case, and whether the tools that its runs were offered are still those that an agent gets.
//
// [Of] takes everything that is compared and returns a [Staleness], which nothing changes afterwards. Its state is that of the report.
// Its differences are errors or warnings: [Staleness.Decide] decides which, by the policy of the case. Before a live run [Lost] decides
// whether its case needs a tool that is gone.
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

// Input is what is compared. Nothing in it is changed.
type Input struct {
	*suite.Case
	Trace      *trace.Trace // the runs
	Live       bool         // the runs were made just now, for the case
	Recordings []report.Recording
	Base       *Base                 // nil where there is no base
	Outdated   []report.OutdatedTool // tools whose snapshots are older than the code
	Demanded   bool                  // a recording must say which tools its runs were offered

	// AgentVersion is the version that the case's program has now, where the runs were made by one and anybody asked; VersionErr says
	// why it is not known.
	AgentVersion string
	VersionErr   error

	// Argued returns the runs with the arguments of their calls; nil where nobody has them.
	Argued func() []trace.Run

	Cache *Cache // nil for none
}

// Base is what the base knows of the case.
type Base struct {
	Suite      *suite.Suite // of the case that is paired with it; nil where the base has no such case
	Recordings []report.Recording
}

// baseCase returns the base's case; nil where there is none.
func (in *Input) baseCase() *Base {
	if in.Base == nil || in.Base.Suite == nil {
		return nil
	}
	return in.Base
}

// Staleness is how the runs of a case differ from the suite and the tools of today.
type Staleness struct {
	Input
	*report.Freshness // Unknown for live runs; a value of its own, which a report can keep without the runs

	own         *catalog.Catalog // the recorded tools without distractors; nil when no catalog was recorded
	namedOnly   []catalog.Ref    // deferred tools that own lacks; nil when no catalog was recorded
	distractors []catalog.Ref
	*toolDiff                 // nil where nobody knows what the runs were offered
	broken      []staleTool   // the tools that make it stale
	lacking     []staleTool   // those that make it affected and that require what recorded calls lack
	mentioned   []catalog.Ref // tools that runs called or gates name
	outdated    []Difference
}

// Difference is one between the runs and what the suite and the snapshots are today.
type Difference struct {
	Pos     source.Pos
	Message string
	state   report.FreshnessState // that it makes of the case: Stale or Affected are errors sooner than any other
	alone   bool                  // it is an error under fail only where nothing else is, and never a warning
}

// Of compares the runs of a case with the suite and the tools of today.
func Of(in Input) *Staleness {
	s := &Staleness{
		Input: in, Freshness: &report.Freshness{State: report.Unknown, Tools: []report.StaleTool{}},
		distractors: Distractors(in.Case, &in.Trace.Header),
	}
	if in.Trace.Recorded != nil {
		s.own = in.Trace.Recorded.Without(s.distractors)
		s.namedOnly = in.Trace.NamedOnly()
	}
	if !in.Live {
		s.findState()
		s.addOutdated()
		s.Lines = s.placesToChange()
		return s
	}
	s.broken = s.lostMembers()
	return s
}

// Lost returns the difference that keeps a live run of a case from showing anything, whose gates need a tool that is gone from the
// snapshots; nothing under a policy that only warns about it.
func Lost(c *suite.Case, policy suite.StalePolicy) (errs source.Errors) {
	s := &Staleness{Input: Input{Case: c}, Freshness: &report.Freshness{}}
	if s.broken = s.lostMembers(); len(s.broken) == 0 {
		return nil
	}
	if d := s.brokenTools(); d.refuses(policy) {
		errs.Addf(d.Pos, "%s", d.Message)
	}
	return errs
}

// Decide returns the differences that are errors under a policy, and those that it only warns about.
func (s *Staleness) Decide(policy suite.StalePolicy) (refused source.Errors, warned []Difference) {
	refused = s.caseMistakes()
	if RefusesOutdated(policy) { // otherwise the comparison with the base says it
		for _, d := range s.outdated {
			refused.Addf(d.Pos, "%s", d.Message)
		}
	}
	if policy == suite.StaleIgnore {
		return refused, nil
	}
	before := len(refused)
	for _, d := range s.toolDifferences() {
		if d.refuses(policy) && (!d.alone || len(refused) == before) {
			refused.Addf(d.Pos, "%s", d.Message)
		} else if !d.alone {
			warned = append(warned, d)
		}
	}
	return refused, warned
}

func (d Difference) refuses(policy suite.StalePolicy) bool {
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

// RefusesOutdated reports whether a policy makes an error of evidence that is older than the code.
func RefusesOutdated(policy suite.StalePolicy) bool {
	return policy == suite.StaleFail || policy == suite.StaleAffected
}

func (s *Staleness) toolDifferences() []Difference {
	list := slices.Concat(s.edited(), s.servers(), s.notOffered())
	if s.Live {
		if len(s.broken) > 0 {
			list = append(list, s.brokenTools()) // under a policy that only warns
		}
		if s.Snapshots() == nil {
			return list
		}
		gone, reported := s.goneTools()
		return slices.Concat(list, gone, s.catalogs(reported))
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
		gone, _ := s.goneTools() // which the model may have made up
		list = append(list, gone...)
	}
	if s.Snapshots() != nil {
		list = append(list, s.catalogs(reported)...)
	}
	return slices.Concat(list, s.lackingCalls(), s.spareMembers(), s.undecided())
}

// differs returns a difference that is a warning by default.
func (s *Staleness) differs(format string, args ...any) Difference {
	return Difference{Pos: s.CassettePos, Message: fmt.Sprintf(format, args...), state: report.Touched}
}
