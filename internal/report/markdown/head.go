package markdown

import (
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// marks maps the marks of items to the signs that are written.
var marks = map[tell.Mark]string{tell.Failed: "❌", tell.Breaks: "💥", tell.Critical: "🔴", tell.Warned: "⚠️", tell.Passed: "✅"}

func sign(v judge.Verdict) string { return marks[tell.MarkOf(v)] }

func (d *document) head(int) string {
	text := "### " + marks[d.Mark] + " " + d.line(d.Headline) + "\n"
	if d.Compared != nil {
		text += "\n" + d.line(d.Compared)
		if d.c != nil {
			text += d.summaryLink()
		}
		text += "\n"
	}
	for _, doubt := range d.Doubts[:min(len(d.Doubts), maxDoubts)] {
		text += "\n⚠️ " + withPeriod(d.line(tell.Capital(doubt))) + "\n"
	}
	return text + moreItems(len(d.Doubts)-maxDoubts, "things that could not be compared")
}

// maxDoubts bounds the number of lines about things that could not be compared, because these lines are above everything else.
const maxDoubts = 5

// summaryLink returns a sentence with a link to the job summary; "" if its address is unknown.
func (d *document) summaryLink() string {
	if url := d.options.SummaryURL; url != "" && safeURL(url) {
		return " Everything is in the [job summary](" + url + ")."
	}
	return ""
}

func verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

func count(n int) string { return report.Thousands(int64(n)) }

// percent returns a percentage as digits; – if there is none.
func percent(n *int) string {
	if n == nil {
		return report.Absent
	}
	return strconv.Itoa(*n)
}

func strong(s string) string { return "**" + s + "**" }

func placeAt(path string, line int) string {
	if line <= 0 {
		return path
	}
	return path + ":" + strconv.Itoa(line)
}

func (d *document) problems(list []report.Problem, most int, what string) string {
	var b strings.Builder
	shown := list[:min(len(list), most)]
	for _, p := range shown {
		b.WriteString("- ")
		if p.Path != "" {
			b.WriteString(d.place(p.Path, p.Line) + " ")
		}
		b.WriteString(message(p.Message) + "\n")
	}
	b.WriteString(moreItems(len(list)-len(shown), what))
	return b.String()
}
