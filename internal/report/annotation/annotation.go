// Package annotation makes the annotations of a report: messages at places in files, each with its rule and its subject, the
// worst first. It takes a [report.Report], a [report.Lint] or a [report.LintDiff] and returns items. Package annotate publishes
// the items on GitHub, and packages sarif and codequality write them for other programs. All of them show the same items.
//
// This package makes texts of suites, recordings, catalogs, servers and models safe for a terminal, as [report.Safe] does. A
// package that writes an item escapes it for its medium.
package annotation

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// Level is the severity of an annotation, in the words of the checks API.
type Level string

// These are the levels, worst first. A failure is a reason why a gate fails or cannot be evaluated, a warning deserves a look, and a
// notice is only for information.
const (
	Failure Level = "failure"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Levels lists the levels, worst first.
var Levels = []Level{Failure, Warning, Notice}

// Item is a message at a place in the repository. Title and Message are safe for a terminal, but Path is unchanged. A package that
// writes an item escapes all three for its medium.
type Item struct {
	Rule    string // id of a lint rule, name of a gate, or id of one of [Others]
	Path    string // path from the top of the repository; "" for an item without a place
	Line    int    // 1-based; 0 for the file as a whole
	EndLine int    // last line; 0 if the same as Line
	Level   Level
	Title   string // one line
	Message string // one or more lines

	// Tool is the tool that the message is about, if the place is in a snapshot; nil for all other items. [AtSource] can move the
	// item to the tool's source.
	Tool *catalog.Tool

	// ID identifies the item in other commits, so it contains no line and no figure.
	ID string

	// Key identifies the subject of the item: server, tool and argument, or case and target. Unlike ID, it contains no bound and no
	// message, so several items can have the same Key.
	Key string

	Detail string // a bound or a message: the part of ID that Key lacks
}

// Options selects the items. The zero value selects all of them.
type Options struct {
	Base   *report.Report // report of the baseline, whose items are left out; nil leaves out none
	Folder string         // folder in the repository to which the report's paths are relative; "" for the top

	// NoRefusals leaves out the items without a place that explain a refusal, because the caller shows the reasons elsewhere.
	NoRefusals bool
}

// Of returns the items of a report: the worst first, then in the order of the kinds below, then by place. They contain no
// arguments and no results of calls.
func Of(r *report.Report, o Options) []Item {
	list := collect(r, o)
	if o.Base != nil {
		list = difference(list, collect(o.Base, o))
	}
	return list
}

// Limit returns the first annotations, and the number of the rest by level. most is the largest number of annotations to return.
func Limit(list []Item, most int) (shown []Item, rest map[Level]int) {
	shown = list[:min(len(list), max(most, 0))]
	rest = map[Level]int{}
	for _, a := range list[len(shown):] {
		rest[a.Level]++
	}
	return shown, rest
}

// kind orders the annotations of a level. The constants are 100 apart, because the index of a [judge.Kind] is added to notes and
// to lastNotes.
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

// add adds an annotation of a kind. identity is its subject, such as a server and a tool.
func (c *collector) add(k kind, a Item, identity ...string) {
	a.Key = joined(identity...)
	a.ID = joined(strconv.Itoa(int(k)), a.Rule, a.Key, a.Detail)
	if a.Path != "" {
		a.Path = path.Join(c.folder, a.Path)
	}
	a.Title = report.Safe(a.Title)
	c.list = append(c.list, sortable{a, k})
}

// joined joins parts to one text. Different parts give different texts, because a separator inside a part is escaped. Parts
// without control characters stay as they are, because other programs keep the fingerprints that are made of them.
func joined(parts ...string) string {
	return strings.Join(lists.Map(parts, separators.Replace), "\x00")
}

var separators = strings.NewReplacer("\x00", "\x010", "\x01", "\x011")

// lines returns a message with each part on one line, safe for a terminal. It leaves out empty parts.
func lines(parts ...string) string {
	var safe []string
	for _, part := range parts {
		if part != "" {
			safe = append(safe, report.Safe(part))
		}
	}
	return strings.Join(safe, "\n")
}

// sorted returns the annotations in order. If two of them have the same place and the same words, only the first is returned.
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

// difference returns the annotations that the base does not have. If the list has more annotations with an ID than the base, it
// returns the surplus.
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
