package live

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// replies is a provider that gives its replies one after the other, and keeps what it was asked.
type replies struct {
	list  []model.Reply
	asked []model.Request
	err   error // once the list is used up
}

func (r *replies) Turn(_ context.Context, req model.Request) (model.Reply, error) {
	r.asked = append(r.asked, req)
	if len(r.asked) > len(r.list) {
		return model.Reply{}, r.err
	}
	return r.list[len(r.asked)-1], nil
}

// planFor returns a plan without servers for a provider, at dollars for each token read or written.
func planFor(provider model.Provider, perTestCents trace.Count) *plan {
	runner := NewRunner(context.Background(), Options{Getenv: func(string) string { return "" }})
	price := model.Price{Input: big.NewRat(1_000_000, 1), Output: big.NewRat(1_000_000, 1)} // a micro-dollar a token
	return &plan{
		shared:   &Prepared{runner: runner, budget: newAccount("suite", trace.Count{})},
		provider: provider, price: &price, budget: newAccount("test", perTestCents),
		maxTurns: 3, maxOutput: 10,
	}
}

var echo = &catalog.Tool{Server: "s", Name: "echo"}

func talk(t *testing.T, p *plan) *conversation {
	t.Helper()
	return talkWith(t, &conversation{
		plan:     p,
		byName:   map[string]*catalog.Tool{"echo": echo, "bait": {Server: "d", Name: "bait"}},
		injected: map[catalog.Ref]bool{{Server: "d", Name: "bait"}: true},
		request:  model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: "hello"}}},
	})
}

// talkWith has a conversation with a server that echoes.
func talkWith(t *testing.T, c *conversation) *conversation {
	t.Helper()
	c.cost = new(big.Rat)
	c.call = func(_ context.Context, tool *catalog.Tool, args jsontext.Value) (mcpclient.CallResult, error) {
		if string(args) == `{"break":true}` {
			return mcpclient.CallResult{}, errors.New("server \"s\" ended")
		}
		return mcpclient.CallResult{Text: tool.Name + string(args)}, nil
	}
	if c.plan.tested != nil {
		c.faults = fault.NewCounter(c.plan.tested.PlainFaults())
	}
	c.runToEnd(context.Background())
	if c.err != nil {
		c.run.Error = c.err.Error() // which is what becomes of it, less its secrets
	}
	return c
}

// summary says in a line for each call what was recorded.
func summary(run trace.Run) []string {
	var lines []string
	for _, call := range run.Calls {
		state := "ok"
		if call.Failed {
			state = "failed"
		}
		lines = append(lines, strings.Join([]string{call.Tool.ID(), string(call.Detail.Args), state, call.Detail.Result}, " | "))
	}
	return append(lines, run.StopReason, run.Error)
}

func TestTalk(t *testing.T) {
	use := func(calls ...model.Call) model.Reply { return model.Reply{Calls: calls, Stop: model.StopToolUse} }
	end := model.Reply{Text: "done", Stop: model.StopEndTurn}
	for _, test := range []struct {
		name    string
		replies []model.Reply
		want    []string
	}{
		{"an answer without tools", []model.Reply{end}, []string{"end_turn", ""}},
		{"calls at once, in the model's order", []model.Reply{use(model.Call{ID: "1", Name: "echo", Args: `{"a": 1}`}, model.Call{ID: "2", Name: "echo", Args: ""}), end},
			[]string{`s.echo | {"a":1} | ok | echo{"a":1}`, "s.echo |  | ok | echo{}", "end_turn", ""}},
		{"a tool that the model made up", []model.Reply{use(model.Call{ID: "1", Name: "nope", Args: "{}"}), end},
			[]string{`nope |  | failed | there is no tool called "nope"`, "end_turn", ""}},
		{"arguments that are no object", []model.Reply{use(model.Call{ID: "1", Name: "echo", Args: `{"a":`}, model.Call{ID: "2", Name: "echo", Args: `[1]`}), end},
			[]string{"s.echo |  | failed | the arguments are not a JSON object", "s.echo |  | failed | the arguments are not a JSON object", "end_turn", ""}},
		{"a distractor", []model.Reply{use(model.Call{ID: "1", Name: "bait", Args: "{}"}), end},
			[]string{"d.bait |  | failed | this tool is not available", "end_turn", ""}},
		{"a refusal", []model.Reply{{Stop: model.StopRefusal}}, []string{"refusal", ""}},
		{"a reply that was cut off", []model.Reply{{Stop: model.StopMaxTokens, Calls: []model.Call{{ID: "1", Name: "echo", Args: `{"a`}}}},
			[]string{"s.echo |  | failed | not made: the reply ended with max_tokens", "max_tokens", ""}},
		{"turns without end", []model.Reply{use(model.Call{ID: "1", Name: "echo", Args: ""}), use(model.Call{ID: "2", Name: "echo", Args: ""}), use(model.Call{ID: "3", Name: "echo", Args: ""}), end},
			[]string{"s.echo |  | ok | echo{}", "s.echo |  | ok | echo{}", "s.echo |  | ok | echo{}", "max_turns", ""}},
		{"a server that breaks", []model.Reply{use(model.Call{ID: "1", Name: "echo", Args: `{"break": true}`}), end},
			[]string{`s.echo | {"break":true} | failed | the server broke, see the error of the run`, "tool_use", `server "s" ended`}},
		{"a provider that breaks", []model.Reply{use(model.Call{ID: "1", Name: "echo", Args: ""})}, []string{"s.echo |  | ok | echo{}", "tool_use", "turn 2: overloaded"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := talk(t, planFor(&replies{list: test.replies, err: errors.New("overloaded")}, trace.Count{}))
			if diff := cmp.Diff(test.want, summary(c.run)); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
		})
	}
}

// Every call is answered, under its id, in the message after the reply, raw content is handed back.
func TestTalkPairsResults(t *testing.T) {
	p := &replies{list: []model.Reply{
		{Calls: []model.Call{{ID: "1", Name: "echo", Args: ""}, {ID: "2", Name: "nope", Args: ""}}, Stop: model.StopToolUse, Raw: "thought"},
		{Stop: model.StopEndTurn},
	}}
	talk(t, planFor(p, trace.Count{}))
	got := p.asked[1].Messages[1:]
	want := []model.Message{
		{Role: model.RoleAssistant, Calls: p.list[0].Calls, Raw: "thought"},
		{Role: model.RoleTool, Results: []model.Result{
			{CallID: "1", Name: "echo", Text: "echo{}"},
			{CallID: "2", Name: "nope", Text: `there is no tool called "nope"`, IsError: true},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestTalkSumsUp(t *testing.T) {
	counts := func(in, out int64) model.Reply {
		return model.Reply{Calls: []model.Call{{ID: "1", Name: "echo", Args: ""}}, Stop: model.StopToolUse, Input: trace.Known(in), Output: trace.Known(out), Model: "m-1"}
	}
	last := counts(30, 4)
	last.Calls, last.Stop = nil, model.StopEndTurn
	c := talk(t, planFor(&replies{list: []model.Reply{counts(10, 2), last}}, trace.Count{}))
	if c.run.Input != trace.Known(40) || c.run.Output != trace.Known(6) || c.run.Total != trace.Known(46) || c.run.Cost != trace.Known(46) {
		t.Errorf("tokens %v + %v = %v, cost %v, want 40 + 6 = 46 of each", c.run.Input, c.run.Output, c.run.Total, c.run.Cost)
	}
	if c.model != "m-1" {
		t.Errorf("model %q, want m-1", c.model)
	}
}

// Fixed bugs: a turn without counts was left out of the sums, which were told as whole.
func TestTalkSumsUpOnlyWhatIsKnown(t *testing.T) {
	use := func(in, out trace.Count) model.Reply {
		return model.Reply{Calls: []model.Call{{ID: "1", Name: "echo", Args: ""}}, Stop: model.StopToolUse, Input: in, Output: out}
	}
	none, one := trace.Count{}, trace.Known(1)
	end := model.Reply{Stop: model.StopEndTurn, Input: one, Output: one}
	for _, test := range []struct {
		name                       string
		replies                    []model.Reply
		input, output, total, cost trace.Count
	}{
		{"all", []model.Reply{use(one, one), end}, trace.Known(2), trace.Known(2), trace.Known(4), trace.Known(4)},
		{"not the first turn", []model.Reply{use(none, none), end}, none, none, none, none},
		{"not the last turn", []model.Reply{use(one, one), {Stop: model.StopEndTurn}}, none, none, none, none},
		{"not what was written in one", []model.Reply{use(one, none), use(one, one), end}, trace.Known(3), none, none, none},
	} {
		run := talk(t, planFor(&replies{list: test.replies}, none)).run
		if run.Input != test.input || run.Output != test.output || run.Total != test.total || run.Cost != test.cost {
			t.Errorf("%s: got %v + %v = %v, cost %v, want %v + %v = %v, cost %v", test.name,
				run.Input, run.Output, run.Total, run.Cost, test.input, test.output, test.total, test.cost)
		}
	}
}

// Fixed bugs: what a provider did not count was taken to cost nothing, so that no budget ever ended.
func TestBudgetOfWhatIsNotCounted(t *testing.T) {
	use := model.Reply{Calls: []model.Call{{ID: "1", Name: "echo", Args: ""}}, Stop: model.StopToolUse}
	p := &replies{list: []model.Reply{use, use, use, use}}
	plan := planFor(p, trace.Known(1))
	plan.maxOutput = microPerCent * 4 / 10
	c := talk(t, plan)
	if len(p.asked) != 2 || plan.overBudget == nil {
		t.Errorf("the model was asked %d times, want 2: each call may cost 0.4 of 1 cent: %s", len(p.asked), c.run.Error)
	}
}

// The first call may cost 10 tokens to write and what the prompt is to read; the second would pass 1 cent.
func TestBudgetStopsTheNextCall(t *testing.T) {
	p := &replies{list: []model.Reply{
		{Calls: []model.Call{{ID: "1", Name: "echo", Args: ""}}, Stop: model.StopToolUse, Input: trace.Known(9_000), Output: trace.Known(995)},
		{Stop: model.StopEndTurn},
	}}
	plan := planFor(p, trace.Known(1))
	c := talk(t, plan)
	if len(p.asked) != 1 {
		t.Fatalf("the model was asked %d times, want once", len(p.asked))
	}
	if plan.overBudget == nil || !strings.Contains(c.run.Error, "the next call could pass") {
		t.Errorf("over budget is %v, the run's error %q", plan.overBudget, c.run.Error)
	}
}

// What calls at once may cost is set aside, so that they cannot pass the bound together; who finds no room but for that
// waits.
func TestAccountSetsAside(t *testing.T) {
	a := newAccount("x", trace.Known(1))
	half := big.NewRat(microPerCent/2, 1)
	for i := range 2 {
		if err := a.reserve(t.Context(), half); err != nil {
			t.Fatalf("reservation %d: %v", i, err)
		}
	}
	impatient, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	if err := a.reserve(impatient, big.NewRat(1, 1)); err == nil || err.Error() != "interrupted" {
		t.Fatalf("more than the bound was set aside, or nobody waited: %v", err)
	}
	got := make(chan error)
	go func() { got <- a.reserve(t.Context(), half) }()
	a.charge(half, new(big.Rat))
	if err := <-got; err != nil {
		t.Errorf("what was set aside and not spent is lost: %v", err)
	}
	a.charge(half, half)
	var over *overBudgetError
	if err := a.reserve(t.Context(), big.NewRat(microPerCent/2+1, 1)); !errors.As(err, &over) {
		t.Errorf("a call that could pass the bound whatever others cost got %v", err)
	}
}

// slow is a provider that answers when its context ends.
type slow struct{}

func (slow) Turn(ctx context.Context, _ model.Request) (model.Reply, error) {
	<-ctx.Done()
	return model.Reply{}, ctx.Err()
}

func TestTurnTimeout(t *testing.T) {
	plan := planFor(slow{}, trace.Count{})
	plan.runner().options.TurnTimeout = time.Millisecond
	if got, want := talk(t, plan).run.Error, "turn 1: the model did not answer within 1ms; raise --turn-timeout if it needs longer"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

// tired is a provider whose time ends while it tries again.
type tired struct{}

func (tired) Turn(ctx context.Context, _ model.Request) (model.Reply, error) {
	<-ctx.Done()
	return model.Reply{}, &model.TriedError{Err: ctx.Err(), Tries: "openai: 3 tries failed, the last met 429 rate_limit_exceeded: slow down"}
}

func TestTurnTimeoutOfTries(t *testing.T) {
	plan := planFor(tired{}, trace.Count{})
	plan.runner().options.TurnTimeout = time.Millisecond
	want := "turn 1: the model did not answer within 1ms; raise --turn-timeout if it needs longer (openai: 3 tries failed, the last met 429 rate_limit_exceeded: slow down)"
	if got := talk(t, plan).run.Error; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}
