// Package html writes a report, or a history, as one page for a browser: a file that needs no network, no server and no other file.
//
// The page is complete without its script up to a few hundred cases, tools and findings, so that it can be read where scripts are not run,
// such as in a CI system that serves artifacts in a sandbox. Further ones are markup in comments, which the script puts in their place;
// otherwise it makes no markup of text. It sorts and filters the tables and draws the curves that are in them. A policy in the page (Content-Security-Policy) allows the script and the style of the page by
// their hashes and nothing else: no request, image, frame, form, handler or style of an attribute.
//
// The markup is written by concatenation of a type of its own, see [markup]: html/template, which knows contexts, brings
// reflection into the binary, and here all text is in one context.
package html

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Options says what of the report is shown. The zero value shows all runs.
type Options struct {
	Run int // show this run of each case, and no other; 0 for all
}

// Report writes the page. It holds the verdict, what went wrong, the figures of each case with intervals, distractor curves,
// tokens by tool, findings, and the runs of each case as lines of calls.
func Report(w io.Writer, r *report.Report, o Options) error {
	d := &document{Story: tell.Of(r, tell.Options{}), r: r, c: r.Baseline, options: o, suites: r.HasSuites(), calls: max(fewestCalls, mostCalls-callsByCase*len(r.Cases))}
	_, err := io.WriteString(w, string(d.page()))
	return err
}

// document is one page being written.
type document struct {
	*tell.Story
	r       *report.Report
	c       *report.Comparison // nil when nothing was compared
	options Options
	suites  bool // there are several, so that each case names its own
	calls   int  // of timelines that the page still has room for

	roomless int // timelines that were left out and not yet counted on the page
}

// section is a part of the page with a heading, to which the head of the page leads.
type section struct {
	id, title markup
	content   func() markup // nothing where the report has nothing of it
}

// sections are in the order of the page.
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

// body is the head of the page and those sections that have content.
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

// navigation leads to the sections where there are several.
func navigation(links []markup) markup {
	if len(links) < 2 {
		return ""
	}
	return "<nav aria-label=sections>" + join(" ", links...) + "</nav>\n"
}

// foot names the program that made the page.
func (d *document) foot() markup {
	by := markup("mcp-gates")
	if d.r.Tool.Version != "" {
		by += " " + escaped(report.Cut(d.r.Tool.Version, maxName))
	}
	return "<footer>" + by + "</footer>\n"
}
