package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// echoing is a model that calls echo so many times, a call a turn, and ends.
func echoing(times int) *replies {
	r := &replies{}
	for range times {
		r.list = append(r.list, model.Reply{Calls: []model.Call{{ID: "1", Name: "echo", Args: ""}}, Stop: model.StopToolUse})
	}
	r.list = append(r.list, model.Reply{Text: "done", Stop: model.StopEndTurn})
	return r
}

// TestFaultsInTheLoop pins what a call of the built-in loop comes to under each fault: in time that nothing waits for.
func TestFaultsInTheLoop(t *testing.T) {
	const minute = 60_000
	for _, test := range []struct {
		fault fault.Fault
		want  []string
		atMS  int64 // what the run took at least
	}{
		{fault.Fault{Kind: fault.Error, Times: 1}, []string{"error ! " + fault.ToolError + " 0", " echo{} 0"}, 0},
		{fault.Fault{Kind: fault.RecoverAfter, Times: 2}, []string{"recover-after ! " + fault.ToolError + " 0", "recover-after ! " + fault.ToolError + " 0"}, 0},
		{fault.Fault{Kind: fault.Hang, Times: 1, DelayMS: 5000}, []string{"hang ! no answer within 1m0s 60000", " echo{} 0"}, minute},
		{fault.Fault{Kind: fault.Slow, Times: 1, DelayMS: 5000}, []string{"slow echo{} 5000", " echo{} 0"}, 5000},
		{fault.Fault{Kind: fault.Slow, Times: 1, DelayMS: 2 * minute}, []string{"slow ! no answer within 1m0s 60000", " echo{} 0"}, minute},
		{fault.Fault{Kind: fault.Wedged, DelayMS: 5000}, []string{"wedged ! no answer within 1m0s 60000", "wedged ! no answer within 1m0s 60000"}, 2 * minute},
		{fault.Fault{Kind: fault.Disconnect, Times: 1}, []string{"disconnect ! " + fault.Closed + " 0", " echo{} 0"}, 0},
		{fault.Fault{Kind: fault.Malformed, Times: 1}, []string{"malformed ! " + fault.NotJSONRPC + " 0", " echo{} 0"}, 0},
	} {
		t.Run(test.fault.Written(), func(t *testing.T) {
			p := planFor(echoing(2), trace.Count{})
			p.tested = &suite.Case{Faults: []suite.Fault{{Fault: test.fault}}}
			start := time.Now()
			run := talk(t, p).run
			took := time.Since(start)
			var got []string
			for _, call := range run.Calls {
				state := ""
				if call.Failed {
					state = "! "
				}
				got = append(got, fmt.Sprintf("%s %s%s %d", call.Detail.Fault, state, call.Detail.Result, call.Detail.Duration.N))
			}
			if diff := cmp.Diff(got, test.want); diff != "" || run.Error != "" {
				t.Errorf("error %q, calls (-got +want):\n%s", run.Error, diff)
			}
			if run.Duration.N < test.atMS || took > 4*time.Second {
				t.Errorf("the run is recorded with %d ms and took %s, want %d ms or more, and no time", run.Duration.N, took, test.atMS)
			}
		})
	}
}

// TestCallTimeout pins that a call hangs for as long as its server is waited for.
func TestCallTimeout(t *testing.T) {
	p := planFor(echoing(1), trace.Count{})
	p.shared.servers = map[string]mcpclient.Config{"s": {CallTimeout: 2 * time.Second}}
	p.tested = &suite.Case{Faults: []suite.Fault{{Fault: fault.Fault{Kind: fault.Hang, Times: 1}}}}
	if got, want := talk(t, p).run.Calls[0].Detail.Result, "no answer within 2s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFaultsSpareOtherCalls pins that calls which no server gets meet no fault.
func TestFaultsSpareOtherCalls(t *testing.T) {
	p := planFor(&replies{list: []model.Reply{
		{Calls: []model.Call{{ID: "1", Name: "nope", Args: ""}, {ID: "2", Name: "bait", Args: ""}, {ID: "3", Name: "echo", Args: "["}, {ID: "4", Name: "echo", Args: ""}}, Stop: model.StopToolUse},
		{Stop: model.StopEndTurn},
	}}, trace.Count{})
	p.tested = &suite.Case{Faults: []suite.Fault{{Fault: fault.Fault{Kind: fault.Error, Times: 1}}}}
	var got []string
	for _, call := range talk(t, p).run.Calls {
		got = append(got, call.Tool.Name+" "+call.Detail.Fault)
	}
	if diff := cmp.Diff(got, []string{"nope ", "bait ", "echo ", "echo error"}); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// TestFaultyToolIsOffered pins that a fault of a tool that no server has is a mistake at the tool's place.
func TestFaultyToolIsOffered(t *testing.T) {
	offered := []*catalog.Tool{{Server: "s", Name: "search"}, {Server: "t", Name: "fetch"}}
	for _, test := range []struct {
		fault fault.Fault
		want  string
	}{
		{fault.Fault{Server: "s", Kind: fault.Hang}, ""},
		{fault.Fault{Server: "s", Tool: "search", Kind: fault.Hang}, ""},
		{fault.Fault{Server: "s", Tool: "serch", Kind: fault.Hang}, `no server of the test offers the tool of the fault "hang of s.serch", did you mean "search"?`},
		{fault.Fault{Server: "s", Tool: "fetch", Kind: fault.Hang}, `no server of the test offers the tool of the fault "hang of s.fetch"`},
	} {
		p := planFor(nil, trace.Count{})
		p.tested = &suite.Case{Faults: []suite.Fault{{Fault: test.fault}}}
		got := ""
		if err := p.checkFaults(offered); err != nil {
			got = strings.TrimPrefix(err.Error(), ":0: ")
		}
		if !strings.HasSuffix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: got %q, want %q", test.fault, got, test.want)
		}
	}
}
