package html

import (
	"html"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// markup is HTML. A string becomes markup only in escaped, and in conversions of numbers and of what [shown] has passed
// through it. Constants of the program are markup as they are. A text of others that is put into a page without being escaped
// does not compile.
type markup string

// maxName and maxText bound, in characters, how much of one name or one text the page shows.
const (
	maxName = 200
	maxText = 1000
)

// escaped returns a text that is not ours as HTML that shows it: control, invisible and direction-changing characters are
// spelled out as in [report.Safe], and no character of it is markup, in an element as in an attribute.
func escaped(s string) markup { return markup(html.EscapeString(report.Safe(s))) }

// name writes a name, a path or a value of others.
func name(s string) markup {
	if s == "" {
		return "<i>empty</i>"
	}
	return "<code>" + escaped(report.Cut(s, maxName)) + "</code>"
}

// words writes prose of others, such as the subject of a commit.
func words(s string) markup { return "<span class=name>" + escaped(report.Cut(s, maxName)) + "</span>" }

// message writes a message of the program's, in which names are between back-ticks.
func message(s string) markup {
	parts := strings.Split(report.Cut(s, maxText), "`")
	if len(parts)%2 == 0 {
		return escaped(strings.Join(parts, "`"))
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 0 || part == "" {
			b.WriteString(string(escaped(part)))
			continue
		}
		b.WriteString(string(name(part)))
	}
	return markup(b.String())
}

// shown returns a sentence of package report, which writes the texts of others in it by the function that it is given.
func shown(sentence func(show func(string) string) string) markup {
	return markup(sentence(func(s string) string { return string(name(s)) }))
}

// place writes PATH:LINE; nothing without a path.
func place(path string, line int) markup {
	if path == "" {
		return ""
	}
	at := escaped(report.Cut(path, maxName))
	if line > 0 {
		at += ":" + number(line)
	}
	return "<span class=at>" + at + "</span>"
}

// number writes a whole number without separators, as attributes and lines have it.
func number(n int) markup { return markup(strconv.Itoa(n)) }

// numbers writes lists of numbers, hashes and days of any length, for the script. Nothing else passes.
func numbers(s string) markup {
	return markup(strings.Map(func(r rune) rune {
		if r == ' ' || '+' <= r && r <= ':' || 'a' <= r && r <= 'f' {
			return r
		}
		return -1
	}, s))
}

// count writes a whole number with its thousands set apart.
func count(n int) markup { return markup(report.Thousands(int64(n))) }

// counted writes a count with its noun, which is a word of the program.
func counted(n int, noun markup) markup {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// figure writes the digits of a figure, with their thousands set apart; any other text, which only a saved report can hold,
// is a name.
func figure(digits report.Optional) markup {
	if digits == "" {
		return report.Absent
	}
	if _, ok := report.Digits(string(digits)); !ok {
		return name(string(digits))
	}
	return escaped(report.Grouped(string(digits)))
}

// join writes a list with a separator, and leaves out what is empty.
func join(separator markup, list ...markup) markup {
	var joined markup
	for _, one := range list {
		if joined != "" && one != "" {
			joined += separator
		}
		joined += one
	}
	return joined
}

// names writes a list of names, the first most of them.
func names(list []string, most int) markup {
	joined := make([]markup, min(len(list), most))
	for i := range joined {
		joined[i] = name(list[i])
	}
	text := join(", ", joined...)
	if left := len(list) - len(joined); left > 0 {
		text += " and " + count(left) + " more"
	}
	return text
}

// bullets writes a list with an item for each entry, the first most of them; nothing for an empty list.
func bullets(list []markup, most int) markup {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for _, item := range list[:min(len(list), most)] {
		b.WriteString("<li>" + string(item) + "\n")
	}
	if left := len(list) - most; left > 0 {
		b.WriteString("<li>and " + string(count(left)) + " more\n")
	}
	return "<ul>\n" + markup(b.String()) + "</ul>\n"
}
