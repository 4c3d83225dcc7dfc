package live

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/org/mcp-gates/internal/trace"
)

// microPerCent is the number of micro-dollars in a US cent.
const microPerCent = 10_000

// budgetFlag is the name of the budget of all suites in messages.
const budgetFlag = "--budget"

// account compares the money spent with a bound. The most that a call may cost is reserved before the call, so that
// concurrent calls cannot pass the bound together. If a call fits into the budget but not beside the reservations of
// other calls, it waits for them. So the number of concurrent runs does not decide which calls are made.
type account struct {
	name  string      // the name of the budget in messages, such as budget.per_test_usd_cents
	bound trace.Count // cents

	mu      sync.Mutex
	spent   *big.Rat      // micro-dollars
	pending *big.Rat      // micro-dollars that are reserved
	settled chan struct{} // closed, and replaced, when charge ends the reservation of a call
}

func newAccount(name string, bound trace.Count) *account {
	return &account{name: name, bound: bound, spent: new(big.Rat), pending: new(big.Rat), settled: make(chan struct{})}
}

// overBudgetError means that the next call to a model could cost more than the rest of the budget.
type overBudgetError struct {
	message string
	account *account
}

func (e *overBudgetError) Error() string { return e.message }

// reserve reserves maxCost, the most that a call may cost. The error is an *overBudgetError, or the reason why ctx ended.
func (a *account) reserve(ctx context.Context, maxCost *big.Rat) error {
	for {
		settled, err := a.tryReserve(maxCost)
		if settled == nil {
			return err
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tryReserve reserves maxCost, the most that a call may cost. If the call must wait for other calls, tryReserve returns a channel
// that is closed when the reservation of one of them ends.
func (a *account) tryReserve(maxCost *big.Rat) (settled chan struct{}, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bound.Known {
		bound := big.NewRat(a.bound.N*microPerCent, 1)
		total := new(big.Rat).Add(a.spent, maxCost)
		if total.Cmp(bound) > 0 {
			return nil, &overBudgetError{fmt.Sprintf("the next call could pass %q: %s of %d cents are spent, and it may cost %s; it was not made",
				a.name, cents(a.spent), a.bound.N, cents(maxCost)), a}
		}
		if total.Add(total, a.pending).Cmp(bound) > 0 {
			return a.settled, nil
		}
	}
	a.pending.Add(a.pending, maxCost)
	return nil, nil
}

// exhaustedError returns an error if the budget is used up.
func (a *account) exhaustedError() *overBudgetError {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.bound.Known || a.spent.Cmp(big.NewRat(a.bound.N*microPerCent, 1)) < 0 {
		return nil
	}
	return &overBudgetError{fmt.Sprintf("nothing is left of %q: %s of %d cents are spent; the next run was not made", a.name, cents(a.spent), a.bound.N), a}
}

// charge replaces the reservation of a call, maxCost, by the call's real cost.
func (a *account) charge(maxCost, cost *big.Rat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending.Sub(a.pending, maxCost)
	a.spent.Add(a.spent, cost)
	close(a.settled)
	a.settled = make(chan struct{})
}

func cents(micro *big.Rat) string {
	return new(big.Rat).Quo(micro, big.NewRat(microPerCent, 1)).FloatString(2)
}
