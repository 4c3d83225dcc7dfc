package live

import (
	"math/big"

	"github.com/org/mcp-gates/internal/model"
)

// Status is the progress of the runs.
type Status struct {
	Done, Planned int // runs
	Tokens        int64
	MicroDollars  int64
}

func (r *Runner) addSpent(reply model.Reply, cost *big.Rat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Tokens += reply.Input.N + reply.Output.N
	r.cost.Add(r.cost, cost)
	r.status.MicroDollars = model.RoundHalfUp(r.cost).N
	r.reportProgress()
}

func (r *Runner) reportStart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reportProgress()
}

func (r *Runner) countFinished() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Done++
	r.reportProgress()
}

// reportProgress calls Options.Progress. The caller holds the lock.
func (r *Runner) reportProgress() {
	r.status.Planned = r.planned
	if r.options.Progress != nil {
		r.options.Progress(r.status)
	}
}
