package suite

import (
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// RunAs has live runs of the suite execute what base, the same suite at another commit, has them execute: the commands,
// environments and addresses of servers and agents, and the variables in them. Base is nil where that commit has no such suite.
// A server or an agent that base does not have is a mistake. What judges stays the suite's own.
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
		if c.Agent == nil {
			continue
		}
		at := slices.IndexFunc(base.Cases, func(other *Case) bool { return other.Name == c.Name && other.Agent != nil })
		if at < 0 {
			errs.Addf(c.Agent.Pos, "the agent of %q is not in the base, and only what the base has is run (live-from: base)", c.Name)
			continue
		}
		agent := *base.Cases[at].Agent
		agent.Pos, agent.CommandPos = c.Agent.Pos, c.Agent.CommandPos
		c.Agent = &agent
	}
	s.Variables = merged(s.Variables, base.Variables)
	return errs.Sorted()
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
