package suite

import (
	"slices"

	"github.com/org/mcp-gates/internal/judge"
)

// Executable is something that a suite has live runs execute.
type Executable struct {
	Key   string // one of the keys below
	Of    string // the test's name, or the server's
	Words string // JSON list of the words with variables replaced by their defaults, and the folder where one is given
	Line  int
}

// The keys whose words are executed.
const (
	ExecuteAgent   = "agent.command"
	ExecuteVersion = "agent.version"
	ExecuteServer  = "servers.command"
)

// Executables lists what live runs of the suite execute: of its servers, then of its tests, in file order.
func (s *Suite) Executables() []Executable {
	var list []Executable
	for _, server := range s.Servers {
		if len(server.Start.Command) > 0 {
			list = append(list, Executable{ExecuteServer, server.Name, s.shown(server.Start.Command, server.Start.Cwd), server.Pos.Line})
		}
	}
	listed := map[string]bool{} // a test has a case for each model
	for _, c := range s.Cases {
		a := c.Agent
		if a == nil || listed[c.Name] {
			continue
		}
		listed[c.Name] = true
		words := a.Command
		if a.Preset != nil {
			words = append([]string{a.Preset.Name}, words...)
		}
		list = append(list, Executable{ExecuteAgent, c.Name, s.shown(words, a.Cwd), a.CommandPos.Line})
		if len(a.Version) > 0 && (a.Preset == nil || !slices.Equal(a.Version, a.Preset.Version)) {
			list = append(list, Executable{ExecuteVersion, c.Name, s.shown(a.Version, a.Cwd), a.Pos.Line})
		}
	}
	return list
}

// shown returns words as they are executed, as far as the suite says: with the defaults of its variables.
func (s *Suite) shown(words []string, cwd string) string {
	full := make([]string, len(words))
	for i, word := range words {
		full[i] = ReplaceVariables(word, func(name string) string {
			at := slices.IndexFunc(s.Variables, func(v Variable) bool { return v.Name == name })
			if at < 0 || !s.Variables[at].HasDefault {
				return "${" + name + "}"
			}
			return s.Variables[at].Default
		})
	}
	text := judge.CompactJSON(full)
	if cwd != "" {
		text += " in " + cwd
	}
	return text
}
