package live

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// dear is a provider that uses up all that a call may take, and asks for another.
type dear struct {
	output int64
	spent  atomic.Int64 // micro-dollars, those of calls on their way included
	most   int64
	t      *testing.T
}

func (d *dear) Turn(_ context.Context, req model.Request) (model.Reply, error) {
	read := int64(len(req.Messages)) / 2 * d.output // what it has written before; the rest is a few tokens
	if spent := d.spent.Add(read + d.output); spent > d.most {
		d.t.Errorf("calls of %d micro-dollars were made, the budget has %d", spent, d.most)
	}
	return model.Reply{
		Calls: []model.Call{{ID: "1", Name: "echo", Args: "{}"}}, Stop: model.StopToolUse, Input: trace.Known(read), Output: trace.Known(d.output),
	}, nil
}

// However many runs go on at once, together they make no call that the budget has not room for, and as many as it has.
func TestBudgetHoldsForRunsAtOnce(t *testing.T) {
	const cents, output = 50, 7_000
	for _, of := range []string{"test", "suite", "all suites"} {
		t.Run(of, func(t *testing.T) {
			p := &dear{output: output, most: cents * microPerCent, t: t}
			plan := planFor(p, trace.Count{})
			plan.maxOutput = output
			switch a := newAccount(of, trace.Known(cents)); of {
			case "test":
				plan.budget = a
			case "suite":
				plan.shared.budget = a
			default:
				plan.runner().budget = a
			}
			slots := make(chan struct{}, 8)
			var wg sync.WaitGroup
			for range 100 {
				wg.Go(func() {
					slots <- struct{}{}
					defer func() { <-slots }()
					talk(t, plan)
				})
			}
			wg.Wait()
			if spent := p.spent.Load(); spent < p.most/2 {
				t.Errorf("calls of %d micro-dollars were made, the budget has %d", spent, p.most)
			}
			if plan.overBudget == nil {
				t.Error("nobody noted that the budget was used up")
			}
		})
	}
}

// frugal is a provider of replies that cost a hundredth of what they may, and need time.
type frugal struct{}

func (frugal) Turn(context.Context, model.Request) (model.Reply, error) {
	time.Sleep(time.Millisecond)
	return model.Reply{Stop: model.StopEndTurn, Input: trace.Known(1), Output: trace.Known(99)}, nil
}

// Fixed bugs: calls were refused, and cases were errors, for what calls on their way had set aside and did not spend. A
// budget that has room for one call at a time has room for as many at once as there are slots.
func TestBudgetWaitsForCallsOnTheirWay(t *testing.T) {
	const cents, output = 1, 9_900 // one call may cost nearly all, and costs a hundredth
	for _, of := range []string{"test", "suite"} {
		plan := planFor(frugal{}, trace.Count{})
		plan.maxOutput = output
		if of == "test" {
			plan.budget = newAccount("test", trace.Known(cents))
		} else {
			plan.shared.budget = newAccount("suite", trace.Known(cents))
		}
		plan.budget.spent.SetInt64(-100 * 40) // room for all
		plan.shared.budget.spent.SetInt64(-100 * 40)
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() { talk(t, plan) })
		}
		wg.Wait()
		if plan.overBudget != nil {
			t.Errorf("%s: %v", of, plan.overBudget)
		}
	}
}

// What is left may be spent to the last cent, and a call that is refused has set nothing aside: others of its case would
// wait for it for ever.
func TestReserve(t *testing.T) {
	plan := planFor(frugal{}, trace.Count{})
	plan.budget, plan.shared.budget = newAccount("test", trace.Known(2)), newAccount("suite", trace.Known(1))
	exact, more := big.NewRat(microPerCent, 1), big.NewRat(microPerCent+1, 1)
	var over *overBudgetError
	if err := plan.reserve(t.Context(), more); !errors.As(err, &over) || !strings.Contains(err.Error(), `pass "suite"`) {
		t.Errorf("reserve more than the suite has: got error %v, want one about its budget", err)
	}
	if got := plan.budget.pending; got.Sign() != 0 {
		t.Fatalf("the call was refused, and %s micro-dollars are set aside for it", got.RatString())
	}
	if err := plan.reserve(t.Context(), exact); err != nil {
		t.Errorf("reserve all that is left: %v", err)
	}
}
