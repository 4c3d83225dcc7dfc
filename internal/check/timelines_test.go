package check

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

var search, fetch = &trace.Tool{Ref: catalog.Ref{Server: "web", Name: "search"}}, &trace.Tool{Ref: catalog.Ref{Server: "web", Name: "fetch"}}

// joined has the name that two calls of search make when a NUL joins what the calls were.
var joined = &trace.Tool{Ref: catalog.Ref{Server: "web", Name: "search\x00false\x00\x00web.search"}}

func took(tool *trace.Tool, ms int64) trace.Call {
	return trace.Call{Tool: tool, Detail: &trace.Detail{Duration: trace.Known(ms)}}
}

func with(tool *trace.Tool, names ...string) trace.Call {
	return trace.Call{Tool: tool, Args: trace.ArgsObject, Names: &trace.Names{List: names}}
}

// runsOf numbers runs of the calls given.
func runsOf(calls ...[]trace.Call) (runs []trace.Run) {
	for i, list := range calls {
		runs = append(runs, trace.Run{Number: i + 1, Calls: list})
	}
	return runs
}

func TestTimelines(t *testing.T) {
	ms := func(n int64) *int64 { return &n }
	one := func(runs []int, calls ...report.TimelineCall) report.Timeline {
		return report.Timeline{Runs: runs, Calls: calls}
	}
	for _, test := range []struct {
		name string
		runs []trace.Run
		want []report.Timeline
	}{
		{"each tool once says the same as the rows", runsOf([]trace.Call{{Tool: search}, {Tool: fetch}}, nil), nil},
		{"a tool again", runsOf([]trace.Call{{Tool: search}, {Tool: search}}, []trace.Call{{Tool: search}}, []trace.Call{{Tool: search}, {Tool: search}}, nil), []report.Timeline{
			one([]int{1, 3}, report.TimelineCall{Tool: "web.search"}, report.TimelineCall{Tool: "web.search"}),
			one([]int{2}, report.TimelineCall{Tool: "web.search"}), {Runs: []int{4}, Calls: []report.TimelineCall{}},
		}},
		{"one that failed", runsOf([]trace.Call{{Tool: search, Failed: true}}, []trace.Call{{Tool: search}}), []report.Timeline{
			one([]int{1}, report.TimelineCall{Tool: "web.search", Failed: true}), one([]int{2}, report.TimelineCall{Tool: "web.search"}),
		}},
		{"a sub-agent", runsOf([]trace.Call{{Tool: search, Detail: &trace.Detail{Agent: "helper"}}}), []report.Timeline{
			one([]int{1}, report.TimelineCall{Tool: "web.search", Agent: "helper"}),
		}},
		{"names of arguments", runsOf([]trace.Call{with(search, "q", "page")}, []trace.Call{with(search, "q")}, []trace.Call{with(search, "q", "page")}, []trace.Call{{Tool: search}}), []report.Timeline{
			one([]int{1, 3}, report.TimelineCall{Tool: "web.search", Arguments: []string{"q", "page"}}),
			one([]int{2}, report.TimelineCall{Tool: "web.search", Arguments: []string{"q"}}),
			one([]int{4}, report.TimelineCall{Tool: "web.search"}),
		}},
		{"names of arguments that were kept whole", runsOf([]trace.Call{{Tool: search, Detail: &trace.Detail{Args: jsontext.Value(`{"q":{"a":1},"page":2}`)}}}), []report.Timeline{
			one([]int{1}, report.TimelineCall{Tool: "web.search", Arguments: []string{"q", "page"}}),
		}},
		{"more arguments than are kept", runsOf([]trace.Call{{Tool: search, Names: &trace.Names{More: 3}}}, []trace.Call{{Tool: search, Names: &trace.Names{More: 4}}}), []report.Timeline{
			one([]int{1}, report.TimelineCall{Tool: "web.search", MoreArguments: 3}),
			one([]int{2}, report.TimelineCall{Tool: "web.search", MoreArguments: 4}),
		}},
		{"a name of an argument that holds other names", runsOf([]trace.Call{with(search, "q,4:page")}, []trace.Call{with(search, "q", "page")}), []report.Timeline{
			one([]int{1}, report.TimelineCall{Tool: "web.search", Arguments: []string{"q,4:page"}}),
			one([]int{2}, report.TimelineCall{Tool: "web.search", Arguments: []string{"q", "page"}}),
		}},
		{"durations from the quickest to the slowest", runsOf([]trace.Call{took(search, 30)}, []trace.Call{took(search, 10)}, []trace.Call{{Tool: search}},
			[]trace.Call{took(search, 20)}, []trace.Call{took(search, 50)}, []trace.Call{took(search, 5)}), []report.Timeline{
			one([]int{1, 2, 3, 4, 5, 6}, report.TimelineCall{Tool: "web.search", MS: ms(5), MostMS: ms(50)}),
		}},
		{"one duration", runsOf([]trace.Call{{Tool: search}}, []trace.Call{took(search, 0)}), []report.Timeline{
			one([]int{1, 2}, report.TimelineCall{Tool: "web.search", MS: ms(0)}),
		}},
		{"a name that holds the calls of another run", runsOf([]trace.Call{{Tool: joined}}, []trace.Call{{Tool: search}, {Tool: search}}), []report.Timeline{
			one([]int{1}, report.TimelineCall{Tool: joined.ID()}),
			one([]int{2}, report.TimelineCall{Tool: "web.search"}, report.TimelineCall{Tool: "web.search"}),
		}},
	} {
		if diff := cmp.Diff(test.want, timelines(test.runs, nil, report.MaxCaseCalls)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestTimelinesAreBounded pins how many calls of a run and how many timelines of a case a report has.
func TestTimelinesAreBounded(t *testing.T) {
	var long, short [][]trace.Call
	for i := range 30 {
		calls := make([]trace.Call, 150+i)
		for j := range calls {
			calls[j].Tool = search
		}
		long, short = append(long, calls), append(short, calls[:2+i])
	}
	for _, test := range []struct {
		runs                   []trace.Run
		timelines, calls, more int // more of the first
	}{{runsOf(long...), 5, 500, 50}, {runsOf(short...), 20, 230, 0}} {
		got := timelines(test.runs, nil, report.MaxCaseCalls)
		calls := 0
		for _, one := range got {
			calls += len(one.Calls)
		}
		if said, want := fmt.Sprint(len(got), calls, got[0].More), fmt.Sprint(test.timelines, test.calls, test.more); said != want {
			t.Errorf("got timelines, calls and calls left out %s, want %s", said, want)
		}
	}
}

// TestCallListsOfHostileNames pins that a name which holds the names of other tools has a list of its own.
func TestCallListsOfHostileNames(t *testing.T) {
	both := &trace.Tool{Ref: catalog.Ref{Server: "web", Name: "search\x00web.fetch"}}
	lists := callLists{tools: map[*trace.Tool]*calledTool{}, ids: map[string]*calledTool{}, lists: map[string][]string{}}
	for _, run := range runsOf([]trace.Call{{Tool: both}}, []trace.Call{{Tool: search}, {Tool: fetch}}) {
		var want []string
		for _, c := range run.Calls {
			want = append(want, c.Tool.ID())
		}
		if diff := cmp.Diff(want, lists.idsOf(run.Calls)); diff != "" {
			t.Errorf("run %d (-want +got):\n%s", run.Number, diff)
		}
	}
}
