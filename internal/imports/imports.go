// Package imports reads what other programs wrote down of what agents did, and turns it into runs. The formats are rows of
// [All]; each family of them is a package, and package logs has what they have in common.
//
// Runs become evidence in two ways: [ReadTrace] reads logs in place of cassettes, and a [Collection] writes cassettes.
package imports

import (
	"io/fs"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// Options say how logs are read; see [logs.Options].
type Options = logs.Options

// Run is a run that was read from a log; see [logs.Run].
type Run = logs.Run

// Account says what was read, and what was not; see [logs.Account].
type Account = logs.Account

// Split says what a run is; see [logs.Split].
type Split = logs.Split

// Subagents says whether the calls of sub-agents are calls of the run; see [logs.Subagents].
type Subagents = logs.Subagents

// The words of [Options].
const (
	// Auto is the word for recognising the format.
	Auto = logs.Auto
	// SplitSession makes a session one run; the default.
	SplitSession = logs.SplitSession
	// SplitTurn makes each user message a run, with what follows up to the next.
	SplitTurn = logs.SplitTurn
	// SubagentsInclude takes the calls of sub-agents as calls of the run; the default.
	SubagentsInclude = logs.SubagentsInclude
	// SubagentsLeaveOut leaves the calls of sub-agents out.
	SubagentsLeaveOut = logs.SubagentsLeaveOut
)

// Find returns the format of a name; nil when there is none.
func Find(name string) *logs.Format { return All.Find(name) }

// Names lists the names of all formats, in the order of All.
func Names() []string { return All.Names() }

// Read reads the files, in order, and hands each run to yield; see [logs.Formats.Read].
func Read(fsys fs.FS, files []string, o Options, yield func(*Run) error) (*Account, error) {
	return All.Read(fsys, files, o, yield)
}
