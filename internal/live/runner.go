package live

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/trace"
)

// Options hold the settings of a runner.
type Options struct {
	Getenv  func(name string) string
	FS      fs.FS  // the workspace, from which scripts are read
	Dir     string // path of FS in the operating system; servers are started in it
	Version string
	Jobs    int // number of concurrent runs; below 1 means DefaultJobs

	Budget trace.Count // bound on the cost of the runs of all suites together, in US cents; unknown means no bound

	// Save writes a cassette to a path of the workspace, whole or not at all. If Save is nil, nothing is recorded.
	Save func(path string, write func(io.Writer) error) error

	// Partials stores the runs of a case as they end, until its recording is whole; nil stores none. It is used only if
	// Save is not nil.
	Partials Partials
	Resume   bool // make only the runs that partial recordings lack; if false, a partial recording that exists is a mistake

	// Progress receives the progress of the runs, one call at a time: after the servers of a run have started, after each
	// reply of a model, and at the end of a run. It may be nil.
	Progress func(Status)

	TurnTimeout time.Duration   // time limit for each reply of a model; 0 means DefaultTurnTimeout
	CaseTimeout time.Duration   // time limit for all runs of a case; 0 means DefaultCaseTimeout
	Hurry       <-chan struct{} // closed when servers are to end at once, without a grace period; nil for never

	// Limit changes a server's time limits, which its suite gives; nil changes nothing.
	Limit func(*mcpclient.Config)
}

// The defaults of [Options].
const (
	DefaultJobs        = 4
	DefaultTurnTimeout = 5 * time.Minute
	DefaultCaseTimeout = 30 * time.Minute
)

// Runner runs the cases of suites. Its methods may be called concurrently.
type Runner struct {
	ctx     context.Context // all sessions end with it
	options Options
	slots   chan struct{}
	budget  *account // of all suites

	mu              sync.Mutex
	cassettes       map[string]*plan // by path
	secrets         []string
	readValues      []string // values that suites have read from the environment, including suites with mistakes
	allowed         []string
	models          []string // values in readValues that are names of models
	notes           []string
	planned         int
	status          Status
	cost            *big.Rat
	incompleteCases []string // cases that the budget of all suites did not cover, by suite and name
}

// NewRunner returns a runner. The end of ctx ends all servers and runs.
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

// Getenv reads an environment variable for a suite that is being read. A mistake can quote the value before the rest of
// the suite is known, so the value counts as a secret.
func (r *Runner) Getenv(name string) string {
	value := r.options.Getenv(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readValues = append(r.readValues, value)
	return value
}

// noteSecrets keeps the secrets of a suite, and the values that are not secret: those that the suite allows, and the names of its
// models.
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

// Secrets returns the values that were read from the environment, sorted, each once, so that other output can be redacted. It
// leaves out names of models, and values that their suite allows.
func (r *Runner) Secrets() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Clone(r.secrets)
	for _, value := range r.readValues {
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

// Notes returns sorted remarks on the runs that are not part of the report: runs that a budget did not cover, and
// agents with another version than the recording's.
func (r *Runner) Notes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	notes := slices.Sorted(slices.Values(r.notes))
	if n := len(r.incompleteCases); n > 0 {
		slices.Sort(r.incompleteCases)
		const maxShown = 20
		list := lists.AndMore(r.incompleteCases[:min(n, maxShown)], n)
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
	r.incompleteCases = append(r.incompleteCases, p.tested.ID)
}

func (r *Runner) info() mcpclient.Info {
	return mcpclient.Info{Name: "mcp-gates", Version: r.options.Version}
}
