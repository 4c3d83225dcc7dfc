package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// mostDiffed bounds the entries of each list of a difference, unless everything is asked for.
const mostDiffed = 40

// LintDiff writes a difference for a person: what breaks callers first, then what changed, then the findings.
func LintDiff(w io.Writer, d *report.LintDiff, o Options) error {
	t := diffText{lintText{p: newPrinter(w, o.Color), all: o.All}, d}
	t.p.line(t.p.paint(bold, report.Safe(d.Old.Path)), " to ", t.p.paint(bold, report.Safe(d.New.Path)), ": ", sizesOf(d))
	t.list("breaks callers", len(d.Breaking), func(i int) { t.breaking("  ", i) })
	t.list("removed", len(d.Removed), func(i int) { t.lone(d.Old.Path, &d.Removed[i], "-") })
	t.list("added", len(d.Added), func(i int) { t.lone(d.New.Path, &d.Added[i], "+") })
	t.list("renamed", len(d.Renamed), func(i int) { t.renamed(&d.Renamed[i], " to ") })
	t.list("probably renamed or merged", len(d.Probable), func(i int) { t.renamed(&d.Probable[i], " is probably now ") })
	t.list("changed", len(d.Changed), t.changed)
	t.list("new findings", len(d.Found), func(i int) {
		t.p.toolFinding("  ", &d.Found[i])
		t.p.suggestion(&d.Found[i])
	})
	t.list("fixed findings", len(d.Fixed), func(i int) { t.p.toolFinding("  ", &d.Fixed[i]) })
	t.p.line()
	t.footer()
	return t.p.out.Flush()
}

func (t *diffText) footer() {
	t.p.line(t.p.verdict(t.d.Verdict), ": ", diffTotals(t.d),
		t.p.paint(dim, " (--fail-level is "+report.Safe(string(t.d.FailLevel))+")"))
}

// diffText is one difference being written.
type diffText struct {
	lintText
	d *report.LintDiff
}

// list writes the entries of a list under a title; nothing when it is empty.
func (t *diffText) list(title string, n int, write func(i int)) {
	if n == 0 {
		return
	}
	t.p.line()
	t.p.line(t.p.paint(bold, title))
	shown := t.limit(n, mostDiffed)
	for i := range shown {
		write(i)
	}
	if n > shown {
		t.p.line("  ", t.p.paint(dim, fmt.Sprintf("and %d more (--verbose shows everything)", n-shown)))
	}
}

func (t *diffText) breaking(indent string, i int) {
	b := &t.d.Breaking[i]
	if b.Kind == change.ToolRemoved || b.Kind == change.ToolRenamed {
		t.p.line(indent, t.p.place(b.Path, b.Line), report.Safe(b.Message))
		return
	}
	tool := report.CatalogTool{Server: b.Server, Name: b.Tool}
	about := toolTitle(&tool)
	if b.Argument != "" {
		about += " " + report.Safe(string(b.Argument))
	}
	t.p.line(indent, t.p.place(b.Path, b.Line), t.p.paint(red, about), ": ", report.Safe(b.Message))
}

func (t *diffText) lone(path string, tool *report.DiffTool, sign string) {
	title := report.CatalogTool{Server: tool.Server, Name: tool.Name}
	tokens := ""
	if tool.Tokens != nil {
		tokens = fmt.Sprintf(", %s%d tokens", sign, *tool.Tokens)
	}
	t.p.line("  ", t.p.place(path, tool.Line), toolTitle(&title), tokens)
}

func (t *diffText) renamed(r *report.RenamedTool, to string) {
	from := report.CatalogTool{Server: r.Server, Name: r.From}
	also := ""
	if len(r.Fields) > 0 {
		also = ": also " + strings.Join(r.Fields, ", ")
	}
	t.p.line("  ", t.p.place(t.d.New.Path, r.Line), toolTitle(&from), to, report.Safe(r.To), also)
}

func (t *diffText) changed(i int) {
	c := &t.d.Changed[i]
	tool := report.CatalogTool{Server: c.Server, Name: c.Name}
	what := strings.Join(c.Fields, ", ")
	if what == "" {
		what = "listed more or less often than before"
	}
	t.p.line("  ", t.p.place(t.d.New.Path, c.Line), toolTitle(&tool), ": ", what, moved(", ", c.OldTokens, c.NewTokens))
}

// moved says how a number of tokens changed; nothing when they were not counted.
func moved(lead string, old, new *int64) string {
	if old == nil || new == nil {
		return ""
	}
	return fmt.Sprintf("%s%d to %d tokens (%+d)", lead, *old, *new, *new-*old)
}

func sizesOf(d *report.LintDiff) string {
	return fmt.Sprintf("%d to %s", d.Old.Tools, judge.CountOf(d.New.Tools, "tool")) + moved(", ", d.Old.SurfaceTokens, d.New.SurfaceTokens)
}

func diffTotals(d *report.LintDiff) string {
	tools := fmt.Sprintf("%d added, %d removed, %d renamed, %d changed", len(d.Added), len(d.Removed), len(d.Renamed), len(d.Changed))
	return tools + fmt.Sprintf("; %s, %d fixed; %s", judge.CountOf(len(d.Found), "new finding"), len(d.Fixed),
		judge.CountOf(len(d.Breaking), "breaking change"))
}
