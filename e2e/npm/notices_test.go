package npm

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// vague is a sentence that could describe any tool.
const vague = "This tool updates and handles various things of the system in some way."

// TestNotices begins with a server as a new user does, and commits the suite that init writes. It fails where all descriptions become
// vague, and says in which words one did.
func TestNotices(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]string{
		"everything":          `{"command": "mcp-server-everything"}`,
		"filesystem":          `{"command": "mcp-server-filesystem", "args": ["${workspaceFolder}/notes"]}`,
		"github":              `{"command": "mcp-server-github"}`,
		"gitlab":              `{"command": "mcp-server-gitlab", "env": {"GITLAB_PERSONAL_ACCESS_TOKEN": "hunter2hunter2"}}`,
		"memory":              `{"command": "mcp-server-memory"}`,
		"sequential-thinking": `{"command": "mcp-server-sequential-thinking"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "testdata/init")
			w.write(filepath.Join(w.dir, ".mcp.json"), `{"mcpServers": {"`+name+`": `+entry+`}}`)
			w.git("init", "-q")
			w.run(0, "init", "--yes")
			w.git("add", "-A")
			w.git("-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "begin")
			if out, _ := w.run(0, "run", "--baseline", "HEAD"); strings.Contains(out, "depends on what the descriptions say") {
				t.Errorf("the suite of init does not depend on the descriptions:\n%s", out)
			}
			path := filepath.Join(w.dir, "catalogs", name+".json")
			catalog := read(t, path)
			w.write(path, makeVague(t, catalog, -1))
			w.run(1, "run", "--baseline", "HEAD")
			w.write(path, makeVague(t, catalog, 0))
			for _, format := range []string{"text", "markdown"} {
				out := w.anyRun("run", "--baseline", "HEAD", "--format", format)
				if !strings.Contains(out, "updates") || !strings.Contains(out, "handles various things") && !strings.Contains(out, "…") {
					t.Errorf("%s does not say how the description changed:\n%s", format, out)
				}
			}
		})
	}
}

// makeVague returns a catalog with the description of one tool, or all for at below 0, replaced by a vague one.
func makeVague(t *testing.T, catalog string, at int) string {
	t.Helper()
	var list struct {
		Tools []map[string]any `json:"tools"`
	}
	if err := json.Unmarshal([]byte(catalog), &list); err != nil || len(list.Tools) == 0 {
		t.Fatalf("%v in %s", err, catalog)
	}
	for i := range list.Tools {
		if at < 0 || i == at {
			list.Tools[i]["description"] = vague
		}
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// git runs git in the workspace.
func (w *world) git(args ...string) {
	w.Helper()
	if out, err := w.command("git", args...).CombinedOutput(); err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// anyRun runs the program, whatever its exit status is, and returns its standard output.
func (w *world) anyRun(args ...string) string {
	w.Helper()
	out, _ := w.command(program, args...).Output()
	return string(out)
}
