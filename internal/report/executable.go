package report

import "github.com/org/mcp-gates/internal/source"

// Executable is something that a suite has live runs execute.
type Executable struct {
	Suite string `json:"suite"`
	Key   string `json:"key"`   // agent.command, agent.version, servers.command, servers.url or base_url
	Of    string `json:"of"`    // the test's name, or the server's
	Words string `json:"words"` // a JSON list or text, and the folder, environment and headers where they are given
	Line  int    `json:"line"`
}

// ExecutableChange is something that live runs execute now and that the base did not have, or had otherwise.
type ExecutableChange struct {
	Suite string   `json:"suite"`
	Key   string   `json:"key"`
	Of    string   `json:"of"`
	Base  Optional `json:"base"` // null when there was none
	Head  string   `json:"head"`
	Line  int      `json:"line"` // in the head's suite
}

// Became returns what is executed now, and before, the beginning of each; code writes it as code.
func (e *ExecutableChange) Became(code func(string) string) string {
	const most = 300 // characters
	head := code(source.Shorten(e.Head, most))
	if e.Base == "" {
		return "new, " + head
	}
	return code(source.Shorten(string(e.Base), most)) + " → " + head
}
