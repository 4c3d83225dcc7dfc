package staleness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// caseMistakes returns mistakes if the runs were made with other prompts, another agent, another model or other faults than the
// case has now. They are errors under every policy. If the suite has no prompt, because it only
// replays recordings, prompts are not compared.
func (s *Staleness) caseMistakes() (errs source.Errors) {
	h, again := s.Trace, Again(s.Case, s.Trace)
	if s.HasPrompt && h.PromptSHA256 != "" && h.PromptSHA256 != trace.PromptSHA256(s.Recorded.Prompt) {
		errs.Addf(s.Pos, "the cassette was recorded for another prompt; %s", again)
	}
	knowsSystem := s.HasPrompt && s.Agent == nil && !h.IsImported() || s.HasSystemPrompt // another agent has its own system prompt
	hadOther := h.SystemPromptSHA256 != "" && h.SystemPromptSHA256 != trace.PromptSHA256(s.Recorded.SystemPrompt)
	switch {
	case knowsSystem && hadOther && h.IsImported():
		errs.Addf(s.Pos, "the imported runs had another system prompt; take it out of the test, or import a log of runs that had it")
	case knowsSystem && hadOther:
		errs.Addf(s.Pos, "the cassette was recorded for another system prompt; %s", again)
	}
	errs = append(errs, s.agentMistakes()...)
	if s.Model != "" && h.Model != "" && h.Model != s.Model {
		errs.Addf(s.Pos, "the cassette was recorded with model %q, the suite asks for %q; %s", h.Model, s.Model, again)
	}
	if today := s.Deferred.String(); today != h.DeferredBy {
		errs.Addf(s.Pos, "the cassette was recorded with %s, and the test has %s; %s", writtenDeferral(h.DeferredBy), writtenDeferral(today), again)
	}
	return slices.Concat(errs, s.faultMistakes(), s.versionMistakes())
}

// agentMistakes compares the agent of the recording with the agent of the test.
func (s *Staleness) agentMistakes() (errs source.Errors) {
	h, again := s.Trace, Again(s.Case, s.Trace)
	if s.Agent == nil {
		if h.AgentSHA256 != "" {
			errs.Addf(s.Pos, "the cassette was recorded with agent %.100q, and the test has none; %s", h.Agent, again)
		}
		return errs
	}
	isNamedOtherwise := h.AgentSHA256 != "" && h.Agent != s.Agent.Title()
	searchesOtherwise := s.Agent.ToolSearch != "" && (s.Agent.ToolSearch == trace.SearchOn) != h.Searches()
	switch {
	case !isNamedOtherwise && searchesOtherwise:
		errs.Addf(s.Pos, "the cassette was recorded %s, and the test has %q; %s", searchText(&h.Header), "tool_search: "+s.Agent.ToolSearch, again)
	case h.AgentSHA256 != "" && h.AgentSHA256 != s.Agent.SHA256():
		errs.Addf(s.Pos, "the cassette was recorded with another agent, %.100q, or with other settings of it; %s", h.Agent, again)
	}
	return errs
}

func searchText(h *trace.Header) string {
	if h.Searches() {
		return "with tool search"
	}
	return "without tool search"
}

func writtenDeferral(by string) string {
	if by == "" {
		return `no "deferred"`
	}
	return fmt.Sprintf(`"deferred" (%.100s)`, by)
}

// versionMistakes compares the recorded version of the agent's program with the current version, if the latter is known.
func (s *Staleness) versionMistakes() (errs source.Errors) {
	switch was := s.Trace.AgentVersion; {
	case s.VersionErr != nil:
		errs.Addf(s.Pos, "find the agent's version: %s", s.VersionErr)
	case s.AgentVersion != "" && s.AgentVersion != was:
		errs.Addf(s.Pos, "the cassette was recorded with agent %.100q, which is %q now; %s", was, s.AgentVersion, Again(s.Case, s.Trace))
	}
	return errs
}

// faultMistakes compares the faults of the test with those of the recording. A handwritten recording need not list its faults
// if its calls show some.
func (s *Staleness) faultMistakes() (errs source.Errors) {
	t, today := s.Trace, s.PlainFaults()
	isComparable := t.KeepsFaults() || len(today) > 0 && !showsFaults(t)
	if isComparable && !slices.Equal(today, t.Faults) {
		errs.Addf(s.Pos, "the cassette was recorded under %s, and the test has %s; %s", writtenFaults(t.Faults), writtenFaults(today), Again(s.Case, t))
	}
	return errs
}

func showsFaults(t *trace.Trace) bool {
	met := func(c trace.Call) bool { return c.Detail != nil && c.Detail.Fault != "" }
	return slices.ContainsFunc(t.Runs, func(r trace.Run) bool { return slices.ContainsFunc(r.Calls, met) })
}

// UnmetFaults returns a warning that lists the faults of a case that none of its runs met. It returns nil if there are none, or if
// the case has the gate recovery, which reports such faults as an error.
func UnmetFaults(c *suite.Case, runs []trace.Run) *source.Error {
	isRecovery := func(check judge.Check) bool { return check.Gate == gates.Recovery }
	unmet := trace.Unmet(c.PlainFaults(), runs)
	if len(unmet) == 0 || slices.ContainsFunc(c.Checks, isRecovery) {
		return nil
	}
	first := c.Faults[slices.Index(c.PlainFaults(), unmet[0])]
	return &source.Error{Pos: first.Pos, Msg: fmt.Sprintf("no run of %q met the fault %s: nothing shows what the agent does then",
		c.DisplayName(), strings.Join(quotedFaults(unmet, fault.Fault.String), " or "))}
}

func writtenFaults(faults []fault.Fault) string {
	if len(faults) == 0 {
		return "no faults"
	}
	return strings.Join(quotedFaults(faults, fault.Fault.Written), ", ")
}

func quotedFaults(faults []fault.Fault, words func(fault.Fault) string) []string {
	const most = 3
	quoted := func(f fault.Fault) string { return fmt.Sprintf("%.100q", words(f)) }
	return lists.First(faults, most, quoted, fmt.Sprintf("%d more faults", len(faults)-most))
}

// Distractors returns the distractors that a recording lists. If it has no such list, they are the distractors that the gates of
// its case add.
func Distractors(c *suite.Case, h *trace.Header) []catalog.Ref {
	if h.Distractors != nil {
		return h.Distractors
	}
	real := c.Snapshots()
	if real == nil {
		return nil
	}
	return lists.Map(Injected(c, real), (*catalog.Tool).Ref)
}

// Injected returns the distractors that a case's gates add to the real tools. The gates report errors themselves.
func Injected(c *suite.Case, real *catalog.Catalog) (tools []*catalog.Tool) {
	for _, check := range c.Checks {
		injector, ok := check.Plan.Measurer.(judge.Injector)
		if !ok {
			continue
		}
		if added, err := injector.Inject(real.Tools); err == nil {
			tools = append(tools, added...)
		}
	}
	return tools
}

// BrokenPromise returns a warning if the prompt of a case names a recorded tool although the case promises that its prompt names
// none; otherwise nil. Package suite has already checked the tools that the suite and its snapshots name.
func BrokenPromise(s *suite.Suite, c *suite.Case, h *trace.Header) *source.Error {
	isOnPrompt := func(w *source.Error) bool { return w.Pos == c.PromptPos }
	if h.Recorded == nil || slices.ContainsFunc(s.Warnings, isOnPrompt) {
		return nil
	}
	names := lists.Map(h.Recorded.Tools, func(t *catalog.Tool) string { return t.Name })
	if broken := c.BrokenPromise(names); broken != "" {
		return &source.Error{Pos: c.PromptPos, Msg: broken}
	}
	return nil
}
