package basesuites

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Head is a case of the head with its evidence.
type Head struct {
	Entry
	Files      *suite.Loader      // reads files of the head
	Trace      *trace.Trace       // nil if there is nothing to judge
	Catalog    *catalog.Catalog   // the catalog that the case judges; nil if it judges runs
	Live       bool               // the runs were made in this check
	Recordings []report.Recording // the recordings that were read
}

// View is the evidence of a case of the head in the form that the base's case needs.
type View struct {
	Fault string   // reason why a file of the head that the base's case names cannot be read; "" if all can
	Gone  []string // sorted names of tools that the base's case names, but that no longer exist

	was   *Was
	names Names
	head  Head
	files *files
	runs  *trace.Trace       // the head's runs, with the base's names for servers
	tools func() serverTools // result of findTools, which reads recordings of the base
}

// serverTools has the tools of a case's servers: before from the base's files, after from the head's; nil if unknown.
type serverTools struct {
	before, after *catalog.Catalog
	was           *trace.Trace // the base's runs; nil if they cannot be read
}

// See returns the evidence of the head's case for a case of the base. baseRuns reads the base's recordings, and returns nil if they
// cannot be read. It is called only if a tool may be renamed or gone.
func (w *Was) See(head Head, baseRuns func() *trace.Trace) *View {
	head.Trace = cmp.Or(head.Trace, &trace.Trace{})
	v := &View{was: w, head: head, files: findFiles(w.Entry, head)}
	v.runs = v.files.renamed.Trace(head.Trace)
	v.tools = sync.OnceValue(func() serverTools { return v.findTools(baseRuns) })
	v.names = Names{v.files.renamed.servers, v.renames()}
	v.Gone = v.goneTools()
	v.Fault = v.files.fault // set last, because the calls above read files
	return v
}

// Judgement returns the parts of the judgement that are known before the base's suite has judged.
func (v *View) Judgement() *report.BaseJudgement {
	return &report.BaseJudgement{Case: v.was.Report.ID, Renames: v.names.tools, Servers: v.names.servers, Gone: v.Gone}
}

// Case returns the base's case with the head's files.
func (v *View) Case() Entry {
	one := *v.was.Case
	one.Servers, one.ServerNames = v.files.servers, v.files.names
	return v.names.Called(Entry{v.was.Suite, &one}, v.head.Model)
}

// Trace returns the runs with the tool names that the base's gates know; empty if the runs could not be read.
func (v *View) Trace() *trace.Trace { return v.names.Trace(v.head.Trace) }

// Catalog returns the tools that the base's case judges, with the names that its gates know. In a case of findability the tools
// keep the head's names.
func (v *View) Catalog() *catalog.Catalog {
	if v.was.Kind == suite.Findability {
		return v.files.catalog
	}
	return v.names.Catalog(v.files.catalog)
}

// FirstFailure returns the message of the first failing gate or expectation of a case; "" if there is none. by is the case that
// configures them. Gates and expectations that need a tool in gone are ignored, because they cannot pass.
func FirstFailure(c *report.Case, by *suite.Case, gone []string) string {
	isGone := nameSet(gone).has
	for i := range c.Gates {
		if message := failure(&c.Gates[i]); message != "" && !by.Checks[i].Plan.Lacks(isGone) {
			return message
		}
	}
	needsGone := func(target string) bool { return slices.ContainsFunc(by.Expect.NamesOf(target), isGone) }
	for _, e := range c.Expect {
		if e.Verdict == judge.Fail && !needsGone(e.Target) {
			return fmt.Sprintf("run %d: %s", e.Run, e.Message)
		}
	}
	for _, e := range c.RunExpectations() { // expectations that are counted but not listed by run
		if e.Failed > 0 && !needsGone(e.Target) {
			return fmt.Sprintf("%s: %s is not %s", judge.CountOf(e.Failed, "run"), e.Target, e.Matcher)
		}
	}
	return ""
}

// failure returns the reason why a gate does not pass; "" if it passes.
func failure(g *judge.Result) string {
	if g.Err != nil {
		return g.Err.Message
	}
	for _, a := range g.Assertions {
		if a.Verdict == judge.Fail {
			return cmp.Or(a.Message, a.Target+" is not "+a.Matcher)
		}
	}
	return ""
}

// renames returns the tools that the head renamed, if the head's case names the tool by its new name and no longer by its old name.
// Only then did the head's suite follow the renaming, so that the base's gates must get the old name.
func (v *View) renames() (renames report.Renames) {
	before, after := namesIn(v.was.Case), v.headNames()
	dropped, taken := before.without(after), after.without(before)
	if len(dropped) == 0 || len(taken) == 0 {
		return nil
	}
	tools := v.tools()
	for _, pair := range catalog.Pairs(tools.before, tools.after).Renamed {
		suiteFollows := dropped.mentions(pair.Base) && taken.mentions(pair.Head) && !after.mentions(pair.Base)
		if suiteFollows && v.showsRename(pair) {
			renames = append(renames, report.Rename{
				Server: pair.Head.Server, Old: pair.Base.Name, New: pair.Head.Name, Shared: isShared(pair.Head, tools.after),
			})
		}
	}
	return renames
}

func (v *View) headNames() nameSet { return v.files.renamed.inBaseForm(namesIn(v.head.Case)) }

func isShared(t *catalog.Tool, in *catalog.Catalog) bool {
	return slices.ContainsFunc(in.Tools, func(o *catalog.Tool) bool { return o.Name == t.Name && o.Server != t.Server })
}

// showsRename reports whether the head's runs confirm that a tool was renamed: they differ from the base's runs, they were offered
// the new name and not the old one, and no run of the base calls the new name. Without this proof, a change could edit a snapshot
// so that one tool looks like the new name of another.
func (v *View) showsRename(pair catalog.Pair) bool {
	if v.hasSameRuns() {
		return false
	}
	if offered := v.offeredTools(); offered != nil {
		_, hasOld := offered.Lookup(pair.Base.Ref())
		_, hasNew := offered.Lookup(pair.Head.Ref())
		if hasOld || !hasNew {
			return false
		}
	}
	was := v.tools().was
	return was == nil || !slices.ContainsFunc(trace.Called(was.Runs), pair.Head.Ref().Matches)
}

// goneTools returns the tools that the base's case names and had, and that the head's case no longer has under any name. A renamed
// tool is not gone, whether or not the head's case uses its new name.
func (v *View) goneTools() nameSet {
	named := namesIn(v.was.Case).without(v.headNames())
	if len(named) == 0 {
		return nil
	}
	tools := v.tools()
	if tools.after == nil {
		return nil
	}
	had, has, offered := toolsOf(tools.before), toolsOf(v.names.Catalog(tools.after)), toolsOf(v.offeredTools())
	named = slices.DeleteFunc(named, func(name string) bool { return !had[name] || has[name] || offered[name] })
	if len(named) == 0 {
		return nil
	}
	for _, pair := range catalog.Pairs(tools.before, tools.after).Renamed {
		has[pair.Base.Name], has[pair.Base.Ref().ID()] = true, true
	}
	return slices.DeleteFunc(named, func(name string) bool { return has[name] })
}

// offeredTools returns the tools that the head's runs were offered; nil if they were not recorded. If the base has the same runs,
// the result includes the base's tools.
func (v *View) offeredTools() *catalog.Catalog {
	if v.hasSameRuns() {
		return catalog.Merge(v.runs.Recorded, v.tools().before)
	}
	if v.runs.Recorded == nil {
		return nil
	}
	return v.runs.Recorded.Without(v.runs.Distractors)
}

func (v *View) hasSameRuns() bool {
	return staleness.SameRecordings(v.was.Report.Recordings, v.head.Recordings)
}

func toolsOf(cat *catalog.Catalog) map[string]bool {
	names := map[string]bool{}
	if cat == nil {
		return names
	}
	for _, t := range cat.Tools {
		names[t.Name], names[t.Ref().ID()] = true, true
	}
	return names
}

// findTools returns the tools of a case's servers. The tools of servers without a snapshot come from the recording.
func (v *View) findTools(baseRuns func() *trace.Trace) serverTools {
	var t serverTools
	before, after := v.was.Servers, v.files.servers
	if v.was.Kind == suite.AgentTest { // a case that names no server has the tools of all servers
		t.was = baseRuns()
		if v.was.ServerNames == nil {
			before = v.was.Suite.Servers
		}
		if v.files.names == nil {
			after = v.files.serversOf(v.was.Suite.Servers, v.head.Suite.Servers)
		}
	}
	t.before = toolsBy(before, v.was.Case.Catalog, t.was)
	t.after = toolsBy(after, v.files.catalog, v.runs)
	return t
}

// toolsBy returns the tools of servers, of a case's own catalog, and, for servers without a snapshot, of its runs.
func toolsBy(servers []*suite.Server, cat *catalog.Catalog, tr *trace.Trace) *catalog.Catalog {
	cats := []*catalog.Catalog{cat}
	hasSnapshot := map[string]bool{}
	for _, server := range servers {
		cats = append(cats, server.Snapshot)
		hasSnapshot[server.Name] = server.Snapshot != nil
	}
	if tr != nil && tr.Recorded != nil {
		recorded := tr.Recorded.Without(tr.Distractors)
		recorded.Tools = slices.DeleteFunc(recorded.Tools, func(t *catalog.Tool) bool { return hasSnapshot[t.Server] })
		cats = append(cats, recorded)
	}
	return catalog.Merge(cats...)
}
