package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sourceServer is a server of one's own, whose source says what its tools are for.
type sourceServer struct {
	name, file, source string
	command            []string
	moved              map[string]string // the same server, written otherwise and in several files
}

const nodeServer = `const tools = [
  { name: "save_note", description: "Saves a note in the user's folder." },
  { name: "find_notes", description: "Finds notes by their words." },
];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (method === "initialize")
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } });
  if (method === "tools/list") answer({ tools: tools.map((tool) => ({ ...tool, inputSchema: { type: "object" } })) });
  if (method === "ping") answer({});
});
`

const goServer = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type object = map[string]any

var tools = []object{
	{"name": "save_note", "description": "Saves a note in the user's folder.", "inputSchema": object{"type": "object"}},
	{"name": "find_notes", "description": "Finds notes by their words.", "inputSchema": object{"type": "object"}},
}

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var request struct {
			ID     any
			Method string
			Params struct{ ProtocolVersion string }
		}
		_ = json.Unmarshal(lines.Bytes(), &request)
		result := object{}
		switch request.Method {
		case "initialize":
			result = object{"protocolVersion": request.Params.ProtocolVersion, "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "notes", "version": "1"}}
		case "tools/list":
			result["tools"] = tools
		}
		if request.ID != nil {
			text, _ := json.Marshal(object{"jsonrpc": "2.0", "id": request.ID, "result": result})
			fmt.Println(string(text))
		}
	}
}
`

// sourceServers are a server in Node and one in Go.
func sourceServers(t *testing.T) []sourceServer {
	list := []sourceServer{{
		name: "go", file: "main.go", source: goServer, command: []string{"./notes"},
		moved: map[string]string{
			"main.go":  strings.Replace(goServer, `"Saves a note in the user's folder."`, "\"Saves a note \" + // where\n\t\t`in the user's folder.`", 1),
			"texts.go": "package main\n",
		},
	}}
	if _, err := exec.LookPath("node"); err != nil {
		t.Log("SKIPPED: the server in Node, because there is no node program")
		return list
	}
	texts := "module.exports.save =\n  'Saves a note in ' + /* whose */ \"the user\\'s \" +\n  `folder.`;\n"
	moved := "const texts = require('./texts.js');\n" + strings.Replace(nodeServer, `"Saves a note in the user's folder."`, "texts.save", 1)
	return append(list, sourceServer{
		name: "node", file: "server.js", source: nodeServer, command: []string{"node", "server.js"},
		moved: map[string]string{"server.js": moved, "texts.js": texts},
	})
}

// TestOutdatedSnapshot changes the code of servers and forgets the snapshot: that is told at the line of the code, fails where stale
// evidence does, and snapshot --check says the same. Code that is moved and written otherwise is not told.
func TestOutdatedSnapshot(t *testing.T) {
	t.Parallel()
	for _, server := range sourceServers(t) {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			base := newRepository(t)
			command, _ := json.Marshal(server.command)
			base.write("mcp-gates.yml", fmt.Sprintf(`servers:
  notes: {command: %s, catalog: notes.json, source: ["*.js", "*.go"]}
agents:
  - {name: saves, servers: [notes], cassette: save.json, tool_selection: {expected_tool: save_note, min_selection_rate: 1}}
  - {name: finds, servers: [notes], cassette: find.json, tool_selection: {expected_tool: find_notes, min_selection_rate: 1}}
`, command))
			base.write(server.file, server.source)
			base.build(server)
			base.runs(0, "snapshot", "--server", "notes", "--update")
			for _, one := range []string{"save", "find"} {
				snapshot, err := os.ReadFile(filepath.Join(base.dir, "notes.json"))
				if err != nil {
					t.Fatal(err)
				}
				tool := map[string]string{"save": "save_note", "find": "find_notes"}[one]
				base.write(one+".json", fmt.Sprintf(`{"catalog": {"notes": %s}, "runs": [{"tool_calls": [{"server": "notes", "name": %q}]}]}`, snapshot, tool))
			}
			base.git("add", "-A")
			base.git("commit", "-qm", "base")
			t.Run("forgotten", func(t *testing.T) { base.copy(t).forgotten(server) })
			t.Run("moved", func(t *testing.T) { base.copy(t).movedCode(server) })
		})
	}
}

// build builds a server that is to be built.
func (c *checkouts) build(server sourceServer) {
	c.Helper()
	if server.name != "go" {
		return
	}
	c.write("go.mod", "module notes\n\ngo 1.24\n")
	build := exec.Command("go", "build", "-o", "notes", ".")
	build.Dir, build.Env = c.dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		c.Fatalf("build the server: %s\n%s", err, out)
	}
}

// runs runs the program in the workspace, and requires its exit status. It returns what it writes.
func (c *checkouts) runs(status int, args ...string) string {
	c.Helper()
	var stdout, stderr stream
	args = append(args[:1:1], append([]string{"--workspace", c.dir}, args[1:]...)...)
	got := run(args, os.Getenv, strings.NewReader(""), &stdout, &stderr)
	text := string(stdout.all()) + string(stderr.all())
	if got != status {
		c.Errorf("mcp-gates %q ends with %d, want %d:\n%s", args, got, status, text)
	}
	return text
}

func (c *checkouts) forgotten(server sourceServer) {
	const was, is = "Saves a note in the user's folder.", "Saves a note in the user's folder. Never call it twice."
	c.write(server.file, strings.Replace(server.source, was, is, 1))
	c.build(server)
	before, _, _ := strings.Cut(server.source, was)
	line := strings.Count(before, "\n") + 1
	told := fmt.Sprintf(`says "%s" of save_note, %s:%d does not`, was, server.file, line)
	for _, args := range [][]string{nil, {"--fail-on-weakened", "--fail-on-breaking"}} {
		text := c.runs(0, append([]string{"run", "--baseline", "main"}, args...)...)
		for _, want := range []string{told, "a snapshot is older than the code · 1 on recordings from before this change", "recorded before: saves", "mcp-gates snapshot --server notes --update"} {
			if !strings.Contains(text, want) {
				c.Errorf("run --baseline main %q lacks %q:\n%s", args, want, text)
			}
		}
	}
	for _, word := range []string{"affected", "any"} {
		text := c.runs(2, "run", "--baseline", "main", "--fail-on-stale", word)
		if !strings.Contains(text, "notes.json is older than the code: 1 case cannot be judged") || !strings.Contains(text, told) {
			c.Errorf("run --fail-on-stale %s does not say why:\n%s", word, text)
		}
		if status, log := c.actIn(c.T, "INPUT_BASELINE=main", "INPUT_FAIL-ON-STALE="+word); status != 2 || !strings.Contains(log, told) {
			c.Errorf("the action with fail-on-stale %s ends with %d:\n%s", word, status, log)
		}
	}
	if text := c.runs(1, "snapshot", "--check"); !strings.Contains(text, "changed notes.save_note: description") {
		c.Errorf("snapshot --check does not say what changed:\n%s", text)
	}
	c.runs(0, "snapshot", "--server", "notes", "--update")
	if text := c.runs(0, "run", "--baseline", "main"); strings.Contains(text, "older than the code") {
		c.Errorf("a snapshot that was written again is older than the code:\n%s", text)
	}
}

func (c *checkouts) movedCode(server sourceServer) {
	for name, text := range server.moved {
		c.write(name, text)
	}
	c.build(server)
	if text := c.runs(0, "run", "--baseline", "main", "--fail-on-stale", "any", "--fail-on-weakened"); !strings.Contains(text, "nothing changed") {
		c.Errorf("moved code is told:\n%s", text)
	}
	c.runs(0, "snapshot", "--check")
}
