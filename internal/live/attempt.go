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
	most := p.runner().options.CaseTimeout
	p.timeUp = fmt.Errorf("the case takes longer than %s; raise --case-timeout if it needs longer", most)
	limited, cancel := context.WithTimeoutCause(ctx, most, p.timeUp)
	defer cancel()
	if err := cmp.Or(p.findVersion(limited), p.checkVersion()); err != nil {
		return nil, err
	}
	tr := p.collect(limited)
	err := p.conclude(ctx, tr)
	p.kept.end(p.became == written || p.became == same)
	return tr, err
}

// conclude returns why the runs are fewer than were asked for; otherwise it saves them, if they are to be saved.
func (p *plan) conclude(ctx context.Context, tr *trace.Trace) error {
	scored, failed := tr.Split()
	switch {
	case ctx.Err() != nil && len(failed) > 0:
		return errors.New("the run was interrupted")
	case p.over != nil:
		if p.over.of == p.runner().budget {
			p.runner().noteIncomplete(p)
		}
		return &source.Error{Pos: p.tested.Pos, Msg: p.over.Error()}
	case p.mistake != nil && (len(scored) == 0 || p.old() != nil):
		return p.foundMistake()
	}
	if p.runner().options.Save == nil {
		return nil
	}
	return p.save(tr)
}

// collect makes the runs of the case that are missing, as many at once as there are slots, and puts all together.
func (p *plan) collect(ctx context.Context) *trace.Trace {
	old, missing := p.planned()
	p.make(ctx, missing)
	all := slices.Concat(old, missing)
	slices.SortFunc(all, func(a, b *oneRun) int { return a.number - b.number })
	for i, o := range all {
		o.run.Number = i + 1
	}
	return p.assemble(all)
}

func (p *plan) planned() (old, missing []*oneRun) {
	all := p.all()
	if p.old() == nil {
		return nil, all
	}
	return p.resume(all)
}

func (p *plan) all() []*oneRun {
	_, offer := p.points()
	if offer == nil {
		offer = []int{allDistractors}
	}
	all := make([]*oneRun, 0, p.runs())
	for _, n := range offer {
		for range p.tested.Runs {
			all = append(all, &oneRun{plan: p, number: len(all) + 1, offered: n})
		}
	}
	return all
}

// make makes the runs. There are no more goroutines than slots: a case may have very many runs.
func (p *plan) make(ctx context.Context, runs []*oneRun) {
	var next atomic.Int64
	var seen seenFirst
	var wg sync.WaitGroup
	for range min(len(runs), cap(p.runner().slots)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(runs) {
					return
				}
				p.runner().slots <- struct{}{}
				runs[i].do(ctx)
				<-p.runner().slots
				if runs[i].counts(ctx) {
					p.kept.add(runs[i])
				}
				seen.note(runs[i])
				p.runner().finished()
			}
		})
	}
	wg.Wait()
}

// seenFirst keeps what the first of the runs saw that could ask the servers. The case's catalog is made of that, and what
// the others saw, which can be as much each, is let go of.
type seenFirst struct {
	mu  sync.Mutex
	run *oneRun
}

func (s *seenFirst) note(run *oneRun) {
	if run.real == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil {
		s.run = run
		return
	}
	later := run
	if run.number < s.run.number {
		later, s.run = s.run, run
	}
	later.real, later.distractors = nil, nil
}

// allDistractors stands for every distractor there is.
const allDistractors = -1

// oneRun is one run of a case, and what it saw.
type oneRun struct {
	plan    *plan
	number  int
	offered int
	beside  int // the number of the run that broke and beside which this one is made; 0 for none

	begun   bool // it was not too late for it
	refused bool // not because of what the run did, but of what the suite or the servers have

	run         trace.Run
	deferred    []catalog.Ref    // what the agent's program deferred of it; see [trace.Header]
	real        *catalog.Catalog // what the servers advertised; nil when they could not be asked, or an earlier run has it
	distractors []*catalog.Tool  // all there are, of which the run was offered the first
	model       string           // that answered
	err         error            // that broke it off
}

// do makes the run. Whatever breaks it off is its error, even a fault of this program, which would otherwise end all runs and
// leave their servers behind.
func (o *oneRun) do(ctx context.Context) {
	o.run = trace.Run{Number: o.number}
	defer func() {
		if fault := recover(); fault != nil {
			o.err = fmt.Errorf("the checker broke on this run, please report it: %v", fault)
		}
		o.run.Number = o.number
	}()
	if o.err = o.attempt(ctx); o.err != nil {
		_ = o.plan.hold(o.err.Error()) // the next run finds out
	}
}

func (o *oneRun) attempt(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("not begun: %w", context.Cause(ctx))
	}
	if err := o.plan.hold(); err != nil {
		return fmt.Errorf("not begun: %w", err)
	}
	o.begun = true
	if o.plan.program != nil {
		return o.attemptProgram(ctx)
	}
	sessions, end, err := o.plan.connect(ctx)
	if err != nil {
		return err
	}
	defer end()
	o.plan.runner().began()
	if err := o.readTools(ctx, sessions); err != nil {
		return err
	}
	seen, err := o.inject()
	if err == nil {
		err = o.sameCatalog()
	}
	if err != nil {
		return o.refuse(err)
	}
	tools, byName := offer(seen) // before they are shuffled: a tool has one name in all runs
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
	c.converse(ctx)
	o.run, o.model = c.run, c.model
	return c.err
}

// readTools reads what the servers offer, which must be enough for the test and its faults.
func (o *oneRun) readTools(ctx context.Context, sessions map[string]*mcpclient.Session) error {
	real, err := o.plan.list(ctx, sessions)
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

// refuse notes that the run cannot be made whatever the agent does.
func (o *oneRun) refuse(err error) error {
	o.refused = true
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

// inject returns the tools that the run is offered: those of the servers and as many distractors as it is to have.
func (o *oneRun) inject() (*catalog.Catalog, error) {
	inject, _ := o.plan.points()
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
