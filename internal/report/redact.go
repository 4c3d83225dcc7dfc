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
	edit(r.Cases, t.redactCase)
	edit(r.Refused, func(one *Refusal) { t.redact(&one.Message) })
	t.redactKept(r.Shard)
	t.redactOutdated(r.Outdated)
	edit(r.Uncovered, func(w *Weakening) { t.redact(&w.Reason) })
	edit(r.Catalogs, func(c *Catalog) { ours.redactFindings(c.Findings) })
	if r.Baseline != nil {
		t.redactComparison(r.Baseline)
		ours.redactFindings(r.Baseline.New)
		ours.redactFindings(r.Baseline.Fixed)
		for _, list := range [][]Breaking{r.Baseline.Breaking, r.Baseline.MayBreak} {
			edit(list, func(b *Breaking) { ours.redact(&b.Message) })
		}
	}
}

// edit calls change with each entry of a list.
func edit[T any](list []T, change func(*T)) {
	for i := range list {
		change(&list[i])
	}
}

type redaction func(string) string

func (t redaction) redact(s *string) { *s = t(*s) }

func (t redaction) redactOptional(o *Optional) { *o = Optional(t(string(*o))) }

func (t redaction) redactList(texts []string) { edit(texts, t.redact) }

func (t redaction) redactProblems(list []Problem) {
	edit(list, func(p *Problem) { t.redact(&p.Message) })
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
	edit(c.Gates, t.redactResult)
	edit(c.Expect, func(a *RunAssertion) { t.redactAssertion(&a.Assertion) })
	edit(c.Builtins, func(b *BuiltinCalls) { t.redact(&b.Tool) })
	edit(c.Rows, func(r *Row) {
		t.redactList(r.Called)
		t.redactOptional(&r.Err)
	})
	edit(c.Timelines, t.redactTimeline)
	edit(c.Shown, t.redactTimeline)
	t.redactJudgement(c.Base)
	t.redactSelection(c.ToolSelection)
	edit(c.Recordings, func(r *Recording) { t.redactOptional(&r.Recorder) })
}

func (t redaction) redactTimeline(line *Timeline) {
	edit(line.Calls, func(c *TimelineCall) {
		t.redact(&c.Tool)
		t.redactList(c.Arguments)
		t.redactOptional(&c.Agent)
	})
}

func (t redaction) redactResult(r *judge.Result) {
	t.redactError(r.Err)
	edit(r.Assertions, t.redactAssertion)
	t.redact(&r.Headline)
	edit(r.Notes, t.redactNote)
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
	edit(a.Breach.Runs, func(r *judge.BreachRun) { t.redact(&r.Did) })
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
		edit(v, func(item *any) { *item = t.redactedValue(*item) })
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
	if s != nil {
		edit(s.Runs, func(r *judge.SelectionRun) { t.redactList(r.Called) })
	}
}

func (t redaction) redactFindings(list []Finding) {
	edit(list, func(f *Finding) {
		t.redact(&f.Message)
		t.redact(&f.Suggestion)
	})
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
	edit(s.Kept.Cases, func(one *KeptCase) {
		t.redactProblems(one.Problems)
		t.redactProblems(one.Warnings)
		t.redactProblems(one.Stale)
		t.redactJudgement(one.Base)
	})
}

func (t redaction) redactOutdated(list []OutdatedTool) {
	edit(list, func(o *OutdatedTool) { t.redact(&o.Says) })
}

func (t redaction) redactComparison(c *Comparison) {
	edit(c.Cases, func(p *Pair) { t.redactList(p.NewUnexpected) })
	edit(c.Regressions, func(r *Regression) {
		t.redact(&r.Base)
		t.redact(&r.Head)
	})
	edit(c.Weakened, func(w *Weakening) { t.redact(&w.Reason) })
	t.redactOutdated(c.Outdated)
	edit(c.Unjudged, func(u *Unjudged) { t.redact(&u.Reason) })
	edit(c.Cassettes, func(one *CassetteChange) { t.redactOptional(&one.Recorder) })
}
