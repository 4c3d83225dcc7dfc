package report

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
)

// Redact replaces every free text of the report by the result of text: messages, errors, actual values, suggestions, warnings,
// mistakes, and the names of called tools, which a model can make up. Figures stay, and so do names, paths and settings from suites
// and catalogs, because reports are compared by them. advice replaces the program's own texts about tools; these tools were
// redacted when they were read, or are in a catalog of the workspace. Redact changes the report itself.
func (r *Report) Redact(text, advice func(string) string) {
	t, ours := redaction(text), redaction(advice)
	t.redactProblems(r.Problems)
	t.redactProblems(r.Warnings)
	for i := range r.Cases {
		t.redactCase(&r.Cases[i])
	}
	for i := range r.Refused {
		t.redact(&r.Refused[i].Message)
	}
	t.redactKept(r.Shard)
	t.redactOutdated(r.Outdated)
	for i := range r.Uncovered {
		t.redact(&r.Uncovered[i].Reason)
	}
	for i := range r.Catalogs {
		ours.redactFindings(r.Catalogs[i].Findings)
	}
	if r.Baseline != nil {
		t.redactComparison(r.Baseline)
		ours.redactFindings(r.Baseline.New)
		ours.redactFindings(r.Baseline.Fixed)
		for _, list := range [][]Breaking{r.Baseline.Breaking, r.Baseline.MayBreak} {
			for i := range list {
				ours.redact(&list[i].Message)
			}
		}
	}
}

type redaction func(string) string

func (t redaction) redact(s *string) { *s = t(*s) }

func (t redaction) redactOptional(o *Optional) { *o = Optional(t(string(*o))) }

func (t redaction) redactList(texts []string) {
	for i := range texts {
		t.redact(&texts[i])
	}
}

func (t redaction) redactProblems(list []Problem) {
	for i := range list {
		t.redact(&list[i].Message)
	}
}

func (t redaction) redactError(p *judge.Problem) {
	if p != nil {
		t.redact(&p.Message)
	}
}

func (t redaction) redactCase(c *Case) {
	t.redactOptional(&c.LeftOut)
	if c.Own != nil {
		t.redactOptional(&c.Own.LeftOut)
	}
	t.redactError(c.Err)
	for i := range c.Gates {
		t.redactResult(&c.Gates[i])
	}
	for i := range c.Expect {
		t.redactAssertion(&c.Expect[i].Assertion)
	}
	for i := range c.Builtins {
		t.redact(&c.Builtins[i].Tool)
	}
	for i := range c.Rows {
		t.redactList(c.Rows[i].Called)
		t.redactOptional(&c.Rows[i].Err)
	}
	for i := range c.Timelines {
		t.redactCalls(c.Timelines[i].Calls)
	}
	for i := range c.Shown {
		t.redactCalls(c.Shown[i].Calls)
	}
	t.redactJudgement(c.Base)
	t.redactSelection(c.ToolSelection)
	for i := range c.Recordings {
		t.redactOptional(&c.Recordings[i].Recorder)
	}
}

func (t redaction) redactCalls(list []TimelineCall) {
	for i := range list {
		t.redact(&list[i].Tool)
		t.redactList(list[i].Arguments)
		t.redactOptional(&list[i].Agent)
	}
}

func (t redaction) redactResult(r *judge.Result) {
	t.redactError(r.Err)
	for i := range r.Assertions {
		t.redactAssertion(&r.Assertions[i])
	}
	t.redact(&r.Headline)
	for i := range r.Notes {
		t.redactNote(&r.Notes[i])
	}
	t.redactSelection(r.Selection)
}

func (t redaction) redactAssertion(a *judge.Assertion) {
	t.redact(&a.Message)
	t.redact(&a.Says)
	t.redact(&a.Instead)
	a.Actual = t.redactedValue(a.Actual)
	if a.Breach == nil {
		return
	}
	t.redact(&a.Breach.Case)
	t.redact(&a.Breach.Of)
	for i := range a.Breach.Runs {
		t.redact(&a.Breach.Runs[i].Did)
	}
}

// redactNote replaces the texts of a note that a model or a server can have made up.
func (t redaction) redactNote(n *judge.Note) {
	for _, field := range judge.KindOf(n.Kind).Fields {
		if !field.Made {
			continue
		}
		switch made := field.At(n).(type) {
		case *string:
			t.redact(made)
		case *[]string:
			*made = slices.Clone(*made)
			t.redactList(*made)
		}
	}
}

// redactedValue returns an actual value with its texts replaced. Figures have their own type and are not replaced.
func (t redaction) redactedValue(v any) any {
	switch v := v.(type) {
	case string:
		return t(v)
	case jsontext.Value:
		return t.redactedJSON(v)
	case []string:
		v = slices.Clone(v) // a copy, because the list may be a part of the evidence itself
		t.redactList(v)
		return v
	case []any:
		for i := range v {
			v[i] = t.redactedValue(v[i])
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = t.redactedValue(v[key])
		}
	}
	return v
}

// redactedJSON returns a JSON value with its texts replaced. A result that is no longer JSON becomes a JSON string.
func (t redaction) redactedJSON(v jsontext.Value) jsontext.Value {
	out := jsontext.Value(t(string(v)))
	if !out.IsValid() {
		out, _ = jsontext.AppendQuote(nil, string(out)) // invalid UTF-8 becomes U+FFFD
	}
	return out
}

// redactSelection replaces the names of the tools that runs called. Expected tools come from the suite and stay. Lists that rows
// share are replaced a second time, which changes nothing.
func (t redaction) redactSelection(s *judge.SelectionEvidence) {
	if s == nil {
		return
	}
	for i := range s.Runs {
		t.redactList(s.Runs[i].Called)
	}
}

func (t redaction) redactFindings(list []Finding) {
	for i := range list {
		t.redact(&list[i].Message)
		t.redact(&list[i].Suggestion)
	}
}

func (t redaction) redactJudgement(j *BaseJudgement) {
	if j != nil {
		t.redact(&j.Reason)
		t.redact(&j.Fault)
	}
}

// redactKept replaces the texts that the report of a shard keeps for the merge, except tools, which were redacted when they were
// read.
func (t redaction) redactKept(s *Shard) {
	if s == nil {
		return
	}
	t.redactProblems(s.Kept.Problems)
	for i := range s.Kept.Cases {
		one := &s.Kept.Cases[i]
		t.redactProblems(one.Problems)
		t.redactProblems(one.Warnings)
		t.redactProblems(one.Stale)
		t.redactJudgement(one.Base)
	}
}

func (t redaction) redactOutdated(list []OutdatedTool) {
	for i := range list {
		t.redact(&list[i].Says)
	}
}

func (t redaction) redactComparison(c *Comparison) {
	for i := range c.Cases {
		t.redactList(c.Cases[i].NewUnexpected)
	}
	for i := range c.Regressions {
		t.redact(&c.Regressions[i].Base)
		t.redact(&c.Regressions[i].Head)
	}
	for i := range c.Weakened {
		t.redact(&c.Weakened[i].Reason)
	}
	t.redactOutdated(c.Outdated)
	for i := range c.Unjudged {
		t.redact(&c.Unjudged[i].Reason)
	}
	for i := range c.Cassettes {
		t.redactOptional(&c.Cassettes[i].Recorder)
	}
}
