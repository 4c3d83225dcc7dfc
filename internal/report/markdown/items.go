package markdown

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report/tell"
)

// line returns a line as Markdown. Names are code, and links if they have an address. Other words from outside the program are text
// without markup.
func (d *document) line(line tell.Line) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(d.span(s))
	}
	return b.String()
}

func (d *document) span(s tell.Span) string {
	switch s.Style {
	case tell.Strong:
		return strong(s.Text)
	case tell.Name:
		return d.linked(code(s.Text), s.Path, s.Line)
	case tell.Quote:
		return code(s.Text)
	case tell.Prose:
		return prose(s.Text)
	case tell.Message:
		return message(s.Text)
	case tell.Deleted:
		return "<del>" + prose(s.Text) + "</del>"
	case tell.Inserted:
		return "<ins>" + prose(s.Text) + "</ins>"
	case tell.Place:
		return d.place(s.Path, s.Line)
	}
	return strings.ReplaceAll(s.Text, "<", "&lt;")
}

func (d *document) items(list []tell.Item) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(d.item(&list[i]))
	}
	return b.String()
}

// item returns an item. The facts of a case follow on the same line. The facts of any other item are a list below it.
func (d *document) item(item *tell.Item) string {
	mark := marks[item.Mark] + " "
	if item.Kind == tell.Remark && item.Do == nil {
		mark = "" // an item that is only shown has no mark
	}
	text := "- " + mark + d.lead(item) + d.line(tell.Capital(item.Text))
	most := d.medium.Limit(tell.Facts).All
	facts := lists.Map(item.Facts[:min(len(item.Facts), most)], func(f tell.Fact) string { return d.fact(item, &f) })
	left := len(item.Facts) - len(facts)
	isOneLine := item.Kind == tell.OfCase
	if isOneLine && len(facts) > 0 {
		text += ": " + strings.Join(facts, "; ")
	}
	text = withPeriod(text)
	if isOneLine && left > 0 {
		text += " And " + count(left) + " more."
	}
	if item.Aside != nil {
		text += " *" + d.line(item.Aside) + "*"
	}
	advice := ""
	if item.Do != nil && item.Shared == 1 {
		advice = strong("Do:") + " " + d.line(item.Do)
	}
	if isOneLine || len(facts) == 0 {
		return strings.TrimSuffix(text+" "+advice, " ") + "\n" + d.sharedAdvice(item)
	}
	text += "\n"
	for _, fact := range facts {
		text += "  - " + fact + "\n"
	}
	if left > 0 {
		text += "  - and " + count(left) + " more\n"
	}
	if advice != "" {
		text += "  - " + advice + "\n"
	}
	return text + d.sharedAdvice(item)
}

func (d *document) sharedAdvice(item *tell.Item) string {
	if item.Do == nil || item.Shared == 1 {
		return ""
	}
	return "- 👉 " + strong("Do, for these "+count(item.Shared)+":") + " " + d.line(item.Do) + "\n"
}

// withPeriod adds a period to a sentence that has no mark at its end.
func withPeriod(text string) string {
	for _, end := range []string{".", "&#46;", "&#63;", "&#33;"} {
		if strings.HasSuffix(text, end) {
			return text
		}
	}
	return text + "."
}

// lead returns the place of an item; "" if its text already has a place.
func (d *document) lead(item *tell.Item) string {
	if item.Path == "" || hasPlace(item.Text) {
		return ""
	}
	return d.place(item.Path, item.Line) + ": "
}

func hasPlace(line tell.Line) bool {
	return slices.ContainsFunc(line, func(s tell.Span) bool { return s.Path != "" })
}

// fact returns a fact. Its place follows if the fact is in another file than the item, or is a mistake.
func (d *document) fact(item *tell.Item, fact *tell.Fact) string {
	isInSameFile := fact.Path == item.Path && fact.Col == 0 // only mistakes have a column
	isCase := fact.Case >= 0
	if fact.Path == "" || isInSameFile || isCase || hasPlace(fact.Text) {
		return d.line(fact.Text)
	}
	return d.line(fact.Text) + " (" + d.place(fact.Path, fact.Line) + ")"
}

func (d *document) section(title string, section tell.Section, list []tell.Item, most int, nouns string) string {
	if len(list) == 0 || most == 0 {
		return ""
	}
	shown := list[:min(len(list), most)]
	open := shown[:min(len(shown), d.medium.Limit(section).Open)]
	text := title + "\n\n" + d.items(open)
	if rest := shown[len(open):]; len(rest) > 0 {
		text += "\n" + fold(count(len(rest))+" more", d.items(rest))
	}
	return text + moreItems(len(list)-len(shown), nouns)
}
