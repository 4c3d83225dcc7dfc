// Package imports reads the logs of agents that other programs wrote, and converts them to runs. The formats are rows of [All];
// each family of formats is a package, and package logs has the parts that they share.
//
// Runs become evidence in two ways: [ReadTrace] reads logs instead of cassettes, and a [Collection] writes cassettes.
package imports

import (
	"io/fs"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// Options configure the reading of logs; see [logs.Options].
type Options = logs.Options

// Run is a run that was read from a log; see [logs.Run].
type Run = logs.Run

// Account lists what an import read, left out and could not read; see [logs.Account].
type Account = logs.Account

// Split selects the unit that becomes a run; see [logs.Split].
type Split = logs.Split

// Subagents selects whether the calls of sub-agents are calls of the run; see [logs.Subagents].
type Subagents = logs.Subagents

// These are values for the fields of [Options].
const (
	// Auto is the word for recognising the format.
	Auto = logs.Auto
	// SplitSession makes a session one run; the default.
	SplitSession = logs.SplitSession
	// SplitTurn makes each user message a run, with everything up to the next user message.
	SplitTurn = logs.SplitTurn
	// SubagentsInclude includes the calls of sub-agents in the run; the default.
	SubagentsInclude = logs.SubagentsInclude
	// SubagentsLeaveOut leaves the calls of sub-agents out.
	SubagentsLeaveOut = logs.SubagentsLeaveOut
)

// Find returns the format with a name; nil if there is none.
func Find(name string) *logs.Format { return All.Find(name) }

// Names lists the names of all formats, in the order of All.
func Names() []string { return All.Names() }

// Read reads the files in order, and passes each run to yield; see [logs.Formats.Read].
func Read(fsys fs.FS, files []string, o Options, yield func(*Run) error) (*Account, error) {
	return All.Read(fsys, files, o, yield)
}
