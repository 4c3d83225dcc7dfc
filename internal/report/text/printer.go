package text

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// printer writes lines to a terminal or a log. Write errors are kept until the end.
type printer struct {
	out   *bufio.Writer
	color bool
}

func newPrinter(w io.Writer, color bool) *printer {
	return &printer{bufio.NewWriterSize(w, 1<<15), color}
}

// line writes one line made of parts. What is not the program's own text must have gone through Safe.
func (p *printer) line(parts ...string) {
	for _, part := range parts {
		p.out.WriteString(part) // errors stay in the writer until Flush
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

// paint wraps text in an ANSI display attribute where colours are on.
func (p *printer) paint(s style, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// verdict returns the verdict in capitals and its colour.
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

// place returns where something stands, as PATH:LINE and a colon, or nothing when there is no path.
func (p *printer) place(path string, line int) string {
	if path == "" {
		return ""
	}
	at := report.Safe(path)
	if line > 0 {
		at += ":" + strconv.Itoa(line)
	}
	return p.paint(bold, at) + ": "
}

// problem writes a mistake or a warning at its place.
func (p *printer) problem(indent string, pr report.Problem) {
	path := pr.Path
	if path == "" {
		p.line(indent, report.Safe(pr.Message))
		return
	}
	at := report.Safe(path)
	if pr.Line > 0 {
		at += ":" + strconv.Itoa(pr.Line)
		if pr.Col > 0 {
			at += ":" + strconv.Itoa(pr.Col)
		}
	}
	p.line(indent, p.paint(bold, at), ": ", report.Safe(pr.Message))
}
