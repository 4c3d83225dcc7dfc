package tell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Style is the kind of text in a span, by which a medium writes and escapes it.
type Style int

// The styles.
const (
	Plain    Style = iota // words and figures of the program
	Strong                // words and figures of the program that stand out
	Name                  // a name, path or value from outside the program, as code
	Prose                 // words from outside the program
	Quote                 // words from outside the program, quoted
	Message               // a sentence of the program with names from outside between back-ticks
	Deleted               // removed words from outside the program
	Inserted              // added words from outside the program
	Place                 // Path, with Line and Col unless they are 0
)

// Span is a piece of a line.
type Span struct {
	Style Style
	Text  string
	Path  string // path of a Place; for other styles, the file that the text links to, or ""
	Line  int    // line in Path; 0 means the whole file
	Col   int
}

// Line is a sentence, or a part of one.
type Line []Span

// say joins strings, which must be words of the program, with spans and lines.
func say(parts ...any) Line {
	var line Line
	for _, part := range parts {
		switch p := part.(type) {
		case string:
			if p != "" {
				line = append(line, Span{Text: p})
			}
		case Span:
			line = append(line, p)
		case Line:
			line = append(line, p...)
		}
	}
	return line
}

func name(s string) Span    { return Span{Style: Name, Text: s} }
func prose(s string) Span   { return Span{Style: Prose, Text: s} }
func message(s string) Span { return Span{Style: Message, Text: s} }
func strong(s string) Span  { return Span{Style: Strong, Text: s} }

func linked(s, path string, line int) Span { return Span{Style: Name, Text: s, Path: path, Line: line} }

func place(path string, line int) Span { return Span{Style: Place, Path: path, Line: line} }

// advice returns a text of the program with commands between back-ticks as a line.
func advice(text string) Line {
	var line Line
	for i, part := range strings.Split(text, "`") {
		if i%2 == 0 {
			line = say(line, part)
		} else {
			line = say(line, name(part))
		}
	}
	return line
}

// Capital returns a line with a capital letter at the beginning, if it begins with words of the program.
func Capital(line Line) Line {
	if len(line) == 0 || line[0].Style != Plain {
		return line
	}
	line = slices.Clone(line)
	line[0].Text = strings.ToUpper(line[0].Text[:1]) + line[0].Text[1:]
	return line
}

// figure returns a printed figure with commas between thousands. Any other text, which only a saved report can hold, is a name.
func figure(s string) Span {
	if _, ok := report.Digits(s); !ok || s[0] == '$' {
		return name(s)
	}
	return Span{Text: report.Grouped(s)}
}

func count(n int) string { return report.Thousands(int64(n)) }

// Count returns a count with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// countOf returns "2 of 14 cases", or "1 case" if n is all.
func countOf(n, all int) string {
	if n == all {
		return Count(all, "case")
	}
	return count(n) + " of " + Count(all, "case")
}

func verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// listLine returns a line with the first entries of a list of n, and the number of the rest. most bounds the entries shown.
func listLine(n, most int, entry func(i int) any) Line {
	var line Line
	for i := range min(n, most) {
		if i > 0 {
			line = say(line, ", ")
		}
		line = say(line, entry(i))
	}
	if n > most {
		line = say(line, " and "+count(n-most)+" more")
	}
	return line
}

func names(list []string, most int) Line {
	return listLine(len(list), most, func(i int) any { return name(list[i]) })
}

func joinLines(lines []Line, separator string) Line {
	var line Line
	for i, one := range lines {
		if i > 0 {
			line = say(line, separator)
		}
		line = say(line, one)
	}
	return line
}

// sentence returns a sentence of package report or judge as a line. write gets the function with which the sentence writes texts from
// outside the program.
func sentence(write func(show func(string) string) string) Line {
	var spans spans
	return spans.line(write(func(s string) string { return spans.mark(say(name(s))) }))
}

// spans are the lines that marks in a text stand for.
type spans []Line

// mark returns the placeholder of a line. It contains a character that no text of the program has, and texts from outside are never
// searched for it.
func (l *spans) mark(line Line) string {
	*l = append(*l, line)
	return "\x00" + strconv.Itoa(len(*l)-1) + "\x00"
}

// line returns the text with the lines instead of their marks.
func (l *spans) line(text string) Line {
	var line Line
	for i, part := range strings.Split(text, "\x00") {
		if i%2 == 0 {
			line = say(line, part)
		} else if at, err := strconv.Atoi(part); err == nil {
			line = say(line, (*l)[at])
		}
	}
	return line
}

func (l *spans) words(subject func(*judge.Note) Line) judge.Words {
	one := func(s string) string { return l.mark(say(name(s))) }
	return judge.Words{
		Subject: func(n *judge.Note) string { return l.mark(subject(n)) },
		Name:    one,
		Quote:   func(s string) string { return l.mark(say(Span{Style: Quote, Text: s})) },
		List:    func(members []string) string { return l.mark(names(members, maxMembers)) },
		Runs:    report.Numbers,
	}
}

// maxMembers bounds the number of names in a short list, such as the tools that would have been right.
const maxMembers = 4

// Text returns the line for a terminal or a log, on one line.
func (l Line) Text() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Plain())
	}
	return b.String()
}

// Plain returns the span for a terminal: a deleted word as [-word-], an inserted word as {+word+}.
func (s Span) Plain() string {
	switch s.Style {
	case Plain, Strong:
		return s.Text
	case Place:
		return s.where()
	case Quote:
		return `"` + report.Safe(s.Text) + `"`
	case Deleted:
		return "[-" + report.Safe(s.Text) + "-]"
	case Inserted:
		return "{+" + report.Safe(s.Text) + "+}"
	}
	return report.Safe(s.Text)
}

// where returns PATH:LINE:COL, without unknown numbers.
func (s Span) where() string {
	text := report.Safe(s.Path)
	for _, n := range []int{s.Line, s.Col} {
		if n <= 0 {
			break
		}
		text += ":" + strconv.Itoa(n)
	}
	return text
}
