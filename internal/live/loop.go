package live

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// These constants bound a conversation if the suite does not.
const (
	defaultMaxTurns        = 10
	defaultMaxOutputTokens = 4096
)

// maxQuoted is the greatest number of characters that a result shows of a tool name that the model made up.
const maxQuoted = 200

// caller calls a tool on its server. An error means that the server broke.
type caller func(ctx context.Context, tool *catalog.Tool, args jsontext.Value) (mcpclient.CallResult, error)

// conversation is one run of a case: a model that works on the prompt with tools.
type conversation struct {
	plan          *plan
	request       model.Request
	byName        map[string]*catalog.Tool
	injected      map[catalog.Ref]bool
	call          caller
	faults        *fault.Counter
	search        *searching    // nil if the model sees every tool
	faultTime     time.Duration // the time that the waits of faults would have taken
	run           trace.Run
	cost          *big.Rat // cost so far, in micro-dollars; it stays 0 without a price
	readTokens    int64    // tokens of the conversation up to the last reply
	pendingTokens int64    // tokens that were added after the last reply
	model         string   // the model that answered last
	err           error    // the error that ended the conversation
}

// takeTurns takes turns with the model until it stops or may have no further turn.
func (c *conversation) takeTurns(ctx context.Context) error {
	for turn := 1; ; turn++ {
		reply, err := c.askModel(ctx)
		if err != nil {
			return fmt.Errorf("turn %d: %w", turn, err)
		}
		c.run.Turns = append(c.run.Turns, trace.Turn{
			Role: string(model.RoleAssistant), Content: reply.Text, Input: reply.Input, Output: reply.Output,
		})
		c.run.FinalResponse, c.run.HasFinal, c.run.StopReason = reply.Text, true, string(reply.Stop)
		if err := c.plan.addKept(textsOf(reply)...); err != nil {
			return err
		}
		c.request.Messages = append(c.request.Messages, model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls, Raw: reply.Raw})
		if reply.Stop != model.StopToolUse || len(reply.Calls) == 0 {
			c.recordUnmadeCalls(reply)
			return nil
		}
		results, err := c.makeCalls(ctx, reply.Calls)
		if err != nil {
			return err
		}
		c.request.Messages = append(c.request.Messages, model.Message{Role: model.RoleTool, Results: results})
		if turn == c.plan.maxTurns {
			c.run.StopReason = string(model.StopMaxTurns)
			return nil
		}
	}
}

func textsOf(reply model.Reply) []string {
	texts := []string{reply.Text}
	for _, call := range reply.Calls {
		texts = append(texts, call.Name, call.Args)
	}
	return texts
}

// recordUnmadeCalls records the calls of an incomplete reply. They are not made, because the last call may lack a part.
func (c *conversation) recordUnmadeCalls(reply model.Reply) {
	for _, call := range reply.Calls {
		c.recordCall(call, nil, failedResult("not made: the reply ended with %s", reply.Stop))
	}
}

// askModel asks the model once, within the limits on cost and time. If the model does not answer, the cost is unknown, and nothing
// is charged to the budgets.
func (c *conversation) askModel(ctx context.Context) (model.Reply, error) {
	maxCost := c.plan.maxTurnCost(c)
	if err := c.plan.reserve(ctx, maxCost); err != nil {
		return model.Reply{}, err
	}
	cost := new(big.Rat)
	defer func() { c.plan.charge(maxCost, cost) }()
	patience := c.plan.runner().options.TurnTimeout
	limited, cancel := context.WithTimeoutCause(ctx, patience,
		fmt.Errorf("the model did not answer within %s; raise --turn-timeout if it needs longer", patience))
	defer cancel()
	reply, err := c.plan.provider.Turn(limited, c.request)
	switch {
	case err == nil:
		cost = c.addCosts(maxCost, reply)
	case limited.Err() != nil:
		err = outOfTime(limited, err)
	}
	return reply, err
}

// outOfTime returns the error of a turn whose time is over. If the request was repeated, the error lists the tries.
func outOfTime(ctx context.Context, err error) error {
	var tried *model.TriedError
	if errors.As(err, &tried) {
		return fmt.Errorf("%w (%s)", context.Cause(ctx), tried.Tries)
	}
	return context.Cause(ctx)
}

// addCosts adds the tokens and the cost of a reply to the run, and returns the amount to charge to the budgets. If the provider
// does not report both token counts, the amount is maxCost, which was reserved for the reply.
func (c *conversation) addCosts(maxCost *big.Rat, reply model.Reply) *big.Rat {
	c.model = reply.Model
	c.addTokens(reply)
	if !reply.Input.Known || !reply.Output.Known {
		c.readTokens, c.pendingTokens = c.readTokens+c.pendingTokens+c.plan.countReply(reply), 0
		c.run.Cost = trace.Count{}
		c.plan.runner().addSpent(reply, new(big.Rat))
		return maxCost
	}
	c.readTokens, c.pendingTokens = reply.Input.N+reply.Output.N, 0
	cost := new(big.Rat)
	if c.plan.price != nil {
		cost = c.plan.price.Of(reply.Input.N, reply.Output.N)
		c.cost.Add(c.cost, cost)
		if c.run.Total.Known { // otherwise the cost of an earlier turn is unknown
			c.run.Cost = model.RoundHalfUp(c.cost)
		}
	}
	c.plan.runner().addSpent(reply, cost)
	return cost
}

// addTokens adds up the tokens of the turns. A sum is unknown if the count of any turn is unknown.
func (c *conversation) addTokens(reply model.Reply) {
	add := func(sum, more trace.Count) trace.Count {
		isFirst := len(c.request.Messages) == 1
		if !more.Known || !sum.Known && !isFirst {
			return trace.Count{}
		}
		return trace.Known(sum.N + more.N)
	}
	c.run.Input, c.run.Output = add(c.run.Input, reply.Input), add(c.run.Output, reply.Output)
	c.run.Total = trace.Count{}
	if c.run.Input.Known && c.run.Output.Known {
		c.run.Total = trace.Known(c.run.Input.N + c.run.Output.N)
	}
}

// makeCalls makes the calls of a reply one after another, in the model's order. An error ends the run.
func (c *conversation) makeCalls(ctx context.Context, calls []model.Call) ([]model.Result, error) {
	results := make([]model.Result, len(calls))
	for i, call := range calls {
		tool := c.byName[call.Name]
		result, err := c.makeCall(ctx, call, tool)
		if err != nil {
			c.recordCall(call, tool, failedResult("the server broke, see the error of the run"))
			return nil, err
		}
		c.recordCall(call, tool, result)
		if err := c.plan.addKept(result.Text); err != nil {
			return nil, err
		}
		c.pendingTokens += c.plan.countTokens(result.Text)
		results[i] = model.Result{CallID: call.ID, Name: call.Name, Text: result.Text, IsError: result.IsError}
	}
	c.offerFound()
	return results, nil
}

// makeCall makes one call. A mistake of the model becomes a failed result; an error means that the server broke.
func (c *conversation) makeCall(ctx context.Context, call model.Call, tool *catalog.Tool) (toolResult, error) {
	if tool == nil {
		return failedResult("there is no tool called %q", c.plan.shared.rules.Shorten(call.Name, maxQuoted)), nil
	}
	args, ok := parseArguments(call.Args)
	if !ok {
		return failedResult("the arguments are not a JSON object"), nil
	}
	switch {
	case c.search.isSearchTool(tool):
		return c.search.runSearch(args), nil
	case !c.search.isOffered(tool):
		return failedResult("the tool %q has not been found yet, search for it first", call.Name), nil
	case c.injected[tool.Ref()]:
		return failedResult("this tool is not available"), nil
	}
	if f, isFaulty := c.faults.Next(tool.Server, tool.Name); isFaulty {
		return c.applyFault(f, tool.Server, func() (mcpclient.CallResult, error) { return c.call(ctx, tool, args) })
	}
	result, err := c.call(ctx, tool, args)
	return toolResult{CallResult: result}, err
}

// parseArguments returns the JSON object that a model wrote, and whether the text is one. An empty text stands for an empty
// object.
func parseArguments(text string) (jsontext.Value, bool) {
	if strings.TrimSpace(text) == "" {
		return jsontext.Value("{}"), true
	}
	args := jsontext.Value(text)
	if args.Kind() != '{' || !args.IsValid() || isTooDeep(args) {
		return nil, false
	}
	args = args.Clone()
	if err := args.Compact(); err != nil {
		return nil, false
	}
	return args, true
}

// argsDepth is the depth at which a cassette nests the arguments of a call.
const argsDepth = 5

func isTooDeep(value jsontext.Value) bool {
	tokens := jsontext.NewDecoder(bytes.NewReader(value))
	for {
		if _, err := tokens.ReadToken(); err != nil {
			return false
		}
		if tokens.StackDepth() > source.MaxDepth-argsDepth {
			return true
		}
	}
}

// recordCall adds a call to the run. tool is nil if the model made up the tool's name.
func (c *conversation) recordCall(call model.Call, tool *catalog.Tool, result toolResult) {
	ref := catalog.Ref{Name: call.Name}
	if tool = cmp.Or(tool, c.byName[call.Name]); tool != nil {
		ref = tool.Ref()
	}
	detail := &trace.Detail{Result: result.Text, Duration: trace.Known(result.Duration), Fault: result.fault, Search: result.search}
	state := trace.ArgsMalformed
	if args, ok := parseArguments(call.Args); ok {
		if state = trace.ArgsEmpty; string(args) != "{}" {
			state, detail.Args = trace.ArgsObject, args
		}
	}
	c.run.Calls = append(c.run.Calls, trace.Call{Tool: &trace.Tool{Ref: ref}, Args: state, Failed: result.IsError, Detail: detail})
}

func (c *conversation) runToEnd(ctx context.Context) {
	start := time.Now()
	err := c.takeTurns(ctx)
	c.run.Duration = trace.Known((time.Since(start) + c.faultTime).Milliseconds())
	c.err = err
	var over *overBudgetError
	if errors.As(err, &over) {
		c.plan.noteOverBudget(over)
	}
}
