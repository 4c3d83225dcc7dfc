package live

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// defaultAgentTimeout bounds a run of the user's own program if the suite gives no timeout.
const defaultAgentTimeout = 10 * time.Minute

// program holds the command, the environment and the limits of a case's program.
type program struct {
	agent        *suite.Agent
	commandWords []string          // program and arguments, with their ${variables}
	values       map[string]string // values of the suite's variables in commandWords
	env          []string          // environment variables that the suite sets
	commonEnv    []string          // environment variables that every program gets, and the caller's HOME if the program inherits it
	dir          string            // the folder in which the program is started; "" for an empty folder for each run
	timeout      time.Duration

	versionWords []string // nil for none
	version      string   // the first line that the command versionWords printed; "" before that
}

func (p *plan) prepareProgram(errs *source.Errors) {
	a, getenv := p.tested.Agent, p.runner().options.Getenv
	texts := &resolver{suite: p.shared.suite, getenv: getenv}
	agentProgram := &program{
		agent: a, values: map[string]string{}, commonEnv: mcpclient.ProgramEnv(getenv), timeout: cmp.Or(a.Timeout, defaultAgentTimeout),
	}
	if a.InheritHome {
		agentProgram.commonEnv = withVariable(agentProgram.commonEnv, "HOME="+getenv("HOME"))
	}
	if a.Cwd != "" {
		agentProgram.dir = filepath.Join(p.runner().options.Dir, filepath.FromSlash(a.Cwd))
	}
	agentProgram.env = texts.env(nil, a.Env)
	p.program = agentProgram
	p.readWords(agentProgram, texts)
	if err := texts.problemsError(); err != nil {
		errs.Addf(a.Pos, "the agent %s", err)
		return
	}
	p.shared.secrets = append(p.shared.secrets, texts.secrets...)
	p.checkProgram(agentProgram, errs)
	p.checkUnused(errs)
	if p.tested.Model != "" {
		p.resolved.Model = p.tested.Model
		p.findPrice()
	}
}

// readWords sets the words of the program's command and of its version command. It looks up their variables, except those of a run.
func (p *plan) readWords(agentProgram *program, texts *resolver) {
	a := agentProgram.agent
	agentProgram.commandWords = a.Command
	if a.Preset != nil {
		agentProgram.commandWords = append([]string{a.Preset.Program}, a.Command...)
	}
	for _, word := range agentProgram.commandWords {
		suite.ReplaceVariables(word, func(name string) string {
			if !suite.IsRunVariable(name) {
				agentProgram.values[name] = texts.text("command", "${"+name+"}")
			}
			return ""
		})
	}
	if a.Cwd == "" && a.Preset == nil {
		agentProgram.commandWords = p.withFullPaths(agentProgram.commandWords)
	}
	for _, word := range a.Version {
		agentProgram.versionWords = append(agentProgram.versionWords, texts.text("version", word))
	}
	if a.Cwd == "" {
		agentProgram.versionWords = p.withFullPaths(agentProgram.versionWords)
	}
}

// withFullPaths replaces words that name a file beside the suite by full paths, because the program is started in an empty folder.
// It keeps a program's name without a slash, which is searched in PATH.
func (p *plan) withFullPaths(words []string) []string {
	folder := filepath.Join(p.runner().options.Dir, filepath.FromSlash(path.Dir(p.shared.suite.File)))
	words = slices.Clone(words)
	for i, word := range words {
		isBareProgram := i == 0 && !strings.Contains(word, "/")
		isRelative := word != "" && !filepath.IsAbs(word) && !strings.Contains(word, "${")
		if isBareProgram || !isRelative {
			continue
		}
		full := filepath.Join(folder, filepath.FromSlash(word))
		if info, err := os.Stat(full); err == nil && !info.IsDir() {
			words[i] = full
		}
	}
	return words
}

func (p *plan) checkProgram(agentProgram *program, errs *source.Errors) {
	a := agentProgram.agent
	if len(agentProgram.commandWords) > 0 && !strings.Contains(agentProgram.commandWords[0], "${") {
		if problem := agentProgram.checkPath(agentProgram.commandWords[0]); problem != "" {
			errs.Addf(a.CommandPos, "program %q %s", agentProgram.displayName(), problem)
		}
	}
	if info, err := os.Stat(agentProgram.dir); a.Cwd != "" && (err != nil || !info.IsDir()) {
		errs.Addf(a.Pos, "\"cwd\" of the agent is %q, which is not a folder", a.Cwd)
	}
	if a.Preset != nil && a.Preset.NeedsModel && p.tested.Model == "" {
		errs.Addf(a.Pos, "\"model\" is missing, which preset %q needs", a.Preset.Name)
	}
	for _, s := range p.tested.Servers {
		if s.Start.Transport == "sse" {
			errs.Addf(s.Pos, "server %q has the older transport, sse, which cannot be shown to an agent of one's own; expected streamable HTTP", s.Name)
		}
	}
	if len(p.tested.Servers) == 0 && p.addsDistractors() {
		errs.Addf(p.tested.Pos, "\"servers\" is empty, and distractors are shown to an agent of one's own among the tools of the first server")
	}
}

// displayName returns the program's name as the suite or its preset gives it.
func (one *program) displayName() string {
	if one.agent.Preset != nil {
		return one.agent.Preset.Program
	}
	return one.agent.Command[0]
}

// checkPath returns the reason why a program cannot be started; "" if it can.
func (one *program) checkPath(name string) string {
	if !strings.Contains(name, "/") {
		if _, err := mcpclient.FindProgram(name, one.environment(nil)); err != nil {
			return "is not in PATH; install it there, or name it by its path"
		}
		return ""
	}
	full := name
	if !filepath.IsAbs(name) {
		full = filepath.Join(one.dir, filepath.FromSlash(name))
	}
	info, err := os.Stat(full)
	switch {
	case err != nil || one.dir == "" && !filepath.IsAbs(name):
		return "is not there"
	case info.IsDir() || info.Mode()&0o111 == 0:
		return "cannot be executed"
	}
	return ""
}

// environment returns the program's whole environment. The suite's variables override those of a preset, and a preset's
// override commonEnv.
func (one *program) environment(preset []string) []string {
	env := slices.Clone(one.commonEnv)
	for _, entry := range slices.Concat(preset, one.env) {
		env = withVariable(env, entry)
	}
	return env
}

func (p *plan) checkUnused(errs *source.Errors) {
	c := p.tested
	for _, key := range []struct {
		name  string
		given bool
	}{
		{"system_prompt", c.HasSystemPrompt}, {"script", c.Live.Script != ""}, {"provider", c.Live.Provider != ""},
		{"base_url", c.Live.BaseURL != ""}, {"api", c.Live.API != ""}, {"max_turns", c.Live.MaxTurns != 0},
		{"max_output_tokens", c.Live.MaxOutputTokens != 0}, {"temperature", c.Live.Temperature != nil},
		{"deferred", c.Deferred != nil},
	} {
		if key.given {
			errs.Addf(c.Agent.Pos, "%q is for the built-in loop, and an agent of one's own runs the test; expected one of the two", key.name)
		}
	}
	if strings.HasPrefix(c.Model, "builtin:") {
		errs.Addf(c.Agent.Pos, "model %q is an agent that is built in, and an agent of one's own runs the test; expected one of the two", c.Model)
	}
}

func (one *program) runNotes() string {
	var list []string
	if one.agent.Output == suite.OutputText {
		list = append(list, trace.AgentBlind)
	}
	if one.agent.Cwd != "" {
		list = append(list, trace.AgentCwd)
	}
	if one.agent.InheritHome {
		list = append(list, trace.AgentHome)
	}
	return strings.Join(list, " ")
}
