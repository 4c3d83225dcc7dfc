package html

import (
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// maxOpen is the number of details that are open at first: of cases, or of the subjects of a history.
const maxOpen = 8

// maxReasons bounds the number of entries in each list of one case: reasons, expectations and other figures.
const maxReasons = 100

func (d *document) line(line tell.Line) markup {
	var text markup
	for _, s := range line {
		text += span(s)
	}
	return text
}

func span(s tell.Span) markup {
	switch s.Style {
	case tell.Strong:
		return "<strong>" + escaped(s.Text) + "</strong>"
	case tell.Name, tell.Quote:
		return name(s.Text)
	case tell.Message:
		return message(s.Text)
	case tell.Deleted:
		return "<del>" + escaped(report.Cut(s.Text, maxText)) + "</del>"
	case tell.Inserted:
		return "<ins>" + escaped(report.Cut(s.Text, maxText)) + "</ins>"
	case tell.Place:
		return place(s.Path, s.Line)
	}
	return escaped(report.Cut(s.Text, maxText))
}

// whatWentWrong returns the section on what went wrong: first the advice, then the details of the cases that do not pass or got
// worse.
func (d *document) whatWentWrong() markup {
	return d.items(tell.WhatWentWrong, d.Wrong) + d.cards(d.wrongCases(), maxOpen)
}

func (d *document) items(section tell.Section, list []tell.Item) markup {
	shown := lists.Map(list, func(item tell.Item) markup { return d.item(&item) })
	return bullets(shown, tell.Page.Limit(section).Open)
}

// item returns an item. It leaves out the facts of a case, which are in the case's details.
func (d *document) item(item *tell.Item) markup {
	if item.Kind == tell.OfCase {
		return chip(d.r.Cases[item.Case].Verdict) + " " + caseLink(item.Case, &d.r.Cases[item.Case]) + " " + escaped(d.Since(item.Case)) + d.advice(item)
	}
	mark := markup("")
	if item.Kind != tell.Remark {
		mark = "<b class=mark>" + markup(item.Kind) + "</b> "
	}
	facts := lists.Map(item.Facts, func(f tell.Fact) markup { return d.fact(&f) })
	return mark + join(" ", itemPlace(item), d.line(tell.Capital(item.Text))) + bullets(facts, tell.Page.Limit(tell.Facts).Open) + d.advice(item)
}

func (d *document) advice(item *tell.Item) markup {
	if item.Do == nil {
		return ""
	}
	lead := markup("Do:")
	if item.Shared > 1 {
		lead = "Do, for these " + count(item.Shared) + ":"
	}
	return "<p class=do><strong>" + lead + "</strong> " + d.line(item.Do) + "\n"
}

func itemPlace(item *tell.Item) markup {
	return problemPlace(report.Problem{Path: item.Path, Line: item.Line, Col: item.Col})
}

func (d *document) fact(f *tell.Fact) markup {
	text := join(" ", place(f.Path, f.Line), d.line(f.Text))
	if f.Case >= 0 {
		text += " (<a href=#c" + number(f.Case+1) + ">details</a>)"
	}
	return text
}

// wrongCases returns the indexes of the cases that do not pass or got worse, in the order of the items.
func (d *document) wrongCases() []int {
	var list []int
	for _, item := range d.Wrong {
		if item.Case >= 0 {
			list = append(list, item.Case)
		}
		for _, f := range item.Facts {
			if f.Case >= 0 {
				list = append(list, f.Case)
			}
		}
	}
	return list
}

func problemPlace(p report.Problem) markup {
	if p.Path == "" || p.Line <= 0 || p.Col <= 0 {
		return place(p.Path, p.Line)
	}
	return "<span class=at>" + escaped(report.Cut(p.Path, maxName)) + ":" + number(p.Line) + ":" + number(p.Col) + "</span>"
}

func (d *document) reasons(i int) []markup {
	facts := d.Facts(i)
	list := make([]markup, len(facts))
	for at := range facts {
		list[at] = d.fact(&facts[at])
		if f := &facts[at]; len(f.Floor) > 1 {
			list[at] += bulletsOfRuns(f.Floor[1:])
		}
	}
	return list
}

func bulletsOfRuns(lines []string) markup {
	const most = 10
	return bullets(lists.Map(lines, message), most)
}
