package report

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// agent returns who answered, as a terminal may show it: the model, and what it is where it is none; "" when neither is
// known.
func (c *Case) agent() string {
	said := []string{Safe(string(c.Model)), Safe(string(c.ModelNote))}
	return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), ", ")
}

// noted is something that is said of several cases.
type noted struct {
	note  string
	cases int
}

// mostNotes bounds them; the program has fewer, a saved report can hold anything.
const mostNotes = 4

// notes counts the cases of which note says the same, in the order in which that is first said.
func (r *Report) notes(note func(*Case) Optional) []noted {
	var list []noted
	for i := range r.Cases {
		said := string(note(&r.Cases[i]))
		if said == "" {
			continue
		}
		at := slices.IndexFunc(list, func(n noted) bool { return n.note == said })
		if at < 0 {
			if len(list) == mostNotes {
				continue
			}
			at = len(list)
			list = append(list, noted{note: said})
		}
		list[at].cases++
	}
	return list
}

func modelNote(c *Case) Optional { return c.ModelNote }

// modelNoteOfGood returns the note of a case that is all right.
func modelNoteOfGood(c *Case) Optional {
	if c.Verdict != judge.Pass && c.Verdict != judge.Skipped {
		return ""
	}
	return c.ModelNote
}

// tokenNote returns what the tokens of a case are, where there are some.
func tokenNote(c *Case) Optional {
	if c.Tokens == nil {
		return ""
	}
	return c.TokenNote
}

// agentNotes says once for all cases what no model has done; note returns it of one case.
func (t *text) agentNotes(note func(*Case) Optional) {
	for _, n := range t.r.notes(note) {
		t.p.line("the agent of ", count(n.cases, "case"), " is ", Safe(n.note))
	}
}

// tokenNotes says once for all cases what tokens are that no provider has counted.
func (t *text) tokenNotes() {
	for _, n := range t.r.notes(tokenNote) {
		t.p.line("the tokens of ", count(n.cases, "case"), " are ", Safe(n.note))
	}
}

// agents says below the verdict which figures are of no model, and which tokens no provider has counted.
func (d *document) agents() string {
	var said []string
	for _, n := range d.r.notes(modelNote) {
		said = append(said, "The agent of "+of(n.cases, len(d.r.Cases))+" is "+words(n.note)+".")
	}
	for _, n := range d.r.notes(tokenNote) {
		said = append(said, "The tokens of "+of(n.cases, len(d.r.Cases))+" are "+words(n.note)+".")
	}
	if len(said) == 0 {
		return ""
	}
	return "\n" + strings.Join(said, " ") + "\n"
}

// heading returns the name of a case, its model, and what that is where it is none.
func (d *document) heading(c *Case) string {
	if c.ModelNote == "" {
		return d.nameAndModel(c)
	}
	return d.nameAndModel(c) + " (" + words(string(c.ModelNote)) + ")"
}

// words returns a note as it is when it is one of the program's own; a saved report can hold any text.
func words(note string) string {
	for _, model := range []string{trace.ModelLexical, trace.ModelScript} {
		if note == trace.ModelNote(model) || note == trace.TokenNote(model) {
			return note
		}
	}
	return code(note)
}
