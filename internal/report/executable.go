package report

import (
	"cmp"

	"github.com/org/mcp-gates/internal/source"
)

// Executable is a command that live runs of a suite execute, or an address that they call.
type Executable struct {
	Suite string `json:"suite"`
	Key   string `json:"key"`            // agent.command, agent.version, servers.command, servers.url or base_url
	Of    string `json:"of"`             // name of the test or of the server
	Words string `json:"words"`          // words as a JSON list or text, with the folder, the environment and the headers that the suite gives
	File  string `json:"file,omitempty"` // included file that contains Line; "" for the suite itself
	Line  int    `json:"line"`
}

// ExecutableChange is something that live runs execute in the head and did not execute in the base.
type ExecutableChange struct {
	Suite string   `json:"suite"`
	Key   string   `json:"key"`
	Of    string   `json:"of"`
	Base  Optional `json:"base"` // null if the base executes nothing for this key
	Head  string   `json:"head"`
	File  string   `json:"file,omitempty"` // see [Executable]
	Line  int      `json:"line"`           // line in File, or in the head's suite without File
}

// Path returns the file that contains Line.
func (e *ExecutableChange) Path() string { return cmp.Or(e.File, e.Suite) }

// Became returns a text with the beginnings of what was executed and what is executed now. code writes a text as code.
func (e *ExecutableChange) Became(code func(string) string) string {
	const most = 300 // characters
	head := code(source.Shorten(e.Head, most))
	if e.Base == "" {
		return "new, " + head
	}
	return code(source.Shorten(string(e.Base), most)) + " → " + head
}
