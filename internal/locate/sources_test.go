package locate

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// registration is how a server's source names a tool (the first group) and describes it (the second).
type registration struct {
	server, folder string
	prefix         string // that the server puts before each name
	pattern        string
	atLeast        int // so many tools the pattern finds in the versions of August 2026
}

var registrations = []registration{
	{"github+github-mcp-server", "pkg/github", "", `(?s)Name: +"(\w+)",\n\t+Description: +(?:t\("\w+", *)?([^\n].*?)\),\n\t+(?:Annotations|Icons|Title|InputSchema)`, 100},
	{"zscaler+zscaler-mcp-server", "src", "", `(?ms)^@tool\(.*?^def (\w+)\(.*?^    """(.*?)"""`, 390},
	{"okta+okta-mcp-server", "src", "", `(?ms)^@mcp\.tool\(.*?^async def (\w+)\(.*?^    """(.*?)"""`, 105},
	{"sooperset+mcp-atlassian", "src/mcp_atlassian/servers", "jira_", `(?ms)^@jira_mcp\.tool\(.*?^async def (\w+)\(.*?^    """(.*?)"""`, 60},
	{"sooperset+mcp-atlassian", "src/mcp_atlassian/servers", "confluence_", `(?ms)^@confluence_mcp\.tool\(.*?^async def (\w+)\(.*?^    """(.*?)"""`, 20},
	{"mondaycom+mcp", "packages", "", `(?s)\n  name = '(\w+)';.{0,900}?\n  getDescription\(\)(?:: string)? \{\n\s+return (.*?);\n  \}`, 60},
	{"modelcontextprotocol+servers", "src", "", `(?s)(?:registerTool\(\s*|const name = )"([\w-]+)".{0,200}?\bdescription:\s*(.*?),\n\s+(?:inputSchema|outputSchema|annotations)`, 35},
}

// TestSources finds the tools of published servers in their sources, in the folder that MCP_GATES_SOURCES names: each a
// checkout in a folder owner+name. At least 95 of 100 have their right place, and none has a wrong one. What is right is
// read by an expression for the way in which that server registers its tools.
func TestSources(t *testing.T) {
	dir := os.Getenv("MCP_GATES_SOURCES")
	if dir == "" {
		t.Skip("MCP_GATES_SOURCES does not name a folder with checkouts of servers: no place in real sources is checked")
	}
	for _, r := range registrations {
		t.Run(r.server+" "+r.prefix, func(t *testing.T) {
			fsys := os.DirFS(filepath.Join(dir, r.server))
			if _, err := fs.Stat(fsys, r.folder); err != nil {
				t.Skipf("no checkout of %s: %v", r.server, err)
			}
			want := r.tools(t, fsys)
			if len(want) < r.atLeast {
				t.Fatalf("%d tools are read from the source, want at least %d: the server registers them in another way", len(want), r.atLeast)
			}
			checkPlaces(t, fsys, want)
		})
	}
}

// checkPlaces compares the places that are found with those that are wanted.
func checkPlaces(t *testing.T, fsys fs.FS, want map[*catalog.Tool]source.Pos) {
	t.Helper()
	var tools []*catalog.Tool
	for tool := range want {
		tools = append(tools, tool)
	}
	got, err := Find(fsys, tools, nil)
	if err != nil {
		t.Fatal(err)
	}
	for tool, pos := range got {
		// The text of a documentation comment may begin in the line after its mark.
		if right := want[tool]; pos.File != right.File || pos.Line < right.Line || pos.Line > right.Line+1 {
			t.Errorf("place of %s is %s, want %s", tool.Name, pos, right)
		}
	}
	for tool, pos := range want {
		if got[tool].Line == 0 {
			t.Logf("no place for %s at %s: %.60q", tool.Name, pos, tool.Description)
		}
	}
	t.Logf("%d of %d tools have their place", len(got), len(want))
	if len(got)*100 < len(want)*95 {
		t.Errorf("%d of %d tools have a place, want 95 of 100", len(got), len(want))
	}
}

// literal matches a quoted text.
var literal = regexp.MustCompile("(?s)\"((?:[^\"\\\\]|\\\\.)*)\"|'((?:[^'\\\\]|\\\\.)*)'|`((?:[^`\\\\]|\\\\.)*)`")

// tools returns the tools that the source registers, and where their descriptions begin.
func (r *registration) tools(t *testing.T, fsys fs.FS) map[*catalog.Tool]source.Pos {
	t.Helper()
	pattern, tools := regexp.MustCompile(r.pattern), map[*catalog.Tool]source.Pos{}
	err := fs.WalkDir(fsys, r.folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || rankOf(name) < code {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		for _, m := range pattern.FindAllSubmatchIndex(text, -1) {
			description := string(text[m[4]:m[5]])
			if text[m[4]-1] != '"' {
				description = unquote(description)
			}
			if description == "" { // it is made elsewhere
				continue
			}
			tool := &catalog.Tool{Name: r.prefix + string(text[m[2]:m[3]]), Description: description}
			tools[tool] = source.Pos{File: name, Line: strings.Count(string(text[:m[4]]), "\n") + 1}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// unquote joins the quoted texts of an expression.
func unquote(expression string) string {
	var joined strings.Builder
	for _, m := range literal.FindAllStringSubmatch(expression, -1) {
		joined.WriteString(strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\`, "").Replace(m[1] + m[2] + m[3]))
	}
	return joined.String()
}
