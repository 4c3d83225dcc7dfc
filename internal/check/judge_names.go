package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// renames returns the tools that have another name in the head, as far as the head's case names the new one instead of
// the old: only then has its suite followed, and only then does the base's judge see the old name.
func (v *baseView) renames() []report.Rename {
	before, after := namesIn(v.base.Case), namesIn(v.head.Case)
	dropped, taken := before.without(after), after.without(before)
	if len(dropped) == 0 || len(taken) == 0 {
		return nil
	}
	var renames []report.Rename
	base, head := v.tools()
	for _, pair := range catalog.Pairs(base, head).Renamed {
		if dropped.mention(pair.Base) && taken.mention(pair.Head) && !after.mention(pair.Base) && v.shown(pair) {
			renames = append(renames, report.Rename{Server: pair.Head.Server, Old: pair.Base.Name, New: pair.Head.Name})
		}
	}
	return renames
}

// shown reports whether the runs agree that a tool was renamed: they were made since, they were offered the new name and
// not the old, and no run of the base calls the new one. Otherwise a snapshot could be edited to call one tool another.
func (v *baseView) shown(pair catalog.Pair) bool {
	if v.sameRuns() {
		return false
	}
	if offered := v.offered(); offered != nil {
		_, old := offered.Lookup(pair.Base.Ref())
		_, new := offered.Lookup(pair.Head.Ref())
		if old || !new {
			return false
		}
	}
	return v.was == nil || !slices.ContainsFunc(called(v.was.Runs), pair.Head.Ref().Matches)
}

// nameSet is texts, sorted, each once.
type nameSet []string

// namesIn returns what a case's gates and expectations name.
func namesIn(c *suite.Case) nameSet {
	list := c.Expect.Names()
	for _, check := range c.Checks {
		list = append(list, check.Names()...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (n nameSet) has(name string) bool {
	_, found := slices.BinarySearch(n, name)
	return found
}

// without returns the names that other has not.
func (n nameSet) without(other nameSet) nameSet {
	return slices.DeleteFunc(slices.Clone(n), other.has)
}

// mention reports whether a tool is among the names, by its name or its qualified id.
func (n nameSet) mention(t *catalog.Tool) bool { return n.has(t.Name) || n.has(t.Ref().ID()) }

// oldNames shows evidence under the names that tools had before they were renamed.
type oldNames struct {
	renames []report.Rename
	shared  map[string]bool // new names that tools of several servers have: a call without a server may be of any
}

func (v *baseView) oldNames(renames []report.Rename) oldNames {
	o := oldNames{renames: renames, shared: map[string]bool{}}
	if len(renames) == 0 {
		return o
	}
	server := map[string]string{}
	_, after := v.tools()
	for _, t := range after.Tools {
		if first, seen := server[t.Name]; seen && first != t.Server {
			o.shared[t.Name] = true
		}
		server[t.Name] = t.Server
	}
	return o
}

// ref returns the old name of a tool.
func (o oldNames) ref(ref catalog.Ref) (catalog.Ref, bool) {
	for _, r := range o.renames {
		if ref.Matches(catalog.Ref{Server: r.Server, Name: r.New}) && (ref.Server != "" || !o.shared[r.New]) {
			ref.Name = r.Old
			return ref, true
		}
	}
	return ref, false
}

// catalog returns the tools under their old names; nil for nil.
func (o oldNames) catalog(cat *catalog.Catalog) *catalog.Catalog {
	if cat == nil || len(o.renames) == 0 {
		return cat
	}
	out := &catalog.Catalog{File: cat.File, Tools: slices.Clone(cat.Tools)}
	for i, t := range out.Tools {
		if ref, renamed := o.ref(t.Ref()); renamed {
			one := *t
			one.Name = ref.Name
			out.Tools[i] = &one
		}
	}
	return out
}

// servers returns the servers with their snapshots under the old names.
func (o oldNames) servers(servers []*suite.Server) []*suite.Server {
	if len(o.renames) == 0 {
		return servers
	}
	out := make([]*suite.Server, len(servers))
	for i, s := range servers {
		one := *s
		one.Snapshot = o.catalog(s.Snapshot)
		out[i] = &one
	}
	return out
}

// trace returns a copy of the trace in which renamed tools have their old names. Runs and calls are shared where none has.
func (o oldNames) trace(tr *trace.Trace) *trace.Trace {
	out := *tr
	if len(o.renames) == 0 {
		return &out
	}
	out.Recorded, out.Catalog = o.catalog(tr.Recorded), o.catalog(tr.Catalog)
	old := map[*trace.Tool]*trace.Tool{}
	out.Runs = slices.Clone(tr.Runs)
	for i := range out.Runs {
		out.Runs[i].Calls = slices.Clone(out.Runs[i].Calls)
		for j := range out.Runs[i].Calls {
			call := &out.Runs[i].Calls[j]
			if old[call.Tool] == nil {
				old[call.Tool] = call.Tool
				if ref, renamed := o.ref(call.Tool.Ref); renamed {
					old[call.Tool] = &trace.Tool{Ref: ref}
				}
			}
			call.Tool = old[call.Tool]
		}
	}
	return &out
}
