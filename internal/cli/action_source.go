package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/locate"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/source"
)

// annotationsOf returns the annotations. They are placed in the workspace's code if the inputs ask for it and there is a workspace.
func (a *action) annotationsOf(r *report.Report, base *basis) []annotation.Item {
	options := annotation.Options{NoRefusals: true} // the log and the title of the check run list the refusals
	switch a.inputs.Annotations {
	case annotate.AnnotateNone:
		return nil
	case annotate.AnnotateNew:
		options.Base = base.report
	}
	list := annotation.Of(r, options)
	if a.inputs.AnnotateAt != annotate.AnnotateAtSource || a.workspace == nil {
		return list
	}
	shown, _ := annotation.Limit(list, a.inputs.MaxAnnotations)
	return annotation.AtSource(list, a.toolPlaces(r, shown), "")
}

// toolPlaces finds the source of the tools that annotations are about.
func (a *action) toolPlaces(r *report.Report, list []annotation.Item) map[*catalog.Tool]source.Pos {
	wanted := map[*catalog.Tool]bool{}
	for _, one := range list {
		if one.Tool != nil {
			wanted[one.Tool] = true
		}
	}
	places := map[*catalog.Tool]source.Pos{}
	for _, s := range searches(r, wanted) {
		found, err := locate.Find(a.workspace, s.tools, s.globs)
		if err != nil {
			a.noteUnplaced(s, err)
			continue
		}
		for tool, pos := range found {
			if wanted[tool] {
				places[tool] = pos
			}
		}
	}
	return places
}

// search is one walk through the workspace. It looks for the tools of all catalogs that have the same globs.
type search struct {
	globs    []string
	catalogs []string // names
	tools    []*catalog.Tool
}

// maxSearches bounds how often the workspace is searched.
const maxSearches = 20

// searches returns the searches that find the wanted tools. A search also looks for the other tools of a wanted tool's catalog,
// because a text that describes another tool better is not about the wanted tool.
func searches(r *report.Report, wanted map[*catalog.Tool]bool) []search {
	var list []search
	for i := range r.Catalogs {
		cat := &r.Catalogs[i]
		if !slices.ContainsFunc(cat.Tools, func(t report.CatalogTool) bool { return wanted[t.Tool] }) {
			continue
		}
		index := slices.IndexFunc(list, func(s search) bool { return slices.Equal(s.globs, cat.Source) })
		if index < 0 {
			if len(list) == maxSearches {
				continue
			}
			list = append(list, search{globs: cat.Source})
			index = len(list) - 1
		}
		s := &list[index]
		s.catalogs = append(s.catalogs, cat.Name)
		for _, t := range cat.Tools {
			if t.Tool != nil {
				s.tools = append(s.tools, t.Tool)
			}
		}
	}
	return list
}

// noteUnplaced logs why annotations are placed in the snapshots instead of the code.
func (a *action) noteUnplaced(s search, err error) {
	names := strings.Join(s.catalogs, ", ")
	switch {
	case !errors.Is(err, locate.ErrTooMuch):
		a.commands.Note("Annotations on the tools of %s are in the snapshots: %s", names, err)
	case len(s.globs) > 0:
		a.commands.Note("Annotations on the tools of %s are in the snapshots, because the files that source: names are too much to search; "+
			"narrow the globs.", names)
	default:
		a.commands.Note("Annotations on the tools of %s are in the snapshots, because the workspace holds too much to search; "+
			"name the code at the server in the suite, such as source: [src/**].", names)
	}
}
