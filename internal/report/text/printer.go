package text

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// printer writes lines to a terminal or a log. It keeps the first error of a write until the end.
type printer struct {
	out        *bufio.Writer
	color, all bool
	hint       string // says how to see the entries that are left out
}

func newPrinter(w io.Writer, o Options) *printer {
	return &printer{bufio.NewWriterSize(w, 1<<15), o.Color, o.All, "--verbose lists all"}
}

// limit returns the number of entries to print, of n. most bounds it, unless all entries are asked for.
func (p *printer) limit(n, most int) int {
	if p.all {
		return n
	}
	return min(n, most)
}

func (p *printer) writeRest(indent string, left int, noun string) {
	if left <= 0 {
		return
	}
	what := strconv.Itoa(left) + " more"
	if noun != "" {
		what = judge.CountOf(left, "more "+noun)
	}
	p.line(indent, p.paint(dim, "and "+what+" ("+p.hint+")"))
}

// writeCut writes that a list has further entries that the report does not contain. noun is the word for an entry.
func (p *printer) writeCut(indent string, left int, noun string) {
	if left > 0 {
		p.line(indent, p.paint(dim, "and "+judge.CountOf(left, "more "+noun)+", which the report leaves out"))
	}
}

// writeList writes the title of a list and its first entries. It writes nothing for an empty list.
func (p *printer) writeList(title, noun string, n, most int, entry func(i int)) {
	if n == 0 {
		return
	}
	p.line()
	p.line(p.paint(bold, title))
	shown := p.limit(n, most)
	for i := range shown {
		entry(i)
	}
	p.writeRest("  ", n-shown, noun)
}

// line writes one line that consists of parts. Untrusted text in it must have gone through [report.Safe].
func (p *printer) line(parts ...string) {
	for _, part := range parts {
		p.out.WriteString(part) // the writer keeps errors until Flush
	}
	p.out.WriteByte('\n')
}

// style is the number of an ANSI display attribute.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	green  style = "1;32"
	yellow style = "1;33"
)

// paint returns text with an ANSI display attribute, or text itself if colours are off.
func (p *printer) paint(s style, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

func (p *printer) verdict(v judge.Verdict) string {
	s := yellow
	switch v {
	case judge.Pass:
		s = green
	case judge.Fail, judge.Error:
		s = red
	}
	return p.paint(s, report.Safe(strings.ToUpper(string(v))))
}

// place returns PATH:LINE:COL followed by a colon, without the numbers that are unknown; "" without a path.
func (p *printer) place(path string, numbers ...int) string {
	if path == "" {
		return ""
	}
	at := report.Safe(path)
	for _, n := range numbers {
		if n <= 0 {
			break
		}
		at += ":" + strconv.Itoa(n)
	}
	return p.paint(bold, at) + ": "
}

func (p *printer) writeProblem(indent string, pr report.Problem) {
	p.line(indent, p.place(pr.Path, pr.Line, pr.Col), report.Safe(pr.Message))
}
