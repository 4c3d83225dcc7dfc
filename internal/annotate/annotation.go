package annotate

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
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

var levels = []Level{Failure, Warning, Notice}

// Annotation is a message at a place in the repository. Its texts are as they came; they are escaped where they are
// written.
type Annotation struct {
	Path    string // from the top of the repository; "" when there is no place
	Line    int    // 1-based; 0 for the file as a whole
	EndLine int    // 0 for Line
	Level   Level
	Title   string // one line
	Message string // lines

	// Tool is what it is about where it stands in a snapshot: [AtSource] can move it to the tool's source. It is nil for
	// everything else.
	Tool *catalog.Tool

	// ID is the same for the same thing in another commit: it holds no line and no figure.
	ID string
}

// AnnotationOptions says what to annotate. The zero value annotates everything.
type AnnotationOptions struct {
	Which  string         // AnnotateAll, AnnotateNew or AnnotateNone; "" for all
	Base   *report.Report // of the baseline, for AnnotateNew; nil when there is none, and then everything is new
	Strict bool           // a case that the change weakens in effect fails the job
	Breaks bool           // a change that breaks callers fails the job
	Folder string         // in the repository that the report's paths are relative to; "" for its top
}

// Annotations returns what a report says about places in files: worst first, then in the order of the kinds below, then
// by place. Arguments and results of calls are not in it.
func Annotations(r *report.Report, o AnnotationOptions) []Annotation {
	if o.Which == AnnotateNone {
		return nil
	}
	list := collect(r, o)
	if o.Which == AnnotateNew && o.Base != nil {
		list = without(list, collect(o.Base, o))
	}
	return list
}

// Limit returns the first most annotations, and how many of each level are left out.
func Limit(list []Annotation, most int) (shown []Annotation, rest map[Level]int) {
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
	mistakes kind = 100 * iota
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
	folder   string
	mistakes map[place]bool
	tools    map[toolKey]*catalog.Tool // of snapshots; nil where several have one key
	list     []sortable
}

type place struct {
	path string
	line int
}

type sortable struct {
	Annotation
	kind kind
}

func collect(r *report.Report, o AnnotationOptions) []Annotation {
	c := &collector{report: r, folder: o.Folder, mistakes: map[place]bool{}, tools: toolsOf(r)}
	for _, p := range r.Problems {
		c.mistakes[place{p.Path, p.Line}] = true
		c.add(mistakes, Annotation{Path: p.Path, Line: p.Line, Level: Failure, Title: "mistake", Message: lines(p.Message)}, p.Path, p.Message)
	}
	for _, w := range r.Warnings {
		c.add(warnings, Annotation{Path: w.Path, Line: w.Line, Level: Warning, Message: lines(w.Message)}, w.Path, w.Message)
	}
	for i := range r.Cases {
		c.addCase(&r.Cases[i])
	}
	c.addWeakened(o.Strict)
	c.addBreaking(o.Breaks)
	c.addStale()
	c.addFindings()
	return c.sorted()
}

// add notes an annotation; identity says, besides the kind, what it is about.
func (c *collector) add(k kind, a Annotation, identity ...string) {
	a.ID = strings.Join(append([]string{strconv.Itoa(int(k))}, identity...), "\x00")
	if a.Path != "" {
		a.Path = path.Join(c.folder, a.Path)
	}
	a.Title = report.Safe(a.Title)
	c.list = append(c.list, sortable{a, k})
}

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
func (c *collector) sorted() []Annotation {
	slices.SortStableFunc(c.list, func(a, b sortable) int {
		return cmp.Or(
			cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level)),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Title, b.Title), cmp.Compare(a.Message, b.Message), cmp.Compare(a.ID, b.ID))
	})
	said := map[Annotation]bool{}
	out := make([]Annotation, 0, len(c.list))
	for _, s := range c.list {
		words := s.Annotation
		words.Level, words.ID, words.Tool = "", "", nil
		if !said[words] {
			said[words] = true
			out = append(out, s.Annotation)
		}
	}
	return out
}

// without returns the annotations that the base does not have, each as often as it has more of them.
func without(list, base []Annotation) []Annotation {
	known := map[string]int{}
	for _, a := range base {
		known[a.ID]++
	}
	var fresh []Annotation
	for _, a := range list {
		if known[a.ID] > 0 {
			known[a.ID]--
			continue
		}
		fresh = append(fresh, a)
	}
	return fresh
}
