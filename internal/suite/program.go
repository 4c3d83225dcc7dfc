package suite

import (
	"slices"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// OutputText is the output format of a program whose standard output is only its answer.
const OutputText = "text"

// Agent is a program that works on the prompt of a case, in place of the built-in loop. Its texts still contain their
// ${variables}.
type Agent struct {
	Pos    source.Pos
	Preset *agents.Preset // nil without a preset

	Command     []string      // program and arguments; for a preset, only the additional arguments
	CommandPos  source.Pos    // position of command:, or of the agent without one
	Output      string        // format of standard output: the name of a format in package imports, or OutputText
	Timeout     time.Duration // time limit of a run; 0 if absent
	Env         []Setting
	Cwd         string   // workspace-relative; "" for a new empty folder for each run
	InheritHome bool     // HOME is the caller's, not an empty folder for each run
	Version     []string // the command that prints the version; nil if there is none
	Builtins    bool     // the preset's agent keeps its own tools
	ToolSearch  string   // trace.SearchOn or trace.SearchOff; "" if absent

	Written string // canonical JSON of the value in the suite, before variables are replaced
}

// Each run provides these variables to an agent's command.
const (
	VariablePrompt    = "prompt"
	VariableModel     = modelVariable
	VariableConfig    = "mcp_config" // path of a file in the mcpServers form
	VariableServerURL = "mcp_url."   // followed by the server's name
)

// IsRunVariable reports whether the run provides a variable of this name to an agent's command.
func IsRunVariable(name string) bool {
	return name == VariablePrompt || name == VariableConfig || name == modelVariable || strings.HasPrefix(name, VariableServerURL)
}

// Title returns a short text for the agent: the preset, otherwise the command.
func (a *Agent) Title() string {
	if a.Preset != nil {
		return a.Preset.Name
	}
	return clip(strings.Join(a.Command, " "))
}

func (a *Agent) setting() string {
	const longest = 500 // bytes
	switch {
	case len(a.Written) > longest:
		return "SHA-256 " + trace.PromptSHA256(a.Written)
	case a.Preset != nil && strings.HasPrefix(a.Written, `"`):
		return a.Preset.Name
	}
	return a.Written
}

// SHA256 returns the hash of the agent's text in the suite, which recordings contain.
func (a *Agent) SHA256() string { return trace.PromptSHA256(a.Written) }

// agentValue returns the value of agent: that selects the program of a test or an entry of agents:, set directly or inherited;
// ok is false if the value is only a label, or absent.
func (r *reader) agentValue(t test) (v yamlread.Value, ok bool) {
	namesEntry := func(v yamlread.Value) bool {
		return v.Kind() == yamlread.TextKind && r.agents[v.Text()] != nil
	}
	v, ok = t.m.Value("agent")
	if !ok {
		return v, false
	}
	if t.inAgents {
		return v, t.m.HasOwn("agent") || !namesEntry(v)
	}
	if !namesEntry(v) {
		return v, true
	}
	entry := r.agents[v.Text()]
	v, ok = entry.Value("agent")
	return v, ok && (entry.HasOwn("agent") || !namesEntry(v))
}

// readAgent reads the program of a test; nil if the built-in loop runs the test.
func (r *reader) readAgent(t test) *Agent {
	v, ok := r.agentValue(t)
	if !ok {
		return nil
	}
	if v.Kind() == yamlread.TextKind {
		return r.namedAgent(t, v)
	}
	if v.Kind() != yamlread.MapKind {
		v.Errorf(`"agent" must be a preset, an entry of "agents" or a map with "command" or "preset", found %s`, v.Describe())
		return nil
	}
	m, _ := v.Map()
	a := &Agent{Pos: v.Pos(), Written: v.Written()}
	r.readProgram(m, a)
	m.Done()
	return a
}

// namedAgent returns the preset that a text names. In a test, any other text is a label for recorded runs.
func (r *reader) namedAgent(t test, v yamlread.Value) *Agent {
	name := v.Text()
	preset := agents.Find(name)
	if preset != nil {
		return &Agent{Pos: v.Pos(), CommandPos: v.Pos(), Preset: preset, Version: preset.Version, Output: preset.Format, Written: v.Written()}
	}
	if t.inAgents && t.m.HasOwn("agent") {
		v.Errorf(`"agent" of an entry of "agents" must be a map or one of %s, found %s%s`, quoted(agents.Names()), v.Describe(), r.hint(name, agents.Names()))
	}
	return nil
}

func (r *reader) readProgram(m *yamlread.Map, a *Agent) {
	a.CommandPos = a.Pos
	key, ok := m.OneOf("command", "preset")
	switch {
	case !ok:
		r.errs.Addf(a.Pos, `"agent" has neither "command" nor "preset", expected one of them`)
		r.readOutput(m)
	case key == "command":
		a.Command, a.CommandPos = r.readRunCommand(m, "command"), m.KeyPos("command")
		a.Output = r.readOutput(m)
	default:
		r.readPreset(m, a)
	}
	a.Timeout = r.readDuration(m, "timeout")
	a.Env = r.readValues(m, "env")
	a.InheritHome = judge.ReadChoice(m, "home", "fresh", "inherit") == "inherit"
	if v, ok := m.Value("cwd"); ok {
		a.Cwd, _ = r.readPath(v, "cwd")
	}
	if m.Has("version") {
		a.Version = r.readCommand(m, "version")
	}
	if a.Preset != nil && a.InheritHome && a.Preset.WritesHome() {
		r.errs.Addf(m.KeyPos("home"), `"home" must be fresh for preset %q, whose settings are files in HOME, found "inherit"`, a.Preset.Name)
	}
}

func (r *reader) readPreset(m *yamlread.Map, a *Agent) {
	name, _ := m.OptStr("preset")
	a.CommandPos = name.Pos
	a.Preset = agents.Find(name.Value)
	if a.Preset == nil {
		r.errs.Addf(name.Pos, `"preset" must be one of %s, found %q%s`, quoted(agents.Names()), clip(name.Value), r.hint(name.Value, agents.Names()))
		a.Preset = agents.Presets[0] // any preset serves, so that the keys of presets are read
	}
	a.Output, a.Version = a.Preset.Format, a.Preset.Version
	a.Builtins = judge.ReadChoice(m, "builtins", "off", "on") == "on"
	a.ToolSearch = r.readToolSearch(m, a.Preset)
	if m.Has("args") {
		a.Command = r.readRunCommand(m, "args")
	}
	m.Misplaced("output", "a preset knows the format of its output")
}

func (r *reader) readToolSearch(m *yamlread.Map, preset *agents.Preset) string {
	asked := judge.ReadChoice(m, "tool_search", trace.SearchOff, trace.SearchOn)
	at, _ := m.Value("tool_search")
	switch {
	case asked == trace.SearchOn && preset.Searching == agents.NeverSearches:
		at.Errorf(`"tool_search" must be off for preset %q, which has no search for tools, found "on"`, preset.Name)
	case asked == trace.SearchOff && preset.Searching == agents.SearchesAlways:
		at.Errorf(`"tool_search" must be on for preset %q, which has no switch for it and searches with the models that it knows to search, found "off"`, preset.Name)
	}
	return asked
}

func (r *reader) readOutput(m *yamlread.Map) string {
	output, ok := m.OptStr("output")
	known := append([]string{OutputText}, imports.Names()...)
	if !ok {
		return OutputText
	}
	if !slices.Contains(known, output.Value) {
		r.errs.Addf(output.Pos, `"output" must be text or a format that "mcp-gates import" reads, found %q%s`, clip(output.Value), r.hint(output.Value, known))
	}
	return output.Value
}

func (r *reader) readRunCommand(m *yamlread.Map, key string) []string {
	v, _ := m.Value(key)
	if v.Kind() != yamlread.ListKind {
		v.Errorf("%q must be a list of words, found %s", key, v.Describe())
		return nil
	}
	var words []string
	for i, item := range v.List() {
		isProgram := i == 0 && key == "command"
		isEmpty := item.Kind() == yamlread.TextKind && item.Text() == ""
		if item.Kind() != yamlread.TextKind || isProgram && isEmpty {
			item.Errorf("an entry of %q must be text, found %s", key, item.Describe())
			continue
		}
		r.checkRunVariables(item)
		words = append(words, item.Text())
	}
	if len(words) == 0 && key == "command" {
		v.Errorf(`"command" must hold the program and its arguments, found an empty list`)
	}
	return words
}

// checkRunVariables reports variables in a word of a command that are neither declared nor provided by the run. A declared
// variable must not have the name of a variable of the run.
func (r *reader) checkRunVariables(v yamlread.Value) {
	for _, use := range variableUse.FindAllStringSubmatch(v.Text(), -1) {
		name := use[1]
		_, declared := r.variables[name]
		switch {
		case strings.HasPrefix(use[0], "$$"):
		case declared && IsRunVariable(name):
			v.Errorf("variable %q is the run's in the command of an agent, expected another name under \"variables\"", clip(name))
		case !declared && !IsRunVariable(name):
			r.reportUndeclared(name, v.Pos())
		}
	}
}

// dropLoopSettings removes the inherited settings that only the built-in loop uses. The test has an agent instead.
func (d *draft) dropLoopSettings(m *yamlread.Map) {
	if !m.HasOwn("model") && !m.HasOwn("models") {
		d.models = slices.DeleteFunc(d.models, func(model yamlread.Str) bool { return strings.HasPrefix(model.Value, "builtin:") })
	}
	own := d.Live
	d.Live = Live{}
	for _, key := range []struct {
		name string
		keep func()
	}{
		{"script", func() { d.Live.Script = own.Script }},
		{"provider", func() { d.Live.Provider = own.Provider }},
		{"base_url", func() { d.Live.BaseURL = own.BaseURL }},
		{"api", func() { d.Live.API = own.API }},
		{"max_turns", func() { d.Live.MaxTurns = own.MaxTurns }},
		{"max_output_tokens", func() { d.Live.MaxOutputTokens = own.MaxOutputTokens }},
		{"temperature", func() { d.Live.Temperature = own.Temperature }},
	} {
		if m.HasOwn(key.name) {
			key.keep()
		}
	}
	if !m.HasOwn("deferred") {
		d.Deferred = nil
	}
	if !m.HasOwn("system_prompt") {
		d.SystemPrompt, d.HasSystemPrompt, d.Recorded.SystemPrompt = "", false, ""
	}
}

func (r *reader) checkAgent(d *draft) {
	a := d.Agent
	for _, word := range a.Command {
		for _, use := range variableUse.FindAllStringSubmatch(word, -1) {
			server, isURL := strings.CutPrefix(use[1], VariableServerURL)
			switch {
			case strings.HasPrefix(use[0], "$$"):
			case isURL && !slices.Contains(d.ServerNames, server):
				r.errs.Addf(a.CommandPos, `"${%s}" names no server of the test%s`, clip(use[1]), r.hint(server, d.ServerNames))
			case use[1] == modelVariable && len(d.models) == 0 && !d.Matrix:
				r.errs.Addf(a.CommandPos, `"${model}" stands for the model of the test, which has none`)
			}
		}
	}
}
