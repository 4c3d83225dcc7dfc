// Package builtin holds the agents that need no key and no network: one picks tools by their words, and one makes the
// calls of recorded runs again. Each is a [model.Provider], though none is a model.
package builtin

import (
	"fmt"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// New returns the agent of a name that [model.Resolve] takes. Script holds the runs that [trace.ModelScript] plays, with
// their arguments and final responses ([trace.KeepArgs], [trace.KeepAnswers]). Rules are called
// when an answer is cut, so that it is not cut in the middle of a secret.
func New(name string, script []trace.Run, rules func() *redact.Rules) (model.Provider, error) {
	switch name {
	case trace.ModelLexical:
		return newLexicalAgent(rules), nil
	case trace.ModelScript:
		return newScriptedAgent(script)
	}
	return nil, fmt.Errorf("unknown built-in model %q", name)
}
