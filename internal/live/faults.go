package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// toolResult is the result of a tool call in the built-in loop.
type toolResult struct {
	mcpclient.CallResult
	fault  string        // the kind of the fault that the call met; "" for none
	search *trace.Search // nil for a call that is not a search
}

func failedResult(format string, args ...any) toolResult {
	return toolResult{CallResult: mcpclient.CallResult{Text: fmt.Sprintf(format, args...), IsError: true}}
}

// applyFault returns the result of a call under a fault. It does not wait, but adds the time of the wait to the durations of the
// call and of the run. A fault never ends the run, although an error of a real server does.
func (c *conversation) applyFault(f fault.Fault, server string, call func() (mcpclient.CallResult, error)) (toolResult, error) {
	patience := c.plan.callTimeout(server)
	waited := delayOf(f, patience)
	result := failedResult(fault.ToolError)
	switch {
	case waited == patience:
		result = failedResult("no answer within %s", patience)
	case f.Kind == fault.Slow:
		answer, err := call()
		if err != nil {
			return toolResult{}, err
		}
		result.CallResult = answer
	case f.Kind == fault.Disconnect:
		result = failedResult(fault.Closed)
	case f.Kind == fault.Malformed:
		result = failedResult(fault.NotJSONRPC)
	}
	result.fault = f.Kind
	result.Duration += waited.Milliseconds()
	c.faultTime += waited
	return result, nil
}

// delayOf returns the time that the loop would wait for an answer under a fault, at most patience.
func delayOf(f fault.Fault, patience time.Duration) time.Duration {
	switch f.Kind {
	case fault.Hang, fault.Wedged:
		return patience
	case fault.Slow:
		return min(time.Duration(f.DelayMS)*time.Millisecond, patience)
	}
	return 0
}

func (p *plan) callTimeout(server string) time.Duration {
	return cmp.Or(p.shared.servers[server].CallTimeout, mcpclient.DefaultCallTimeout)
}

func (p *plan) checkFaults(offered []*catalog.Tool) error {
	for _, f := range p.tested.Faults {
		if f.Tool == "" || slices.ContainsFunc(offered, func(t *catalog.Tool) bool { return f.Covers(t.Server, t.Name) }) {
			continue
		}
		var names []string
		for _, t := range offered {
			if t.Server == f.Server {
				names = append(names, t.Name)
			}
		}
		return &source.Error{Pos: f.Pos, Msg: fmt.Sprintf("no server of the test offers the tool of the fault %q%s", f.String(), source.DidYouMean(f.Tool, names))}
	}
	return nil
}

func (o *oneRun) checkFaultyTools(ctx context.Context) error {
	p := o.plan
	if !slices.ContainsFunc(p.tested.PlainFaults(), func(f fault.Fault) bool { return f.Tool != "" }) {
		return nil
	}
	offered := &catalog.Catalog{}
	for _, s := range p.tested.Servers {
		tools, err := p.shared.Tools(ctx, s)
		if err != nil {
			return err
		}
		offered.Tools = append(offered.Tools, tools.Tools...)
	}
	return p.checkFaults(offered.Tools)
}

// foundMistake returns p.mistake without secrets. A mistake without a place gets the case's place.
func (p *plan) foundMistake() *source.Error {
	rules := p.shared.rules.File()
	var placed *source.Error
	if errors.As(p.mistake, &placed) {
		return &source.Error{Pos: placed.Pos, Msg: rules.Text(placed.Msg)}
	}
	return &source.Error{Pos: p.tested.Pos, Msg: mcpclient.SafeText(rules, p.mistake)}
}
