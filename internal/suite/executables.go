package suite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// Executable is a command that live runs of a suite execute, or an address that they send credentials to.
type Executable struct {
	Key string // one of the keys in the constants below
	Of  string // name of the test or of the server

	// Words are a JSON list of the command's words, or an address, with its folder, environment or headers. Variables are
	// replaced by their defaults. A variable from the environment is not replaced, but followed by its source.
	Words string
	Line  int
	File  string // included file that contains it; "" if the suite itself does
}

// These are the suite's keys for commands that are executed, and for addresses that credentials are sent to.
const (
	executeAgent   = "agent.command"
	executeVersion = "agent.version"
	executeServer  = "servers.command"
	executeURL     = "servers.url"
	executeBaseURL = "base_url"
)

// Executables lists what live runs of the suite execute: first for servers, then for tests, in file order.
func (s *Suite) Executables() []Executable {
	var list []Executable
	for _, server := range s.Servers {
		if e, ok := s.startOf(server); ok {
			list = append(list, e)
		}
	}
	listed := map[string]bool{} // a test has a case for each model
	for _, c := range s.Cases {
		if c.Kind == AgentTest && !listed[c.Name] {
			listed[c.Name] = true
			list = append(list, s.executedBy(c)...)
		}
	}
	return list
}

// newExecutable returns what live runs execute. words is the command or the address as text.
func (s *Suite) newExecutable(key, of, words string, at source.Pos) Executable {
	e := Executable{Key: key, Of: of, Words: words, Line: at.Line}
	if at.File != s.File {
		e.File = at.File
	}
	return e
}

// startOf returns the command or the address of a server; ok is false if the suite has neither.
func (s *Suite) startOf(server *Server) (e Executable, ok bool) {
	start := server.Start
	switch {
	case len(start.Command) > 0:
		return s.newExecutable(executeServer, server.Name, s.commandText(start.Command, start.Cwd, start.Env), server.Pos), true
	case start.URL != "":
		headers := slices.Clone(start.Headers)
		if start.BearerTokenEnv != "" {
			headers = append(headers, Setting{Name: "Authorization", Source: Env{Name: start.BearerTokenEnv}})
		}
		return s.newExecutable(executeURL, server.Name, judge.CompactJSON(s.withDefaults(start.URL))+s.settingsText("headers", headers), server.Pos), true
	}
	return Executable{}, false
}

// executedBy returns what runs of a test execute: the agent, or the model's address if it is not the provider's own.
func (s *Suite) executedBy(c *Case) []Executable {
	a := c.Agent
	if a == nil {
		if c.Live.BaseURL == "" {
			return nil
		}
		words := judge.CompactJSON(s.withDefaults(c.Live.BaseURL))
		if c.Live.Provider != "" {
			words += " of " + c.Live.Provider
		}
		return []Executable{s.newExecutable(executeBaseURL, c.Name, words, c.Pos)}
	}
	words := a.Command
	if a.Preset != nil {
		words = append([]string{a.Preset.Name}, words...)
	}
	list := []Executable{s.newExecutable(executeAgent, c.Name, s.commandText(words, a.Cwd, a.Env), a.CommandPos)}
	isPresetVersion := a.Preset != nil && slices.Equal(a.Version, a.Preset.Version)
	if len(a.Version) > 0 && !isPresetVersion {
		list = append(list, s.newExecutable(executeVersion, c.Name, s.commandText(a.Version, a.Cwd, nil), a.Pos))
	}
	return list
}

// commandText returns words as they are executed, with the defaults of the suite's variables.
func (s *Suite) commandText(words []string, cwd string, env []Setting) string {
	text := judge.CompactJSON(lists.Map(words, s.withDefaults))
	if cwd != "" {
		text += " in " + cwd
	}
	return text + s.settingsText("env", env)
}

// settingsText returns an environment or headers as text. key is their key.
func (s *Suite) settingsText(key string, settings []Setting) string {
	if len(settings) == 0 {
		return ""
	}
	sorted := slices.SortedStableFunc(slices.Values(settings), func(a, b Setting) int { return cmp.Compare(a.Name, b.Name) })
	list := make([]string, len(sorted))
	for i, one := range sorted {
		value := judge.CompactJSON(s.withDefaults(one.Literal))
		if one.Source.Name != "" || one.Source.HasDefault {
			value = one.Source.text()
		}
		list[i] = judge.CompactJSON(one.Name) + ": " + value
	}
	return " with " + key + " {" + strings.Join(list, ", ") + "}"
}

// withDefaults returns a text with its variables replaced by their defaults. A variable from the environment is not replaced, but
// followed by its source.
func (s *Suite) withDefaults(text string) string {
	return ReplaceVariables(text, func(name string) string {
		at := slices.IndexFunc(s.Variables, func(v Variable) bool { return v.Name == name })
		switch {
		case at < 0:
			return "${" + name + "}"
		case s.Variables[at].Env.Name != "":
			return "${" + name + " " + s.Variables[at].text() + "}"
		}
		return s.Variables[at].Default
	})
}

func (e Env) text() string {
	switch {
	case e.Name == "":
		return judge.CompactJSON(e.Default)
	case e.HasDefault:
		return "from_env " + e.Name + ", default " + judge.CompactJSON(e.Default)
	}
	return "from_env " + e.Name
}
