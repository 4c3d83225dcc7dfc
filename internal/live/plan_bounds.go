package live

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/tokens"
)

// This file bounds the cost and the memory of all runs of a case.

// maxTurnCost returns the greatest possible cost of the next turn of a conversation: the cost of all input tokens and of as many
// output tokens as a reply may have.
func (p *plan) maxTurnCost(c *conversation) *big.Rat {
	if p.price == nil {
		return new(big.Rat)
	}
	if len(c.request.Messages) == 1 {
		c.pendingTokens = p.countTokens(c.request.System) + p.countTokens(c.request.Messages[0].Text)
		for _, t := range c.request.Tools {
			c.pendingTokens += p.countTool(t)
		}
		c.readTokens = 0
	}
	return p.price.Of(c.readTokens+c.pendingTokens, int64(p.maxOutput))
}

func (p *plan) countTool(t model.Tool) int64 {
	return p.countTokens(t.Name) + p.countTokens(t.Description) + p.countTokens(string(t.Schema))
}

func (p *plan) countTokens(text string) int64 {
	if !p.isBounded() || text == "" {
		return 0
	}
	return int64(tokens.Counter{}.Text(text))
}

// countReply estimates the number of tokens of a reply that later turns read again; 0 if no budget is set. It is called if the
// provider does not report both token counts.
func (p *plan) countReply(reply model.Reply) int64 {
	n := p.countTokens(reply.Text)
	for _, call := range reply.Calls {
		n += p.countTokens(call.Name) + p.countTokens(call.Args)
	}
	return n
}

// accounts returns the budgets that pay for the case: the case's, its suite's, and the budget of all suites.
func (p *plan) accounts() []*account {
	return []*account{p.budget, p.shared.budget, p.runner().budget}
}

func (p *plan) isBounded() bool {
	return slices.ContainsFunc(p.accounts(), func(a *account) bool { return a.bound.Known })
}

// reserve reserves maxCost, the most that a call may cost, first from the case's budget, then from the suite's budget, and then
// from the budget of all suites. Because all runs use this order, a run that waits for a budget cannot block the runs that have
// reserved it.
func (p *plan) reserve(ctx context.Context, maxCost *big.Rat) error {
	accounts := p.accounts()
	for i, a := range accounts {
		if err := a.reserve(ctx, maxCost); err != nil {
			for _, reserved := range accounts[:i] {
				reserved.charge(maxCost, new(big.Rat))
			}
			return err
		}
	}
	return nil
}

// exhaustedError returns an error if a budget is used up, so that no further run of a program may start. Nothing can be reserved
// for such a run, because its greatest cost is unknown.
func (p *plan) exhaustedError() *overBudgetError {
	for _, a := range p.accounts() {
		if err := a.exhaustedError(); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) charge(maxCost, cost *big.Rat) {
	for _, a := range p.accounts() {
		a.charge(maxCost, cost)
	}
}

// addKept counts the bytes of texts of a run that are kept. It returns an error once the runs of the case are larger than a
// recording may be.
func (p *plan) addKept(texts ...string) error {
	const entry = 256 // about the memory that each text takes in addition to its bytes
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range texts {
		p.keptBytes += int64(len(text)) + entry
	}
	if p.keptBytes > source.MaxCassette {
		return fmt.Errorf("the runs of the case hold more than %d bytes, more than a recording may have", source.MaxCassette)
	}
	return nil
}

func (p *plan) noteOverBudget(err *overBudgetError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.overBudget = cmp.Or(p.overBudget, err)
}

func (p *plan) noteMistake(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mistake = cmp.Or(p.mistake, err)
}
