package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

// advertised returns a report of catalogs, each FILE and its tools in turn: SERVER.NAME | DESCRIPTION | input schema | the tool's own file.
// The schema can be "unknown".
func advertised(t *testing.T, files ...string) *report.Report {
	t.Helper()
	r := &report.Report{}
	for i := 0; i < len(files); i += 2 {
		var tools, own []string
		var unknown []bool
		for line := range strings.Lines(files[i+1]) {
			fields := strings.Split(line+"|||", "|")
			server, name, _ := strings.Cut(strings.TrimSpace(fields[0]), ".")
			schema := strings.TrimSpace(fields[2])
			own, unknown = append(own, strings.TrimSpace(fields[3])), append(unknown, schema == "unknown")
			if schema == "" || schema == "unknown" {
				schema = "{}"
			}
			tools = append(tools, fmt.Sprintf(`{"server": %q, "name": %q, "description": %q, "inputSchema": %s}`, server, name, strings.TrimSpace(fields[1]), schema))
		}
		cat, errs := catalog.Read(files[i], []byte("["+strings.Join(tools, ",\n")+"]"))
		if len(errs) > 0 {
			t.Fatal(errs.Err())
		}
		c := report.NewCatalog(files[i], files[i], cat, lint.Check(cat, lint.Config{}))
		for j, tool := range cat.Tools {
			c.Tools[j].Tokens, c.Tools[j].SHA256 = report.Count(len(tool.Description)), report.Optional(tool.Raw)
			c.Tools[j].Path, c.Tools[j].SchemaUnknown = report.Optional(own[j]), unknown[j]
		}
		r.Catalogs = append(r.Catalogs, c)
	}
	return r
}

// toolLines writes what differs and what it breaks, a line each.
func toolLines(c *report.Comparison) []string {
	var lines []string
	for _, change := range c.Tools {
		line := fmt.Sprintf("%s %s.%s", change.Kind, change.Server, change.Name)
		if change.Was != "" {
			line += " was " + string(change.Was)
		}
		if change.Probably != "" {
			line += " probably " + string(change.Probably)
		}
		for _, part := range change.Parts {
			line += ", " + strings.TrimSpace(string(part.Aspect)+" "+string(part.Argument))
		}
		for _, a := range change.Alike {
			line += fmt.Sprintf(", like %s.%s (%d)", a.Server, a.Name, a.Percent)
		}
		lines = append(lines, line)
	}
	for _, b := range c.Breaking {
		lines = append(lines, fmt.Sprintf("breaks: %s %s.%s %s at %s:%d", b.Kind, b.Server, b.Tool, b.Argument, b.Path, b.Line))
	}
	for _, b := range c.MayBreak {
		lines = append(lines, fmt.Sprintf("may break: %s %s.%s at %s:%d", b.Kind, b.Server, b.Tool, b.Path, b.Line))
	}
	for _, server := range c.ServersGone {
		lines = append(lines, "gone: "+server)
	}
	return lines
}

func TestTools(t *testing.T) {
	const search = "a.search | Search support tickets by customer and product. | {\"properties\": {\"q\": {\"type\": \"string\"}}}"
	const fetch = "a.fetch | Fetch one web page."
	for _, test := range []struct {
		name       string
		base, head []string
		want       []string
	}{
		{"renamed", []string{"a.json", search + "\n" + fetch}, []string{"a.json", fetch + "\n" + strings.Replace(search, "a.search", "a.find", 1)},
			[]string{"renamed a.find was search", "breaks: tool_renamed a.search  at a.json:2"}},
		{"removed, probably another", []string{"a.json", search + "\n" + fetch}, []string{"a.json", fetch + "\n" + "a.find | Find support tickets by customer and product. | {\"properties\": {\"q\": {\"type\": \"string\"}}}"},
			[]string{"added a.find", "removed a.search probably find", "breaks: tool_removed a.search  at a.json:1"}},
		{"removed with its catalog", []string{"a.json", fetch, "b.json", search}, []string{"a.json", fetch},
			[]string{"removed a.search", "breaks: tool_removed a.search  at b.json:0"}},
		{"a server that is no longer named", []string{"a.json", fetch, "b.json", "b.x | Does x to y."}, []string{"a.json", fetch},
			[]string{"removed b.x", "gone: b"}},
		{"two servers that are no longer named", []string{"a.json", fetch, "b.json", "c.x | Does x to y.\nb.x | Does x to z."}, []string{"a.json", fetch},
			[]string{"removed b.x", "removed c.x", "gone: b", "gone: c"}},
		{"a server of another name with half of the tools", []string{"a.json", "a.x | Do x.\na.y | Do y."}, []string{"b.json", "b.x | Do x.\nb.z | Fetch one web page."},
			[]string{"added b.z", "removed a.y", "breaks: server_renamed a.  at :0", "breaks: tool_removed a.y  at a.json:0"}},
		{"a server with less than half of the tools", []string{"a.json", "a.x | Do x.\na.y | Do y.\na.z | Do z."}, []string{"b.json", "b.x | Fetch one web page."},
			[]string{"added b.x", "removed a.x", "removed a.y", "removed a.z", "gone: a"}},
		{"two servers that one replaces", []string{"a.json", "a.x | Do x.", "c.json", "c.x | Fetch one web page."}, []string{"b.json", "b.x | Do x."},
			[]string{"removed c.x", "breaks: server_renamed a.  at :0", "gone: c"}},
		{"a server that two replace", []string{"a.json", "a.x | Do x.\na.y | Do y."}, []string{"b.json", "b.x | Do x.", "c.json", "c.x | Do x.\nc.y | Do y."},
			[]string{"added b.x, like c.x (100)", "breaks: server_renamed a.  at :0"}},
		{"a server that either of two replaces", []string{"a.json", "a.x | Do x."}, []string{"b.json", "b.x | Do x.", "c.json", "c.x | Do x."},
			[]string{"added c.x, like b.x (100)", "breaks: server_renamed a.  at :0"}},
		{"a catalog of another server with other tools", []string{"a.json", "a.x | Do x."}, []string{"a.json", "b.y | Fetch one web page."},
			[]string{"added b.y", "removed a.x", "breaks: server_renamed a.  at :0", "breaks: tool_removed a.x  at a.json:1"}},
		{"a catalog of a server that was known", []string{"a.json", "a.x | Do x.", "b.json", "b.k | Do k."}, []string{"a.json", "b.y | Fetch one web page.", "b.json", "b.k | Do k."},
			[]string{"added b.y", "removed a.x", "gone: a"}},
		{"a catalog of no server now", []string{"a.json", "a.x | Do x."}, []string{"a.json", ".x | Do x."}, []string{"added .x", "removed a.x", "gone: a"}},
		{"a catalog of a server now", []string{"a.json", ".x | Do x."}, []string{"a.json", "a.x | Do x."}, []string{"added a.x", "removed .x"}},
		{"one tool in two files", []string{"a.json", "a.x | Do x.", "b.json", "a.x | Do y."}, []string{"b.json", "a.x | Do y.", "a.json", "a.x | Do x."}, nil},
		{"changed", []string{"a.json", search}, []string{"a.json", "a.search | Search. | {\"properties\": {\"q\": {\"type\": \"string\"}}, \"required\": [\"q\"]}"},
			[]string{"changed a.search, description, required q", "breaks: newly_required a.search q at a.json:1"}},
		{"added, and alike", []string{"a.json", search}, []string{"a.json", search + "\n" + "a.find | Search support tickets by customer and by product."},
			[]string{"added a.find, like a.search (100)"}},
		{"one of two of a name", []string{"a.json", search + "\n" + search + "\n" + fetch}, []string{"a.json", search + "\n" + fetch},
			[]string{"removed a.search", "breaks: tool_removed a.search  at a.json:1"}},
		{"its schema is unknown now", []string{"a.json", fetch}, []string{"a.json", fetch + " | unknown"},
			[]string{"changed a.fetch", "may break: not_compared a.fetch at a.json:1"}},
		{"moved to another file", []string{"a.json", search}, []string{"b.json", search}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := toolLines(Reports(advertised(t, test.base...), advertised(t, test.head...), Options{}))
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestToolsWithoutCatalog pins where a tool is shown whose file no suite names any more.
func TestToolsWithoutCatalog(t *testing.T) {
	const fetch, search = "a.fetch | Fetch one web page. || tools/fetch.json", "a.search | Search support tickets. || tools/search.json"
	const isGone, mayBe = "breaks: tool_removed a.search  at mcp-gates.yml:4", "may break: catalog_redirected tools/search.json. at mcp-gates.yml:5"
	both, one := []string{"tools", fetch, "tools/search.json", search}, []string{"tools", fetch}
	for _, test := range []struct {
		name       string
		base, head []string
		ofBase     report.Report
		want       []string
	}{
		{"a file of its own", []string{"tools", fetch + "\n" + search}, one, report.Report{}, []string{"removed a.search", isGone}},
		{"a catalog that is not read", both, one, report.Report{}, []string{"removed a.search", isGone, mayBe}},
		{"a catalog that the base's suites read", both, both, report.Report{Servers: []report.DeclaredServer{{Name: "tools/search.json"}}}, []string{mayBe}},
		{"tools in a suite", both, one, report.Report{Cases: []report.Case{{Suite: "tools/search.json"}}}, []string{"removed a.search", isGone}},
		{"tools in a recording", both, one, report.Report{Cases: []report.Case{{Recordings: []report.Recording{{Path: "tools/search.json"}}}}}, []string{"removed a.search", isGone}},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, head := advertised(t, test.base...), advertised(t, test.head...)
			base.Cases, base.Servers = test.ofBase.Cases, test.ofBase.Servers
			head.Servers = []report.DeclaredServer{
				{Name: "b", Catalog: "b.json", Path: "mcp-gates.yml", Line: 2}, {Name: "a", Path: "mcp-gates.yml", Line: 3},
				{Name: "a", Catalog: "tools", Path: "mcp-gates.yml", Line: 4},
				{Name: "tools/search.json", Path: "mcp-gates.yml", Line: 5}, {Name: "tools/search.json", Path: "mcp-gates.yml", Line: 6},
			}
			got := toolLines(Reports(base, head, Options{Stands: func(string) bool { return true }}))
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestToolsOfASavedReport pins that hashes show that a tool changed, and nothing more, and that tokens do where there are none.
func TestToolsOfASavedReport(t *testing.T) {
	for _, test := range []struct {
		name, base, head string
		edit             func(base, head *report.CatalogTool)
		want             []string
	}{
		{"another description", "a.x | Does x.", "a.x | Does y.", func(_, _ *report.CatalogTool) {}, []string{"changed a.x"}},
		{"as many tokens, without hashes", "a.x | Does x.", "a.x | Does y.", func(base, _ *report.CatalogTool) { base.SHA256 = "" }, nil},
		{"more tokens, without hashes", "a.x | Does x.", "a.x | Does more.", func(base, _ *report.CatalogTool) { base.SHA256 = "" }, []string{"changed a.x"}},
		{"a manifest, and a catalog now", "a.x | Does x. | unknown", "a.x | Does x.", func(base, head *report.CatalogTool) {
			base.SHA256 = report.Optional(head.Tool.WithoutSchema().SHA256())
		}, nil},
		{"a manifest, and a catalog of another tool now", "a.x | Does x. | unknown", "a.x | Does y.", func(base, head *report.CatalogTool) {
			base.SHA256, base.Tokens = "ab", head.Tokens
		}, []string{"changed a.x"}},
		{"a manifest still", "a.x | Does x. | unknown", "a.x | Does x. | unknown", func(base, head *report.CatalogTool) { base.SHA256 = head.SHA256 }, nil},
		{"a manifest, and a saved catalog now", "a.x | Does x. | unknown", "a.x | Does x.", func(_, head *report.CatalogTool) { head.Tool = nil }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, head := advertised(t, "a.json", test.base), advertised(t, "a.json", test.head)
			test.edit(&base.Catalogs[0].Tools[0], &head.Catalogs[0].Tools[0])
			base.Catalogs[0].Tools[0].Tool = nil
			c := Reports(base, head, Options{})
			if got := toolLines(c); !slices.Equal(got, test.want) || !c.Undescribed {
				t.Errorf("undescribed %t, got %q, want %q", c.Undescribed, got, test.want)
			}
		})
	}
}
