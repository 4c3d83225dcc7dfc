package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

func (p *plan) run(ctx context.Context) (*trace.Trace, error) {
	limit := p.runner().options.CaseTimeout
	p.timeUp = fmt.Errorf("the case takes longer than %s; raise --case-timeout if it needs longer", limit)
	limited, cancel := context.WithTimeoutCause(ctx, limit, p.timeUp)
	defer cancel()
	if err := cmp.Or(p.findVersion(limited), p.checkVersion()); err != nil {
		return nil, err
	}
	tr := p.collect(limited)
	err := p.checkAndSave(ctx, tr)
	p.keeper.close(p.saveOutcome == outcomeWritten || p.saveOutcome == outcomeSame)
	return tr, err
}

// checkAndSave returns an error if there are fewer runs than the case asks for. Otherwise it saves the runs, if they are to be
// recorded.
func (p *plan) checkAndSave(ctx context.Context, tr *trace.Trace) error {
	scored, failed := tr.Split()
	switch {
	case ctx.Err() != nil && len(failed) > 0:
		return errors.New("the run was interrupted")
	case p.overBudget != nil:
		if p.overBudget.account == p.runner().budget {
			p.runner().noteIncomplete(p)
		}
		return &source.Error{Pos: p.tested.Pos, Msg: p.overBudget.Error()}
	}
	needsAllRuns := len(scored) == 0 || p.partial() != nil
	if p.mistake != nil && needsAllRuns {
		return p.foundMistake()
	}
	if p.runner().options.Save == nil {
		return nil
	}
	return p.save(tr)
}

// collect makes the runs that the case still lacks, as many at the same time as there are slots, and returns the trace of all
// runs.
func (p *plan) collect(ctx context.Context) *trace.Trace {
	old, missing := p.plannedRuns()
	p.makeRuns(ctx, missing)
	all := slices.Concat(old, missing)
	slices.SortFunc(all, func(a, b *oneRun) int { return a.number - b.number })
	for i, o := range all {
		o.run.Number = i + 1
	}
	return p.assemble(all)
}

func (p *plan) plannedRuns() (old, missing []*oneRun) {
	all := p.allRuns()
	if p.partial() == nil {
		return nil, all
	}
	return p.resume(all)
}

func (p *plan) allRuns() []*oneRun {
	_, offer := p.distractorPoints()
	if offer == nil {
		offer = []int{allDistractors}
	}
	runs := make([]*oneRun, 0, p.runCount())
	for _, n := range offer {
		for range p.tested.Runs {
			runs = append(runs, &oneRun{plan: p, number: len(runs) + 1, offered: n})
		}
	}
	return runs
}

// makeRuns makes the runs. It starts no more goroutines than there are slots, because a case may have very many runs.
func (p *plan) makeRuns(ctx context.Context, runs []*oneRun) {
	var next atomic.Int64
	var first firstListing
	var wg sync.WaitGroup
	for range min(len(runs), cap(p.runner().slots)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(runs) {
					return
				}
				p.runner().slots <- struct{}{}
				runs[i].makeSafely(ctx)
				<-p.runner().slots
				if runs[i].belongsToCase(ctx) {
					p.keeper.add(runs[i])
				}
				first.note(runs[i])
				p.runner().countFinished()
			}
		})
	}
	wg.Wait()
}

// firstListing keeps the first run that could list the tools of the servers. This run's tools and distractors become the case's
// catalog. The lists of all other runs are dropped, because each can take as much memory again.
type firstListing struct {
	mu  sync.Mutex
	run *oneRun
}

func (s *firstListing) note(run *oneRun) {
	if run.real == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil {
		s.run = run
		return
	}
	other := run
	if run.number < s.run.number {
		other, s.run = s.run, run
	}
	other.real, other.distractors = nil, nil
}

// allDistractors is the value of oneRun.offered for a run that is offered every distractor.
const allDistractors = -1

// oneRun is one run of a case, with the tools that its servers offered.
type oneRun struct {
	plan     *plan
	number   int
	offered  int // number of distractors that the run is offered, or allDistractors
	replaces int // number of the broken run that this run replaces; 0 for none

	hasBegun  bool // false if the run was skipped: it was interrupted, its time was over, or the runs were too large for a recording
	isRefused bool // a mistake in the suite or a server, and not the agent, made the run impossible

	run         trace.Run
	deferred    []catalog.Ref    // tools of the case that the agent's program deferred; see [trace.Header]
	real        *catalog.Catalog // the tools that the servers listed; nil if they could not be asked, or if an earlier run keeps them
	distractors []*catalog.Tool  // all distractors; offered says how many of them the run is offered, from the first
	model       string           // the model that answered
	err         error            // the error that ended the run
}

// makeSafely makes the run. If the run breaks off, the reason becomes the run's error. This includes a panic of this program, which
// would otherwise end all runs and leave their servers running.
func (o *oneRun) makeSafely(ctx context.Context) {
	o.run = trace.Run{Number: o.number}
	defer func() {
		if panicValue := recover(); panicValue != nil {
			o.err = fmt.Errorf("the checker broke on this run, please report it: %v", panicValue)
		}
		o.run.Number = o.number
	}()
	if o.err = o.attempt(ctx); o.err != nil {
		_ = o.plan.addKept(o.err.Error()) // its error says that the runs are too large, and the next run gets the same error
	}
}

// attempt makes the run: it starts the servers, offers their tools, and has the model or the program work on the prompt.
func (o *oneRun) attempt(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("not begun: %w", context.Cause(ctx))
	}
	if err := o.plan.addKept(); err != nil {
		return fmt.Errorf("not begun: %w", err)
	}
	o.hasBegun = true
	if o.plan.program != nil {
		return o.attemptProgram(ctx)
	}
	sessions, end, err := o.plan.connect(ctx)
	if err != nil {
		return err
	}
	defer end()
	o.plan.runner().reportStart()
	if err := o.readTools(ctx, sessions); err != nil {
		return err
	}
	seen, err := o.offeredTools()
	if err == nil {
		err = o.checkSameCatalog()
	}
	if err != nil {
		return o.refuse(err)
	}
	tools, byName := nameTools(seen) // tools are named before they are shuffled, so that a tool has the same name in all runs
	shuffle(tools, o.plan.tested.Name, o.number)
	search, tools := o.deferTools(seen, tools, byName)
	c := &conversation{
		plan: o.plan, byName: byName, cost: new(big.Rat), injected: refsOf(o.distractors), run: o.run,
		faults: fault.NewCounter(o.plan.tested.PlainFaults()), search: search,
		request: model.Request{
			Model: o.plan.resolved.Model, System: o.plan.tested.SystemPrompt, Tools: tools, Run: o.number,
			Messages:        []model.Message{{Role: model.RoleUser, Text: o.plan.tested.Prompt}},
			MaxOutputTokens: o.plan.maxOutput,
			Temperature:     o.plan.temperature(),
		},
		call: func(ctx context.Context, tool *catalog.Tool, args jsontext.Value) (mcpclient.CallResult, error) {
			return sessions[tool.Server].Call(ctx, tool.Name, args)
		},
	}
	c.run.Turns = []trace.Turn{{Role: string(model.RoleUser), Content: o.plan.tested.Prompt}}
	c.runToEnd(ctx)
	o.run, o.model = c.run, c.model
	return c.err
}

// readTools reads the tools of the servers. It returns an error if they offer no tools, or lack a tool that a fault
// names.
func (o *oneRun) readTools(ctx context.Context, sessions map[string]*mcpclient.Session) error {
	real, err := o.plan.listTools(ctx, sessions)
	if err != nil {
		return err
	}
	if len(real.Tools) == 0 && len(o.plan.tested.ServerNames) > 0 {
		return fmt.Errorf("no tool is offered by %s", strings.Join(o.plan.tested.ServerNames, ", "))
	}
	o.real = real
	if err := o.plan.checkFaults(real.Tools); err != nil {
		return o.refuse(err)
	}
	return nil
}

// refuse marks the run as one that no agent could make.
func (o *oneRun) refuse(err error) error {
	o.isRefused = true
	o.plan.noteMistake(err)
	return err
}

func (p *plan) temperature() *float64 {
	if p.tested.Live.Temperature == nil {
		return nil
	}
	f, _ := p.tested.Live.Temperature.Float64()
	return &f
}

func refsOf(tools []*catalog.Tool) map[catalog.Ref]bool {
	refs := map[catalog.Ref]bool{}
	for _, t := range tools {
		refs[t.Ref()] = true
	}
	return refs
}

// offeredTools returns the tools that the run is offered: those of the servers, and the run's number of distractors.
func (o *oneRun) offeredTools() (*catalog.Catalog, error) {
	inject, _ := o.plan.distractorPoints()
	if inject == nil {
		return o.real, nil
	}
	all, err := inject(o.real.Tools)
	if err != nil {
		return nil, fmt.Errorf("distractors: %w", err)
	}
	o.distractors = all
	n := o.offered
	if n == allDistractors {
		n = len(all)
	}
	o.run.Offered = trace.Known(int64(n))
	return catalog.Merge(o.real, &catalog.Catalog{Tools: all[:min(n, len(all))]}), nil
}
