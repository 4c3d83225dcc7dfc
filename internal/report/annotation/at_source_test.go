package annotation

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"github.com/org/mcp-gates/internal/source"
)

// atSource returns the annotations of a report, those of its first tool at a place in the source.
func atSource(r *report.Report, name func(string) string, o Options) []Item {
	places := map[*catalog.Tool]source.Pos{r.Catalogs[0].Tools[0].Tool: {File: name("src/web.py"), Line: 30}}
	return AtSource(Of(r, o), places, o.Folder)
}

// TestAtSource pins that findings, breaking changes and stale evidence of a tool stand at its source, with the line of the
// snapshot in the message, and that nothing else moves: no tool without a place, and none that is gone.
func TestAtSource(t *testing.T) {
	r := reporttest.Everything(plain)
	list := Of(r, Options{Folder: "sub"})
	moved := atSource(r, plain, Options{Folder: "sub"})
	text := ""
	for i, a := range moved {
		if a.Path != list[i].Path {
			text += show([]Item{a})
		} else if a.Line != list[i].Line || a.Message != list[i].Message {
			t.Errorf("%s changed and did not move", a.Title)
		}
	}
	golden(t, "testdata/at_source.txt", text)
	if strings.Contains(show(list), "src/web.py") {
		t.Error("the annotations that were given are changed")
	}
}

// TestSourceOfOneOfSeveral pins that a name which two tools of a snapshot have names neither, and that what a live server
// listed has no snapshot to leave.
func TestSourceOfOneOfSeveral(t *testing.T) {
	twice := reporttest.Everything(plain)
	twice.Catalogs[0].Tools = append(twice.Catalogs[0].Tools, reporttest.Tools(plain, "search")...)
	live := reporttest.Everything(plain)
	live.Catalogs[0].Path, live.Catalogs[0].Findings[0].Path = "suites/a.yml", "suites/a.yml"
	for name, r := range map[string]*report.Report{"twice": twice, "live": live} {
		for _, a := range Of(r, Options{}) {
			if a.Title == "DESC-006 search" && a.Tool != nil {
				t.Errorf("%s: %s is taken for one tool", name, a.Title)
			}
		}
	}
}

// TestRenamedToolAtSource pins that a renamed tool is the one that has the new name.
func TestRenamedToolAtSource(t *testing.T) {
	r := reporttest.Everything(plain)
	r.Baseline.Tools = []report.ToolChange{
		{Kind: report.Renamed, Server: "web", Name: "search", Was: "find", Path: "catalogs/web.json", Line: 5},
	}
	r.Baseline.Breaking = []report.Breaking{
		{Kind: "tool_renamed", Server: "web", Tool: "find", Message: `tool "find" is called "search" now`, Path: "catalogs/web.json", Line: 5},
	}
	for _, a := range atSource(r, plain, Options{}) {
		if a.Title == "breaks callers: find" && a.Path == "src/web.py" {
			return
		}
	}
	t.Error("the renamed tool is not at its source")
}
