// Package agents describes command-line agents: the command for one run without a terminal, and the place of the log.
//
// A [Preset] is a value in a file of its own and a row in [Presets]. It holds the words that start the program, the
// variables and files with its settings, and the format of its log. Every preset keeps the agent from asking for
// approvals, from updating itself and from contacting any host except its model's. If the agent has a setting for that,
// the preset makes it offer all tools of the servers at once. It disables the agent's own tools unless they are
// requested. This package starts nothing.
package agents

import "slices"

// Preset holds the settings for running an agent.
type Preset struct {
	Name    string // the agent's name in suites
	Program string // name of the program in PATH

	// NeedsModel means that the agent must be given a model.
	NeedsModel bool

	// Keys are the variables that usually hold the key of the agent's provider. They are passed only if the suite lists
	// them.
	Keys []string

	// Version is the command that prints the program's version.
	Version []string

	// Words returns the program's arguments.
	Words func(Setup) []string

	// Env returns variables as NAME=value. The suite's own variables override them.
	Env func(Setup) []string

	// Files returns the files to write to HOME. It is nil if the agent needs none.
	Files func(Setup) []File

	// Searching is the condition under which the agent defers tools and searches for them.
	Searching Searching

	// Deferral describes the agent's deferring of tools; nil if the agent does not defer, or if nobody has measured it.
	Deferral *Deferral

	// Names describes the agent's spelling of tool names.
	Names *Naming

	// Format is the import format of the program's standard output.
	Format string

	// Session is a glob below HOME for the program's log of a run, with %s for the id of the session. The log has the
	// format of standard output. Session is "" if standard output lacks nothing that the log has.
	Session string
}

// Searching is the condition under which an agent defers the servers' tools until a search returns them.
type Searching int

const (
	NeverSearches  Searching = iota // never: the agent cannot search for tools
	SearchesAsked                   // if Setup.ToolSearch is set
	SearchesAlways                  // always, with models that the agent considers able to search
)

// Setup holds the settings of a run of an agent.
type Setup struct {
	Servers    []Server // servers in the suite's order
	Model      string   // "" for the agent's default
	Prompt     string
	Args       []string // further arguments that the suite gives
	Builtins   bool     // the agent keeps its own tools
	ToolSearch bool     // the agent defers tools; used only with SearchesAsked
	ConfigFile string   // full path of a file with the servers in the mcpServers format
}

// Server is an MCP server and the address at which the agent reaches it by streamable HTTP.
type Server struct{ Name, URL string }

// File is a settings file.
type File struct {
	Path string // below HOME, with slashes
	Text string
}

// Presets lists the known agents, in the order of the documentation.
var Presets = []*Preset{claudeCode, codex, geminiCLI, opencode}

// Find returns the preset with a name; nil if there is none.
func Find(name string) *Preset {
	if i := slices.IndexFunc(Presets, func(p *Preset) bool { return p.Name == name }); i >= 0 {
		return Presets[i]
	}
	return nil
}

// Names lists the presets' names, in their order.
func Names() []string {
	names := make([]string, len(Presets))
	for i, p := range Presets {
		names[i] = p.Name
	}
	return names
}

// WritesHome reports whether the agent's settings are files in HOME, so that the agent needs its own HOME.
func (p *Preset) WritesHome() bool { return p.Files != nil }
