// Package junit writes reports as JUnit XML, which nearly every CI system shows: a test suite for each suite, a test case
// for each case. The files are valid by junit-10.xsd of Jenkins' xunit plugin and by the older jenkins-junit.xsd, which
// have no place for a file or a line: both stand in the texts. Tests and totals have no times, because a report has none.
package junit

import (
	"cmp"
	"io"
	"path"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/source"
)

type (
	document struct {
		tally
		suites []*suite
	}
	tally struct {
		tests, failures, errors int
	}
	suite struct {
		name string
		tally
		skipped    int
		properties []property
		cases      []testCase

		totals
	}
	property struct {
		name, value string
	}
	// testCase has at most one of skipped, error and failure.
	testCase struct {
		name, class    string
		skipped        string // the older schema allows it no message
		error, failure *reason
		figures        string
	}
	reason struct {
		kind, message, text string
	}
)

// program names what is wrong with no file.
const program = "mcp-gates"

// Report writes a report. Mistakes in files are errors of a test case of their own, so that nothing looks green that was
// not checked. What runs answered and gave as arguments is left out.
func Report(w io.Writer, r *report.Report) error {
	b := builder{report: r, story: tell.Of(r, tell.Options{}), byName: map[string]*suite{}}
	for i := range r.Cases {
		b.addCase(i)
	}
	b.addMistakes()
	if doc := b.document(); doc.failures+doc.errors == 0 && r.Verdict.Broken() {
		b.add(program, testCase{name: "verdict", error: &reason{annotation.NotEvaluated, b.story.Headline.Text(), ""}})
	}
	if len(r.Cases) == 0 && r.Affected != nil && !r.Verdict.Broken() { // no test at all looks like a file that was not written
		b.add(program, testCase{name: "affected suites", skipped: r.Headline()})
	}
	b.addRefusals()
	_, err := b.document().print().WriteTo(w)
	return err
}

// builder puts suites together, in the order in which they are first named.
type builder struct {
	report *report.Report
	story  *tell.Story
	suites []*suite
	byName map[string]*suite
}

// add adds a test case to the suite of a path.
func (b *builder) add(name string, c testCase) *suite {
	s := b.byName[name]
	if s == nil {
		s = &suite{name: report.Safe(name)}
		b.byName[name], b.suites = s, append(b.suites, s)
	}
	// Jenkins takes what follows the last dot of a class for its name, and the rest for a package.
	c.class = strings.TrimSuffix(s.name, path.Ext(s.name))
	s.tests++
	switch {
	case c.error != nil:
		s.errors++
	case c.failure != nil:
		s.failures++
	case c.skipped != "":
		s.skipped++
	}
	s.cases = append(s.cases, c)
	return s
}

func (b *builder) addCase(i int) {
	c := &b.report.Cases[i]
	out := testCase{name: report.Safe(c.Name), figures: figures(c)}
	if agent := c.Agent(); agent != "" {
		out.name += " [" + agent + "]"
	}
	switch c.Verdict {
	case judge.Error:
		out.error = &reason{annotation.NotEvaluated, text.Reason(b.story, i), b.details(i)}
	case judge.Fail:
		out.failure = &reason{brokenBy(c), text.Reason(b.story, i), b.details(i)}
	case judge.Skipped:
		out.skipped = b.details(i)
	}
	b.add(c.Suite, out).totals.add(c)
}

// details returns the case as the text format has it.
func (b *builder) details(i int) string {
	var s strings.Builder
	text.Case(&s, b.report, b.story, i, text.Options{Public: true}) // a strings.Builder never fails
	return s.String()
}

// brokenBy names the first gate that does not pass, or expect.
func brokenBy(c *report.Case) string {
	for _, g := range c.Gates {
		if g.Verdict.Broken() {
			return report.Safe(g.Gate)
		}
	}
	return annotation.Expectation
}

// addMistakes adds a test case for each file with mistakes that no case shows.
func (b *builder) addMistakes() {
	list := b.story.Mistakes()
	for len(list) > 0 {
		file, why := list[0].Path, &reason{kind: annotation.Mistake, message: report.Safe(list[0].Message)}
		for ; len(list) > 0 && list[0].Path == file; list = list[1:] {
			why.text += placed(list[0]) + "\n"
		}
		b.add(cmp.Or(file, program), testCase{name: "mistakes", error: why})
	}
}

// addRefusals adds a test case for each demand that refuses the change, with the places of what it is about.
func (b *builder) addRefusals() {
	if len(b.report.Refused) == 0 {
		return
	}
	items := annotation.Of(b.report, annotation.Options{NoRefusals: true})
	for _, r := range b.report.Refused {
		why := &reason{kind: annotation.RefusalRule(r), message: report.Safe(r.Message)}
		for _, a := range items {
			if a.Rule == why.kind && a.Level == annotation.Failure {
				said := a.Title + ": " + strings.ReplaceAll(a.Message, "\n", "; ")
				why.text += placed(report.Problem{Path: a.Path, Line: a.Line, Message: said}) + "\n"
			}
		}
		c := testCase{name: report.Safe(r.Demand), failure: why}
		if r.Exit != report.ExitFail {
			c.error, c.failure = why, nil
		}
		b.add(program, c)
	}
}

// placed returns a mistake behind its place.
func placed(p report.Problem) string {
	if p.Path == "" {
		return report.Safe(p.Message)
	}
	return report.Safe(source.Pos{File: p.Path, Line: p.Line, Col: p.Col}.String()) + ": " + report.Safe(p.Message)
}

func (b *builder) document() document {
	doc := document{suites: b.suites}
	for _, s := range b.suites {
		s.properties = s.totals.properties(b.report)
		doc.tests, doc.failures, doc.errors = doc.tests+s.tests, doc.failures+s.failures, doc.errors+s.errors
	}
	return doc
}
