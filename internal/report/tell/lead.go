package tell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

func (s *Story) comparedLine() Line {
	c := s.compared
	if c == nil {
		if s.options.NoBaseline == "" {
			return nil
		}
		return say("Nothing was compared: ", withPeriod(s.options.NoBaseline))
	}
	var spans spans
	summary := spans.line(c.Summary(func(text string) string { return spans.mark(say(strong(text))) }))
	line := say("Compared with ", BaseName(c.Base), ": ", summary, ".")
	if s.report.Mode == report.Live {
		line = say(line, " These runs were made live; those of the base are its recordings.")
	}
	return line
}

// BaseName returns the name of the base of a comparison.
func BaseName(b report.Base) Line {
	const short = 12 // digits of a commit that identify it
	sha := string(b.SHA[:min(len(b.SHA), short)])
	switch {
	case sha != "" && strings.HasPrefix(string(b.SHA), string(b.Ref)): // every hash begins with "", too
		return say(name(sha))
	case b.Ref != "" && sha != "":
		return say(name(string(b.Ref)), " (", name(sha), ")")
	case b.Ref != "" || b.File != "":
		return say(name(string(cmp.Or(b.Ref, b.File))))
	}
	return say("the baseline")
}

func (s *Story) doubtLines() []Line {
	if s.compared == nil {
		return nil
	}
	var spans spans
	var lines []Line
	if by := s.compared.Base.Tool; by != nil {
		lines = append(lines, say("the base's report was made by ", name(by.Title()), ", this one by ", name(s.report.Tool.Title()), ": what differs may come from the program"))
	}
	for _, doubt := range s.compared.Doubts(func(text string) string { return spans.mark(say(name(text))) }) {
		lines = append(lines, spans.line(doubt))
	}
	return append(lines, s.unjudgedDrops()...)
}

// unjudgedDrops returns a line with the number of cases with a bounded drop that could not be judged.
func (s *Story) unjudgedDrops() []Line {
	isUnjudged := func(d report.Drop) bool { return !d.IsJudged() }
	n := lists.Count(s.compared.Cases, func(p report.Pair) bool { return slices.ContainsFunc(p.Drops, isUnjudged) })
	if n == 0 {
		return nil
	}
	return []Line{say(name(report.MaxDrop), " of "+Count(n, "case")+" was not judged: the base or this change lacks the figure.")}
}

// uncomparedDrops returns a line with the number of cases with a bounded drop, if nothing was compared. It returns nil for a shard,
// because the merged report is compared.
func (s *Story) uncomparedDrops() []Line {
	hasBound := func(g judge.Result) bool { return g.MaxDrop != nil }
	n := lists.Count(s.report.Cases, func(c report.Case) bool { return slices.ContainsFunc(c.Gates, hasBound) })
	if n == 0 || s.compared != nil || s.report.Shard != nil {
		return nil
	}
	return []Line{say(name(report.MaxDrop), " of "+countOf(n, len(s.report.Cases))+" was not judged: nothing was compared with a base.")}
}

// noteLines returns lines that count the cases whose agent is not a model, the cases whose tokens no provider has counted, and the
// calls that no gate sees.
func (s *Story) noteLines() []Line {
	r := s.report
	var said []Line
	for _, n := range r.Notes(report.ModelNote) {
		said = append(said, say("The agent of "+countOf(n.Cases, len(r.Cases))+" is ", noteSpan(n.Note), "."))
	}
	for _, n := range r.Notes(report.TokenNote) {
		said = append(said, say("The tokens of "+countOf(n.Cases, len(r.Cases))+" are ", noteSpan(n.Note), "."))
	}
	if tools, cases := r.OwnTools(); cases > 0 {
		calls := 0
		list := sentence(func(show func(string) string) (list string) {
			calls, list = report.CallsOf(tools, show)
			return list
		})
		said = append(said, say("Not judged: "+Count(calls, "call")+" of the agents' own tools in "+countOf(cases, len(r.Cases))+" (", list, ")."))
	}
	return append(said, s.uncomparedDrops()...)
}

// noteSpan returns a note of the program as plain text. Any other note, which only a saved report can hold, is a name.
func noteSpan(note string) Span {
	if trace.IsProgramNote(note) {
		return Span{Text: note}
	}
	for _, model := range []string{trace.ModelLexical, trace.ModelScript} {
		if note == trace.ModelNote(model) || note == trace.TokenNote(model) {
			return Span{Text: note}
		}
	}
	return name(note)
}

// withPeriod returns a message as a sentence that ends in a period.
func withPeriod(text string) Line {
	if strings.HasSuffix(text, ".") {
		return say(message(text))
	}
	return say(message(text), ".")
}
