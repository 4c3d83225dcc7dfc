package live

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/trace"
)

// Options say how cases are run.
type Options struct {
	Getenv  func(name string) string
	FS      fs.FS  // the workspace, which scripts are read from
	Dir     string // the same folder as the operating system knows it, in which servers are started
	Version string
	Jobs    int // how many runs go on at once; below 1: DefaultJobs

	Budget trace.Count // US cents for the runs of all suites together; unknown: without a bound

	// Save writes a cassette at a path of the workspace, whole or not at all; nil records nothing.
	Save func(path string, write func(io.Writer) error) error

	// Partials keeps the runs of a case as they end, until its recording is whole; nil keeps none. It is asked only with Save.
	Partials Partials
	Resume   bool // make only the runs that partial recordings lack; otherwise where there is one is a mistake

	// Progress gets how far the runs are, one call at a time: when the servers of a run are there, after each reply of
	// a model, and when a run has ended. It may be nil.
	Progress func(Status)

	TurnTimeout time.Duration   // for each reply of a model; 0 is DefaultTurnTimeout
	CaseTimeout time.Duration   // for all runs of a case; 0 is DefaultCaseTimeout
	Hurry       <-chan struct{} // closed when servers are to end at once, without grace; nil for never

	// Limit changes how long a server is waited for, which its suite says otherwise; nil changes nothing.
	Limit func(*mcpclient.Config)
}

// The values that options have where they give none.
const (
	DefaultJobs        = 4
	DefaultTurnTimeout = 5 * time.Minute
	DefaultCaseTimeout = 30 * time.Minute
)

// Runner runs the cases of suites. Its methods may be called at once.
type Runner struct {
	ctx     context.Context // ends all sessions
	options Options
	slots   chan struct{}
	budget  *account // of all suites

	mu        sync.Mutex
	cassettes map[string]*plan // by path
	secrets   []string
	noted     []string // what suites have read, also those that turn out to have a mistake
	allowed   []string
	models    []string // values in noted that are the names of models
	notes     []string
	planned   int
	status    Status
	cost      *big.Rat
	cut       []string // cases for which the budget of all suites did not suffice, by suite and name
}

// NewRunner returns a runner. When ctx ends, so do all servers and runs.
func NewRunner(ctx context.Context, o Options) *Runner {
	if o.Jobs < 1 {
		o.Jobs = DefaultJobs
	}
	o.TurnTimeout = cmp.Or(o.TurnTimeout, DefaultTurnTimeout)
	o.CaseTimeout = cmp.Or(o.CaseTimeout, DefaultCaseTimeout)
	return &Runner{
		ctx: ctx, options: o,
		slots:     make(chan struct{}, o.Jobs),
		budget:    newAccount(budgetFlag, o.Budget),
		cassettes: map[string]*plan{},
		cost:      new(big.Rat),
	}
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

// noteSecrets keeps the values that a suite reads from the environment and those of them that are not secret, even if
// the suite has a mistake.
func (r *Runner) noteSecrets(p *Prepared) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.allowed = append(r.allowed, p.suite.Redact.Allow...)
	r.models = append(r.models, p.suite.Models...)
	for _, value := range p.secrets {
		if !slices.Contains(p.suite.Redact.Allow, value) {
			r.secrets = append(r.secrets, value)
		}
	}
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

func (r *Runner) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// Notes returns remarks on the runs that are no part of the report, sorted: what a budget did not bound, agents of another
// version than was recorded.
func (r *Runner) Notes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	notes := slices.Sorted(slices.Values(r.notes))
	if n := len(r.cut); n > 0 {
		slices.Sort(r.cut)
		const most = 20
		list := strings.Join(r.cut[:min(n, most)], ", ")
		if n > most {
			list += fmt.Sprintf(" and %d more", n-most)
		}
		verb := "were"
		if n == 1 {
			verb = "was"
		}
		notes = append(notes, fmt.Sprintf("%s %d did not suffice: %s %s not run to the end: %s", budgetFlag, r.budget.bound.N, judge.CountOf(n, "case"), verb, list))
	}
	return notes
}

func (r *Runner) noteIncomplete(p *plan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = append(r.cut, p.tested.ID)
}

func (r *Runner) info() mcpclient.Info {
	return mcpclient.Info{Name: "mcp-gates", Version: r.options.Version}
}
