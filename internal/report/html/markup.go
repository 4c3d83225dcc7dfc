package html

import (
	"html"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// markup is safe HTML. Constants of the program are markup as they are. Any other string becomes markup in only three ways: through
// [escaped], from a number, or from a sentence that [shown] has escaped. Other text does not compile as a part of the page.
type markup string

// maxName and maxText are the largest numbers of characters that the page shows of one name and of one text. Longer names and texts
// are cut.
const (
	maxName = 200
	maxText = 1000
)

// escaped returns an untrusted text as HTML, both for elements and for attributes. Control, invisible and direction-changing
// characters are spelled out as by [report.Safe].
func escaped(s string) markup { return markup(html.EscapeString(report.Safe(s))) }

// name returns an untrusted name, path or value, in the style of names.
func name(s string) markup {
	if s == "" {
		return "<i>empty</i>"
	}
	return "<code>" + escaped(report.Cut(s, maxName)) + "</code>"
}

// words returns untrusted prose, such as the subject of a commit.
func words(s string) markup { return "<span class=name>" + escaped(report.Cut(s, maxName)) + "</span>" }

// message returns a message of the program. Names in s are between backticks.
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

// shown returns a sentence of package report as HTML. sentence must pass each untrusted text in it through show.
func shown(sentence func(show func(string) string) string) markup {
	return markup(sentence(func(s string) string { return string(name(s)) }))
}

// place returns PATH:LINE; "" without a path.
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

// number returns a whole number without separators, for attributes and line numbers.
func number(n int) markup { return markup(strconv.Itoa(n)) }

// numbers returns the numbers, hashes and days of a text for the script. It leaves out all other characters.
func numbers(s string) markup {
	return markup(strings.Map(func(r rune) rune {
		if r == ' ' || '+' <= r && r <= ':' || 'a' <= r && r <= 'f' {
			return r
		}
		return -1
	}, s))
}

// count returns a whole number with commas between thousands.
func count(n int) markup { return markup(report.Thousands(int64(n))) }

// counted returns a number with its noun, in the plural unless the number is 1. The noun is a word of the program.
func counted(n int, noun markup) markup {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// figure returns the digits of a figure with commas between thousands. Any other text, which only a saved report can have, is
// written as a name.
func figure(digits report.Optional) markup {
	if digits == "" {
		return report.Absent
	}
	if _, ok := report.Digits(string(digits)); !ok {
		return name(string(digits))
	}
	return escaped(report.Grouped(string(digits)))
}

// join returns the parts of a list that are not empty, with a separator between them.
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

// names returns the first names of a list, and the number of the rest. most bounds the number of names.
func names(list []string, most int) markup {
	joined := lists.Map(list[:min(len(list), most)], name)
	text := join(", ", joined...)
	if left := len(list) - len(joined); left > 0 {
		text += " and " + count(left) + " more"
	}
	return text
}

// bullets returns the first entries as an HTML list, and the number of the rest; "" for an empty list. most bounds the number of
// entries.
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
