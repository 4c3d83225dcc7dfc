package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// Agent returns the model, and the note on an agent that is not a model, safe for a terminal; "" if neither is known.
func (c *Case) Agent() string {
	said := []string{Safe(string(c.Model)), Safe(string(c.ModelNote))}
	return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), ", ")
}

// Noted is a note on several cases.
type Noted struct {
	Note  string
	Cases int
}

// maxNotes bounds the number of different notes, because a saved report can hold any number of them.
const maxNotes = 4

// Notes counts the cases that have the same note, in the order in which each note first occurs.
func (r *Report) Notes(note func(*Case) Optional) (list []Noted) {
	for i := range r.Cases {
		said := string(note(&r.Cases[i]))
		if said == "" {
			continue
		}
		at := slices.IndexFunc(list, func(n Noted) bool { return n.Note == said })
		if at < 0 {
			if len(list) == maxNotes {
				continue
			}
			at = len(list)
			list = append(list, Noted{Note: said})
		}
		list[at].Cases++
	}
	return list
}

// ModelNote returns the note on an agent that is not a model.
func ModelNote(c *Case) Optional { return c.ModelNote }

// TokenNote returns the note on the tokens of a case; "" for a case without tokens.
func TokenNote(c *Case) Optional {
	if c.Tokens == nil {
		return ""
	}
	return c.TokenNote
}

// OwnTools adds up the calls of agents to their own tools, which no gate sees, most calls first. cases is the number of cases
// with such calls.
func (r *Report) OwnTools() (tools []BuiltinCalls, cases int) {
	at := map[string]int{}
	for i := range r.Cases {
		if len(r.Cases[i].Builtins) > 0 {
			cases++
		}
		for _, one := range r.Cases[i].Builtins {
			sum := lists.ElementFor(&tools, at, one.Tool, BuiltinCalls{Tool: one.Tool})
			sum.Calls, sum.Runs = sum.Calls+one.Calls, sum.Runs+one.Runs
		}
	}
	lists.SortStable(tools, func(a, b *BuiltinCalls) int { return b.Calls - a.Calls })
	return tools, cases
}

// CallsOf returns the number of calls of all tools, and a text that lists the first tools with their calls. name writes the
// name of a tool.
func CallsOf(tools []BuiltinCalls, name func(string) string) (calls int, list string) {
	var names []string
	for _, one := range tools {
		calls += one.Calls
		names = append(names, fmt.Sprintf("%s %d", name(one.Tool), one.Calls))
	}
	return calls, lists.FirstFive(names)
}
