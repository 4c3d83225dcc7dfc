package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Inject returns the distractors that a live run adds to the real tools.
func (d *distractors) Inject(real []*catalog.Tool) ([]*catalog.Tool, error) {
	if d.imitate == nil {
		return slices.Clone(bundled()[:min(d.largestPoint(), len(bundled()))]), nil
	}
	var originals []*catalog.Tool
	for _, name := range d.imitate {
		tool, ok := d.findOriginal(name, real)
		if !ok {
			return nil, fmt.Errorf("%q of near_duplicate is not among the tools of the test's servers%s", name, source.DidYouMean(name, ids(real)))
		}
		originals = append(originals, tool)
	}
	return nearDuplicates(originals, real, d.largestPoint())
}

func (d *distractors) findOriginal(name string, real []*catalog.Tool) (*catalog.Tool, bool) {
	named := judge.NewMembers([]string{name}, d.in.Servers)
	for _, tool := range real {
		if named.Names(tool.Ref()) {
			return tool, true
		}
	}
	return nil, false
}

func ids(tools []*catalog.Tool) []string {
	var list []string
	for _, tool := range tools {
		list = append(list, tool.Name, tool.Ref().ID())
	}
	return list
}

// injected returns the distractors of a trace: those that the recording lists, otherwise those that a live run would add.
func (d *distractors) injected(tr *trace.Trace) ([]catalog.Ref, error) {
	if tr.Distractors != nil {
		return tr.Distractors, nil
	}
	tools, err := d.Inject(d.realTools(tr))
	if err != nil {
		return nil, err
	}
	return lists.Map(tools, (*catalog.Tool).Ref), nil
}

// realTools returns the known real tools: those of today's snapshots, otherwise the recorded tools, otherwise the tools to imitate,
// by name only. Snapshots come first, because a recorded catalog may contain unmarked distractors.
func (d *distractors) realTools(tr *trace.Trace) []*catalog.Tool {
	for _, cat := range []*catalog.Catalog{tr.Current, tr.Catalog} {
		if cat != nil && len(cat.Tools) > 0 {
			return cat.Tools
		}
	}
	var tools []*catalog.Tool
	for _, name := range d.imitate {
		server, bare := d.splitName(name)
		tools = append(tools, &catalog.Tool{Server: server, Name: bare})
	}
	return tools
}

// splitName splits a qualified name after the longest declared server that it begins with.
func (d *distractors) splitName(name string) (server, bare string) {
	for _, s := range d.in.Servers { // sorted, so that the longest match comes last
		if strings.HasPrefix(name, s+".") {
			server = s
		}
	}
	if server == "" {
		return "", name
	}
	return server, name[len(server)+1:]
}
