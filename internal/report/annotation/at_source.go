package annotation

import (
	"path"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

type toolKey struct{ path, server, name string }

// toolsOf returns the tools of a report's snapshots. If several tools share a key, the tool is nil, because it is unknown which of
// them is meant. A catalog at the path of a suite has no snapshot: its tools were listed in a live run.
func toolsOf(r *report.Report) map[toolKey]*catalog.Tool {
	tools, suites := map[toolKey]*catalog.Tool{}, r.Suites()
	for i := range r.Catalogs {
		cat := &r.Catalogs[i]
		if suites[cat.Path] {
			continue
		}
		for _, t := range cat.Tools {
			key := toolKey{cat.PathOf(t.Path), t.Server, t.Name}
			tool := t.Tool
			if _, isShared := tools[key]; isShared {
				tool = nil
			}
			tools[key] = tool
		}
	}
	return tools
}

// AtSource moves each annotation of a tool with a known place in the source to that place. The message of a moved annotation gets a
// line with the place in the snapshot. folder is the Folder of the [Options] that selected the list.
func AtSource(list []Item, places map[*catalog.Tool]source.Pos, folder string) []Item {
	moved := slices.Clone(list)
	for i := range moved {
		a := &moved[i]
		pos, ok := places[a.Tool]
		if a.Tool == nil || !ok {
			continue
		}
		snapshot := source.Pos{File: a.Path, Line: a.Line}
		a.Message += "\n" + lines("in the snapshot: "+snapshot.String())
		a.Path, a.Line, a.EndLine = path.Join(folder, pos.File), pos.Line, 0
	}
	return moved
}
