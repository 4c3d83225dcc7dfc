package report

import (
	"cmp"

	"github.com/org/mcp-gates/internal/source"
)

// Executable is something that a suite has live runs execute.
type Executable struct {
	Suite string `json:"suite"`
	Key   string `json:"key"`            // agent.command, agent.version, servers.command, servers.url or base_url
	Of    string `json:"of"`             // the test's name, or the server's
	Words string `json:"words"`          // a JSON list or text, and the folder, environment and headers where they are given
	File  string `json:"file,omitempty"` // that holds it, where that is not the suite's: an included one
	Line  int    `json:"line"`
}

// ExecutableChange is something that live runs execute now and that the base did not have, or had otherwise.
type ExecutableChange struct {
	Suite string   `json:"suite"`
	Key   string   `json:"key"`
	Of    string   `json:"of"`
	Base  Optional `json:"base"` // null when there was none
	Head  string   `json:"head"`
	File  string   `json:"file,omitempty"` // as of [Executable]
	Line  int      `json:"line"`           // in File, else in the head's suite
}

// Path returns the file in which Line is.
func (e *ExecutableChange) Path() string { return cmp.Or(e.File, e.Suite) }

// Became returns what is executed now, and before, the beginning of each; code writes it as code.
func (e *ExecutableChange) Became(code func(string) string) string {
	const most = 300 // characters
	head := code(source.Shorten(e.Head, most))
	if e.Base == "" {
		return "new, " + head
	}
	return code(source.Shorten(string(e.Base), most)) + " → " + head
}
