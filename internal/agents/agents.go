// Package agents knows command-line agents: how each is started for one run without a terminal, and where its log is.
//
// A [Preset] is a value in a file of its own and a row in [Presets]. It says which words start the program, which variables and
// files its settings are, and in which format of package imports it writes down what it did. Every preset keeps the agent from
// asking for approvals, from updating itself and from asking any other host than that of its model, offers all tools of the
// servers at once as far as the agent can be asked to, and takes the agent's own tools away unless they are asked for. Nothing here
// starts anything.
package agents

import "slices"

// Preset is how one agent is run.
type Preset struct {
	Name    string // the word in agent: and preset:
	Program string // that is looked for in PATH

	// NeedsModel says that the agent must be given a model.
	NeedsModel bool

	// Keys are the variables that usually hold the key of its provider. None is passed unless the suite says so.
	Keys []string

	// Version are the words that make the program say its version.
	Version []string

	// Words returns the words behind the program.
	Words func(Setup) []string

	// Env returns variables as NAME=value, which the suite's own replace.
	Env func(Setup) []string

	// Files returns the files that the program finds below its HOME; nil for none.
	Files func(Setup) []File

	// Searching says who decides whether it defers tools and searches for them.
	Searching Searching

	// Deferral is how it defers tools; nil for one that does not, or of which nobody has measured it.
	Deferral *Deferral

	// Names is how it writes the names of tools.
	Names *Naming

	// Format is the import format of its standard output.
	Format string

	// Session is a glob below HOME for the file in which the program keeps the run, with %s for its id; "" where standard
	// output says as much. It is of the same format.
	Session string
}

// Searching is who decides whether an agent defers the servers' tools until a search returns them.
type Searching int

const (
	NeverSearches  Searching = iota // it has no search for tools
	SearchesAsked                   // whoever starts it
	SearchesAlways                  // nobody: it searches with every model that it knows to search
)

// Setup is what a run of an agent is given.
type Setup struct {
	Servers    []Server // in the suite's order
	Model      string   // "" for the agent's default
	Prompt     string
	Args       []string // further arguments that the suite gives
	Builtins   bool     // the agent keeps its own tools
	ToolSearch bool     // tools are deferred; only an agent that can be asked looks at it
	ConfigFile string   // full path of the servers in the mcpServers form
}

// Server is an MCP server as the agent reaches it: streamable HTTP.
type Server struct{ Name, URL string }

// File is a settings file.
type File struct {
	Path string // below HOME, with slashes
	Text string
}

// Presets lists the agents that are known, in the order of the documentation.
var Presets = []*Preset{claudeCode, codex, geminiCLI, opencode}

// Find returns the preset of a name; nil when there is none.
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

// WritesHome reports whether the agent's settings are files in HOME, so that it needs one of its own.
func (p *Preset) WritesHome() bool { return p.Files != nil }
