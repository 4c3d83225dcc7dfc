package report

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
)

// Redact replaces every free text of the report by the result of text: messages, errors, actual values, suggestions, warnings,
// mistakes, and the names of called tools, which a model can make up. Figures stay, and so do names, paths and settings from
// suites and catalogs, because reports are compared by them. advice replaces the program's own texts about tools; these tools
// were redacted when they were read, or are in a catalog of the workspace. Redact changes the report itself, in its order.
func (r *Report) Redact(text, advice func(string) string) {
	t, ours := redaction(text), redaction(advice)
	t.problems(r.Problems)
	t.problems(r.Warnings)
	for i := range r.Cases {
		t.oneCase(&r.Cases[i])
	}
	for i := range r.Refused {
		t.at(&r.Refused[i].Message)
	}
	t.kept(r.Shard)
	t.outdated(r.Outdated)
	for i := range r.Uncovered {
		t.at(&r.Uncovered[i].Reason)
	}
	for i := range r.Catalogs {
		ours.findings(r.Catalogs[i].Findings)
	}
	if r.Baseline != nil {
		t.comparison(r.Baseline)
		ours.findings(r.Baseline.New)
		ours.findings(r.Baseline.Fixed)
		for _, list := range [][]Breaking{r.Baseline.Breaking, r.Baseline.MayBreak} {
			for i := range list {
				ours.at(&list[i].Message)
			}
		}
	}
}

// redaction returns a text without secrets.
type redaction func(string) string

func (t redaction) at(s *string) { *s = t(*s) }

func (t redaction) optional(o *Optional) { *o = Optional(t(string(*o))) }

func (t redaction) list(texts []string) {
	for i := range texts {
		t.at(&texts[i])
	}
}

func (t redaction) problems(list []Problem) {
	for i := range list {
		t.at(&list[i].Message)
	}
}

func (t redaction) err(p *judge.Problem) {
	if p != nil {
		t.at(&p.Message)
	}
}

func (t redaction) oneCase(c *Case) {
	t.optional(&c.LeftOut)
	if c.Own != nil {
		t.optional(&c.Own.LeftOut)
	}
	t.err(c.Err)
	for i := range c.Gates {
		t.result(&c.Gates[i])
	}
	for i := range c.Expect {
		t.assertion(&c.Expect[i].Assertion)
	}
	for i := range c.Builtins {
		t.at(&c.Builtins[i].Tool)
	}
	for i := range c.Rows {
		t.list(c.Rows[i].Called)
		t.optional(&c.Rows[i].Err)
	}
	for i := range c.Timelines {
		t.calls(c.Timelines[i].Calls)
	}
	for i := range c.Shown {
		t.calls(c.Shown[i].Calls)
	}
	t.judgement(c.Base)
	t.selection(c.ToolSelection)
	for i := range c.Recordings {
		t.optional(&c.Recordings[i].Recorder)
	}
}

func (t redaction) calls(list []TimelineCall) {
	for i := range list {
		t.at(&list[i].Tool)
		t.list(list[i].Arguments)
		t.optional(&list[i].Agent)
	}
}

func (t redaction) result(r *judge.Result) {
	t.err(r.Err)
	for i := range r.Assertions {
		t.assertion(&r.Assertions[i])
	}
	t.at(&r.Headline)
	for i := range r.Notes {
		t.note(&r.Notes[i])
	}
	t.selection(r.Selection)
}

func (t redaction) assertion(a *judge.Assertion) {
	t.at(&a.Message)
	t.at(&a.Says)
	t.at(&a.Instead)
	a.Actual = t.actual(a.Actual)
	if a.Breach == nil {
		return
	}
	t.at(&a.Breach.Case)
	t.at(&a.Breach.Of)
	for i := range a.Breach.Runs {
		t.at(&a.Breach.Runs[i].Did)
	}
}

// note replaces the texts of a note that a model or a server can have made up.
func (t redaction) note(n *judge.Note) {
	for _, field := range judge.KindOf(n.Kind).Fields {
		if !field.Made {
			continue
		}
		switch made := field.At(n).(type) {
		case *string:
			t.at(made)
		case *[]string:
			*made = slices.Clone(*made)
			t.list(*made)
		}
	}
}

// actual returns an actual value with its texts replaced. Figures have their own type and are not replaced.
func (t redaction) actual(v any) any {
	switch v := v.(type) {
	case string:
		return t(v)
	case jsontext.Value:
		return t.json(v)
	case []string:
		v = slices.Clone(v) // a copy, because the list may be a part of the evidence itself
		t.list(v)
		return v
	case []any:
		for i := range v {
			v[i] = t.actual(v[i])
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = t.actual(v[key])
		}
	}
	return v
}

// json returns a JSON value with its texts replaced. A result that is no longer JSON becomes a JSON string.
func (t redaction) json(v jsontext.Value) jsontext.Value {
	out := jsontext.Value(t(string(v)))
	if !out.IsValid() {
		out, _ = jsontext.AppendQuote(nil, string(out)) // invalid UTF-8 becomes U+FFFD
	}
	return out
}

// selection replaces the names of the tools that runs called. Expected tools come from the suite and stay. Lists that rows
// share are replaced a second time, which changes nothing.
func (t redaction) selection(s *judge.SelectionEvidence) {
	if s == nil {
		return
	}
	for i := range s.Runs {
		t.list(s.Runs[i].Called)
	}
}

func (t redaction) findings(list []Finding) {
	for i := range list {
		t.at(&list[i].Message)
		t.at(&list[i].Suggestion)
	}
}

func (t redaction) judgement(j *BaseJudgement) {
	if j != nil {
		t.at(&j.Reason)
		t.at(&j.Fault)
	}
}

// kept replaces the texts that the report of a shard keeps for the merge, except tools, which were redacted when they were
// read.
func (t redaction) kept(s *Shard) {
	if s == nil {
		return
	}
	t.problems(s.Kept.Problems)
	for i := range s.Kept.Cases {
		one := &s.Kept.Cases[i]
		t.problems(one.Problems)
		t.problems(one.Warnings)
		t.problems(one.Stale)
		t.judgement(one.Base)
	}
}

func (t redaction) outdated(list []OutdatedTool) {
	for i := range list {
		t.at(&list[i].Says)
	}
}

func (t redaction) comparison(c *Comparison) {
	for i := range c.Cases {
		t.list(c.Cases[i].NewUnexpected)
	}
	for i := range c.Regressions {
		t.at(&c.Regressions[i].Base)
		t.at(&c.Regressions[i].Head)
	}
	for i := range c.Weakened {
		t.at(&c.Weakened[i].Reason)
	}
	t.outdated(c.Outdated)
	for i := range c.Unjudged {
		t.at(&c.Unjudged[i].Reason)
	}
	for i := range c.Cassettes {
		t.optional(&c.Cassettes[i].Recorder)
	}
}
