package basesuites

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/suite"
)

// Given returns a case of the base with the inputs of the head's agent: prompts, model, program and additional servers, as far as
// the head names them. The head's recordings were made with these inputs, but a live check uses the base's inputs. If toolsChanged
// is true, the case has the head's servers and gates, because the base's gates name tools that are renamed or gone.
func Given(base, head *suite.Case, live, toolsChanged bool) *suite.Case {
	one := *base
	if !live {
		if head.HasPrompt {
			one.HasPrompt, one.Prompt = true, head.Prompt
			one.HasSystemPrompt, one.SystemPrompt, one.Recorded = head.HasSystemPrompt, head.SystemPrompt, head.Recorded
		}
		one.Model = cmp.Or(head.Model, one.Model)
		one.Agent = cmp.Or(head.Agent, one.Agent)
		one.Servers = slices.Concat(one.Servers, without(head.Servers, one.Servers))
		has := func(name string) bool { return slices.Contains(base.ServerNames, name) }
		one.ServerNames = slices.Concat(one.ServerNames, slices.DeleteFunc(slices.Clone(head.ServerNames), has))
	}
	if toolsChanged {
		one.Checks, one.Members, one.Listed, one.Lost = head.Checks, head.Members, head.Listed, head.Lost
		one.Servers, one.ServerNames = head.Servers, head.ServerNames
	}
	return &one
}

// Called returns a case of the base with the head's tools under the names that the base's gates know. The case uses the given model
// if the base has a price for it.
func (n Names) Called(base Entry, model string) Entry {
	one := *base.Case
	one.Servers = n.serversOf(one.Servers)
	if _, priced := base.Suite.Pricing[model]; priced {
		one.Model = model
	}
	return Entry{base.Suite, &one}
}
