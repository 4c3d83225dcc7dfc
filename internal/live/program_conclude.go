package live

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/proxy"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// buildRun makes the run from the program's output and the calls that its servers saw. It returns the reason why the run is not
// scored; nil if the run is scored. failure is the error of the program itself. A nil failure does not suffice, because most
// programs end with status 0 even if a server has not started.
func (r *programRun) buildRun(failure error) error {
	witnesses := lists.Map(r.endpoints, (*proxy.Endpoint).Witness)
	r.noteTools(witnesses)
	reported, unread := r.readOutput()
	offered, number := r.run.Offered, r.number
	r.run, r.deferred = reported.Run, reported.Deferred
	r.run.Offered, r.run.Number = offered, number
	r.model = reported.Model
	if reported.ProviderModel != "" {
		r.model = reported.ProviderModel
	}
	r.run.Calls = r.mergeCalls(reported, witnesses)
	r.addCost()
	reported.Error, r.run.Error = r.run.Error, ""
	if err := r.countAllKept(); err != nil {
		return err
	}
	if err := r.rootCause(witnesses, failure, reported.Error); err != nil {
		return err
	}
	return unread
}

// rootCause returns the root cause of a run that is not scored; nil if none is found.
func (r *programRun) rootCause(witnesses []proxy.Witness, failure error, reported string) error {
	for _, w := range witnesses {
		if w.Err != nil {
			return w.Err
		}
	}
	if failure != nil {
		return withReason(failure, reported)
	}
	if reported != "" {
		return errors.New(reported)
	}
	for i, w := range witnesses {
		name := r.plan.tested.Servers[i].Name
		switch {
		case w.Client == "" && !w.Listed:
			return fmt.Errorf("the agent never reached server %q", name)
		case !w.Listed:
			return fmt.Errorf("the agent never listed the tools of server %q", name)
		}
	}
	if len(witnesses) > 0 && r.real == nil {
		return fmt.Errorf("no tool is offered by %s", strings.Join(r.plan.tested.ServerNames, ", "))
	}
	return r.leftover
}

func withReason(failure error, reported string) error {
	var failed *mcpclient.Error
	if reported == "" || !errors.As(failure, &failed) {
		return failure
	}
	extended := *failed
	extended.Err = fmt.Errorf("%w: %s", failed.Err, reported)
	return &extended
}

func (r *programRun) noteTools(witnesses []proxy.Witness) {
	var real []*catalog.Tool
	for _, w := range witnesses {
		if !w.Listed {
			return
		}
		real = append(real, w.Tools...)
	}
	if len(real) > 0 {
		r.real = catalog.New("", real)
	}
}

// readOutput reads the run from the program's output. An error means that the output is not in the program's format.
func (r *programRun) readOutput() (*imports.Run, error) {
	agent := r.program.agent
	if agent.Output == suite.OutputText {
		return r.readText()
	}
	reported, err := r.readLog("output", outputFile)
	if err == nil && agent.Preset != nil && agent.Preset.Session != "" {
		return r.readSession(reported)
	}
	return reported, err
}

func (r *programRun) readText() (*imports.Run, error) {
	text, err := os.ReadFile(r.folder.output())
	if err != nil {
		return &imports.Run{}, fmt.Errorf("read the agent's output: %w", err)
	}
	answer := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
	reported := &imports.Run{}
	reported.FinalResponse, reported.HasFinal = answer, true
	reported.Turns = []trace.Turn{
		{Role: string(model.RoleUser), Content: r.plan.tested.Prompt}, {Role: string(model.RoleAssistant), Content: answer},
	}
	return reported, nil
}

// readLog reads the one run that the named files of the folder hold. label is the word for the last file in errors.
func (r *programRun) readLog(label string, names ...string) (*imports.Run, error) {
	c := r.plan.tested
	options := imports.Options{Format: r.program.agent.Output, Servers: c.ServerNames}
	if len(c.ServerNames) == 1 {
		options.Lone = c.ServerNames[0]
	}
	var runs []*imports.Run
	account, err := imports.Read(os.DirFS(r.folder.root), names, options, func(run *imports.Run) error {
		runs = append(runs, run)
		return nil
	})
	switch {
	case err != nil:
		return &imports.Run{}, fmt.Errorf("read the agent's %s: %w", label, err)
	case len(account.Mistakes) > 0:
		return &imports.Run{}, fmt.Errorf("read the agent's %s as %s: %s", label, r.program.agent.Output, account.Mistakes[0].Msg)
	}
	reported := &imports.Run{}
	if len(runs) == 1 {
		reported = runs[0] // an incomplete run also has a cost
	}
	problem := ""
	switch {
	case len(account.Skipped) > 0:
		first := account.Skipped[0]
		problem = fmt.Sprintf("line %d %s", first.Pos.Line, first.Msg)
	case len(runs) != 1:
		problem = fmt.Sprintf("it holds %d runs, expected one", len(runs))
	default:
		return reported, nil
	}
	return reported, fmt.Errorf("read the agent's %s as %s: %s", label, r.program.agent.Output, problem)
}

// readSession reads the run again, together with the session file of the preset's program, which has calls that the program's
// output lacks. An error means that the file does not exist or cannot be read.
func (r *programRun) readSession(reported *imports.Run) (*imports.Run, error) {
	preset := r.program.agent.Preset
	if reported.Session == "" || strings.ContainsAny(reported.Session, `/\*?[`) {
		return reported, fmt.Errorf("read the agent's session file: its output names the session %q, which no file can be of", reported.Session)
	}
	pattern := fmt.Sprintf(preset.Session, reported.Session)
	found, err := filepath.Glob(filepath.Join(r.folder.home(), filepath.FromSlash(pattern)))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%s in HOME is %d files, expected one, because the output lacks calls", pattern, len(found))
	}
	if err != nil {
		return reported, fmt.Errorf("read the agent's session file: %w", err)
	}
	name, err := filepath.Rel(r.folder.root, found[0])
	if err != nil {
		return reported, fmt.Errorf("read the agent's session file: %w", err)
	}
	whole, err := r.readLog("session file", outputFile, filepath.ToSlash(name))
	if err != nil {
		return reported, err
	}
	return whole, nil
}

// addCost charges the cost of the run to the budgets. If the program reports no cost, it is computed from the price.
func (r *programRun) addCost() {
	p, run := r.plan, &r.run
	extra := run.Extra.Value()
	isCached := extra.CacheRead.N > 0 || extra.CacheWrite.N > 0 // cached tokens have prices of their own
	hasTokens := run.Input.Known && run.Output.Known
	if !run.Cost.Known && p.price != nil && hasTokens && !isCached {
		run.Cost = model.RoundHalfUp(p.price.Of(run.Input.N, run.Output.N))
	}
	cost := new(big.Rat)
	if run.Cost.Known {
		cost.SetInt64(run.Cost.N)
	} else if p.isBounded() {
		p.runner().note(fmt.Sprintf("%q: the agent reports no cost: \"budget\" does not bound it, only \"runs\" and \"timeout\" do", p.tested.Name))
	}
	p.charge(new(big.Rat), cost)
	p.runner().addSpent(model.Reply{Input: run.Input, Output: run.Output}, cost)
}

func (r *programRun) countAllKept() error {
	texts := []string{r.run.FinalResponse}
	for _, turn := range r.run.Turns {
		texts = append(texts, turn.Content)
	}
	for i := range r.run.Calls {
		d := r.run.Calls[i].Detail
		texts = append(texts, r.run.Calls[i].Tool.Name, string(d.Args), d.Result)
	}
	return r.plan.addKept(texts...)
}
