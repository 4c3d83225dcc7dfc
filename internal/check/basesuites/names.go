package basesuites

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Names are the base's names for servers and tools that the head has renamed.
type Names struct {
	servers report.ServerRenames
	tools   report.Renames
}

// NamesOf returns the names in a judgement of the base's suite; no names if j is nil.
func NamesOf(j *report.BaseJudgement) Names {
	if j == nil {
		return Names{}
	}
	return Names{j.Servers, j.Renames}
}

func (n Names) isEmpty() bool { return len(n.servers)+len(n.tools) == 0 }

func (n Names) oldServer(name string) string {
	for _, r := range n.servers {
		if r.New == name {
			return r.Old
		}
	}
	return name
}

// oldTool returns a tool of the head under the base's name, and whether the names differ.
func (n Names) oldTool(ref catalog.Ref) (catalog.Ref, bool) {
	server := n.oldServer(ref.Server)
	isMoved := server != ref.Server
	ref.Server = server
	ref, isRenamed := n.tools.Old(ref)
	return ref, isMoved || isRenamed
}

// inBaseForm returns names from a case of the head as the base's suite writes them.
func (n Names) inBaseForm(list nameSet) nameSet {
	out := slices.Clone(list)
	for i, name := range out {
		for _, r := range n.servers {
			if tool, ok := strings.CutPrefix(name, r.New+"."); ok {
				out[i] = r.Old + "." + tool
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// Catalog returns a catalog with the tools under the base's names; nil if cat is nil.
func (n Names) Catalog(cat *catalog.Catalog) *catalog.Catalog {
	if cat == nil || n.isEmpty() {
		return cat
	}
	out := &catalog.Catalog{File: cat.File, Tools: slices.Clone(cat.Tools), Hidden: cat.Hidden}
	for i, t := range out.Tools {
		if ref, renamed := n.oldTool(t.Ref()); renamed {
			one := *t
			one.Server, one.Name = ref.Server, ref.Name
			out.Tools[i] = &one
		}
	}
	return out
}

func (n Names) serversOf(servers []*suite.Server) []*suite.Server {
	out := make([]*suite.Server, len(servers))
	for i, s := range servers {
		one := *s
		one.Name, one.Snapshot = n.oldServer(s.Name), n.Catalog(s.Snapshot)
		out[i] = &one
	}
	return out
}

// Trace returns a trace with the tools under the base's names; nil if tr is nil.
func (n Names) Trace(tr *trace.Trace) *trace.Trace {
	if tr == nil || n.isEmpty() {
		return tr
	}
	out := *tr
	out.Recorded, out.Catalog = n.Catalog(tr.Recorded), n.Catalog(tr.Catalog)
	out.Deferred = n.oldRefs(tr.Deferred)
	tools := map[*trace.Tool]*trace.Tool{}
	out.Runs = slices.Clone(tr.Runs)
	for i := range out.Runs {
		out.Runs[i].Calls = slices.Clone(out.Runs[i].Calls)
		for j := range out.Runs[i].Calls {
			n.renameInCall(&out.Runs[i].Calls[j], tools)
		}
	}
	return &out
}

// renameInCall gives the tools of a call their names in the base. tools has the renamed tools so far, so that calls share them.
func (n Names) renameInCall(call *trace.Call, tools map[*trace.Tool]*trace.Tool) {
	if tools[call.Tool] == nil {
		tools[call.Tool] = call.Tool
		if ref, renamed := n.oldTool(call.Tool.Ref); renamed {
			tools[call.Tool] = &trace.Tool{Ref: ref}
		}
	}
	call.Tool = tools[call.Tool]
	if search := call.Search(); search != nil {
		renamed, detail := *search, *call.Detail
		renamed.Tools = n.oldRefs(search.Tools)
		detail.Search = &renamed
		call.Detail = &detail
	}
}

func (n Names) oldRefs(refs []catalog.Ref) []catalog.Ref {
	out := slices.Clone(refs)
	for i, ref := range out {
		out[i], _ = n.oldTool(ref)
	}
	return out
}

// nameSet is a sorted list of texts without repeats.
type nameSet []string

func namesIn(c *suite.Case) nameSet {
	list := append(c.Expect.Names(), slices.Concat(lists.Map(c.Checks, judge.Check.Names)...)...)
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

func (n nameSet) has(name string) bool {
	_, found := slices.BinarySearch(n, name)
	return found
}

func (n nameSet) without(other nameSet) nameSet {
	return slices.DeleteFunc(slices.Clone(n), other.has)
}

func (n nameSet) mentions(t *catalog.Tool) bool { return n.has(t.Name) || n.has(t.Ref().ID()) }
