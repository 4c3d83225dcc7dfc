package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// maxDiffEntries bounds the entries of each list of a difference; further entries are counted. [Options].All overrides it.
const maxDiffEntries = 40

// LintDiff writes a difference between two catalogs: first what breaks callers, then what changed, then the findings.
func LintDiff(w io.Writer, d *report.LintDiff, o Options) error {
	t := diffText{lintPrinter(w, o), d}
	t.p.line(t.p.paint(bold, report.Safe(d.Old.Path)), " to ", t.p.paint(bold, report.Safe(d.New.Path)), ": ", sizesOf(d))
	for _, line := range tell.NotCompared(d) {
		t.p.line("  ", t.p.render(line))
	}
	t.writeLists()
	t.p.line()
	t.writeFooter()
	return t.p.out.Flush()
}

// Changes writes the changes of a difference, without its verdict.
func Changes(w io.Writer, d *report.LintDiff, o Options) error {
	t := diffText{lintPrinter(w, o), d}
	t.writeLists()
	t.p.line()
	return t.p.out.Flush()
}

func (t *diffText) writeLists() {
	d := t.d
	t.p.writeList("breaks callers", "", len(d.Breaking), maxDiffEntries, func(i int) { t.writeBreaking("  ", i) })
	t.p.writeList("may break callers", "", len(d.MayBreak), maxDiffEntries, func(i int) { t.p.writeBreaking("  ", d.MayBreak[i], yellow) })
	t.p.writeList("removed", "", len(d.Removed), maxDiffEntries, func(i int) { t.writeOneSided(d.Old.Path, &d.Removed[i], "-") })
	t.p.writeList("hidden from models", "", len(d.NowHidden), maxDiffEntries, func(i int) { t.writeOneSided(d.New.Path, &d.NowHidden[i], "-") })
	t.p.writeList("added", "", len(d.Added), maxDiffEntries, func(i int) { t.writeOneSided(d.New.Path, &d.Added[i], "+") })
	t.p.writeList("renamed", "", len(d.Renamed), maxDiffEntries, func(i int) { t.writeRenamed(&d.Renamed[i], " to ") })
	t.p.writeList("probably renamed or merged", "", len(d.Probable), maxDiffEntries, func(i int) { t.writeRenamed(&d.Probable[i], " is probably now ") })
	t.p.writeList("changed", "", len(d.Changed), maxDiffEntries, t.writeChanged)
	t.p.writeList("instructions", "", len(d.Said), maxDiffEntries, func(i int) { t.p.line("  ", t.p.render(tell.Instructions(&d.Said[i]))) })
	t.p.writeList("new findings", "", len(d.Found), maxDiffEntries, func(i int) {
		t.p.writeToolFinding("  ", &d.Found[i])
		t.p.writeSuggestion(&d.Found[i])
	})
	t.p.writeList("fixed findings", "", len(d.Fixed), maxDiffEntries, func(i int) { t.p.writeToolFinding("  ", &d.Fixed[i]) })
}

func (t *diffText) writeFooter() {
	hidden := ""
	if t.d.Hidden > 0 {
		hidden = fmt.Sprintf("; %s outside the preset %s", judge.CountOf(t.d.Hidden, "new finding"), report.Safe(string(t.d.Preset)))
	}
	t.p.line(t.p.verdict(t.d.Verdict), ": ", diffTotals(t.d), hidden,
		t.p.paint(dim, " (--fail-level is "+report.Safe(string(t.d.FailLevel))+")"))
}

type diffText struct {
	p *printer
	d *report.LintDiff
}

func (t *diffText) writeBreaking(indent string, i int) {
	b := &t.d.Breaking[i]
	if b.Kind == change.ToolRemoved || b.Kind == change.ToolRenamed || b.Kind == change.ToolHidden {
		t.p.line(indent, t.p.place(b.Path, b.Line), report.Safe(b.Message))
		return
	}
	t.p.writeBreaking(indent, *b, red)
}

func (t *diffText) writeOneSided(path string, tool *report.DiffTool, sign string) {
	tokens := ""
	if tool.Tokens.IsKnown() {
		tokens = fmt.Sprintf(", %s%d tokens", sign, tool.Tokens)
	}
	t.p.line("  ", t.p.place(cmp.Or(string(tool.Path), path), tool.Line), toolID(tool.Server, tool.Name), tokens)
}

func (t *diffText) writeRenamed(r *report.RenamedTool, to string) {
	also := ""
	if len(r.Fields) > 0 {
		also = ": also " + strings.Join(r.Fields, ", ")
	}
	t.p.line("  ", t.p.place(cmp.Or(string(r.Path), t.d.New.Path), r.Line), toolID(r.Server, r.From), to, report.Safe(r.To), also)
	t.writeParts(r.Parts)
}

func (t *diffText) writeParts(parts []report.ToolPart) {
	for i := range parts {
		t.p.line("    ", t.p.render(tell.Part(&parts[i])))
	}
}

func (t *diffText) writeChanged(i int) {
	c := &t.d.Changed[i]
	what := cmp.Or(strings.Join(c.Fields, ", "), "listed more or less often than before")
	t.p.line("  ", t.p.place(cmp.Or(string(c.Path), t.d.New.Path), c.Line), toolID(c.Server, c.Name), ": ", what, moved(", ", c.OldTokens, c.NewTokens))
	t.writeParts(c.Parts)
}

// moved returns a text on how a number of tokens changed; "" if the tokens were not counted.
func moved(lead string, old, new report.Count) string {
	more, ok := new.Minus(old)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s%d to %d tokens (%+d)", lead, old, new, more)
}

func sizesOf(d *report.LintDiff) string {
	return fmt.Sprintf("%d%s to %s%s", d.Old.Tools, report.BesidesHidden(d.Old.Hidden), judge.CountOf(d.New.Tools, "tool"), report.BesidesHidden(d.New.Hidden)) + moved(", ", d.Old.SurfaceTokens, d.New.SurfaceTokens)
}

func diffTotals(d *report.LintDiff) string {
	tools := fmt.Sprintf("%d added, %d removed, %d renamed, %d changed", len(d.Added), len(d.Removed), len(d.Renamed), len(d.Changed))
	if n := len(d.NowHidden); n > 0 {
		tools += fmt.Sprintf(", %d hidden", n)
	}
	may := ""
	if n := len(d.MayBreak); n > 0 {
		may = fmt.Sprintf(", %d that may be", n)
	}
	return tools + fmt.Sprintf("; %s, %d fixed; %s%s", judge.CountOf(len(d.Found), "new finding"), len(d.Fixed),
		judge.CountOf(len(d.Breaking), "breaking change"), may)
}
