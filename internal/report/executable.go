package report

import (
	"cmp"

	"github.com/org/mcp-gates/internal/source"
)

// Executable is a command or an address that live runs of a suite execute or call.
type Executable struct {
	Suite string `json:"suite"`
	Key   string `json:"key"`            // agent.command, agent.version, servers.command, servers.url or base_url
	Of    string `json:"of"`             // the test's name, or the server's
	Words string `json:"words"`          // a JSON list or text, with the folder, environment and headers if they are given
	File  string `json:"file,omitempty"` // the file with it, if it is not the suite: an included file
	Line  int    `json:"line"`
}

// ExecutableChange is something that live runs execute and that is new, or different, compared with the base.
type ExecutableChange struct {
	Suite string   `json:"suite"`
	Key   string   `json:"key"`
	Of    string   `json:"of"`
	Base  Optional `json:"base"` // null if the base has none
	Head  string   `json:"head"`
	File  string   `json:"file,omitempty"` // as of [Executable]
	Line  int      `json:"line"`           // line in File, else in the head's suite
}

// Path returns the file in which Line is.
func (e *ExecutableChange) Path() string { return cmp.Or(e.File, e.Suite) }

// Became returns the beginnings of what is executed now and before; code writes a text as code.
func (e *ExecutableChange) Became(code func(string) string) string {
	const most = 300 // characters
	head := code(source.Shorten(e.Head, most))
	if e.Base == "" {
		return "new, " + head
	}
	return code(source.Shorten(string(e.Base), most)) + " → " + head
}
