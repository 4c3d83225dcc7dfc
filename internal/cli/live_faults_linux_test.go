package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// oddServer is a server in shell: a fault, and what it does before and after. The client's requests have the ids 1 to 3.
const oddServer = `
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
text() { answer 3 "{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"; }
greet() {
  read -r line; answer 1 '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}'
  read -r line
  read -r line; answer 2 '{"tools":[{"name":"work","description":"Does the work.","inputSchema":{"type":"object"}}]}'
  read -r line
}
bytes() { head -c "$1" /dev/zero | tr '\0' x; }
long() { printf '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"'; bytes "$1"; printf '"}]}}\n'; }
ask() { printf '{"jsonrpc":"2.0","id":"%s","method":"%s","params":{"messages":[],"maxTokens":1,"message":"?","requestedSchema":{"type":"object","properties":{}}}}\n' "$1" "$1"; }
trap '' PIPE
case "$1" in
  silent) ;;
  deaf) trap '' TERM; sleep 600 ;;
  garbage) printf '\000\377<html>\n' ;;
  logs) echo 'Server started on stdio'; greet; text done ;;
  start) echo 'no configuration' >&2; echo 'set API_KEY' >&2; exit 7 ;;
  orphans) sh -c 'trap "" TERM; sleep 600' & greet; text done; exit ;;
  ends) greet; echo 'out of ideas' >&2; exit 4 ;;
  killed) greet; kill -9 $$ ;;
  hangs) greet; sleep 600 ;;
  log) greet; echo 'working on it'; text done ;;
  no-list) read -r line; answer 1 '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}'; read -r line; read -r line; answer 2 '{"tools":7}' ;;
  10mb) greet; long 10485760 ;;
  20mb) greet; long 20971520 ;;
  chatty) bytes 10485760 >&2; greet; text done ;;
  asks) greet; ask sampling/createMessage; ask elicitation/create; ask roots/list; read -r a; read -r b; read -r c
    text "codes $(printf '%s' "$a$b$c" | grep -o -e '-326[0-9]*' | tr '\n' ' ')" ;;
esac
cat >/dev/null
`

const oddSuite = `
servers:
  odd: { command: [SERVER], OWN_ENV, LIMITS }
defaults: { model: "builtin:script", script: script.json, servers: [odd], runs: 2 }
agents:
  - { name: works, prompt: Work., tool_selection: { expected_tool: work, min_selection_rate: 1 } }
`

// oddTest returns a suite whose server is started by the words of command, separated by commas.
func oddTest(t *testing.T, command, limits string) *liveTest {
	t.Helper()
	if limits == "" {
		limits = "timeout: 60s"
	}
	return newLiveTest(t, map[string]string{
		"odd.sh":        oddServer,
		"mcp-gates.yml": strings.NewReplacer("SERVER", command, "LIMITS", limits).Replace(oddSuite),
		"script.json":   `{"tool_calls": [{"name": "work", "args": {}}], "final_response": "done"}`,
		"tools.json":    `[{"name": "work", "description": "Does the work.", "inputSchema": {"type": "object"}}]`,
	})
}

// What a server can do wrong is an error of the world that names the server, in bounded time and memory, and leaves no
// process. A broken run is no recording.
func TestLiveServerFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault, command, limits string
		want                   string // of the report, behind the name of the server
	}{
		{"silent", "sh, odd.sh, silent", "wait_for_ready: 1s", `initialize: no answer within 1s; raise "wait_for_ready" of the server if it needs longer`},
		{"deaf", "sh, odd.sh, deaf", "wait_for_ready: 1s", `initialize: no answer within 1s; raise "wait_for_ready" of the server if it needs longer`},
		{"wedged", "mcp-gates, mock, --tools-from, tools.json, --fault, wedged", "wait_for_ready: 1s", "initialize: no answer within 1s; raise"},
		{"garbage", "sh, odd.sh, garbage", "", `initialize: standard output has something other than MCP messages: "\x00`},
		{"logs", "sh, odd.sh, logs", "", `initialize: standard output has something other than MCP messages: "Server started on stdio"`},
		{"start", "sh, odd.sh, start", "", "initialize: the server ended (exit status 7); its standard error ended with: no configuration | set API_KEY"},
		{"no program", "no-such-program", "", `start: program "no-such-program" is not in PATH`},
		{"no list", "sh, odd.sh, no-list", "", "tools/list: the result is not a list of tools"},
		{"ends", "sh, odd.sh, ends", "", "tools/call: the server ended (exit status 4); its standard error ended with: out of ideas"},
		{"killed", "sh, odd.sh, killed", "", "tools/call: the server ended (signal: killed)"},
		{"hangs", "sh, odd.sh, hangs", "timeout: 6s", `tools/call: no answer within 6s; raise "timeout" of the server if it needs longer`},
		{"mock hangs", "mcp-gates, mock, --tools-from, tools.json, --fault, hang", "timeout: 6s", "tools/call: no answer within 6s; raise"},
		{"log", "sh, odd.sh, log", "", `tools/call: standard output has something other than MCP messages: "working on it"`},
		{"20 MB", "sh, odd.sh, 20mb", "", "tools/call: a message on standard output is longer than 16777216 bytes"},
	} {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			l := oddTest(t, test.command, test.limits)
			r := l.run(t, "run", "--record")
			r.wants(t, 3, "2 of 2 runs did not finish", `server "odd": `+test.want)
			r.wantsBounded(t)
			if l.read("cassettes/mcp-gates/works.json") != "" {
				t.Error("a recording was written")
			}
		})
	}
}

// wantsBounded requires that the run took no more time and memory than servers may take of it.
func (r liveResult) wantsBounded(t *testing.T) {
	t.Helper()
	const most = 600 // megabytes: two runs, each with a message of 10 MiB and what is made of it, under the race detector
	if r.megabytes > most || r.took > livePatience/2 {
		t.Errorf("took %d MB and %s, want at most %d MB and %s", r.megabytes, r.took, most, livePatience/2)
	}
	t.Logf("%d MB, %s", r.megabytes, r.took.Round(time.Millisecond))
}

// What is odd about a server and no fault does not keep a run from being recorded and replayed.
func TestLiveOddServers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, command string
		want          []string // of the recording
	}{
		{"10 MB", "sh, odd.sh, 10mb", []string{`xxx\n[9437184 more bytes are cut]"`}},
		{"chatty", "sh, odd.sh, chatty", []string{`"result": "done"`}},
		{"orphans", "sh, odd.sh, orphans", []string{`"result": "done"`}},
		{"asks", "sh, odd.sh, asks", []string{`"result": "codes -32601 -32601 -32601 "`}},
		{"1,000 tools", "mcp-gates, mock, --tools-from, many.json, --page-size=50", []string{`"name": "tool_0000"`, `"name": "tool_0998"`, `"name": "work"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := oddTest(t, test.command, "")
			l.write(t, "many.json", manyTools(1000))
			r := l.run(t, "run", "--record")
			r.wants(t, 0, "[PASS] works: selection 2/2 (100%)", "catalog mcp-gates.yml: server odd: ")
			r.wantsBounded(t)
			recording := l.read("cassettes/mcp-gates/works.json")
			for _, want := range test.want {
				if !strings.Contains(recording, want) {
					t.Errorf("the recording of %d bytes lacks %q", len(recording), want)
				}
			}
			l.run(t, "run").wants(t, 0, "[PASS] works: selection 2/2 (100%)")
		})
	}
}

// manyTools returns a catalog of n tools, of which the last one is called work.
func manyTools(n int) string {
	var text strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&text, `{"name": "tool_%04d", "description": "Does thing number %d, slowly.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "What to do it with."}}}},`+"\n", i, i)
	}
	return "[" + text.String() + `{"name": "work", "inputSchema": {"type": "object"}}]`
}

// A time that was up is named with how long it was and what sets it.
func TestLiveCaseTimeout(t *testing.T) {
	t.Parallel()
	l := oddTest(t, "sh, odd.sh, hangs", "")
	r := l.run(t, "run", "--live", "--case-timeout", "3s", "--jobs", "1")
	r.wants(t, 3, `server "odd": tools/call: the case takes longer than 3s; raise --case-timeout if it needs longer`)
	report := l.run(t, "run", "--live", "--case-timeout", "1ns", "--format", "json")
	report.wants(t, 3, `not begun: the case takes longer than 1ns; raise --case-timeout if it needs longer`)
	if strings.Contains(r.stdout+report.stdout, "deadline") {
		t.Errorf("the report speaks of a deadline:\n%s", r.stdout)
	}
}
