package junit

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
)

// printer writes elements. The encoder of package xml, which would write them by reflection, is 53 kB of the program.
type printer struct{ bytes.Buffer }

// print returns the document as XML.
func (d document) print() *printer {
	p := new(printer)
	p.WriteString(strings.TrimSpace(xml.Header))
	p.start(0, "testsuites", append([]property{{"name", program}}, d.tally.attributes()...)...)
	for _, s := range d.suites {
		p.suite(s)
	}
	p.end(0, "testsuites")
	p.WriteByte('\n')
	return p
}

func (t tally) attributes() []property {
	return []property{
		{"tests", strconv.Itoa(t.tests)}, {"failures", strconv.Itoa(t.failures)}, {"errors", strconv.Itoa(t.errors)},
	}
}

func (p *printer) suite(s *suite) {
	attributes := append([]property{{"name", s.name}}, s.tally.attributes()...)
	p.start(1, "testsuite", append(attributes, property{"skipped", strconv.Itoa(s.skipped)})...)
	p.start(2, "properties")
	for _, of := range s.properties {
		p.leaf("property", "", property{"name", of.name}, property{"value", of.value})
	}
	p.end(2, "properties")
	for i := range s.cases {
		p.testCase(&s.cases[i])
	}
	p.end(1, "testsuite")
}

func (p *printer) testCase(c *testCase) {
	p.start(2, "testcase", property{"name", c.name}, property{"classname", c.class})
	if c.skipped != "" {
		p.leaf("skipped", c.skipped)
	}
	p.reason("error", c.error)
	p.reason("failure", c.failure)
	if c.figures != "" {
		p.leaf("system-out", c.figures)
	}
	p.end(2, "testcase")
}

// reason writes a reason unless it is nil.
func (p *printer) reason(element string, r *reason) {
	if r != nil {
		p.leaf(element, r.text, property{"type", r.kind}, property{"message", r.message})
	}
}

// leaf writes an element that holds a text alone; such elements are at depth 3.
func (p *printer) leaf(element, text string, attributes ...property) {
	p.start(3, element, attributes...)
	p.text(text)
	p.WriteString("</" + element + ">")
}

func (p *printer) start(depth int, element string, attributes ...property) {
	p.line(depth, "<"+element)
	for _, a := range attributes {
		p.WriteString(" " + a.name + `="`)
		p.text(a.value)
		p.WriteByte('"')
	}
	p.WriteByte('>')
}

func (p *printer) end(depth int, element string) { p.line(depth, "</"+element+">") }

// line writes markup on a line of its own.
func (p *printer) line(depth int, markup string) {
	p.WriteString("\n" + strings.Repeat("  ", depth) + markup)
}

// text writes a text, escaped, with U+FFFD for what XML 1.0 does not allow.
func (p *printer) text(s string) {
	_ = xml.EscapeText(p, []byte(s)) // a buffer never fails
}
