package trend

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Line is one figure of one commit, as warehouses load it. schemas/history.schema.json describes it.
type Line struct {
	Repository string          `json:"repository"`
	Commit     string          `json:"commit"`
	Date       string          `json:"date"` // when it was committed, in UTC: 2026-11-27T08:30:00Z
	Suite      report.Optional `json:"suite"`
	Case       report.Optional `json:"case"`
	Model      report.Optional `json:"model"`
	Catalog    report.Optional `json:"catalog"` // path of the catalog that the figure is of; null for a case
	Gate       report.Optional `json:"gate"`
	Target     report.Optional `json:"target"` // null for a case without figures, and a gap
	Value      *json.Number    `json:"value"`  // null where there is no target
	Unit       report.Optional `json:"unit"`
	Runs       *int            `json:"runs"`     // that were scored; null for a catalog
	Verdict    report.Optional `json:"verdict"`  // of the case
	Matcher    report.Optional `json:"matcher"`  // that the suite holds the figure against
	Holds      *bool           `json:"holds"`    // whether the matcher does; null without one
	Reason     report.Optional `json:"reason"`   // why there are no figures: of a case that is an error, or of a gap
	Recorded   report.Optional `json:"recorded"` // date of the oldest commit of the history since which the case has the recordings that it has
}

// Lines calls write with every figure of a history, in the order of the commits: those of cases by id, gate and target, then those of
// catalogs.
func (h *History) Lines(write func(Line) error) error {
	recorded := since{}
	for _, p := range h.Points {
		recorded.see(p)
		for _, line := range p.lines() {
			line.Recorded = report.Optional(recorded[string(line.Case)].date)
			line.Repository, line.Commit, line.Date = h.Repository, p.SHA, p.Date
			if err := write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// since is the recordings of cases, by id, and the date of the oldest commit that has them as they are.
type since map[string]struct{ recordings, date string }

func (s since) see(p *Point) {
	for _, c := range p.Cases {
		if s[c.ID].recordings != c.Recordings {
			s[c.ID] = struct{ recordings, date string }{c.Recordings, p.Date}
		}
	}
}

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

// Place returns where a mistake stands, with a colon behind it; "" for one without a place.
func Place(p *report.Problem) string {
	switch {
	case p.Path == "":
		return ""
	case p.Line == 0:
		return p.Path + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", p.Path, p.Line, p.Col)
}

// line adds the figure to what is said about its case or catalog.
func (f Figure) line(about Line) Line {
	about.Gate, about.Target = report.Optional(f.Gate), report.Optional(f.Target)
	digits := json.Number(f.Value.Digits())
	about.Value, about.Unit, about.Matcher = &digits, report.Optional(f.Value.Unit.String()), report.Optional(f.Matcher)
	if f.Matcher != "" && f.Verdict != judge.Skipped {
		holds := f.Verdict == judge.Pass
		about.Holds = &holds
	}
	return about
}

// JSONLines writes a history as a JSON object a line.
func (h *History) JSONLines(w io.Writer) error { return jsonLines(w, h.Lines) }

func jsonLines(w io.Writer, lines func(func(Line) error) error) error {
	return lines(func(line Line) error {
		text, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("write line: %w", err)
		}
		_, err = io.WriteString(w, report.SafeJSON(string(text))+"\n")
		return err
	})
}

// columns are those of the CSV, which are the keys of the JSON, in its order.
var columns = []string{"repository", "commit", "date", "suite", "case", "model", "catalog", "gate", "target", "value", "unit", "runs",
	"verdict", "matcher", "holds", "reason", "recorded"}

// CSV writes a history as RFC 4180 has it, with a header. An absent value is empty. A text that a spreadsheet would take for a formula
// has an apostrophe before it.
func (h *History) CSV(w io.Writer) error { return csvOf(w, h.Lines) }

func csvOf(w io.Writer, lines func(func(Line) error) error) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	err := lines(func(l Line) error {
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
		return out.Write(row)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// harmless returns a cell that neither a spreadsheet nor a terminal acts on.
func harmless(cell string) string {
	if cell != "" && (cell[0] == '=' || cell[0] == '+' || cell[0] == '-' || cell[0] == '@') {
		cell = "'" + cell
	}
	return report.Safe(cell)
}

// JSONLines writes the lines of a fleet.
func (f *Fleet) JSONLines(w io.Writer) error { return jsonLines(w, f.lines) }

// CSV writes the lines of a fleet as [History.CSV] does.
func (f *Fleet) CSV(w io.Writer) error { return csvOf(w, f.lines) }

func (f *Fleet) lines(write func(Line) error) error {
	for _, l := range f.Lines {
		if err := write(l); err != nil {
			return err
		}
	}
	return nil
}
