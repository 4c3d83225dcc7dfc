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

// advertised returns a report of catalogs, each FILE and its tools in turn: SERVER.NAME | DESCRIPTION | input schema.
func advertised(t *testing.T, files ...string) *report.Report {
	t.Helper()
	r := &report.Report{}
	for i := 0; i < len(files); i += 2 {
		var tools []string
		for line := range strings.Lines(files[i+1]) {
			fields := strings.Split(line+"||", "|")
			server, name, _ := strings.Cut(strings.TrimSpace(fields[0]), ".")
			schema := strings.TrimSpace(fields[2])
			if schema == "" {
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
		{"changed", []string{"a.json", search}, []string{"a.json", "a.search | Search. | {\"properties\": {\"q\": {\"type\": \"string\"}}, \"required\": [\"q\"]}"},
			[]string{"changed a.search, description, required q", "breaks: newly_required a.search q at a.json:1"}},
		{"added, and alike", []string{"a.json", search}, []string{"a.json", search + "\n" + "a.find | Search support tickets by customer and by product."},
			[]string{"added a.find, like a.search (100)"}},
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

// TestToolsOfASavedReport pins that hashes tell that a tool changed, and nothing more.
func TestToolsOfASavedReport(t *testing.T) {
	base, head := advertised(t, "a.json", "a.x | Does x."), advertised(t, "a.json", "a.x | Does y.")
	base.Catalogs[0].Tools[0].Tool = nil
	c := Reports(base, head, Options{})
	if got, want := toolLines(c), []string{"changed a.x"}; !slices.Equal(got, want) || !c.Undescribed {
		t.Errorf("undescribed %t, got %q, want %q", c.Undescribed, got, want)
	}
}
