package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

// Options say how cases are run.
type Options struct {
	Getenv  func(name string) string
	FS      fs.FS  // the workspace, which scripts are read from
	Dir     string // the same folder as the operating system knows it, in which servers are started
	Version string
	Jobs    int // how many runs go on at once; below 1: DefaultJobs

	// Save writes a cassette at a path of the workspace, whole or not at all; nil records nothing.
	Save func(path string, write func(io.Writer) error) error

	// Now is the time that recordings bear; nil for the clock's.
	Now func() time.Time

	// Progress is told how far the runs are, one call at a time: when the servers of a run are there, after each reply of
	// a model, and when a run has ended. It may be nil.
	Progress func(Status)

	Transport   http.RoundTripper // reaches providers; nil for the default
	Retry       model.Retry       // of requests to providers
	TurnTimeout time.Duration     // for each reply of a model; 0 is DefaultTurnTimeout
	CaseTimeout time.Duration     // for all runs of a case; 0 is DefaultCaseTimeout
	Hurry       <-chan struct{}   // closed when servers are to end at once, without grace; nil for never
}

// The values that options have where they give none.
const (
	DefaultJobs        = 4
	DefaultTurnTimeout = 5 * time.Minute
	DefaultCaseTimeout = 30 * time.Minute
)

// Status is how far the runs are.
type Status struct {
	Done, Planned int // runs
	Tokens        int64
	MicroDollars  int64
}

// Runner runs the cases of suites. Its methods may be called at once.
type Runner struct {
	ctx     context.Context // ends all sessions
	options Options
	slots   chan struct{}
	counter func() *tokens.Counter

	mu        sync.Mutex
	suites    map[*suite.Suite]*suitePlan
	plans     map[*suite.Case]*plan
	cassettes map[string]*plan // by path
	secrets   []string
	noted     []string // what suites have read, also those that turn out to have a mistake
	allowed   []string
	models    []string // values in noted that are the names of models
	planned   int
	status    Status
	cost      *big.Rat
}

// NewRunner returns a runner. When ctx ends, so do all servers and runs.
func NewRunner(ctx context.Context, o Options) *Runner {
	if o.Jobs < 1 {
		o.Jobs = DefaultJobs
	}
	o.TurnTimeout = cmp.Or(o.TurnTimeout, DefaultTurnTimeout)
	o.CaseTimeout = cmp.Or(o.CaseTimeout, DefaultCaseTimeout)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Runner{
		ctx: ctx, options: o,
		slots:     make(chan struct{}, o.Jobs),
		counter:   sync.OnceValue(tokens.Load),
		suites:    map[*suite.Suite]*suitePlan{},
		plans:     map[*suite.Case]*plan{},
		cassettes: map[string]*plan{},
		cost:      new(big.Rat),
	}
}

// Close ends the sessions that runs share.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var problems []error
	for _, s := range r.suites {
		problems = append(problems, s.pool.Close())
	}
	return errors.Join(problems...)
}

// Getenv reads a variable of the environment for a suite that is being read. A mistake can quote what it holds before it
// is known what else the suite says, so that the value counts as a secret.
func (r *Runner) Getenv(name string) string {
	value := r.options.Getenv(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noted = append(r.noted, value)
	return value
}

// Secrets returns the values that were read from the environment, for what else is written: sorted, each once, without
// those that the suite that reads them allows and the names of models.
func (r *Runner) Secrets() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Clone(r.secrets)
	for _, value := range r.noted {
		if value != "" && !slices.Contains(r.allowed, value) && !slices.Contains(r.models, value) {
			list = append(list, value)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (r *Runner) info() mcpclient.Info {
	return mcpclient.Info{Name: "mcp-gates", Version: r.options.Version}
}

// spent notes what a turn took.
func (r *Runner) spent(reply model.Reply, cost *big.Rat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Tokens += reply.Input.N + reply.Output.N
	r.cost.Add(r.cost, cost)
	r.status.MicroDollars = model.RoundHalfUp(r.cost).N
	r.tell()
}

func (r *Runner) began() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell()
}

func (r *Runner) finished() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Done++
	r.tell()
}

// tell tells of the progress. The lock is held.
func (r *Runner) tell() {
	r.status.Planned = r.planned
	if r.options.Progress != nil {
		r.options.Progress(r.status)
	}
}

// Tools returns what a server of a suite advertises. Each server is asked once, also one that does not answer: it would
// keep every case that judges its tools waiting anew.
func (r *Runner) Tools(ctx context.Context, s *suite.Suite, server *suite.Server) (*catalog.Catalog, error) {
	r.mu.Lock()
	shared := r.suites[s]
	r.mu.Unlock()
	shared.mu.Lock()
	ask := shared.tools[server.Name]
	if ask == nil {
		ask = sync.OnceValues(func() (*catalog.Catalog, error) { return shared.ask(ctx, server.Name, r.info()) })
		shared.tools[server.Name] = ask
	}
	shared.mu.Unlock()
	return ask()
}

// ask lists the tools of a server, without secrets.
func (p *suitePlan) ask(ctx context.Context, server string, info mcpclient.Info) (*catalog.Catalog, error) {
	list, err := mcpclient.Snapshot(ctx, p.servers[server], info, p.rules)
	if err != nil {
		return nil, err
	}
	return &catalog.Catalog{Tools: list.Tools}, nil
}

// Run runs a case and returns its evidence, without secrets. What breaks a run is the run's error. An error of Run
// itself says why the evidence is not whole: the case was interrupted, or its budget was used up.
func (r *Runner) Run(ctx context.Context, s *suite.Suite, c *suite.Case) (*trace.Trace, error) {
	r.mu.Lock()
	p := r.plans[c]
	r.mu.Unlock()
	most := r.options.CaseTimeout
	limited, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("the case takes longer than %s; raise --case-timeout if it needs longer", most))
	defer cancel()
	tr := p.collect(limited)
	scored, failed := tr.Split()
	switch {
	case ctx.Err() != nil && len(failed) > 0:
		return tr, errors.New("the run was interrupted")
	case p.over != nil:
		return tr, &source.Error{Pos: c.Pos, Msg: p.over.Error()}
	case p.mistake != nil && len(scored) == 0:
		return tr, &source.Error{Pos: c.Pos, Msg: p.redactError(p.mistake).Error()}
	}
	if r.options.Save == nil {
		return tr, nil
	}
	return tr, p.save(tr)
}

// collect makes all runs of the case, as many at once as there are slots, and puts them together.
func (p *plan) collect(ctx context.Context) *trace.Trace {
	_, offer := p.points()
	if offer == nil {
		offer = []int{allDistractors}
	}
	runs := make([]*oneRun, 0, p.runs())
	for _, n := range offer {
		for range p.tested.Runs {
			runs = append(runs, &oneRun{plan: p, number: len(runs) + 1, offered: n})
		}
	}
	p.make(ctx, runs)
	return p.assemble(runs)
}

// make makes the runs. There are no more goroutines than slots: a case may have very many runs.
func (p *plan) make(ctx context.Context, runs []*oneRun) {
	var next atomic.Int64
	var seen seenFirst
	var wg sync.WaitGroup
	for range min(len(runs), cap(p.runner.slots)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(runs) {
					return
				}
				p.runner.slots <- struct{}{}
				runs[i].do(ctx)
				<-p.runner.slots
				seen.note(runs[i])
				p.runner.finished()
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
	*plan
	number  int
	offered int

	run         trace.Run
	real        *catalog.Catalog // what the servers advertised; nil when they could not be asked, or an earlier run has it
	distractors []*catalog.Tool  // all there are, of which the run was offered the first
	model       string           // that answered
	err         error            // that broke it off
}

// do makes the run. Whatever breaks it off is its error: a fault of the program itself, too, which would else end all
// runs and leave their servers behind.
func (o *oneRun) do(ctx context.Context) {
	o.run = trace.Run{Number: o.number}
	defer func() {
		if fault := recover(); fault != nil {
			o.err = fmt.Errorf("the checker broke on this run, please report it: %v", fault)
		}
		o.run.Number = o.number
	}()
	if o.err = o.attempt(ctx); o.err != nil {
		_ = o.hold(o.err.Error()) // the next run finds out
	}
}

func (o *oneRun) attempt(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("not begun: %w", context.Cause(ctx))
	}
	if err := o.hold(); err != nil {
		return fmt.Errorf("not begun: %w", err)
	}
	sessions, end, err := o.connect(ctx)
	if err != nil {
		return err
	}
	defer end()
	o.runner.began()
	real, err := o.list(ctx, sessions)
	if err != nil {
		return err
	}
	if len(real.Tools) == 0 && len(o.tested.ServerNames) > 0 {
		return fmt.Errorf("no tool is offered by %s", strings.Join(o.tested.ServerNames, ", "))
	}
	o.real = real
	seen, err := o.inject()
	if err != nil {
		o.noteMistake(err)
		return err
	}
	tools, byName := offer(seen) // before they are shuffled: a tool has one name in all runs
	shuffle(tools, o.tested.Name, o.number)
	c := &conversation{
		plan: o.plan, byName: byName, cost: new(big.Rat), injected: refsOf(o.distractors), run: o.run,
		request: model.Request{
			Model: o.resolved.Model, System: o.tested.SystemPrompt, Tools: tools, Run: o.number,
			Messages:        []model.Message{{Role: model.RoleUser, Text: o.tested.Prompt}},
			MaxOutputTokens: o.maxOutput,
			Temperature:     o.temperature(),
		},
		call: func(ctx context.Context, tool *catalog.Tool, args jsontext.Value) (mcpclient.CallResult, error) {
			return sessions[tool.Server].Call(ctx, tool.Name, args)
		},
	}
	c.run.Turns = []trace.Turn{{Role: string(model.RoleUser), Content: o.tested.Prompt}}
	c.converse(ctx)
	o.run, o.model = c.run, c.model
	return c.err
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
	inject, _ := o.points()
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
