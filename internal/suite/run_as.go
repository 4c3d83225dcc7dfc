package suite

import (
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// RunAs makes live runs of the suite execute what base, the same suite at another commit, specifies: the commands, environments
// and addresses of servers and agents, the addresses and providers of models, and the variables in them. base is nil if that
// commit has no such suite. A server, agent or address that base lacks is a mistake. The suite keeps its own gates and models.
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
	s.Variables = mergeVariables(s.Variables, base.Variables)
	return errs.Sorted()
}

// runAs makes live runs of a test execute what the test with the same name in base specifies, or reports that base lacks it.
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
		c.useAddressOf(was, base, errs)
	}
}

// useAddressOf sends the model requests of a test to the address of was, the test with the same name in base; was is nil for a new
// test, which may use the address of any test of base.
func (c *Case) useAddressOf(was *Case, base *Suite, errs *source.Errors) {
	own := c.Live
	reportNew := func(key string) {
		errs.Addf(c.Pos, "%q of %q is not in the base, and only what the base has is run (live-from: base)", key, c.Name)
	}
	if was != nil {
		c.Live.BaseURL, c.Live.Provider, c.Live.API = was.Live.BaseURL, was.Live.Provider, was.Live.API
		if own.BaseURL != "" && was.Live.BaseURL == "" {
			reportNew("base_url")
		}
		if own.Provider != "" && was.Live.Provider == "" {
			reportNew("provider")
		}
		return
	}
	asksAlike := func(one *Case) bool {
		return one.Agent == nil && one.Live.BaseURL == own.BaseURL && one.Live.Provider == own.Provider
	}
	usesDefault := own.BaseURL == "" && own.Provider == ""
	switch {
	case usesDefault || slices.ContainsFunc(base.Cases, asksAlike):
	case own.BaseURL != "":
		reportNew("base_url")
	default:
		reportNew("provider")
	}
}

// mergeVariables returns the variables of both lists, those of base first. If both have a name, base counts.
func mergeVariables(own, base []Variable) []Variable {
	list := slices.Clone(base)
	for _, v := range own {
		if !slices.ContainsFunc(base, func(other Variable) bool { return other.Name == v.Name }) {
			list = append(list, v)
		}
	}
	return list
}
