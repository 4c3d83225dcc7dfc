package history

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkCases evaluates 1,000 commits of a suite of 30 cases, of which each is recorded again once.
func BenchmarkCases(b *testing.B) {
	benchmark(b, casesHistory(b), Options{Suites: true, Jobs: 2}, 31)
}

// BenchmarkTools evaluates 155 commits of a catalog of 117 tools, one tool a file, of which each commit changes one or adds one.
func BenchmarkTools(b *testing.B) {
	benchmark(b, toolsHistory(b), Options{Catalogs: []NamedCatalog{{Path: "tools"}}, Jobs: 2}, 155)
}

func benchmark(b *testing.B, r *repo, o Options, want int) {
	_, objects, head := r.open()
	o.Head = head
	for b.Loop() {
		h, err := Read(context.Background(), objects, o)
		if err != nil || len(h.Points) != want {
			b.Fatalf("%v, %d commits, want %d: %+v", err, len(h.Points), want, h.Points[0].Problems)
		}
	}
}

// casesHistory is a history of a suite whose cases are recorded again, and of files that nothing reads.
func casesHistory(b testing.TB) *repo {
	recordings := examples(b, "quickstart/cassettes/mcp-gates")
	whole := recordings["quickstart/cassettes/mcp-gates/finds-the-open-ticket.json"]
	files := map[string]string{"catalogs/tickets.json": examples(b, "quickstart/catalogs")["quickstart/catalogs/tickets.json"]}
	var suite strings.Builder
	suite.WriteString("servers: {tickets: {catalog: catalogs/tickets.json}}\ndefaults: {model: claude-sonnet-4-5, servers: [tickets]}\nagents:\n")
	for i := range 30 {
		fmt.Fprintf(&suite, "  - name: case %d\n    prompt: Find the open ticket\n    cassette: cassettes/%d.json\n    tool_selection: {expected_tool: tickets.search_tickets, min_selection_rate: 0.8}\n", i, i)
		files[fmt.Sprintf("cassettes/%d.json", i)] = whole
	}
	files["mcp-gates.yml"] = suite.String()
	r := newRepo(b).commit("begin", files)
	for i := range 999 {
		change := map[string]string{fmt.Sprintf("src/%d/%d.go", i%10, i%100): fmt.Sprint(i)}
		if i%33 == 0 && i/33 < 30 {
			change = map[string]string{fmt.Sprintf("cassettes/%d.json", i/33): strings.Replace(whole, `"output": 52`, fmt.Sprintf(`"output": %d`, i), 1)}
		}
		r.commit("change", change)
	}
	return r
}

func toolsHistory(b testing.TB) *repo {
	tool := func(i, version int) string {
		return fmt.Sprintf(`{"name":"tool_%d","description":"Gets the item number %d of the list of items. Returns its name, its owner and the time of version %d.","inputSchema":{"type":"object","properties":{"owner":{"type":"string","description":"Owner of the repository"},"number":{"type":"integer","minimum":1,"description":"Number of the item"}},"required":["owner"]}}`, i, i, version)
	}
	files := map[string]string{}
	name := func(i int) string { return fmt.Sprintf("tools/tool_%d.json", i) }
	for i := range 49 {
		files[name(i)] = tool(i, 0)
	}
	r := newRepo(b).commit("begin", files)
	for i := range 154 {
		at := 49 + i
		if at >= 117 {
			at %= 117
		}
		r.commit("change", map[string]string{name(at): tool(at, i+1)})
	}
	return r
}
