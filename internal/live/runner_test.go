package live

import (
	"context"
	"testing"

	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// broken is a provider with a fault of the program's own.
type broken struct{}

func (broken) Turn(context.Context, Request) (Reply, error) { panic("index out of range") }

// Fixed bugs: a fault of the program in one run ended it with all other runs, and left their servers behind.
func TestFaultOfTheProgramEndsTheRun(t *testing.T) {
	run := newOneRun(t, broken{})
	run.do(t.Context())
	if got, want := errorText(run.err), "the checker broke on this run, please report it: index out of range"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

// newOneRun returns the first run of a case without servers.
func newOneRun(t *testing.T, provider Provider) *oneRun {
	t.Helper()
	p := planFor(provider, trace.Count{})
	p.case_ = &suite.Case{Name: "x", Prompt: "hello"}
	return &oneRun{plan: p, number: 1, offered: allDistractors}
}
