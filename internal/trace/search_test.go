package trace_test

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// TestRedactSearch pins that a search loses its secrets as the arguments of calls do, and that a copy of the run keeps them.
func TestRedactSearch(t *testing.T) {
	const secret = "correct-horse-battery-staple"
	rules, err := redact.New(redact.Config{Values: []string{secret}})
	if err != nil {
		t.Fatal(err)
	}
	run := searching(catalog.Ref{Server: "web", Name: "find_" + secret})
	run.Calls[0].Detail.Search.Query = "find " + secret
	clean := run.Clone()
	clean.Redact(rules.File(), trace.Tools{})
	if search := clean.Calls[0].Search(); strings.Contains(search.Query+search.Tools[0].Name, secret) || !strings.HasPrefix(search.Query, "find ") {
		t.Errorf("got query %q and tool %q", search.Query, search.Tools[0].Name)
	}
	if search := run.Calls[0].Search(); search.Query != "find "+secret || search.Tools[0].Name != "find_"+secret {
		t.Errorf("the original has query %q and tool %q", search.Query, search.Tools[0].Name)
	}
}
