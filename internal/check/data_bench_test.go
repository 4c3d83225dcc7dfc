package check

import (
	"context"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
)

// gatesOnRuns are blocks of the gates on what a run did, with arguments to look at.
var gatesOnRuns = []struct{ name, block string }{
	{"none", ""},
	{"tool_edges", `    tool_edges: {allowed: ["get*", "search*"], restricted: [send_certificate, {tool: "*", args: {command: {contains: rm}}}]}
`},
	{"trajectory", `    trajectory: {mode: in_order, steps: ["get*", {tool: "*", args: {reservation_id: {regex: "."}}}, "*"]}
`},
	{"golden_path", `    golden_path: {steps: ["get*", {tool: "*", args: {reservation_id: {regex: "."}}}, "*"]}
`},
	{"limits", `    limits: {max_calls: 20, max_errors: 5, max_calls_by_tool: {"*": 20}}
`},
	{"stability", "    stability: {}\n"},
	{"recovery", "    recovery: {max_retries: 1}\n"},
	{"trajectory_axes", `    trajectory_axes: {order: [{before: get_reservation_details, after: cancel_reservation}], data_flow: [{from: get_user_details, to: get_reservation_details.args.reservation_id}]}
`},
	{"narrative", "    narrative: {expect: [{narrative.claimed_absent: {\"<=\": 5}}]}\n"},
}

// BenchmarkPublishedRuns evaluates 757 published runs in 407 cassettes, with each gate on what a run did and with all.
func BenchmarkPublishedRuns(b *testing.B) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		b.Skip("MCP_GATES_DATA is not set")
	}
	all := ""
	for _, gate := range gatesOnRuns {
		all += gate.block
		b.Run(gate.name, func(b *testing.B) { benchmarkPublished(b, os.DirFS(dir), gate.block) })
	}
	b.Run("all", func(b *testing.B) { benchmarkPublished(b, os.DirFS(dir), all) })
}

func benchmarkPublished(b *testing.B, data fs.FS, block string) {
	files := fstest.MapFS{}
	o := Options{Jobs: 1}
	for _, name := range []string{"azure-copilot", "livemcpbench", "tau-airline"} {
		file := "suites/" + name + ".yml"
		suite, err := fs.ReadFile(data, file)
		if err != nil {
			b.Fatal(err)
		}
		if block != "" {
			suite = append([]byte("defaults:\n"+block), suite...)
		}
		files[file], o.Suites = &fstest.MapFile{Data: suite}, append(o.Suites, file)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := Run(context.Background(), overlay{data, files}, o); len(r.Problems) > 0 {
			b.Fatal(r.Problems)
		}
	}
}
