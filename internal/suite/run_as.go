package suite

import (
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// RunAs has live runs of the suite execute what base, the same suite at another commit, has them execute: the commands,
// environments and addresses of servers and agents, the addresses and providers of models, and the variables in them. Base is nil
// where that commit has no such suite. What base does not have of these is a mistake. What judges stays the suite's own, and the
// models are, too.
func (s *Suite) RunAs(base *Suite) source.Errors {
	var errs source.Errors
	if base == nil {
		base = &Suite{}
	}
	for _, server := range s.Servers {
		at := slices.IndexFunc(base.Servers, func(other *Server) bool { return other.Name == server.Name })
		switch {
		case at >= 0:
			server.Start = base.Servers[at].Start
		case len(server.Start.Command) > 0 || server.Start.URL != "":
			errs.Addf(server.Pos, "server %q is not in the base, and only what the base has is run (live-from: base)", server.Name)
		}
	}
	for _, c := range s.Cases {
		if c.Kind == AgentTest {
			c.runAs(base, &errs)
		}
	}
	s.Variables = merged(s.Variables, base.Variables)
	return errs.Sorted()
}

// runAs has live runs of a test execute what the test of that name in base does, or reports that base does not have it.
func (c *Case) runAs(base *Suite, errs *source.Errors) {
	at := slices.IndexFunc(base.Cases, func(other *Case) bool { return other.Name == c.Name && other.Kind == AgentTest })
	var was *Case
	if at >= 0 {
		was = base.Cases[at]
	}
	switch {
	case c.Agent != nil && (was == nil || was.Agent == nil):
		errs.Addf(c.Agent.Pos, "the agent of %q is not in the base, and only what the base has is run (live-from: base)", c.Name)
	case c.Agent != nil:
		agent := *was.Agent
		agent.Pos, agent.CommandPos = c.Agent.Pos, c.Agent.CommandPos
		c.Agent = &agent
	case was != nil && was.Agent != nil:
		errs.Addf(c.Pos, "the base runs %q with an agent, the test has none, and only what the base has is run (live-from: base)", c.Name)
	default:
		c.askAs(was, base, errs)
	}
}

// askAs has a test's model asked where was has it asked, the test of that name in base, or nil. A new test may be asked where any
// test of base is.
func (c *Case) askAs(was *Case, base *Suite, errs *source.Errors) {
	own := c.Live
	isNew := func(key string) {
		errs.Addf(c.Pos, "%q of %q is not in the base, and only what the base has is run (live-from: base)", key, c.Name)
	}
	if was != nil {
		c.Live.BaseURL, c.Live.Provider, c.Live.API = was.Live.BaseURL, was.Live.Provider, was.Live.API
		if own.BaseURL != "" && was.Live.BaseURL == "" {
			isNew("base_url")
		}
		if own.Provider != "" && was.Live.Provider == "" {
			isNew("provider")
		}
		return
	}
	asksAlike := func(one *Case) bool {
		return one.Agent == nil && one.Live.BaseURL == own.BaseURL && one.Live.Provider == own.Provider
	}
	switch {
	case own.BaseURL == "" && own.Provider == "" || slices.ContainsFunc(base.Cases, asksAlike):
	case own.BaseURL != "":
		isNew("base_url")
	default:
		isNew("provider")
	}
}

// merged returns the variables of both, those of base first: of two with a name the first counts.
func merged(own, base []Variable) []Variable {
	list := slices.Clone(base)
	for _, v := range own {
		if !slices.ContainsFunc(base, func(other Variable) bool { return other.Name == v.Name }) {
			list = append(list, v)
		}
	}
	return list
}
