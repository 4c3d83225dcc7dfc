package live

import (
	"fmt"
	"math/big"
	"sync"

	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// microPerCent is how many micro-dollars a US cent has.
const microPerCent = 10_000

// account watches what is spent against a bound. What a call may cost at most is set aside before it is made, so that
// calls that are made at once cannot pass the bound together.
type account struct {
	what  string      // budget.per_test_usd_cents, in messages
	bound trace.Count // cents

	mu      sync.Mutex
	spent   *big.Rat // micro-dollars
	pending *big.Rat
}

func newAccount(what string, bound trace.Count) *account {
	return &account{what: what, bound: bound, spent: new(big.Rat), pending: new(big.Rat)}
}

// overBudgetError says that the next call to a model could cost more than is left.
type overBudgetError struct{ message string }

func (e *overBudgetError) Error() string { return e.message }

// reserve sets aside the most that a call may cost. The error is an *overBudgetError.
func (a *account) reserve(most *big.Rat) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bound.Known {
		sum := new(big.Rat).Add(a.spent, a.pending)
		if sum.Add(sum, most).Cmp(big.NewRat(a.bound.N*microPerCent, 1)) > 0 {
			return &overBudgetError{fmt.Sprintf("the next call could pass %q: %s of %d cents spent or set aside, and it may cost %s; it was not made",
				a.what, cents(new(big.Rat).Add(a.spent, a.pending)), a.bound.N, cents(most))}
		}
	}
	a.pending.Add(a.pending, most)
	return nil
}

// settle replaces what was set aside by what the call has cost.
func (a *account) settle(most, cost *big.Rat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending.Sub(a.pending, most)
	a.spent.Add(a.spent, cost)
}

func cents(micro *big.Rat) string {
	return new(big.Rat).Quo(micro, big.NewRat(microPerCent, 1)).FloatString(2)
}

// priceOf returns what tokens cost, in micro-dollars.
func priceOf(p suite.Price, input, output int64) *big.Rat {
	sum := new(big.Rat).Mul(p.Input, new(big.Rat).SetInt64(input))
	sum.Add(sum, new(big.Rat).Mul(p.Output, new(big.Rat).SetInt64(output)))
	return sum.Quo(sum, big.NewRat(1_000_000, 1))
}

// roundUpHalf returns micro-dollars as a whole number, half up; unknown when it is beyond counting.
func roundUpHalf(micro *big.Rat) trace.Count {
	sum := new(big.Rat).Add(micro, big.NewRat(1, 2))
	whole := new(big.Int).Div(sum.Num(), sum.Denom())
	if !whole.IsInt64() {
		return trace.Count{}
	}
	return trace.Known(whole.Int64())
}
