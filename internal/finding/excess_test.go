package finding

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/toolsearch"
)

// The suite that is read bounds what its own tools have searched. A base of 5,000 tools of 50 sentences would take half a minute all the same.
func TestExcess(t *testing.T) {
	long := "t_long|" + strings.Repeat("Close the ticket of a customer. ", 40)
	few := []bench.Intent{{Query: "close", Names: []string{"t_close"}}}
	for _, test := range []struct {
		name      string
		base, now []string
		intents   []bench.Intent
		want      int
	}{
		{"few sentences", []string{closing}, []string{closing}, nil, 0},
		{"many of the base", []string{closing, long}, []string{closing, "t_long|Close it now."}, nil, (3 + 42) * 4},
		{"many of a tool that is gone", []string{closing, long}, []string{closing}, nil, 0},
		{"many here", []string{closing}, []string{closing, long}, nil, 0},
		{"an intent among many tools of the base", []string{closing, listing, moving}, []string{closing}, few, 0},
		{"no base", nil, []string{closing, long}, nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := Question{Client: toolsearch.Codex, Now: Side{Tools: desk(t, test.now...)}, Intents: test.intents, MostWork: 100}
			if test.base != nil {
				q.Base = &Side{Tools: desk(t, test.base...)}
			}
			r := q.Measure()
			if r.Excess != test.want || len(r.Answers) == 0 != (test.want > 0) {
				t.Errorf("excess %d with %d answers, want %d", r.Excess, len(r.Answers), test.want)
			}
		})
	}
}

// TestExcessOfIntents bounds a list of intents, too: the base can have more tools.
func TestExcessOfIntents(t *testing.T) {
	var tools []*catalog.Tool
	for _, name := range strings.Fields(strings.Repeat("t_close t_list ", 30)) {
		tools = append(tools, &catalog.Tool{Server: "desk", Name: name})
	}
	intents := []bench.Intent{{Query: "close", Names: []string{"t_close"}}, {Query: "list", Names: []string{"t_close"}}}
	q := Question{Client: toolsearch.Codex, Now: Side{Tools: desk(t, closing)}, Base: &Side{Tools: catalog.New("a.json", tools)}, Intents: intents, MostWork: 100}
	if r := q.Measure(); r.Excess != 2*61 {
		t.Errorf("excess %d, want 122", r.Excess)
	}
}
