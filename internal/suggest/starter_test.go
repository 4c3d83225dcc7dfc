package suggest

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/clients"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// tools returns tools as a server lists them, as JSON.
func tools(t testing.TB, text string) []*catalog.Tool {
	t.Helper()
	c, errs := catalog.Read("tools.json", []byte(text))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return c.Tools
}

// started returns servers that a client's file has, with tools.
func started(t testing.TB, file, list string) (all []Served) {
	t.Helper()
	servers, errs := clients.Read(".mcp.json", []byte(file), "")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, s := range servers {
		if s.Unusable == "" {
			all = append(all, Served{Server: s, From: "found in " + s.Pos.String(), Catalog: "catalogs/" + strings.Trim(s.Name, "/ ") + ".json", Tools: tools(t, list)})
		}
	}
	return all
}

const twoTools = `{"tools": [
  {"name": "list_notes", "description": "List the notes. Returns their titles.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
  {"name": "deleteNote", "description": "Delete a note for good.", "inputSchema": {"type": "object"}}
]}`

func TestStarterTriesWhatOnlyReads(t *testing.T) {
	list := `{"tools": [
	  {"name": "get_stars", "description": "Count stars.", "inputSchema": {"type": "object"}},
	  {"name": "get_user", "description": "A person.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}, "annotations": {"readOnlyHint": true}},
	  {"name": "get_env", "description": "Variables.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
	  {"name": "list_api_keys", "description": "Codes.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
	  {"name": "list_notes", "description": "Titles.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
	  {"name": "get_rid", "description": "Bin.", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": true}},
	  {"name": "find_date", "description": "Days.", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
	  {"name": "remove_all", "description": "Empties.", "inputSchema": {"type": "object"}}
	]}`
	var prompts []string
	_, err := NewStarter(t.Context(), fstest.MapFS{}, "mcp-gates.yml", started(t, `{"mcpServers": {"a": {"command": "a"}}}`, list), func(files fs.FS, file, _ string) (map[string][]byte, *report.Report) {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			t.Fatal(err)
		}
		_, prompt, _ := strings.Cut(string(text), "prompt: ")
		prompt, _, _ = strings.Cut(prompt, "\n")
		prompts = append(prompts, prompt)
		return nil, &report.Report{}
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"List notes.", "Get stars.", `"Get user \"example\"."`}; !slices.Equal(prompts, want) {
		t.Errorf("the cases that were tried: got %q, want %q", prompts, want)
	}
}

// TestStarterKeepsSecrets holds that no tool is recorded that may return a secret, and that the reason names it.
func TestStarterKeepsSecrets(t *testing.T) {
	tried := func(tool, description string) string {
		list := fmt.Sprintf(`{"tools": [{"name": %q, "description": %q, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}]}`, tool, description)
		count := 0
		record := func(fs.FS, string, string) (map[string][]byte, *report.Report) {
			count++
			return nil, &report.Report{}
		}
		starter, err := NewStarter(t.Context(), fstest.MapFS{}, "mcp-gates.yml", started(t, `{"mcpServers": {"a": {"command": "a"}}}`, list), record)
		if err != nil {
			t.Fatal(err)
		}
		if count > 0 {
			return "tried"
		}
		reason, _, _ := strings.Cut(strings.Join(starter.Left, "\n"), ", and no other tool")
		return strings.TrimPrefix(reason, "no recorded case: ")
	}
	for tool, word := range map[string]string{
		"get_env": "env", "get_envs": "envs", "get_envvars": "envvars", "read_dotenv": "dotenv", "getEnvironment": "environment",
		"get_apikey": "apikey", "get_apikeys": "apikeys", "getAPITokens": "apitokens", "list_passwd": "passwd", "get_pwd": "pwd",
		"get_auth_header": "auth", "get_jwt": "jwt", "get_bearer": "bearer", "get_pat": "pat", "get_certificates": "certificates",
		"list_secrets": "secrets", "get_cookie": "cookie", "read_session": "session", "get_token": "token", "get_key_count": "key",
	} {
		if got, want := tried(tool, "Values."), fmt.Sprintf("tool %q may return a secret, because of %q in its name", tool, word); got != want {
			t.Errorf("%s: got %q, want %q", tool, got, want)
		}
	}
	for description, words := range map[string]string{
		"Returns all environment variables.": "environment variables", "The user's API key.": "API key", "Stored credentials.": "credentials",
		"Show the Password of a person.": "Password", "A secret.": "secret",
	} {
		if got, want := tried("get_it", description), fmt.Sprintf("tool \"get_it\" may return a secret, because of %q in its description", words); got != want {
			t.Errorf("%s: got %q, want %q", description, got, want)
		}
	}
	for _, tool := range []string{"get_token_count", "count_tokens", "get_token_usage", "get_envelope", "get_author", "get_path", "list_keyboards", "get_secretary"} {
		if got := tried(tool, "Values in the environment of the city."); got != "tried" {
			t.Errorf("%s: got %q, want that it is tried", tool, got)
		}
	}
}

// TestStarterFloors holds that a worse description, a larger surface and another look-alike fail the drafted suite.
func TestStarterFloors(t *testing.T) {
	starter, err := NewStarter(t.Context(), fstest.MapFS{}, "mcp-gates.yml", started(t, `{"mcpServers": {"a": {"command": "a"}}}`, twoTools), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]*strings.Replacer{
		"as it is":            strings.NewReplacer(),
		"worse description":   strings.NewReplacer("Delete a note for good.", "Note."),
		"larger surface":      strings.NewReplacer("for good.", "for good. It cannot be brought back by anybody, ever, once it has been deleted with this tool."),
		"renamed into vagues": strings.NewReplacer("list_notes", "do_it"),
	} {
		files := fstest.MapFS{}
		for file, text := range starter.Files {
			if strings.HasPrefix(file, "catalogs/") {
				text = []byte(change.Replace(string(text)))
			}
			files[file] = &fstest.MapFile{Data: text}
		}
		r := check.Run(context.Background(), files, check.Options{})
		fails := len(r.Problems) > 0 || slices.ContainsFunc(r.Cases, func(c report.Case) bool { return c.Verdict != judge.Pass })
		if fails != (name != "as it is") {
			t.Errorf("%s: fails is %v\n%s", name, fails, starter.Files["mcp-gates.yml"])
		}
	}
}

// FuzzStarter holds that whatever a client's file and a server say becomes a suite that reads and passes.
func FuzzStarter(f *testing.F) {
	f.Add("files", "${HOME}/x", "TOKEN", "list_notes", "List the notes.")
	f.Add(`"><img src=x>`, "::error::x", "a b", "::error::x", "]]> ${x}")
	f.Add("a: b", "- # x", "ÄÖ", "yes", "")
	f.Add("builtin", "$${x}", "GITHUB_TOKEN", "a.b", "null")
	f.Add("", "", "", "", "")
	f.Add("a\nb", "\x00", "=", "\u202e", "\u2028")
	f.Fuzz(func(t *testing.T, server, word, variable, tool, description string) {
		entry := map[string]any{"command": word + "x", "args": []string{word, "--token", word}, "env": map[string]string{variable: word}}
		file, err := json.Marshal(map[string]any{"mcpServers": map[string]any{server: entry}})
		if err != nil {
			t.Skip("not UTF-8")
		}
		list, err := json.Marshal(map[string]any{"tools": []any{map[string]any{"name": tool, "description": description, "inputSchema": map[string]any{"type": "object"}}}})
		if err != nil {
			t.Skip("not UTF-8")
		}
		if _, errs := catalog.Read("tools.json", list); len(errs) > 0 {
			t.Skip("not a tool")
		}
		servers := started(t, string(file), string(list))
		if len(servers) == 0 {
			t.Skip("not a server")
		}
		servers[0].Catalog = "catalogs/a.json"
		record := func(fs.FS, string, string) (map[string][]byte, *report.Report) { return nil, nil }
		if starter, err := NewStarter(t.Context(), fstest.MapFS{}, "mcp-gates.yml", servers, record); err != nil {
			t.Fatalf("server %q: %s\n%s", server, err, starter)
		}
	})
}
