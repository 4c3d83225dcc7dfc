package annotate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/source"
)

// Preview writes what Publish would send, without sending it. It cannot know GitHub's side: an existing comment, and the rights
// of the token.
func (p *Publisher) Preview(w io.Writer, r Result) error {
	v := preview{bufio.NewWriter(w)}
	shown, leftOut := annotation.Limit(r.Annotations, p.Inputs.MaxAnnotations)
	v.check(p, r)
	v.annotations(shown, leftOut)
	v.comment(p, r)
	if p.Inputs.Summary {
		v.section("job summary", r.Summary+p.footnote(leftOut))
	}
	v.outputs(outputs(r.Report, r.Delta, resultLinks{Report: r.ReportPath}))
	return v.out.Flush()
}

type preview struct{ out *bufio.Writer }

func (v preview) line(format string, args ...any) {
	fmt.Fprintln(v.out, report.Safe(fmt.Sprintf(format, args...)))
}

// section writes an indented text under a heading, so that the text cannot be mistaken for a part of the preview.
func (v preview) section(heading, text string) {
	v.line("%s:", heading)
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		v.line("    %s", line)
	}
}

func (v preview) check(p *Publisher, r Result) {
	name := checkName(p.Inputs)
	if name == "" {
		v.line("check run: none")
		return
	}
	on := ""
	if p.Event.HeadSHA != "" { // outside of a job the commit is unknown
		on = " on " + p.Event.HeadSHA
	}
	v.line("check run %q%s: %s, %s", name, on, r.conclusion().word(), r.Title)
	v.section("check summary", r.CheckSummary)
}

func (v preview) annotations(list []annotation.Item, leftOut map[annotation.Level]int) {
	v.line("annotations: %d", len(list))
	for _, a := range list {
		place := source.Pos{File: a.Path, Line: a.Line}.String()
		words := strings.Fields(fmt.Sprintf("%s %s %s", a.Level, place, a.Title)) // place and title may be empty
		v.section("  "+strings.Join(words, " "), a.Message)
	}
	if more := countsByLevel(leftOut); more != "" {
		v.line("  %s more", more)
	}
}

func (v preview) comment(p *Publisher, r Result) {
	q := p.commentRequest(r)
	switch {
	case !p.Event.ForPullRequest || q.Mode == CommentOff:
		v.line("comment: none")
	case !q.isWanted():
		v.section("comment, if there is one already", q.body())
	default:
		v.section("comment", q.body())
	}
}

func (v preview) outputs(values map[string]string) {
	v.line("outputs:")
	for _, out := range OutputTable {
		v.line("    %s=%s", out.Name, outputValue(values[out.Name]))
	}
}
