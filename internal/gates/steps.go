package gates

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// stepKeys documents an entry of the key steps.
var stepKeys = []judge.Key{
	{Name: "tool", Type: judge.TypeText, Doc: "The tool, or a glob such as `github.*`."},
	{Name: "class", Type: judge.TypeText, Doc: "Instead of `tool`: a class of the test."},
	argsKey,
	{Name: "exact_args", Type: judge.TypeBool, Doc: "If true, the call must have no other arguments."},
	{Name: "count", Type: judge.TypeWhole, Doc: "The number of times in a row that the step is expected, 1 or more. Default: 1."},
}

// stepPath is the steps of a block, in order.
type stepPath struct {
	patterns []callPattern // patterns of the entries
	order    []int         // for each step, the position of its pattern; a step with a count is repeated
	optional bool          // a run may take none of the steps
}

// readSteps reads the list under the key steps. An entry that is a text is a step with the tool of that name.
func readSteps(block *yamlread.Map, in judge.Context) stepPath {
	v, ok := block.Value("steps")
	if !ok {
		return stepPath{}
	}
	items := v.List()
	if v.Kind() == yamlread.ListKind && len(items) == 0 {
		v.Errorf(`"steps" is empty, expected at least one step`)
	}
	r := stepReader{in, map[string]*classTools{}}
	var p stepPath
	for _, item := range items {
		pattern, count := r.read(item)
		if count > maxPatterns-len(p.order) {
			v.Errorf(`"steps" expand to more than %d steps, which is all that is read`, maxPatterns)
			return stepPath{}
		}
		p.order = append(p.order, slices.Repeat([]int{len(p.patterns)}, count)...)
		p.patterns = append(p.patterns, pattern)
	}
	return p
}

// stepReader reads the entries of one list.
type stepReader struct {
	in      judge.Context
	classes map[string]*classTools
}

// read reads an entry of the key steps, and returns its pattern and its count.
func (r *stepReader) read(item yamlread.Value) (callPattern, int) {
	if item.Kind() == yamlread.TextKind {
		tool, _ := item.Str()
		if tool.Value == "" {
			item.Errorf(`an entry of "steps" must not be empty`)
		}
		return patternOf(tool, r.in), 1
	}
	m, _ := item.Map()
	var p callPattern
	switch key, ok := m.OneOf("tool", "class"); {
	case !ok:
		m.Errorf(m.Pos(), `"tool" and "class" are missing, expected one of them`)
	case key == "tool":
		p = patternOf(m.Str(key), r.in)
	default:
		p = patternOfClass(r.class(m, m.Str(key)))
	}
	p.readArgs(m)
	p.exact = m.Bool("exact_args", false)
	count := m.Int("count", 1, 1)
	m.Done()
	return p, count
}

// class returns the test's class that is called name, as one value for all entries. If the test has no such class, it reports a
// mistake and returns a class without members.
func (r *stepReader) class(m *yamlread.Map, name yamlread.Str) *classTools {
	if class, known := r.classes[name.Value]; known {
		return class
	}
	i := slices.IndexFunc(r.in.Classes, func(c judge.Class) bool { return c.Name == name.Value })
	if i < 0 {
		if name.Value != "" { // the parser reports an empty name
			reportUnknownClass(m, name, r.in.Classes)
		}
		return &classTools{Class: judge.Class{Name: name.Value}}
	}
	class := &classTools{r.in.Classes[i], judge.NewMembers(r.in.Classes[i].Members, r.in.Servers)}
	r.classes[name.Value] = class
	return class
}

// addNames adds the tools and classes of the steps to a plan.
func (p *stepPath) addNames(plan *judge.Plan, in judge.Context) {
	usesClasses := slices.ContainsFunc(p.patterns, func(one callPattern) bool { return one.class != nil })
	if usesClasses {
		plan.Classes = in.TestClasses
	}
	if p.optional {
		plan.Listed = append(plan.Listed, membersOf(p.patterns)...)
		return
	}
	plan.Members = append(plan.Members, membersOf(p.patterns)...)
	plan.Named = append(plan.Named, namesOf(p.patterns)...)
}

func (p *stepPath) keep() trace.Keep {
	if readsArgs(p.patterns) {
		return trace.KeepArgs
	}
	return 0
}

// stepText returns step i, counted from 0, as reports show it; noStep if there is no such step.
func (p *stepPath) stepText(i int) string {
	if i >= len(p.order) {
		return noStep
	}
	return p.patterns[p.order[i]].text
}

// noStep is the text for the end of the steps.
const noStep = "no further call"

// stray is the place where a run leaves the path.
type stray struct {
	call int // index of the first unexpected call, or the number of calls
	step int // index of the expected step, or the number of steps
}

// match reports whether a run matches, and returns the place where it leaves the path. paired and left are results of walk.pair;
// only the modes without an order use them.
func (mode matchMode) match(w walk, paired []bool, left []int) (matches bool, s stray) {
	calls, steps := len(w.calls), len(w.path.order)
	switch mode {
	case strictMode:
		n := w.inStep()
		return n == calls && n == steps, stray{n, n}
	case inOrderMode:
		n, at := w.inOrder()
		return n == steps, stray{at, n}
	}
	s = stray{slices.Index(paired, false), w.firstLeft(left)}
	if s.call < 0 || mode == supersetMode {
		s.call = calls
	}
	if mode == subsetMode {
		s.step = steps
	}
	return s.call == calls && s.step == steps, s
}

// firstLeft returns the position of the first step that no call is paired with.
func (w walk) firstLeft(left []int) int {
	for i, entry := range w.path.order {
		if left[entry] > 0 {
			return i
		}
	}
	return len(w.path.order)
}

// strays groups the runs that leave the path by how they leave it.
type strays map[strayed][]int

// strayed describes how a run leaves the path.
type strayed struct {
	position        int // position of the call, counted from 1
	expected, found string
}

func (s strays) add(at stray, w walk, run *trace.Run) {
	key := strayed{position: at.call + 1, expected: w.path.stepText(at.step)}
	if at.call < len(run.Calls) {
		key.found = w.path.foundText(at.step, run.Calls[at.call].Tool)
	}
	s[key] = append(s[key], run.Number)
}

func (p *stepPath) foundText(step int, tool *trace.Tool) string {
	if step < len(p.order) && p.patterns[p.order[step]].names(tool.Ref) {
		return tool.ID() + " with other arguments"
	}
	return tool.ID()
}

// maxStrays bounds the number of notes on strays of one gate, because every run may leave the path in a different way.
const maxStrays = 1000

// notes returns a note for each way in which runs leave the path, sorted by position.
func (s strays) notes() []judge.Note {
	ways := slices.SortedStableFunc(maps.Keys(s), func(a, b strayed) int {
		return cmp.Or(a.position-b.position, cmp.Compare(a.expected, b.expected), cmp.Compare(a.found, b.found))
	})
	var notes []judge.Note
	for _, way := range ways[:min(len(ways), maxStrays)] {
		notes = append(notes, judge.Note{
			Kind: judge.Strayed, Subject: way.expected, Call: way.position, Text: way.found, Runs: sortedRuns(s[way]),
		})
	}
	return notes
}

// firstStray returns a text for the first of the notes; "" if there are none.
func firstStray(notes []judge.Note) string {
	if len(notes) == 0 {
		return ""
	}
	n := notes[0]
	return fmt.Sprintf("; at call %d of run %d expected %s, found %s", n.Call, n.Runs[0], n.Subject, cmp.Or(n.Text, "nothing"))
}
