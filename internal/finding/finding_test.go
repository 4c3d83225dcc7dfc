package finding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/toolsearch"
)

// desk returns the tools of a server: lines of a name, what is said of it, and fields of its _meta in JSON.
func desk(t testing.TB, lines ...string) *catalog.Catalog {
	t.Helper()
	var tools []string
	for _, line := range lines {
		parts := strings.Split(line+"||", "|")
		meta := ""
		if parts[2] != "" {
			meta = `, "_meta": ` + parts[2]
		}
		tools = append(tools, fmt.Sprintf(`{"name": %q, "description": %q, "inputSchema": {"type": "object"}%s}`, parts[0], parts[1], meta))
	}
	c, errs := catalog.Read("desk.json", []byte(`{"tools": [`+strings.Join(tools, ",")+`]}`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return c.Named("desk")
}

const (
	closing = "t_close|Close the ticket once the customer agrees."
	listing = "t_list|List all open cases of one person."
	moving  = "t_move|Hand work over to a colleague on duty."
	vague   = "t_close|Useful for many things."
	eager   = `|{"anthropic/alwaysLoad": true}`
)

// TestMeasure pins the ranks of each intent, as TOOL WAS>RANK, and what else is counted.
func TestMeasure(t *testing.T) {
	tests := []struct {
		name      string
		base, now []string // no base where it is nil
		intents   []bench.Intent
		client    *toolsearch.Client
		limit     int
		want      string
	}{
		{"own sentences", nil, []string{closing, listing}, nil, toolsearch.Codex, 0, "t_close 0>1 found, t_list 0>1 found"},
		{"sentences of the base", []string{closing, listing}, []string{vague, listing}, nil, toolsearch.Codex, 0, "t_close 1>3 lost, t_list 1>1 found"},
		{"a renamed tool", []string{closing, listing}, []string{strings.Replace(closing, "t_close|", "t_finish|", 1), listing}, nil, toolsearch.Codex, 0, "t_finish 1>1 found, t_list 1>1 found"},
		{"an added tool", []string{closing}, []string{closing, moving}, nil, toolsearch.Codex, 0, "t_close 1>1 found, t_move 0>1 found"},
		{"a removed tool", []string{closing, listing}, []string{closing}, nil, toolsearch.Codex, 0, "t_close 1>1 found; removed 1"},
		{"an eager tool", []string{closing, listing}, []string{closing + eager, listing}, nil, toolsearch.ClaudeCode, 0, "t_list 1>1 found; eager 1"},
		{"a tool that is no longer eager", []string{closing + eager, listing}, []string{closing, listing}, nil, toolsearch.ClaudeCode, 0, "t_close 1>1 found, t_list 1>1 found"},
		{"a tool that is neither eager nor found", []string{"x|Close the ticket once the customer agrees." + eager, listing}, []string{"x|Useful for many things.", listing},
			nil, toolsearch.ClaudeCode, 0, "x 1>3 lost, t_list 1>1 found"},
		{"other tools than in the base", []string{moving}, []string{closing, listing}, nil, toolsearch.Codex, 0, "t_close 0>1 found, t_list 0>1 found; not compared"},
		{"nothing is found behind all tools", nil, []string{closing, listing}, []bench.Intent{{Query: "zzz", Names: []string{"t_close"}}}, toolsearch.Codex, 9, "t_close 0>3"},
		{"a rank that is too low", []string{closing, listing}, []string{closing, listing + " Close ticket customer."},
			[]bench.Intent{{Query: "customer", Names: []string{"t_list", "desk.t_close"}, MaxRank: 1}}, toolsearch.Codex, 9, "t_list 1>1 found"},
		{"an intent for a tool under its old name", []string{closing}, []string{strings.Replace(closing, "t_close|", "t_finish|", 1)},
			[]bench.Intent{{Query: "customer", Names: []string{"t_close"}}}, toolsearch.Codex, 0, "t_finish 1>1 found"},
		{"an intent for a tool that is gone", []string{closing, listing}, []string{listing}, []bench.Intent{{Query: "customer", Names: []string{"t_close"}}}, toolsearch.Codex, 0, "; removed 1"},
		{"an intent for a tool that nobody has", nil, []string{listing}, []bench.Intent{{Query: "customer", Names: []string{"t_close"}}}, toolsearch.Codex, 0, "; missing t_close"},
		{"an intent for an eager tool", nil, []string{closing + eager}, []bench.Intent{{Query: "customer", Names: []string{"t_close"}}}, toolsearch.ClaudeCode, 0, "; eager 1"},
	}
	for _, test := range tests {
		q := Question{Client: test.client, Limit: test.limit, Intents: test.intents, Now: Side{Tools: desk(t, test.now...)}}
		if test.base != nil {
			q.Base = &Side{Tools: desk(t, test.base...)}
		}
		r := q.Measure()
		got := shown(r)
		if q.Base != nil && !r.Compared {
			got += "; not compared"
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func shown(r *Result) string {
	var answers []string
	for i := range r.Answers {
		a := &r.Answers[i]
		said := fmt.Sprintf("%s %d>%d", a.Tool.Name, a.Was, a.Rank)
		switch {
		case a.Lost():
			said += " lost"
		case a.Found():
			said += " found"
		}
		answers = append(answers, said)
	}
	text := strings.Join(answers, ", ")
	for _, count := range []struct {
		what string
		n    int
	}{{"removed", r.Removed}, {"eager", r.Eager}} {
		if count.n > 0 {
			text += fmt.Sprintf("; %s %d", count.what, count.n)
		}
	}
	if r.Missing != "" {
		text += "; missing " + r.Missing
	}
	return text
}

// TestRenamedServers pins that tools of a server with another name are the same tools.
func TestRenamedServers(t *testing.T) {
	named := func(server string, lines ...string) *catalog.Catalog {
		c := desk(t, lines...)
		for _, one := range c.Tools {
			one.Server = server
		}
		return c
	}
	tests := []struct {
		name      string
		base, now *catalog.Catalog
		want      string
	}{
		{"one server", named("desk", closing, listing), named("help", vague, listing), "t_close 1>3 lost, t_list 1>1 found"},
		{"two servers", catalog.Merge(named("a", closing), named("b", listing)), catalog.Merge(named("y", listing), named("x", vague)), "t_close 1>3 lost, t_list 1>1 found"},
		{"one of two", catalog.Merge(named("a", closing), named("b", listing)), catalog.Merge(named("x", vague), named("b", listing)), "t_close 1>3 lost, t_list 1>1 found"},
	}
	for _, test := range tests {
		r := Question{Client: toolsearch.Codex, Now: Side{Tools: test.now}, Base: &Side{Tools: test.base}}.Measure()
		if got := shown(r); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestBefore pins the tools that stand before one that is lost, and which of them the change made so.
func TestBefore(t *testing.T) {
	other := desk(t, "sell|Close a deal once the customer agrees.").Tools
	for _, one := range other {
		one.Server = "shop"
	}
	beside := &catalog.Catalog{Tools: other}
	q := Question{
		Client: toolsearch.BM25, Limit: 1,
		Now:  Side{desk(t, vague, listing+" Close the ticket.", moving), beside},
		Base: &Side{desk(t, closing, listing, moving), beside},
	}
	r := q.Measure()
	for i := range r.Answers {
		a := &r.Answers[i]
		if !a.Lost() {
			continue
		}
		before, changed := r.Before(a, 8)
		var names []string
		for _, one := range before {
			names = append(names, one.Ref().ID())
		}
		if got := strings.Join(names, " "); got != "shop.sell desk.t_list" || changed == nil || changed.Name != "t_list" {
			t.Errorf("%s: before it %s, changed %v, want shop.sell desk.t_list, changed t_list", a.Tool.Name, got, changed)
		}
		return
	}
	t.Errorf("nothing is lost: %s", shown(r))
}

// BenchmarkMeasure tries 200 tools with 500 intents under two clients, and the same with a base.
func BenchmarkMeasure(b *testing.B) {
	lines := make([]string, 200)
	for i := range lines {
		lines[i] = fmt.Sprintf("tool_%d|Close the ticket number%d of person%d today. Send mail%d to group%d at once. Give back%d money.", i, i, i*7%200, i, i*3%200, i%100)
	}
	now := Side{Tools: desk(b, lines...)}
	base := Side{Tools: desk(b, lines...)}
	for _, side := range []struct {
		name string
		base *Side
	}{{"alone", nil}, {"with a base", &base}} {
		b.Run(side.name, func(b *testing.B) {
			for b.Loop() {
				for _, client := range []*toolsearch.Client{toolsearch.ClaudeCode, toolsearch.Codex} {
					if r := (Question{Client: client, Now: now, Base: side.base}).Measure(); len(r.Answers) < 400 {
						b.Fatal(len(r.Answers))
					}
				}
			}
		})
	}
}
