package check

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
)

// hostile is a suite that asks for as much as a file of 4 MiB can ask for in one way.
type hostile struct {
	name string
	fsys fstest.MapFS
	want string // in a mistake or in a case's error; "" for a suite that is bounded by its size alone
}

// repeat returns line for each number below n, with the number in place of each @, until the text is as long as a suite
// may be.
func repeat(n int, line string) string {
	var b strings.Builder
	for i := range n {
		if b.Len()+len(line)+20 > source.MaxSuite-64<<10 {
			break
		}
		b.WriteString(strings.ReplaceAll(line, "@", fmt.Sprint(i)))
	}
	return b.String()
}

const (
	rate       = "tool_selection: {expected_tool: a, min_selection_rate: 1}"
	hostileRun = `[{"tool_calls": [{"name": "a", "args": {"x": "aaaaaaaaaaaaaaaaaaaaaaaa"}}], "final_response": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}]`
)

// manyCalls returns a run of so many calls.
func manyCalls(n int) string {
	call := `{"name": "a", "args": {"x": "aaaaaaaaaaaaaaaaaaaaaaaa"}},`
	return `{"tool_calls": [` + strings.TrimSuffix(strings.Repeat(call, n), ",") + `]}`
}

// hostiles lists the suites, with or without the slow ones, which take seconds by their size or by the work that is allowed.
// Their cases read c.json where they read runs.
func hostiles(slow bool) []hostile {
	dear := "(" + strings.Repeat("ab", 450) + "@){1000}" // 900,000 instructions
	less := "(abcdefgh@){1000}"                          // 10,000 instructions
	many := 10_000
	if !slow {
		many = thorough.Size(many/10, many)
	}
	runs := func(n int) string {
		one := strings.Trim(hostileRun, "[]")
		return "[" + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + "]"
	}
	suite := func(src string, more ...string) fstest.MapFS {
		return workspace(append([]string{"mcp-gates.yml", src, "c.json", hostileRun}, more...)...)
	}
	test := func(rest string) string { return "agents:\n  - name: t\n    cassette: c.json\n" + rest }
	var tools strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&tools, `,{"name": "tool_%d", "description": "Gets the weather of town %d and more"}`, i, i)
	}
	catalog := `{"tools": [` + tools.String()[1:] + `]}`
	long := strings.Repeat("long ", 20_000)
	wide := strings.Repeat("x", 900)
	quick := []hostile{
		{"dear expressions, 57 kB", suite(test("    expect:\n" + repeat(61, "      - final_response: {regex: '"+dear+"'}\n"))), "compile to more than 67108864 bytes"},
		{"dear expressions", suite(test("    expect:\n" + repeat(1e6, "      - final_response: {regex: '"+dear+"'}\n"))), "compile to more than 67108864 bytes"},
		{"one expression many times", suite(test("    expect:\n" + repeat(many, "      - final_response: {regex: '(abcdefgh){1000}'}\n"))), ""},
		{"patterns of schemas", suite(test("    expect:\n" + repeat(many, "      - final_response: {schema: {pattern: '"+less+"'}}\n"))), "compile to more than 67108864 bytes"},
		{"patterns of one schema", suite(test("    expect:\n      - final_response: {schema: {anyOf: [" + repeat(1400, "{pattern: '"+less+"'},") + "]}}\n")), "compiling it takes too much work"},
		{"aliases of lists", suite("x: &a [1,1,1,1,1,1,1,1,1,1]\ny: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nz: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nv: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\nw: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nu: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n" + test("    "+rate+"\n")), "holds more than 2000000 values once its aliases are followed"},
		{"models and classes", suite("defaults:\n  models: [" + repeat(90, "m@, ") + "]\n  equal_function_sets: {classes: [" + repeat(1000, "{name: c@, members: [m@]},") + "]}\n  orchestration: {}\nagents:\n" + repeat(1100, "  - {name: t@}\n")), "values, inherited ones included"},
		{"deep lists", suite("x: " + strings.Repeat("[", 1<<21)), "exceeded max depth"},
	}
	if !slow {
		return quick
	}
	return append(quick, []hostile{
		{"merge keys", suite("x: &a {" + repeat(8_500, "k@: 1, ") + "}\nagents:\n" + repeat(1000, "  - {<<: *a, name: t@}\n")), "merge keys copy more than 2000000 values"},
		{"small expressions", suite(test("    expect:\n" + repeat(1e6, "      - final_response: {regex: '"+less+"'}\n"))), "compile to more than 67108864 bytes"},
		{"classes of characters", suite(test("    expect:\n" + repeat(1e6, "      - final_response: {regex: '(?i)[\\pL@]{900}'}\n"))), "compile to more than 67108864 bytes"},
		{"an inherited expression", suite("defaults:\n  cassette: c.json\n  expect: [{final_response: {regex: '" + strings.ReplaceAll(dear, "@", "") + "'}}]\nagents:\n" + repeat(40_000, "  - {name: t@, cassette: c@.json}\n")), ""},
		{"error_pattern", suite("agents:\n" + repeat(40_000, "  - {name: t@, orchestration: {error_pattern: '"+less+"'}}\n")), "compile to more than 67108864 bytes"},
		{"redact.patterns", suite("redact:\n  patterns:\n" + repeat(1e6, "    - '"+less+"'\n") + test("    "+rate+"\n")), "compile to more than 67108864 bytes"},
		{"aliases of a long matcher", suite("agents:\n  - name: t\n    cassette: c.json\n    expect:\n      - final_response: {contains: &a '" + strings.Repeat("x", 60_000) + "'}\n" + repeat(1e6, "      - final_response: {contains: *a}\n")), "matchers hold more than 67108864 bytes altogether"},
		{"aliases of a schema", suite("agents:\n  - name: t\n    cassette: c.json\n    expect:\n      - final_response: {schema: &a {anyOf: [" + repeat(1500, "{minLength: @},") + "]}}\n" + repeat(400, "      - final_response: {schema: *a}\n")), ""},
		{"schemas", suite(test("    expect:\n" + repeat(1e6, "      - final_response: {schema: {anyOf: [{}, {not: {}}, {type: string}, {minLength: @}]}}\n"))), "schemas hold more than 100000 objects, lists and truth values altogether"},
		{"one deep schema", suite(test("    expect:\n      - final_response: {schema: " + strings.Repeat("{not: ", 400) + "{}" + strings.Repeat("}", 401) + "\n")), ""},
		{"inherited members", suite("defaults:\n  cassette: c.json\n  equal_function_sets: {classes: [{name: c, members: [" + repeat(5000, "m@, ") + "]}]}\n  orchestration: {}\nagents:\n" + repeat(900, "  - {name: t@}\n")), "values, inherited ones included"},
		{"long names of tests and models", suite("defaults:\n  models: [" + repeat(300, wide+"@, ") + "]\n  " + rate + "\nagents:\n" + repeat(330, "  - {name: "+wide+"@}\n")), "the names and models of all cases are more than 33554432 bytes long"},
		{"near names", suite("servers: {" + repeat(20_000, "server_number_@: {}, ") + "}\nagents:\n" + repeat(30_000, "  - {name: t@, servers: [server_nunber_@], "+rate+"}\n")), "holds more than 10000 mistakes"},
		{"undeclared variables", suite("variables: {" + repeat(40_000, "v@: {default: x}, ") + "}\nagents:\n" + repeat(25_000, "  - {name: t@, prompt: '${w@}', "+rate+"}\n")), "holds more than 10000 mistakes"},
		{"members and servers", suite("servers: {" + repeat(60_000, "server_number_@: {}, ") + "}\nagents:\n  - name: t\n    cassette: c.json\n    equal_function_sets: {classes: [{name: c, members: [" + repeat(60_000, "server_number_x@, ") + "]}]}\n"), ""},
		{"globs", suite("agents:\n" + repeat(40_000, "  - {name: t@, cassette: '**/*a*a*a*a*b@/**/*a*a*c.json', "+rate+"}\n")), ""},
		{"globs and paths", suite("agents:\n" + repeat(900, "  - {name: g@, cassette: '**/*a*a*a*a*b@/**/*a*a*c.json', "+rate+"}\n") + repeat(1000, "  - {name: t@, cassette: '"+strings.Repeat("a", 1000)+"/@/"+strings.Repeat("aaaa/", 400)+"c.json', "+rate+"}\n")), ""},
		{"inherited cassettes", suite("defaults:\n  cassette: [" + repeat(4000, "c@.json, ") + "]\n  " + rate + "\nagents:\n" + repeat(1100, "  - {name: t@}\n")), "the tests up to here hold more than 2000000 values"},
		{"points of a curve", suite(test("    distractors: {count: 0, source: {from: near_duplicate, of: [a]}, curve: [" + repeat(1e6, "@, ") + "]}\n")), ""},
		{"distractors of many tools", suite("servers: {s: {catalog: w.json}}\nagents:\n"+repeat(150, "  - {name: t@, servers: [s], cassette: c@.json, distractors: {count: 6000, source: {from: near_duplicate, of: ["+repeat(2500, "tool_@, ")+"]}}}\n"), "w.json", catalog), ""},
		{"benchmarks", suite("servers: {s: {catalog: w.json}}\ntool_bench:\n"+repeat(100, "  - name: b@\n    server: s\n    mutations: auto\n    min_accuracy: 0\n    intents:\n"+strings.ReplaceAll(repeat(150, "      - {query: 'weather of town and more tool gets the', gold: tool_@}\n"), "@", "1")), "w.json", catalog), "the benchmarks up to here look up words"},
		{"one dear benchmark", suite("servers: {s: {catalog: w.json}}\ntool_bench:\n  - name: b\n    server: s\n    mutations: auto\n    min_accuracy: 0\n    intents:\n"+repeat(260, "      - {query: 'weather of town and more tool gets the', gold: tool_@}\n"), "w.json", catalog), ""},
		{"flips of many mutations", suite("tool_bench:\n  - name: b\n    catalog: [{name: a, description: weather}, {name: b}]\n    min_accuracy: 0\n    mutations:\n" + repeat(30_000, "      - {tool: a, kind: blank}\n") + "    intents:\n" + repeat(60_000, "      - {query: weather, gold: a}\n")), "30000 mutations, each tried on"},
		{"aliases of a catalog", suite("tool_bench:\n  - name: b\n    catalog: &a [{name: t, description: &d '" + long + "'}," + repeat(250, "{name: t@, description: *d},") + "]\n    min_accuracy: 0\n    intents: [{query: a, gold: t}]\n" + repeat(200, "  - {name: b@, catalog: *a, min_accuracy: 0, intents: [{query: a, gold: t}]}\n")), "catalogs of more than 33554432 bytes end here"},
		{"entries of one catalog", suite("servers: {s: {catalog: w.json}}\ntool_quality:\n"+repeat(30_000, "  - {name: q@, server: s, expect: [{min_score: {'>=': 0}}]}\n"), "w.json", catalog), "the entries up to here judge tools of more than 200000000 bytes"},
		{"servers of one catalog", suite("servers:\n"+repeat(60_000, "  s@: {catalog: w.json}\n")+test("    "+rate+"\n"), "w.json", catalog), "have more than 500000 tools altogether"},
		{"tests of one catalog", suite("servers: {s: {catalog: w.json}}\ndefaults: {servers: [s], prompt: 'the weather', discovery: {name_free: true}}\nagents:\n"+repeat(40_000, "  - {name: t@, cassette: c@.json, "+rate+"}\n"), "w.json", catalog), "the prompts promise of more than 5000000 names"},
		{"expectations and runs", suite(test("    expect:\n"+repeat(60_000, "      - final_response: {contains: b}\n")), "c.json", runs(1000)), "its expectations of each run take more than 67108864 bytes"},
		{"messages and runs", suite(test("    expect:\n"+repeat(4000, "      - {final_response: {contains: b}, message: '"+wide+"'}\n")), "c.json", runs(1000)), "its expectations of each run take more than 67108864 bytes"},
		{"chances of many runs", suite(test("    tool_selection:\n      expected_tool: a\n      min_selection_rate: 1\n      expect:\n"+repeat(80_000, "        - tool_selection.pass_hat[@1]: {'>=': 1}\n")), "c.json", runs(20_000)), "holds more than 10000 mistakes"},
		{"classes and runs", suite(test("    equal_function_sets: {classes: ["+repeat(1000, "{name: '"+wide+"@', members: [m@]},")+"]}\n"), "c.json", runs(20_000)), ""},
		{"long expressions of a case", suite(test("    expect:\n"+repeat(60_000, "      - final_response: {regex: 'a.*b.*c.*d@$'}\n")), "c.json", runs(100)), "compile to more than 67108864 bytes"},
		{"texts and expressions", suite(test("    expect:\n"+repeat(1000, "      - final_response: {regex: '(a?){200}b@$'}\n")), "c.json", strings.ReplaceAll(hostileRun, "aaaaaaaa", strings.Repeat("a", 1<<18))), "matching its regular expressions and arguments takes more than 17179869184 steps"},
		{"texts and patterns of schemas", suite(test("    expect:\n"+repeat(1000, "      - final_response: {schema: {pattern: '(a?){200}b@$'}}\n")), "c.json", strings.ReplaceAll(hostileRun, "aaaaaaaa", strings.Repeat("a", 1<<18))), ""},
		{"inherited steps", suite("defaults:\n  cassette: c.json\n  trajectory: {mode: strict, steps: [" + repeat(1000, "t@, ") + "]}\nagents:\n" + repeat(1900, "  - {name: t@}\n")), ""},
		{"steps of a large class", suite("defaults:\n  cassette: c.json\n  classes: [{name: c, members: [" + repeat(5000, "m@, ") + "]}]\n  trajectory: {mode: strict, steps: [" + repeat(1000, "{class: c}, ") + "]}\nagents:\n" + repeat(200, "  - {name: t@}\n")), ""},
		{"steps and calls", suite(test("    golden_path: {steps: ["+repeat(999, "{tool: '*', args: {x: {contains: a}}}, ")+"]}\n"), "c.json", "["+manyCalls(20_000)+"]"), "which is all that is done for one gate"},
		{"restricted arguments and calls", suite(test("    tool_edges: {restricted: ["+repeat(999, "{tool: '*', args: {x: {contains: 'b@'}}}, ")+"]}\n"), "c.json", "["+manyCalls(20_000)+"]"), ""},
		{"mistakes", suite("agents:\n" + repeat(1e6, "  - {nam: t, x: 1}\n")), "holds more than 10000 mistakes"},
		{"unknown matchers", suite(test("    expect:\n" + repeat(1e6, "      - final_response: {contians: b}\n"))), "holds more than 10000 mistakes"},
		{"unknown gold tools", suite("servers: {s: {catalog: w.json}}\ntool_bench:\n  - name: b\n    server: s\n    min_accuracy: 0\n    intents:\n"+repeat(60_000, "      - {query: weather, gold: toll_@}\n"), "w.json", catalog), "holds more than 10000 mistakes"},
		{"long numbers", suite("pricing: {" + repeat(30_000, "m@: {input: 1e99, output: "+strings.Repeat("9", 70)+"}, ") + "}\n" + test("    "+rate+"\n")), ""},
		{"tags", suite("defaults:\n  tags: [" + repeat(2000, "t@, ") + "]\n  " + rate + "\nagents:\n" + repeat(2400, "  - {name: t@}\n")), "hold more than 2000000 values"},
	}...)
}

// TestWriteHostileSuites writes the suites into folders of MCP_GATES_HOSTILE, for bench/hostile.
func TestWriteHostileSuites(t *testing.T) {
	dir := os.Getenv("MCP_GATES_HOSTILE")
	if dir == "" {
		t.Skip("MCP_GATES_HOSTILE names no folder")
	}
	for i, h := range hostiles(true) {
		for name, file := range h.fsys {
			path := filepath.Join(dir, fmt.Sprintf("%02d %s", i, h.name), name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, file.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestHostileSuites pins that no suite takes more than its share of memory, and which bound refuses it. TestHostileMemory holds the
// suites that take seconds.
func TestHostileSuites(t *testing.T) {
	for _, h := range hostiles(false) {
		t.Run(h.name, func(t *testing.T) {
			if h.name == "dear expressions" {
				thorough.Only(t, "a suite of 57 kB shows the same")
			}
			if size := len(h.fsys["mcp-gates.yml"].Data); size > source.MaxSuite {
				t.Fatalf("the suite has %d bytes and is refused for that alone", size)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := run(t, h.fsys, Options{Jobs: 2})
			runtime.ReadMemStats(&after)
			// All that was ever allocated: far more than the peak.
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 4096 {
				t.Errorf("took %d MiB altogether, want at most 4096", took)
			}
			if h.want != "" && !strings.Contains(complaints(r), h.want) {
				t.Errorf("got %.500s\nwant %s", complaints(r), h.want)
			}
			if h.want == "" && len(r.Problems) > 0 {
				t.Errorf("got %.500s\nwant no mistake", complaints(r))
			}
		})
	}
}

// TestTooMuchMatching pins that a case of too much matching is an error with exit status 2, whatever the jobs, that no
// result of it is reported, and that other cases are judged. The text is too long for the expression, so nothing is matched.
func TestTooMuchMatching(t *testing.T) {
	src := `
agents:
  - {name: dear, cassette: c.json, orchestration: {}, expect: [{final_response: {regex: '(abcdefghijklmnopqrstuvwxyz){1000}'}}]}
  - {name: cheap, cassette: d.json, expect: [{final_response: {regex: 'a'}}]}
`
	runs := `[{"tool_calls": [], "final_response": "` + strings.Repeat("a", 1<<20) + `"}]`
	fsys := workspace("mcp-gates.yml", src, "c.json", runs, "d.json", runs)
	first := run(t, fsys, Options{Jobs: 1})
	dear, cheap := first.Cases[0], first.Cases[1]
	if dear.Verdict != judge.Error || dear.Err == nil || dear.Err.Exit != 2 || dear.Err.Line != 3 || len(dear.Gates)+len(dear.Expect) > 0 {
		t.Errorf("got %s, %+v, %d gates and %d expectations, want an error at line 3 with exit status 2 and nothing else",
			dear.Verdict, dear.Err, len(dear.Gates), len(dear.Expect))
	}
	if cheap.Verdict != judge.Pass {
		t.Errorf("the other case: got %s, want pass", cheap.Verdict)
	}
	if got, want := asJSON(t, run(t, fsys, Options{Jobs: 4})), asJSON(t, first); got != want {
		t.Errorf("with 4 jobs:\n%s\nwith one:\n%s", got, want)
	}
}

// complaints lists what a report has against suites and cases.
func complaints(r *report.Report) string {
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(p.Message + "\n")
	}
	for i := range r.Cases {
		if err := r.Cases[i].Err; err != nil {
			b.WriteString(err.Message + "\n")
		}
		for _, g := range r.Cases[i].Gates {
			if g.Err != nil {
				b.WriteString(g.Err.Message + "\n")
			}
		}
	}
	return b.String()
}
