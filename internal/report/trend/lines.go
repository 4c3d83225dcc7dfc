package trend

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Line is one figure of one commit, in the form that data warehouses load. schemas/history.schema.json describes it.
type Line struct {
	Repository string          `json:"repository"`
	Commit     string          `json:"commit"`
	Date       string          `json:"date"` // time of the commit in UTC: 2026-11-27T08:30:00Z
	Suite      report.Optional `json:"suite"`
	Case       report.Optional `json:"case"`
	Model      report.Optional `json:"model"`
	Catalog    report.Optional `json:"catalog"` // path of the figure's catalog; null for a figure of a case
	Gate       report.Optional `json:"gate"`
	Target     report.Optional `json:"target"` // null for a case without figures, and for a gap
	Value      *json.Number    `json:"value"`  // null if there is no target
	Unit       report.Optional `json:"unit"`
	Runs       *int            `json:"runs"`     // number of scored runs; null for a catalog
	Verdict    report.Optional `json:"verdict"`  // verdict of the case
	Matcher    report.Optional `json:"matcher"`  // the suite's bound on the figure
	Holds      *bool           `json:"holds"`    // whether the figure satisfies Matcher; null without a matcher
	Reason     report.Optional `json:"reason"`   // why there are no figures, for a gap and for a case that is an error
	Recorded   report.Optional `json:"recorded"` // date of the commit in which the case got its current recordings
}

// Lines yields every figure of a history. Commits come in their order. In a commit, the figures of cases come first, by id, gate
// and target, then the figures of catalogs.
func (h *History) Lines(yield func(Line) bool) {
	recorded := since{}
	for _, p := range h.Points {
		recorded.update(p)
		for _, line := range p.lines() {
			line.Recorded = report.Optional(recorded[string(line.Case)].date)
			line.Repository, line.Commit, line.Date = h.Repository, p.SHA, p.Date
			if !yield(line) {
				return
			}
		}
	}
}

// since maps the id of a case to its recordings and the date of the oldest commit with the same recordings.
type since map[string]struct{ recordings, date string }

func (s since) update(p *Point) {
	for _, c := range p.Cases {
		if s[c.ID].recordings != c.Recordings {
			s[c.ID] = struct{ recordings, date string }{c.Recordings, p.Date}
		}
	}
}

// lines returns the lines of a commit. A commit that could not be evaluated has one line with the reason.
func (p *Point) lines() (lines []Line) {
	if p.Gap != "" {
		return []Line{{Reason: report.Optional(p.Gap)}}
	}
	for i := range p.Problems {
		one := &p.Problems[i]
		lines = append(lines, Line{Suite: report.Optional(one.Path), Verdict: report.Optional(judge.Error), Reason: report.Optional(Place(one) + one.Message)})
	}
	for _, c := range p.Cases {
		about := Line{Suite: report.Optional(c.Suite), Case: report.Optional(c.ID), Model: report.Optional(c.Model), Runs: &c.Runs,
			Verdict: report.Optional(c.Verdict), Reason: report.Optional(c.Reason)}
		if len(c.Figures) == 0 {
			lines = append(lines, about)
		}
		for _, f := range c.Figures {
			lines = append(lines, f.line(about))
		}
	}
	for _, c := range p.Catalogs {
		for _, f := range c.Figures {
			lines = append(lines, f.line(Line{Catalog: report.Optional(c.Path)}))
		}
	}
	return lines
}

// Place returns the place of a mistake, followed by a colon; "" if the mistake has no place.
func Place(p *report.Problem) string {
	switch {
	case p.Path == "":
		return ""
	case p.Line == 0:
		return p.Path + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", p.Path, p.Line, p.Col)
}

// line returns a line with this figure. about has the fields for its case or catalog.
func (f Figure) line(about Line) Line {
	about.Gate, about.Target = report.Optional(f.Gate), report.Optional(f.Target)
	about.Value, about.Unit = new(json.Number(f.Value.Digits())), report.Optional(f.Value.Unit.String())
	about.Matcher = report.Optional(f.Matcher)
	if f.Matcher != "" && f.Verdict != judge.Skipped {
		about.Holds = new(f.Verdict == judge.Pass)
	}
	return about
}

// JSONLines writes a history as JSON Lines, one object for each figure.
func (h *History) JSONLines(w io.Writer) error { return jsonLines(w, h.Lines) }

func jsonLines(w io.Writer, lines iter.Seq[Line]) error {
	for line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("write line: %w", err)
		}
		if _, err = io.WriteString(w, report.SafeJSON(string(text))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// columns are the columns of the CSV: the keys of the JSON, in the same order.
var columns = []string{"repository", "commit", "date", "suite", "case", "model", "catalog", "gate", "target", "value", "unit", "runs",
	"verdict", "matcher", "holds", "reason", "recorded"}

// CSV writes a history as CSV by RFC 4180, with a header. An absent value is an empty cell. A text that a spreadsheet would
// read as a formula gets a leading apostrophe.
func (h *History) CSV(w io.Writer) error { return csvOf(w, h.Lines) }

func csvOf(w io.Writer, lines iter.Seq[Line]) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for l := range lines {
		runs, holds, value := "", "", ""
		if l.Value != nil {
			value = string(*l.Value)
		}
		if l.Runs != nil {
			runs = strconv.Itoa(*l.Runs)
		}
		if l.Holds != nil {
			holds = strconv.FormatBool(*l.Holds)
		}
		row := []string{l.Repository, l.Commit, l.Date, string(l.Suite), string(l.Case), string(l.Model), string(l.Catalog), string(l.Gate),
			string(l.Target), value, string(l.Unit), runs, string(l.Verdict), string(l.Matcher), holds, string(l.Reason), string(l.Recorded)}
		for i, cell := range row {
			row[i] = harmless(cell)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// harmless returns a cell that a spreadsheet does not read as a formula and that a terminal does not obey.
func harmless(cell string) string {
	if cell != "" && (cell[0] == '=' || cell[0] == '+' || cell[0] == '-' || cell[0] == '@') {
		cell = "'" + cell
	}
	return report.Safe(cell)
}

// JSONLines writes the lines of a fleet as JSON Lines.
func (f *Fleet) JSONLines(w io.Writer) error { return jsonLines(w, slices.Values(f.Lines)) }

// CSV writes the lines of a fleet as [History.CSV] does.
func (f *Fleet) CSV(w io.Writer) error { return csvOf(w, slices.Values(f.Lines)) }
