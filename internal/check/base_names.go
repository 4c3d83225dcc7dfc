package check

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// renames returns the tools that have another name in the head, as far as the head's case names the new one instead of
// the old: only then has its suite followed, and only then do the base's suites see the old name.
func (v *baseView) renames() (renames report.Renames) {
	before, after := namesIn(v.base.Case), v.headNames()
	dropped, taken := before.without(after), after.without(before)
	if len(dropped) == 0 || len(taken) == 0 {
		return nil
	}
	tools := v.tools()
	for _, pair := range catalog.Pairs(tools.before, tools.after).Renamed {
		if dropped.mention(pair.Base) && taken.mention(pair.Head) && !after.mention(pair.Base) && v.shown(pair) {
			renames = append(renames, report.Rename{
				Server: pair.Head.Server, Old: pair.Base.Name, New: pair.Head.Name, Shared: isShared(pair.Head, tools.after),
			})
		}
	}
	return renames
}

// headNames returns what the head's case names, with the base's names for servers.
func (v *baseView) headNames() nameSet { return v.files.renamed.names(namesIn(v.head.Case)) }

// isShared reports whether another server has a tool of the same name.
func isShared(t *catalog.Tool, in *catalog.Catalog) bool {
	return slices.ContainsFunc(in.Tools, func(o *catalog.Tool) bool { return o.Name == t.Name && o.Server != t.Server })
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
	was := v.tools().was
	return was == nil || !slices.ContainsFunc(trace.Called(was.Runs), pair.Head.Ref().Matches)
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

// nameBefore returns a tool under the name that it had in the base, and whether that is another one; nil where none is.
type nameBefore func(catalog.Ref) (was catalog.Ref, renamed bool)

func beforeRenames(renames report.Renames) nameBefore {
	if len(renames) == 0 {
		return nil
	}
	return renames.Old
}

// oldCatalog returns the tools under their names of the base; nil for nil.
func oldCatalog(cat *catalog.Catalog, before nameBefore) *catalog.Catalog {
	if cat == nil || before == nil {
		return cat
	}
	out := &catalog.Catalog{File: cat.File, Tools: slices.Clone(cat.Tools), Hidden: cat.Hidden}
	for i, t := range out.Tools {
		if ref, renamed := before(t.Ref()); renamed {
			one := *t
			one.Server, one.Name = ref.Server, ref.Name
			out.Tools[i] = &one
		}
	}
	return out
}

// oldServers returns the servers with their snapshots under the old names.
func oldServers(servers []*suite.Server, before nameBefore) []*suite.Server {
	out := make([]*suite.Server, len(servers))
	for i, s := range servers {
		one := *s
		one.Snapshot = oldCatalog(s.Snapshot, before)
		out[i] = &one
	}
	return out
}

// oldTrace returns a copy of the trace in which tools have their old names.
func oldTrace(tr *trace.Trace, before nameBefore) *trace.Trace {
	out := *tr
	if before == nil {
		return &out
	}
	out.Recorded, out.Catalog = oldCatalog(tr.Recorded, before), oldCatalog(tr.Catalog, before)
	out.Deferred = slices.Clone(tr.Deferred)
	for i, ref := range out.Deferred {
		if was, renamed := before(ref); renamed {
			out.Deferred[i] = was
		}
	}
	old := map[*trace.Tool]*trace.Tool{}
	out.Runs = slices.Clone(tr.Runs)
	for i := range out.Runs {
		out.Runs[i].Calls = slices.Clone(out.Runs[i].Calls)
		for j := range out.Runs[i].Calls {
			call := &out.Runs[i].Calls[j]
			if old[call.Tool] == nil {
				old[call.Tool] = call.Tool
				if ref, renamed := before(call.Tool.Ref); renamed {
					old[call.Tool] = &trace.Tool{Ref: ref}
				}
			}
			call.Tool = old[call.Tool]
		}
	}
	return &out
}
