package toolsearch

import (
	"strings"
	"testing"
)

// TestPromises has one catalog for each rule: what promises it makes, and what is left out.
func TestPromises(t *testing.T) {
	for _, test := range []struct {
		rule, catalog string
		want          string
		leftOut       LeftOut
	}{
		{"each sentence of a description", `{"name": "a", "description": "Close the ticket. It's moved to the archive\nof old ones."}`,
			"a: Close ticket | a: moved archive old ones", LeftOut{}},
		{"the title, first", `{"name": "a", "title": "Close a ticket", "description": "Ends the work on it."}`, "a: Close ticket | a: Ends work", LeftOut{}},
		{"lines of a list", `{"name": "a", "description": "Kinds:\n- closed tickets\n- open tickets"}`, "a: closed tickets | a: open tickets", LeftOut{Short: 1}},
		{"each word once", `{"name": "a", "description": "Tickets and TICKETS, closed."}`, "a: Tickets closed", LeftOut{}},
		{"one content word", `{"name": "a", "description": "Closes it."}`, "", LeftOut{Short: 1}},
		{"a repeated sentence", `{"name": "a", "title": "Close ticket", "description": "Close the ticket."}`, "a: Close ticket", LeftOut{}},
		{"several tools share a sentence", `{"name": "a", "description": "Close ticket."}, {"name": "b", "description": "The ticket: close. Open old ticket."}`,
			"b: Open old ticket", LeftOut{Shared: 2}},
		{"the name of another tool", `{"name": "get_it", "description": "Reads one ticket. Call list-them before this."}, {"name": "list-them", "description": "Lists open tickets for get_it."}`,
			"get_it: Reads one ticket", LeftOut{NamesOthers: 2}},
		{"its own name", `{"name": "get_it", "description": "get_it reads one ticket."}`, "get_it: get_it reads one ticket", LeftOut{}},
		{"a name that is a word counts in quotation marks", `{"name": "search", "description": "Finds old tickets."}, {"name": "b", "description": "Search open tickets. Like ` + "`search`" + ` for users."}`,
			"search: Finds old tickets | b: Search open tickets", LeftOut{NamesOthers: 1}},
		{"no ASCII letters", `{"name": "a", "description": "Закрыть старую задачу."}`, "", LeftOut{NoASCII: 1}},
		{"tools of apps", `{"name": "a", "description": "Close the ticket.", "_meta": {"ui": {"visibility": ["app"]}}}`, "", LeftOut{}},
	} {
		list, leftOut := Promises(read(t, "["+test.catalog+"]"), ClaudeCode)
		var got []string
		for _, p := range list {
			got = append(got, p.Tool.Name+": "+p.Query)
		}
		if got := strings.Join(got, " | "); got != test.want || leftOut != test.leftOut {
			t.Errorf("%s:\ngot  %s %+v\nwant %s %+v", test.rule, got, leftOut, test.want, test.leftOut)
		}
	}
}

// TestPromisesOfClients shows that a client that finds words in other letters keeps their sentences.
func TestPromisesOfClients(t *testing.T) {
	list, leftOut := Promises(read(t, `[{"name": "a", "description": "Закрыть старую задачу."}]`), Codex)
	if len(list) != 1 || leftOut.Total() != 0 {
		t.Errorf("got %v and %+v, want one promise", list, leftOut)
	}
}

// TestManySentences shows that a hostile description has only its first sentences.
func TestManySentences(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		text.WriteString("Close ticket A")
		text.WriteString(strings.Repeat("x", i%100))
		text.WriteString(". ")
	}
	list, leftOut := Promises(read(t, `[{"name": "a", "description": "`+text.String()+`"}]`), Codex)
	if len(list) != maxPromises || leftOut.Many != 1 {
		t.Errorf("got %d promises and %+v, want %d and 1 description that goes on", len(list), leftOut, maxPromises)
	}
}
