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

// OutputText says that a program's standard output is its answer and nothing else.
const OutputText = "text"

// Agent is a program that works on the prompt of a case, in the place of the built-in loop. Texts still hold their ${variables}.
type Agent struct {
	Pos    source.Pos
	Preset *agents.Preset // nil for a program of one's own

	Command     []string      // program and arguments; behind those of a preset, its further arguments
	CommandPos  source.Pos    // of command:, else of the agent
	Output      string        // format of standard output: one of package imports, or OutputText
	Timeout     time.Duration // of a run; 0 when it is not given
	Env         []Setting
	Cwd         string   // workspace-relative; "" for an empty folder a run
	InheritHome bool     // HOME is that of the caller, and not an empty folder a run
	Version     []string // the command whose output is the version; nil when there is none
	Builtins    bool     // a preset's agent keeps its own tools
	ToolSearch  string   // trace.SearchOn or trace.SearchOff; "" when the suite does not ask for either

	Written string // canonical JSON of the value as the suite has it, before variables
}

// The variables of a run in an agent's command.
const (
	VariablePrompt    = "prompt"
	VariableModel     = modelVariable
	VariableConfig    = "mcp_config" // path of a file in the mcpServers form
	VariableServerURL = "mcp_url."   // and the server's name behind it
)

// IsRunVariable reports whether a name in an agent's command stands for something of the run.
func IsRunVariable(name string) bool {
	return name == VariablePrompt || name == VariableConfig || name == modelVariable || strings.HasPrefix(name, VariableServerURL)
}

// Title is a short text for the agent: the preset, else the command.
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

// SHA256 is of the agent as it is written, as recordings hold it.
func (a *Agent) SHA256() string { return trace.PromptSHA256(a.Written) }

// agentValue returns what names the program of a test or an entry of agents:, itself or through what it inherits; ok is false
// where that is only a label, or nothing.
func (r *reader) agentValue(t test) (v yamlread.Value, ok bool) {
	isEntry := func(v yamlread.Value) bool {
		return v.Kind() == yamlread.TextKind && r.agents[v.Text()] != nil
	}
	v, ok = t.m.Value("agent")
	if !ok {
		return v, false
	}
	if t.entry {
		return v, t.m.HasOwn("agent") || !isEntry(v)
	}
	if !isEntry(v) {
		return v, true
	}
	entry := r.agents[v.Text()]
	v, ok = entry.Value("agent")
	return v, ok && (entry.HasOwn("agent") || !isEntry(v))
}

// readAgent reads the program of a test; nil where the built-in loop runs it.
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

// namedAgent returns the preset that a text names. In a test another text is a label for recorded runs.
func (r *reader) namedAgent(t test, v yamlread.Value) *Agent {
	name := v.Text()
	preset := agents.Find(name)
	if preset != nil {
		return &Agent{Pos: v.Pos(), CommandPos: v.Pos(), Preset: preset, Version: preset.Version, Output: preset.Format, Written: v.Written()}
	}
	if t.entry && t.m.HasOwn("agent") {
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
		a.Cwd, _ = r.path(v, "cwd")
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
		a.Preset = agents.Presets[0] // so that what belongs to presets is read
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
		empty := item.Kind() == yamlread.TextKind && item.Text() == ""
		if item.Kind() != yamlread.TextKind || empty && i == 0 && key == "command" {
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

// checkRunVariables reports variables of a command's word that are neither declared nor the run's. A declared one must not hide
// one of the run's.
func (r *reader) checkRunVariables(v yamlread.Value) {
	for _, use := range variableUse.FindAllStringSubmatch(v.Text(), -1) {
		name := use[1]
		_, declared := r.variables[name]
		switch {
		case strings.HasPrefix(use[0], "$$"):
		case declared && IsRunVariable(name):
			v.Errorf("variable %q is the run's in the command of an agent, expected another name under \"variables\"", clip(name))
		case !declared && !IsRunVariable(name):
			r.undeclared(name, v.Pos())
		}
	}
}

// withoutLoop takes out of a test with an agent what it only inherits and only the built-in loop has a use for.
func (d *draft) withoutLoop(m *yamlread.Map) {
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
