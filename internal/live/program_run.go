package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// maxOutput bounds a program's standard output, in bytes.
const maxOutput = 64 << 20

func (o *oneRun) attemptProgram(ctx context.Context) error {
	if err := o.plan.exhaustedError(); err != nil {
		o.plan.noteOverBudget(err)
		return err
	}
	if err := o.checkFaultyTools(ctx); err != nil {
		return o.refuse(err)
	}
	injected, err := o.chooseDistractors(ctx)
	if err != nil {
		return o.refuse(err)
	}
	run := &programRun{oneRun: o, program: o.plan.program, distractors: injected, faults: fault.NewCounter(o.plan.tested.PlainFaults())}
	defer run.cleanUp()
	if err := run.open(ctx); err != nil {
		return err
	}
	o.plan.runner().reportStart()
	start := time.Now()
	failure := run.runProgram(ctx)
	duration := trace.Known(time.Since(start).Milliseconds())
	run.leftover = errors.Join(lists.Map(run.endpoints, (*proxy.Endpoint).Close)...)
	failure = run.buildRun(failure)
	o.run.Number, o.run.Duration = o.number, duration
	if o.real != nil {
		if err := o.checkSameCatalog(); err != nil {
			return o.refuse(err)
		}
	}
	return failure
}

// chooseDistractors returns the distractors of the run. The program finds them among the tools of the first server.
func (o *oneRun) chooseDistractors(ctx context.Context) ([]*catalog.Tool, error) {
	p := o.plan
	inject, _ := p.distractorPoints()
	if inject == nil || len(p.tested.Servers) == 0 {
		return nil, nil
	}
	real := &catalog.Catalog{}
	for _, s := range p.tested.Servers {
		tools, err := p.shared.Tools(ctx, s)
		if err != nil {
			return nil, err
		}
		real.Tools = append(real.Tools, tools.Tools...)
	}
	all, err := inject(real.Tools)
	if err != nil {
		return nil, fmt.Errorf("distractors: %w", err)
	}
	o.distractors = moveToServer(p.tested.Servers[0].Name, all, real.Tools)
	n := o.offered
	if n == allDistractors {
		n = len(o.distractors)
	}
	n = min(n, len(o.distractors))
	o.run.Offered = trace.Known(int64(n))
	return o.distractors[:n], nil
}

func moveToServer(server string, tools, real []*catalog.Tool) []*catalog.Tool {
	taken := map[string]bool{}
	for _, t := range real {
		taken[t.Name] = taken[t.Name] || t.Server == server
	}
	var list []*catalog.Tool
	for _, t := range tools {
		if !taken[t.Name] {
			moved := *t
			moved.Server, taken[t.Name] = server, true
			list = append(list, &moved)
		}
	}
	return list
}

// programRun is one run of a program, with its folder and the endpoints of its servers.
type programRun struct {
	*oneRun
	program     *program
	distractors []*catalog.Tool // distractors of this run
	folder      folder
	faults      *fault.Counter
	endpoints   []*proxy.Endpoint // endpoints of the case's servers, in the case's order
	leftover    error             // the error for a server process that could not be ended
}

// open makes the folder, opens an endpoint for each server, and writes the program's files. The process of a server starts when the
// program connects to its endpoint.
func (r *programRun) open(ctx context.Context) error {
	var err error
	if r.folder, err = newFolder(); err != nil {
		return err
	}
	for i, s := range r.plan.tested.Servers {
		e, err := proxy.Open(ctx, r.endpoint(s, i == 0))
		if err != nil {
			return err
		}
		r.endpoints = append(r.endpoints, e)
	}
	setup := r.setup()
	var files []agents.File
	if preset := r.program.agent.Preset; preset != nil && preset.Files != nil {
		files = preset.Files(setup)
	}
	return r.folder.write(files, setup.Servers)
}

// endpoint returns the options of a server's endpoint. The order of the tools changes from run to run; the first server
// also offers the distractors.
func (r *programRun) endpoint(s *suite.Server, isFirst bool) proxy.EndpointOptions {
	o := proxy.EndpointOptions{Server: r.plan.shared.servers[s.Name], Rules: r.plan.shared.rules, Injected: map[string]bool{}, Faults: r.faults}
	var added []*catalog.Tool
	if isFirst {
		added = r.distractors
	}
	for _, t := range added {
		o.Injected[t.Name] = true
	}
	name, number := r.plan.tested.Name, r.number
	o.Show = func(real []*catalog.Tool) []*catalog.Tool {
		all := slices.Concat(real, added)
		shuffle(all, name, number)
		return all
	}
	return o
}

func (r *programRun) setup() agents.Setup {
	s := agents.Setup{
		Model: r.plan.tested.Model, Prompt: r.plan.tested.Prompt, Builtins: r.program.agent.Builtins, ConfigFile: r.folder.config(),
		ToolSearch: r.program.agent.ToolSearch == trace.SearchOn,
	}
	for i, server := range r.plan.tested.Servers {
		s.Servers = append(s.Servers, agents.Server{Name: server.Name, URL: r.endpoints[i].URL()})
	}
	return s
}

// runProgram starts the program and waits for its end, within its time limit.
func (r *programRun) runProgram(ctx context.Context) error {
	out, err := os.OpenFile(r.folder.output(), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keep the agent's output: %w", err)
	}
	defer out.Close()
	limit := r.program.timeout
	limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the agent did not end within %s; raise its \"timeout\" if it needs longer", limit))
	defer cancel()
	setup := r.setup()
	command := mcpclient.Program{
		Command: r.commandWords(setup), Env: r.environment(setup), Dir: cmp.Or(r.program.dir, r.folder.work()),
		Output: &limitedWriter{w: out, left: maxOutput},
		Rules:  r.plan.shared.rules, Hurry: r.plan.runner().options.Hurry,
	}
	if r.program.agent.Preset == nil { // the command of a preset already holds the prompt
		command.Input = setup.Prompt
	}
	return command.Run(limited)
}

func (r *programRun) commandWords(s agents.Setup) []string {
	words := lists.Map(r.program.commandWords, func(word string) string {
		return suite.ReplaceVariables(word, func(name string) string { return r.variableValue(name, s) })
	})
	preset := r.program.agent.Preset
	if preset == nil {
		return words
	}
	s.Args = words[1:]
	return append(words[:1:1], preset.Words(s)...)
}

// variableValue returns the value of a variable in a word of the command.
func (r *programRun) variableValue(name string, s agents.Setup) string {
	if server, ok := strings.CutPrefix(name, suite.VariableServerURL); ok {
		i := slices.IndexFunc(s.Servers, func(one agents.Server) bool { return one.Name == server })
		return s.Servers[i].URL // the suite's reader has checked that the server exists
	}
	switch name {
	case suite.VariablePrompt:
		return s.Prompt
	case suite.VariableConfig:
		return s.ConfigFile
	case suite.VariableModel:
		return s.Model
	}
	return r.program.values[name]
}

func (r *programRun) environment(s agents.Setup) []string {
	var variables []string
	if !r.program.agent.InheritHome {
		variables = append(variables, "HOME="+r.folder.home())
	}
	if preset := r.program.agent.Preset; preset != nil && preset.Env != nil {
		variables = append(variables, preset.Env(s)...)
	}
	return r.program.environment(variables)
}

func (r *programRun) cleanUp() {
	for _, e := range r.endpoints {
		_ = e.Close()
	}
	if r.folder.root != "" {
		r.folder.remove()
	}
}

// limitedWriter writes at most left bytes to w. A further byte is an error.
type limitedWriter struct {
	w    io.Writer
	left int64
}

func (b *limitedWriter) Write(p []byte) (int, error) {
	b.left -= int64(len(p))
	if b.left < 0 {
		return 0, fmt.Errorf("the agent wrote more than %d bytes to its standard output", int64(maxOutput))
	}
	return b.w.Write(p)
}
