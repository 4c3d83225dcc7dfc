// Package annotation makes annotations of a report: messages at places in files, worst first, each with the rule that it
// comes from and with what it is about. In comes a [report.Report], a [report.Lint] or a [report.LintDiff]; out go items,
// which package annotate publishes on GitHub and packages sarif and codequality write for other programs. All of them
// show the same items.
//
// Texts of suites, recordings, catalogs, servers and models are made safe for a terminal here, as [report.Safe] does;
// whoever writes an item escapes it for its medium.
package annotation

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Level says how bad an annotation is, in the words of the checks API.
type Level string

// The levels, worst first: what fails a gate or keeps one from being evaluated, what should be looked at, and what is
// good to know.
const (
	Failure Level = "failure"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Levels lists the levels, worst first.
var Levels = []Level{Failure, Warning, Notice}

// Item is a message at a place in the repository. Title and Message are safe for a terminal, Path is unchanged; whoever writes an item
// for a medium escapes all three.
type Item struct {
	Rule    string // the rule behind it: the id of a lint rule, the name of a gate, or one of [Others]
	Path    string // path from the top of the repository; "" if there is no place
	Line    int    // 1-based; 0 for the file as a whole
	EndLine int    // 0 for Line
	Level   Level
	Title   string // one line
	Message string // lines

	// Tool is the tool that it is about, if its place is in a snapshot: [AtSource] can move it to the tool's source. It is nil for all
	// other items.
	Tool *catalog.Tool

	// ID identifies the item in other commits: it contains no line and no figure.
	ID string

	// Key is what it is about: server, tool and argument, or case and target. It holds less than ID: no bound and no
	// message. Several items can have the same.
	Key string

	Detail string // the rest of ID: a bound, or a message
}

// Options says what to annotate. The zero value annotates everything.
type Options struct {
	Base   *report.Report // leave out the items that this report of the baseline also has; nil leaves out nothing
	Folder string         // folder in the repository that the report's paths are relative to; "" for the top

	// NoRefusals leaves out the items without a place on why the change is refused, for callers that show the reasons elsewhere.
	NoRefusals bool
}

// Of returns what a report says about places in files: worst first, then in the order of the kinds below, then
// by place. Arguments and results of calls are not in it.
func Of(r *report.Report, o Options) []Item {
	list := collect(r, o)
	if o.Base != nil {
		list = difference(list, collect(o.Base, o))
	}
	return list
}

// Limit returns the first most annotations, and how many of each level are left out.
func Limit(list []Item, most int) (shown []Item, rest map[Level]int) {
	shown = list[:min(len(list), max(most, 0))]
	rest = map[Level]int{}
	for _, a := range list[len(shown):] {
		rest[a.Level]++
	}
	return shown, rest
}

// kind orders the annotations of a level. Between two kinds is room for the kinds of notes.
type kind int

const (
	unchecked kind = 100 * iota
	refused
	mistakes
	caseErrors
	weakened
	breaking
	stale
	assertions
	notes
	floorBreaches
	lastNotes
	criticals // findings
	warnings
	findings
)

// collector gathers annotations.
type collector struct {
	report   *report.Report
	story    *tell.Story
	folder   string
	mistakes map[place]bool
	tools    map[toolKey]*catalog.Tool // tools of snapshots by key; nil if several tools have the key
	list     []sortable
}

type place struct {
	path string
	line int
}

type sortable struct {
	Item
	kind kind
}

func collect(r *report.Report, o Options) []Item {
	c := &collector{report: r, story: tell.Of(r, tell.Options{}), folder: o.Folder, mistakes: map[place]bool{}, tools: toolsOf(r)}
	for _, p := range r.Problems {
		c.mistakes[place{p.Path, p.Line}] = true
		c.add(mistakes, Item{
			Rule: Mistake, Path: p.Path, Line: p.Line, Level: Failure, Title: "mistake", Message: lines(p.Message),
		}, p.Path, p.Message)
	}
	for _, w := range r.Warnings {
		c.add(warnings, Item{
			Rule: Remark, Path: w.Path, Line: w.Line, Level: Warning, Message: lines(w.Message),
		}, w.Path, w.Message)
	}
	for i := range r.Cases {
		c.addCase(i)
	}
	c.addWeakened()
	c.addBreaking(c.levelOf(report.FailOnBreaking))
	c.addStale()
	c.addOutdated()
	c.addFindings()
	if !o.NoRefusals {
		c.addRefusals()
	}
	c.addUnchecked()
	return c.sorted()
}

// add notes an annotation; identity says, besides the kind, what it is about.
func (c *collector) add(k kind, a Item, identity ...string) {
	a.Key = joined(identity...)
	a.ID = joined(strconv.Itoa(int(k)), a.Rule, a.Key, a.Detail)
	if a.Path != "" {
		a.Path = path.Join(c.folder, a.Path)
	}
	a.Title = report.Safe(a.Title)
	c.list = append(c.list, sortable{a, k})
}

// joined joins parts to a text that no other parts have, because the separator is quoted in a name that holds it. Names
// without control characters stay as they are, because other programs keep the fingerprints that are made of them.
func joined(parts ...string) string {
	quoted := make([]string, len(parts))
	for i, part := range parts {
		quoted[i] = separators.Replace(part)
	}
	return strings.Join(quoted, "\x00")
}

var separators = strings.NewReplacer("\x00", "\x010", "\x01", "\x011")

// lines makes a message of parts, each of which is one line however it is written; empty ones are left out.
func lines(parts ...string) string {
	var safe []string
	for _, part := range parts {
		if part != "" {
			safe = append(safe, report.Safe(part))
		}
	}
	return strings.Join(safe, "\n")
}

// sorted returns the annotations in order. Words that two gates share appear once.
func (c *collector) sorted() []Item {
	sort.SliceStable(c.list, func(i, j int) bool {
		a, b := &c.list[i], &c.list[j]
		return cmp.Or(
			cmp.Compare(slices.Index(Levels, a.Level), slices.Index(Levels, b.Level)),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Title, b.Title), cmp.Compare(a.Message, b.Message), cmp.Compare(a.ID, b.ID)) < 0
	})
	listed := map[Item]bool{}
	out := make([]Item, 0, len(c.list))
	for _, s := range c.list {
		words := Item{Path: s.Path, Line: s.Line, EndLine: s.EndLine, Title: s.Title, Message: s.Message}
		if !listed[words] {
			listed[words] = true
			out = append(out, s.Item)
		}
	}
	return out
}

// difference returns the annotations that the base does not have, each as often as it has more of them.
func difference(list, base []Item) []Item {
	known := map[string]int{}
	for _, a := range base {
		known[a.ID]++
	}
	var fresh []Item
	for _, a := range list {
		if known[a.ID] > 0 {
			known[a.ID]--
			continue
		}
		fresh = append(fresh, a)
	}
	return fresh
}
