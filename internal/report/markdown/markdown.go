// Package markdown writes a report for the job summary and the comment of a pull request, as GitHub renders it.
package markdown

import (
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// These constants bound Markdown documents, in bytes. GitHub accepts comments of 65,536 characters and job summaries of 1 MiB, and
// a text never has more characters than bytes.
const (
	CommentLimit = 60_000
	SummaryLimit = 900_000
)

// Options selects the form of the report. The zero value is a document of the length of a job summary, without links.
type Options struct {
	tell.Options

	Limit      int    // bound on the document, in bytes; 0 means SummaryLimit. A longer document loses its least important entries
	Run        int    // the only run of each case in the table of runs; 0 for all runs of the cases that changed or do not pass
	SummaryURL string // address of the job summary, which has everything that a shortened document leaves out; "" for none
	// Link returns the address of a line of a file; "" if there is none. Line 0 stands for the whole file. Link may be nil.
	Link func(path string, line int) string
}

// Report writes the report for a pull request. One screen holds the verdict, what went wrong, what changed in the tools and
// which figures moved; the rest is folded.
func Report(w io.Writer, r *report.Report, o Options) error {
	if o.Limit == 0 {
		o.Limit = SummaryLimit
	}
	d := &document{Story: tell.Of(r, o.Options), r: r, c: r.Baseline, options: o, suites: r.HasSuites(), medium: tell.Summary}
	if o.Limit < SummaryLimit {
		d.medium = tell.Comment
	}
	_, err := io.WriteString(w, d.fit())
	return err
}

type document struct {
	*tell.Story
	r       *report.Report
	c       *report.Comparison // nil if nothing was compared
	options Options
	medium  tell.Medium
	suites  bool // there are several suites, so each case is shown with its suite
}

// section is a part of the document that can be shortened.
type section struct {
	name   string                // name in the note about parts that are left out; "" for a part that is never left out
	render func(most int) string // returns the part with at most that many entries
}

func (d *document) sections() []section {
	return []section{
		{"", d.head},
		{string(tell.WhatWentWrong), d.whatWentWrong},
		{string(tell.ExecutableChanges), d.executable},
		{string(tell.ChangedTools), d.tools},
		{string(tell.MovedFigures), d.figures},
		{"evidence", d.evidence},
		{string(tell.StaleRecordings), d.stale},
		{"cases", d.allCases},
		{"findings", d.findings},
		{"distractor curves", d.curves},
		{"complexity", d.complexity},
		{"runs", d.runs},
		{"catalogs", d.catalogs},
		{"warnings", d.warnings},
		{"commands", d.commands},
	}
}

// shortening is the order in which sections are shortened if the document is too long. A section is shortened only if the sections
// before it are as short as possible.
var shortening = []string{
	"runs", "catalogs", "warnings", "complexity", "distractor curves", "findings", "cases", string(tell.StaleRecordings), string(tell.MovedFigures), "evidence",
	string(tell.ChangedTools), "commands", string(tell.ExecutableChanges), string(tell.WhatWentWrong),
}

// fit returns the document, shortened if it is longer than its limit.
func (d *document) fit() string {
	most := d.medium.Limit(tell.WhatWentWrong).All
	sections := d.sections()
	texts := lists.Map(sections, func(s section) string { return s.render(most) })
	var left []string
	for _, name := range shortening {
		i := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
		otherTexts := length(texts) - len(texts[i])
		room := d.options.Limit - otherTexts - len(d.foot(append(left, name)))
		if texts[i] == "" || len(texts[i]) <= room {
			continue
		}
		if texts[i] = longest(sections[i], most, room); texts[i] == "" {
			left = append(left, name)
		}
	}
	slices.Reverse(left)
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n") + d.foot(left)
}

// longest returns a section with as many entries as fit into room, in bytes, but fewer than most. If no entry fits, it renders the
// section without entries.
func longest(s section, most, room int) string {
	best := s.render(0)
	low, high := 1, most-1
	for low <= high { // a binary search for the number of entries
		n := (low + high) / 2
		if text := s.render(n); len(text) <= room {
			best, low = text, n+1
		} else {
			high = n - 1
		}
	}
	return best
}

func length(texts []string) int {
	return lists.Sum(texts, func(s string) int { return len(s) + 1 })
}

// foot returns the end of the document: notes, the names of the sections that were left out, and a link to the job summary.
func (d *document) foot(left []string) string {
	parts := lists.Map(d.Notes, d.line)
	if len(left) > 0 {
		parts = append(parts, "Left out for length: "+strings.Join(left, ", "))
	}
	if d.c == nil && d.summaryLink() != "" {
		parts = append(parts, strings.TrimSpace(d.summaryLink()))
	}
	if version := d.r.Tool.Version; version != "" {
		parts = append(parts, "mcp-gates "+code(version))
	}
	if len(parts) == 0 {
		return ""
	}
	return "\n<sub>" + strings.Join(parts, " · ") + "</sub>\n"
}

// place returns PATH:LINE, as a link if the line has an address.
func (d *document) place(path string, line int) string {
	return d.linked(code(placeAt(path, line)), path, line)
}

// linked returns markdown as a link to a line of a file; unchanged if the line has no address.
func (d *document) linked(markdown, path string, line int) string {
	if d.options.Link == nil || path == "" {
		return markdown
	}
	url := d.options.Link(path, line)
	if !safeURL(url) {
		return markdown
	}
	return "[" + markdown + "](" + url + ")"
}

func moreItems(left int, what string) string {
	if left <= 0 {
		return ""
	}
	return "\nand " + count(left) + " more " + what + "\n"
}

// fold returns a part that is shown on a click. title must not contain untrusted text: a code span has no effect there, so nothing
// would make the text safe.
func fold(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimSpace(body) + "\n\n</details>\n"
}

// tableOf returns a Markdown table of n rows. most bounds the number of rows, and a line with nouns counts the rest. Empty columns
// are left out. A colon at the end of a title aligns its column to the right.
func tableOf(columns []string, n, most int, nouns string, row func(i int) []string) string {
	rows := make([][]string, min(n, most))
	for i := range rows {
		rows[i] = row(i)
	}
	left := moreItems(n-len(rows), nouns)
	if len(rows) == 0 {
		return left
	}
	var b strings.Builder
	titles, rule := "|", "|"
	var used []int
	for i, column := range columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		used = append(used, i)
		title, right := strings.CutSuffix(column, ":")
		titles += " " + title + " |"
		if right {
			rule += "--:|"
			continue
		}
		rule += "---|"
	}
	b.WriteString(titles + "\n" + rule + "\n")
	for _, row := range rows {
		b.WriteByte('|')
		for _, i := range used {
			b.WriteString(" " + cell(row[i]) + " |")
		}
		b.WriteByte('\n')
	}
	return b.String() + left
}
