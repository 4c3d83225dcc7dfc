// Package builtin holds the agents that need no key and no network: one picks tools by their words, and the other
// repeats the calls of recorded runs. Each is a [model.Provider], although neither is a model.
package builtin

import (
	"fmt"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// New returns the agent with a name that [model.Resolve] accepts. Script holds the runs that [trace.ModelScript] plays,
// with their arguments and final responses ([trace.KeepArgs], [trace.KeepAnswers]). Rules is called when an answer is
// cut, so that no secret is split.
func New(name string, script []trace.Run, rules func() *redact.Rules) (model.Provider, error) {
	switch name {
	case trace.ModelLexical:
		return newLexicalAgent(rules), nil
	case trace.ModelScript:
		return newScriptedAgent(script)
	}
	return nil, fmt.Errorf("unknown built-in model %q", name)
}
