package npm

import (
	"encoding/json"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// vague is a sentence that could describe any tool.
const vague = "This tool updates and handles various things of the system in some way."

// noticed is a server, and the results that the test expects of its suite.
type noticed struct {
	name, entry string
	lost        int  // intents of its first tool that lead elsewhere once that is vague: those whose words are not in the tool's name
	unfound     bool // and the search of the client does not find it any more by what it said
}

// exit is the exit status once the first tool is vague.
func (n noticed) exit() int {
	if n.unfound {
		return 1
	}
	return min(n.lost, 1)
}

// TestNotices begins with a server as a new user does, and commits the suite that init writes. It fails where all descriptions become
// vague. Where one did, it names the tool, shows its old and new words, and fails with the intents that the tool lost.
func TestNotices(t *testing.T) {
	t.Parallel()
	for _, server := range []noticed{
		{"everything", `{"command": "mcp-server-everything"}`, 0, true},
		{"filesystem", `{"command": "mcp-server-filesystem", "args": ["${workspaceFolder}/notes"]}`, 3, false},
		{"github", `{"command": "mcp-server-github"}`, 0, false},
		{"gitlab", `{"command": "mcp-server-gitlab", "env": {"GITLAB_PERSONAL_ACCESS_TOKEN": "hunter2hunter2"}}`, 0, false},
		{"memory", `{"command": "mcp-server-memory"}`, 0, false},
		{"sequential-thinking", `{"command": "mcp-server-sequential-thinking"}`, 3, false},
	} {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "testdata/init")
			w.write(filepath.Join(w.dir, ".mcp.json"), `{"mcpServers": {"`+server.name+`": `+server.entry+`}}`)
			w.git("init", "-q")
			w.run(0, "init", "--yes")
			w.git("add", "-A")
			w.git("-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "begin")
			if out, _ := w.run(0, "run", "--baseline", "HEAD"); strings.Contains(out, "depends on what the descriptions say") {
				t.Errorf("the suite of init does not depend on the descriptions:\n%s", out)
			}
			path := filepath.Join(w.dir, "catalogs", server.name+".json")
			catalog := read(t, path)
			w.write(path, makeVague(t, catalog, -1))
			w.run(1, "run", "--baseline", "HEAD")
			w.write(path, makeVague(t, catalog, 0))
			for _, m := range noticing {
				out, _ := w.run(server.exit(), "run", "--baseline", "HEAD", "--format", m.format)
				m.holds(t, server, firstTool(t, catalog), out)
			}
		})
	}
}

// noticing are the media in which people read of a description that changed: the patterns of the tool's row, of the words in it that are
// gone and new, and of the case that fails. ID and SERVER stand for names.
var noticing = []noticingMedium{
	{"text", `(?m)^  catalogs/SERVER.json:\d+: ID, .*\n    description (.+)$`, `\[-(.*?)-\]`, `\{\+(.*?)\+\}`,
		`(?m)^CHANGED TOOL catalogs/SERVER.json:\d+: the description of ID changed: 1 case fails\n  mcp-gates.yml:\d+: words lead to the tools of SERVER fails, passed before: (.+)$`},
	{"markdown", "(?m)^\\| `ID` \\| description (.+) \\| [0-9,]+ → [0-9,]+ \\|$", `<del>(.*?)</del>`, `<ins>(.*?)</ins>`,
		"(?m)^- ❌ The description of `ID` changed: 1 case fails\\.\\n  - `words lead to the tools of SERVER` fails, passed before: (.+)$"},
}

type noticingMedium struct{ format, row, gone, new, lost string }

// holds fails the test where the output lacks what became of the tool.
func (m noticingMedium) holds(t *testing.T, server noticed, tool tool, out string) {
	t.Helper()
	names := strings.NewReplacer("ID", regexp.QuoteMeta(server.name+"."+tool.Name), "SERVER", server.name)
	row := regexp.MustCompile(names.Replace(m.row)).FindStringSubmatch(out)
	if row == nil {
		t.Fatalf("%s does not name %s.%s with its words:\n%s", m.format, server.name, tool.Name, out)
	}
	gone, added := regexp.MustCompile(m.gone), regexp.MustCompile(m.new)
	if !gone.MatchString(row[1]) || !added.MatchString(row[1]) {
		t.Errorf("%s shows no words that are gone and new: %s", m.format, row[1])
	}
	for _, side := range []struct{ of, got, want string }{
		{"old", gone.ReplaceAllString(added.ReplaceAllString(row[1], ""), "$1"), tool.Description},
		{"new", added.ReplaceAllString(gone.ReplaceAllString(row[1], ""), "$1"), vague},
	} {
		if got, want, isSame := sameWords(side.got, side.want); !isSame {
			t.Errorf("%s: the %s words of %s are %q, want %q", m.format, side.of, tool.Name, got, want)
		}
	}
	lost := regexp.MustCompile(names.Replace(m.lost)).FindStringSubmatch(out)
	if server.lost == 0 {
		if lost != nil || !server.unfound && strings.Contains(out, "fails") {
			t.Errorf("%s says that a case fails:\n%s", m.format, out)
		}
		if said := strings.Contains(out, " any more: was "); said != server.unfound {
			t.Errorf("%s says that a search does not find %s any more: %v, want %v:\n%s", m.format, tool.Name, said, server.unfound, out)
		}
		return
	}
	if lost == nil {
		t.Fatalf("%s does not say which case fails because of %s:\n%s", m.format, tool.Name, out)
	}
	if got := len(regexp.MustCompile("picked [^;]+, expected `?"+regexp.QuoteMeta(tool.Name)+"\\b").FindAllString(lost[1], -1)); got != server.lost {
		t.Errorf("%s lists %d intents that %s lost, want %d: %s", m.format, got, tool.Name, server.lost, lost[1])
	}
}

// sameWords compares the words of a diff with those of a description, up to where the diff is cut.
func sameWords(diff, description string) (got, want []string, isSame bool) {
	got = strings.Fields(strings.ReplaceAll(html.UnescapeString(diff), "\u200b", "")) // which keeps a comment from making links
	want = strings.Fields(description)
	if at := slices.Index(got, "…"); at > 0 {
		got, want = got[:at], want[:min(at, len(want))]
	}
	return got, want, slices.Equal(got, want)
}

// tool is one of a catalog.
type tool struct{ Name, Description string }

// firstTool returns the tool that [makeVague] makes vague at 0.
func firstTool(t *testing.T, catalog string) tool {
	t.Helper()
	var list struct{ Tools []tool }
	if err := json.Unmarshal([]byte(catalog), &list); err != nil || len(list.Tools) == 0 {
		t.Fatalf("%v in %s", err, catalog)
	}
	return list.Tools[0]
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
