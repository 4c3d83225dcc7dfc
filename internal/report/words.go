package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/redact"
)

// Numbers returns a text with the numbers of runs, such as "runs 1 to 4, 7, and 3 more". more is the number of further runs, which
// are not in the list. The text is cut after a few ranges.
func Numbers(runs []int, more int) string {
	const most = 8
	var spans []string
	for first := 0; first < len(runs); {
		last := first
		for last+1 < len(runs) && runs[last+1] == runs[last]+1 {
			last++
		}
		if len(spans) == most {
			spans = append(spans, "…")
			break
		}
		spans = append(spans, rangeText(runs[first], runs[last]))
		first = last + 1
	}
	noun := "runs "
	if len(runs)+more == 1 {
		noun = "run "
	}
	switch {
	case more > 0 && len(runs) == 0:
		return judge.CountOf(more, "run")
	case more > 0:
		spans = append(spans, fmt.Sprintf("and %d more", more))
	}
	return noun + strings.Join(spans, ", ")
}

func rangeText(first, last int) string {
	switch last {
	case first:
		return strconv.Itoa(first)
	case first + 1:
		return strconv.Itoa(first) + ", " + strconv.Itoa(last)
	}
	return strconv.Itoa(first) + " to " + strconv.Itoa(last)
}

// Cut returns s cut to most characters, with a mark if something was cut off.
func Cut(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// ActualText returns the figure or value of an assertion, cut to a readable length. It leaves out texts that look like secrets,
// because recordings that were made by hand are not redacted.
func ActualText(value any) string {
	const most = 200
	switch v := value.(type) {
	case nil:
		return "absent"
	case judge.Value:
		return v.Format()
	}
	raw, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return "a value that cannot be shown"
	}
	var shapes *redact.Rules
	return Cut(string(shapes.File().JSON(raw)), most)
}

// Said returns the outcome of an assertion as one sentence: its message, or the actual and the expected value.
func Said(a *judge.Assertion) string {
	if a.Message != "" {
		return a.Message
	}
	return fmt.Sprintf("%s is %s, expected %s", a.Target, ActualText(a.Actual), a.Matcher)
}

// ToolID returns SERVER.NAME, or NAME without a server.
func ToolID(server, name string) string {
	switch {
	case server == "":
		return name
	case name == "":
		return server
	}
	return server + "." + name
}

// SettingName returns the name of a setting for readers. For an expectation, this is its target.
func SettingName(key string) string {
	if _, target, ok := strings.Cut(key, ".expect."); ok && !strings.Contains(key, `["`) {
		return target
	}
	return strings.TrimPrefix(key, "expect.")
}

// Absent stands for an absent figure in tables.
const Absent = "–"

// Thousands returns a whole number with commas: 9,404.
func Thousands(n int64) string { return Grouped(strconv.FormatInt(n, 10)) }

// Grouped returns a formatted figure with commas between thousands.
func Grouped(figure string) string {
	digits := strings.TrimPrefix(figure, "-")
	first := len(figure) - len(digits)
	end := len(figure) - len(strings.TrimLeft(digits, "0123456789"))
	for i := end - 3; i > first; i -= 3 {
		figure = figure[:i] + "," + figure[i:]
	}
	return figure
}
