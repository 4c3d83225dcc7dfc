package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// The tools of a ticket desk, as its recordings have them.
const (
	deskSearch = `{"name": "search", "description": "Search tickets by words and return the ten best with their numbers.", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}`
	deskGet    = `{"name": "get_ticket", "description": "Read one ticket by its number, with all comments.", "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}}}`
	deskClose  = `{"name": "close_ticket", "description": "Close a ticket that needs no more work.", "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}}}`
)

const deskSuite = `servers: {desk: {catalog: desk.json}}
agents:
  - name: finds a ticket
    server: desk
    cassette: c.json
    equal_function_sets:
      classes: [{name: find, members: [desk.search, desk.get_ticket]}]
  - name: other
    server: desk
    cassette: other.json
    equal_function_sets: {classes: [{name: any, members: [get_ticket]}]}
`

// desk returns the files of a suite with today's tools and a recording with its own; without recorded tools the recording
// keeps no catalog.
func desk(today string, recorded ...string) map[string]string {
	head := ""
	if len(recorded) > 0 {
		head = fmt.Sprintf(`"catalog": {"desk": {"tools": [%s]}}, `, strings.Join(recorded, ","))
	}
	return map[string]string{
		"mcp-gates.yml": deskSuite,
		"desk.json":     `{"tools": [` + today + `]}`,
		"c.json":        `{` + head + `"runs": [{"tool_calls": [{"name": "search", "server": "desk"}]}]}`,
		"other.json":    `{` + head + `"runs": [{"tool_calls": [{"name": "get_ticket", "server": "desk"}]}]}`,
	}
}

// stateOf writes the freshness of a case in one line.
func stateOf(c report.Case) string {
	if c.Freshness == nil {
		return "none"
	}
	text := strings.TrimSpace(string(c.Freshness.State) + " " + string(c.Freshness.Since))
	for _, t := range c.Freshness.Tools {
		text += strings.TrimRight(fmt.Sprintf("; %s %s.%s %s", t.Change, t.Server, t.Name, t.Now+t.Like), " ")
	}
	return text
}

func TestStates(t *testing.T) {
	tools := func(list ...string) string { return strings.Join(list, ",") }
	edited := func(tool, old, new string) string { return strings.Replace(tool, old, new, 1) }
	all := []string{deskSearch, deskGet, deskClose}
	renamed := edited(deskSearch, `"search"`, `"find_tickets"`)
	for _, test := range []struct {
		name, today string
		recorded    []string
		want        string // of the first case
	}{
		{"nothing differs", tools(all...), all, "fresh"},
		{"white space and order", tools(deskClose, edited(deskSearch, `{"type": "object"`, `{  "type":"object"`), deskGet), all, "fresh"},
		{"annotations, which no agent reads", tools(edited(deskSearch, `"inputSchema"`, `"annotations": {"readOnlyHint": true}, "inputSchema"`), deskGet, deskClose), all, "fresh"},
		{"another tool is vaguer", tools(deskSearch, deskGet, edited(deskClose, "Close a ticket that needs no more work.", "Close it.")), all, "touched; changed desk.close_ticket"},
		{"another tool is gone", tools(deskSearch, deskGet), all, "touched; removed desk.close_ticket"},
		{"the called tool is vaguer", tools(edited(deskSearch, "by words and return the ten best with their numbers", ""), deskGet, deskClose), all, "affected; changed desk.search"},
		{"a named tool takes another argument", tools(deskSearch, edited(deskGet, `}}}`, `}}, "required": ["id"]}`), deskClose), all, "affected; changed desk.get_ticket"},
		{"a member is gone and another lives", tools(deskSearch, deskClose), all, "affected; removed desk.get_ticket"},
		{"a look-alike", tools(deskSearch, deskGet, deskClose, edited(deskSearch, `"search"`, `"query"`)), all, "affected; added desk.query search"},
		{"a distant relation", tools(deskSearch, deskGet, deskClose, `{"name": "export", "description": "Write all orders to a file."}`), all, "touched; added desk.export"},
		{"the called tool is renamed", tools(renamed, deskGet, deskClose), all, "broken; renamed desk.search find_tickets"},
		{"the called tool is gone", tools(deskGet, deskClose), all, "broken; removed desk.search"},
		{"no catalog in the recording", tools(all...), nil, "unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := run(t, filesOf(desk(test.today, test.recorded...)), Options{})
			if len(r.Cases) == 0 {
				t.Fatalf("no case: %v", r.Problems)
			}
			if got := stateOf(r.Cases[0]); got != test.want {
				t.Errorf("state %q, want %q", got, test.want)
			}
		})
	}
}

// TestStatesBesideABase holds that the base's snapshots stand in for a recording without a catalog, and that a difference
// which the base has is not this change's.
func TestStatesBesideABase(t *testing.T) {
	all := deskSearch + "," + deskGet + "," + deskClose
	vague := strings.Replace(all, "by words and return the ten best with their numbers", "", 1)
	without := deskGet + "," + deskClose
	recorded := []string{deskSearch, deskGet, deskClose}
	for _, test := range []struct {
		name       string
		base, head map[string]string
		want       string
	}{
		{"nothing differs", desk(all, recorded...), desk(all, recorded...), "fresh"},
		{"this change", desk(all, recorded...), desk(vague, recorded...), "affected change; changed desk.search"},
		{"the base", desk(vague, recorded...), desk(vague, recorded...), "affected base; changed desk.search"},
		{"broken by this change", desk(all, recorded...), desk(without, recorded...), "broken change; removed desk.search"},
		{"broken in the base", desk(without, recorded...), desk(without, recorded...), "broken base; removed desk.search"},
		{"no catalog, the base's cassette", desk(all), desk(vague), "affected change; changed desk.search"},
		{"no catalog, broken", desk(all), desk(without), "broken change; removed desk.search"},
		{"no catalog, which proves nothing fresh", desk(all), desk(all), "unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := Options{Digests: true}
			_, o.BaseSuites = RunBase(context.Background(), filesOf(test.base), o)
			r := Run(context.Background(), filesOf(test.head), o)
			if len(r.Cases) == 0 {
				t.Fatalf("no case: %v", r.Problems)
			}
			if got := stateOf(r.Cases[0]); got != test.want {
				t.Errorf("state %q, want %q", got, test.want)
			}
		})
	}
}
