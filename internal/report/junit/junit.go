// Package junit writes reports as JUnit XML, which nearly every CI system shows. It writes a test suite for each suite, and a test
// case for each case. The files are valid by junit-10.xsd of Jenkins' xunit plugin and by the older jenkins-junit.xsd. These
// schemas have no attributes for a file and a line, so the texts contain both. Tests and totals have no times, because a report
// has none.
package junit

import (
	"cmp"
	"encoding/xml"
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
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		tally
		Suites []*suite `xml:"testsuite"`
	}
	tally struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	suite struct {
		Name string `xml:"name,attr"`
		tally
		Skipped    int        `xml:"skipped,attr"`
		Properties []property `xml:"properties>property"`
		Cases      []testCase `xml:"testcase"`

		totals totals
	}
	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	// testCase has at most one of Skipped, Error and Failure.
	testCase struct {
		Name    string  `xml:"name,attr"`
		Class   string  `xml:"classname,attr"`
		Skipped string  `xml:"skipped,omitempty"` // the reason, as text, because the older schema allows no message here
		Error   *reason `xml:"error"`
		Failure *reason `xml:"failure"`
		Figures string  `xml:"system-out,omitempty"`
	}
	reason struct {
		Kind    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// program is the name of the suite for failures that belong to no file.
const program = "mcp-gates"

// Report writes a report. Mistakes in files are errors of their own test cases, so that an unchecked file does not look green.
// Answers of runs and arguments of calls are left out.
func Report(w io.Writer, r *report.Report) error {
	b := builder{report: r, story: tell.Of(r, tell.Options{}), byName: map[string]*suite{}}
	for i := range r.Cases {
		b.addCase(i)
	}
	b.addMistakes()
	if doc := b.document(); doc.Failures+doc.Errors == 0 && r.Verdict.Broken() {
		b.addTest(program, testCase{Name: "verdict", Error: &reason{annotation.NotEvaluated, b.story.Headline.Text(), ""}})
	}
	if len(r.Cases) == 0 && r.Affected != nil && !r.Verdict.Broken() { // a file without any test would look incomplete
		b.addTest(program, testCase{Name: "affected suites", Skipped: r.Headline()})
	}
	b.addRefusals()
	out, err := xml.MarshalIndent(b.document(), "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}

// builder collects the suites in the order of their first test cases.
type builder struct {
	report *report.Report
	story  *tell.Story
	suites []*suite
	byName map[string]*suite
}

func (b *builder) addTest(suiteName string, c testCase) *suite {
	s := b.byName[suiteName]
	if s == nil {
		s = &suite{Name: report.Safe(suiteName)}
		b.byName[suiteName], b.suites = s, append(b.suites, s)
	}
	// Jenkins shows the part before the last dot of a class as its package, so the class must have no extension.
	c.Class = strings.TrimSuffix(s.Name, path.Ext(s.Name))
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != "":
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
	return s
}

func (b *builder) addCase(i int) {
	c := &b.report.Cases[i]
	out := testCase{Name: report.Safe(c.Name), Figures: figures(c)}
	if agent := c.Agent(); agent != "" {
		out.Name += " [" + agent + "]"
	}
	switch c.Verdict {
	case judge.Error:
		out.Error = &reason{annotation.NotEvaluated, text.Reason(b.story, i), b.details(i)}
	case judge.Fail:
		out.Failure = &reason{brokenBy(c), text.Reason(b.story, i), b.details(i)}
	case judge.Skipped:
		out.Skipped = b.details(i)
	}
	b.addTest(c.Suite, out).totals.add(c)
}

func (b *builder) details(i int) string {
	var s strings.Builder
	text.Case(&s, b.report, b.story, i, text.Options{}) // a strings.Builder never fails
	return s.String()
}

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
		file, why := list[0].Path, &reason{Kind: annotation.Mistake, Message: report.Safe(list[0].Message)}
		for ; len(list) > 0 && list[0].Path == file; list = list[1:] {
			why.Text += withPlace(list[0]) + "\n"
		}
		b.addTest(cmp.Or(file, program), testCase{Name: "mistakes", Error: why})
	}
}

func (b *builder) addRefusals() {
	if len(b.report.Refused) == 0 {
		return
	}
	items := annotation.Of(b.report, annotation.Options{NoRefusals: true})
	for _, r := range b.report.Refused {
		why := &reason{Kind: annotation.RefusalRule(r), Message: report.Safe(r.Message)}
		for _, a := range items {
			if a.Rule == why.Kind && a.Level == annotation.Failure {
				said := a.Title + ": " + strings.ReplaceAll(a.Message, "\n", "; ")
				why.Text += withPlace(report.Problem{Path: a.Path, Line: a.Line, Message: said}) + "\n"
			}
		}
		c := testCase{Name: report.Safe(r.Demand), Failure: why}
		if r.Exit != report.ExitFail {
			c.Error, c.Failure = why, nil
		}
		b.addTest(program, c)
	}
}

func withPlace(p report.Problem) string {
	if p.Path == "" {
		return report.Safe(p.Message)
	}
	return report.Safe(source.Pos{File: p.Path, Line: p.Line, Col: p.Col}.String()) + ": " + report.Safe(p.Message)
}

func (b *builder) document() document {
	doc := document{Name: program, Suites: b.suites}
	for _, s := range b.suites {
		s.Properties = s.totals.properties(b.report)
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+s.Tests, doc.Failures+s.Failures, doc.Errors+s.Errors
	}
	return doc
}
