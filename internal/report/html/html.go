// Package html writes a report or a history as one HTML page that needs no network, no server and no other file.
//
// Up to a few hundred cases, tools and findings, the page is complete without its script, so that it can be read where scripts
// do not run, such as in a CI system that serves artifacts in a sandbox. Further entries are in HTML comments, and the script
// puts them in place. The script also sorts and filters the tables, and draws curves from the tables of their points. It makes
// no other markup from text.
//
// The page has a Content-Security-Policy that allows its script and its style by their hashes and nothing else: no request,
// image, frame, form, event handler or style attribute.
//
// The markup is made by joining values of the type [markup], and not with html/template, which would bring reflection into the
// binary.
package html

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Options selects the parts of the report that are shown. The zero value shows all runs.
type Options struct {
	Run int // number of the only run to show of each case; 0 shows all
}

// Report writes the page of a report: the verdict, what went wrong, the figures of each case with intervals, distractor curves,
// tokens by tool, findings, and the runs of each case as lines of calls.
func Report(w io.Writer, r *report.Report, o Options) error {
	d := &document{Story: tell.Of(r, tell.Options{}), r: r, c: r.Baseline, options: o, suites: r.HasSuites(), calls: max(minCalls, maxCalls-callsByCase*len(r.Cases))}
	_, err := io.WriteString(w, string(d.page()))
	return err
}

type document struct {
	*tell.Story
	r       *report.Report
	c       *report.Comparison // nil if nothing was compared
	options Options
	suites  bool // there are several suites, so each case is shown with its suite
	calls   int  // number of calls that further timelines may have on the page

	withoutRoom int // number of timelines that are left out and that the page has not mentioned yet
}

// section is a part of the page with a heading. The head of the page links to it.
type section struct {
	id, title markup
	content   func() markup // returns "" if the report has nothing for the section
}

func (d *document) sections() []section {
	return []section{
		{"wrong", markup(d.WrongTitle()), d.whatWentWrong},
		{"changes", "Changes against the base", d.changes},
		{"cases", "Figures by case", d.caseTable},
		{"curves", "Accuracy against distractors", d.curves},
		{"tools", "Tokens and scores by tool", d.tools},
		{"findings", "Findings", d.findings},
		{"others", "Cases in detail", d.otherCases},
		{"warnings", "Warnings", d.warnings},
	}
}

// body returns the head of the page, and the sections that are not empty.
func (d *document) body() markup {
	var links []markup
	var b strings.Builder
	for _, s := range d.sections() {
		content := s.content()
		if content == "" {
			continue
		}
		links = append(links, "<a href=#"+s.id+">"+s.title+"</a>")
		b.WriteString(string(s.write(content)))
	}
	return d.head() + navigation(links) + "<main>\n" + markup(b.String()) + "</main>\n" + d.foot()
}

func (s *section) write(content markup) markup {
	return "<section id=" + s.id + ">\n<h2>" + s.title + "</h2>\n" + content + "</section>\n"
}

// navigation returns the links to the sections; "" if there is only one link.
func navigation(links []markup) markup {
	if len(links) < 2 {
		return ""
	}
	return "<nav aria-label=sections>" + join(" ", links...) + "</nav>\n"
}

// foot returns the line with the version of the program that made the page.
func (d *document) foot() markup {
	by := markup("mcp-gates")
	if d.r.Tool.Version != "" {
		by += " " + escaped(report.Cut(d.r.Tool.Version, maxName))
	}
	return "<footer>" + by + "</footer>\n"
}
