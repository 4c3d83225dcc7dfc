package live

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// searched returns the search over two tools, one of which has the name of the search tool, and the tools in front of the model.
func searched() (*searching, []model.Tool, map[string]*catalog.Tool) {
	seen := &catalog.Catalog{Tools: []*catalog.Tool{
		{Server: "s", Name: "tool_search", Description: "Looks up tools in the shed."},
		{Server: "s", Name: "echo", Description: "Repeats a text."},
	}}
	tools, byName := nameTools(seen)
	s, offered := newSearching(&suite.Deferred{Client: toolsearch.Codex, Limit: 8}, seen, tools, byName)
	return s, offered, byName
}

func toolNames(tools []model.Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

// TestSearchingOffers pins from when on a tool is in front of the model, through a conversation with a provider.
func TestSearchingOffers(t *testing.T) {
	search, offered, byName := searched()
	if got := toolNames(offered); got != "tool_search_2" {
		t.Fatalf("offered at first: %s", got)
	}
	find := model.Call{Name: "tool_search_2", Args: `{"query":"repeats a text"}`}
	use := model.Call{Name: "echo", Args: `{}`}
	asked := &replies{list: []model.Reply{
		{Calls: []model.Call{find, use}, Stop: model.StopToolUse},
		{Calls: []model.Call{find, use}, Stop: model.StopToolUse},
		{Text: "Done.", Stop: model.StopEndTurn},
	}}
	c := &conversation{plan: planFor(asked, trace.Known(100)), search: search, byName: byName, request: model.Request{
		Messages: []model.Message{{Role: model.RoleUser, Text: "hello"}}, Tools: offered,
	}}
	talkWith(t, c)
	var got []string
	for _, req := range asked.asked {
		got = append(got, toolNames(req.Tools))
	}
	if want := []string{"tool_search_2", "tool_search_2 echo", "tool_search_2 echo"}; !slices.Equal(got, want) {
		t.Errorf("offered: got %q, want %q", got, want)
	}
	want := []string{
		`builtin.tool_search | {"query":"repeats a text"} | ok | These tools were found and can be called now: echo`,
		`s.echo |  | failed | the tool "echo" has not been found yet, search for it first`,
		`builtin.tool_search | {"query":"repeats a text"} | ok | These tools were found and can be called now: echo`,
		`s.echo |  | ok | echo{}`,
		"end_turn", "",
	}
	if got := summary(c.run); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if made := c.run.Calls[0].Search(); made == nil || made.Query != "repeats a text" || !slices.Equal(made.Tools, []catalog.Ref{{Server: "s", Name: "echo"}}) {
		t.Errorf("the search is recorded as %+v", made)
	}
}

// TestSearchingRefuses pins arguments that are no search, and that they are recorded as none.
func TestSearchingRefuses(t *testing.T) {
	for args, want := range map[string]string{
		`{}`: `the argument "query" must be a text`, `{"query":" "}`: `the argument "query" must be a text`, `{"query":7}`: `the argument "query" must be a text`,
		`{"Query":"echo"}`: `the argument "query" must be a text`,
		`{"query":"` + strings.Repeat("x", trace.MaxQuery+1) + `"}`: `the argument "query" is 65537 bytes long, at most 65536`,
	} {
		search, _, _ := searched()
		if got := search.runSearch([]byte(args)); !got.IsError || got.search != nil || !strings.HasPrefix(got.Text, want) {
			t.Errorf("%.40s: got %q, want %q", args, got.Text, want)
		}
	}
	search, _, _ := searched()
	if got := search.runSearch([]byte(`{"query":"zzz"}`)); got.IsError || got.search == nil || got.search.Tools == nil || len(got.search.Tools) > 0 {
		t.Errorf("a search that finds nothing: got %+v", got)
	}
}
