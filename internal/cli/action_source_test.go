package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
)

// TestPlaces pins which tools are looked for where: those of annotated catalogs, within the globs of each, and none
// without an annotation.
func TestPlaces(t *testing.T) {
	const description = "Search the web for pages about a topic."
	file := func(tool string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(fmt.Sprintf("tools.add(%q, %q)\n", tool, description))}
	}
	big := fstest.MapFS{"one/a.py": file("search"), "two/b.py": file("search")}
	for i := range 60 {
		big[fmt.Sprintf("zero/%d.txt.py", i)] = &fstest.MapFile{Data: bytes.Repeat([]byte("x = 1234\n"), 1<<20/9)}
	}
	small := fstest.MapFS{"one/a.py": file("search"), "two/b.py": file("search")}
	for _, test := range []struct {
		name    string
		files   fstest.MapFS
		globs   []string
		limit   int
		at      string
		want    string // place of the annotation
		message string // in the log
	}{
		{"one place", fstest.MapFS{"one/a.py": file("search")}, nil, 9, "source", "one/a.py:1", ""},
		{"two places", small, nil, 9, "source", "web.json:3", ""},
		{"one place within the globs", small, []string{"two/**"}, 9, "source", "two/b.py:1", ""},
		{"too much", big, nil, 9, "source", "web.json:3", "name the code at the server in the suite, such as source: [src/**]."},
		{"too much within the globs", big, []string{"**"}, 9, "source", "web.json:3", "narrow the globs."},
		{"little within the globs", big, []string{"one", "one/**"}, 9, "source", "one/a.py:1", ""},
		{"a glob that is not valid", small, []string{"["}, 9, "source", "web.json:3", "is not a valid glob"},
		{"in the snapshot", big, nil, 9, "catalog", "web.json:3", ""},
		{"no annotations", big, nil, 0, "source", "web.json:3", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := &catalog.Tool{Server: "web", Name: "search", Description: description}
			r := &report.Report{Catalogs: []report.Catalog{{
				Name: "::error::x", Path: "web.json", Source: test.globs,
				Tools:    []report.CatalogTool{{Server: "web", Name: "search", Tool: tool}},
				Findings: []report.Finding{{Rule: "DESC-010", Severity: "warning", Server: "web", Tool: "search", Path: "web.json", Line: 3}},
			}}}
			var log bytes.Buffer
			a := &action{commands: annotate.NewCommands(&log), workspace: test.files, inputs: annotate.Inputs{
				AnnotateAt: test.at, MaxAnnotations: test.limit,
			}}
			got := a.annotationsOf(r, &basis{})
			if len(got) != 1 || fmt.Sprintf("%s:%d", got[0].Path, got[0].Line) != test.want {
				t.Errorf("got %+v, want it at %s", got, test.want)
			}
			if text := log.String(); (test.message == "") != (text == "") || !strings.Contains(text, test.message) {
				t.Errorf("the log is %q, want %q", text, test.message)
			}
		})
	}
}
