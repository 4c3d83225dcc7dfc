package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// callPattern describes a call in a suite: its tool, and the arguments that it must have.
type callPattern struct {
	text  string // the pattern as reports show it, cut if it is long
	whole string // the pattern as reports show it, never cut
	tool  judge.ToolName
	class *classTools    // nil if the pattern names a tool
	named []judge.Member // the tool, unless it is a glob
	args  []argPattern
	exact bool // the call must have no other arguments
}

// classTools are the tools of a class. All patterns of a class share one classTools, because a class can be large.
type classTools struct {
	judge.Class
	members judge.Members
}

// argPattern is an expectation on an argument of a call, or on a value within an argument.
type argPattern struct {
	path  judge.ArgPath
	value judge.Matcher
}

// maxPatterns bounds the number of patterns in one list, and of the steps that they expand to, because each run is compared with
// all of them.
const maxPatterns = 1000

// argsKey documents the arguments of a pattern.
var argsKey = judge.Key{Name: "args", Type: judge.TypeArguments, Doc: "Arguments that the call must have, by name or path (`filters[0].name`). Each argument is a value or a [matcher](#expectations-and-matchers). Write an object as `{exact: {...}}`."}

// patternKeys documents a map in a list of tools.
var patternKeys = []judge.Key{
	{Name: "tool", Type: judge.TypeText, Required: true, Doc: "The tool, or a glob."},
	argsKey,
}

// readPatterns reads the list under key, which may be missing. Each entry is a tool, or a map of a tool and arguments. A repeated
// entry is a mistake.
func readPatterns(block *yamlread.Map, key string, in judge.Context) []callPattern {
	v, ok := block.Value(key)
	if !ok {
		return nil
	}
	items := listOfPatterns(v, key)
	at := map[string]source.Pos{}
	var patterns []callPattern
	for _, item := range items {
		p := readPattern(item, key, in)
		switch first, twice := at[p.whole]; {
		case p.whole == "": // already reported
		case twice:
			item.Errorf("%q is given twice, first at %d:%d", judge.Clip(p.text), first.Line, first.Col)
		default:
			at[p.whole] = item.Pos()
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// listOfPatterns returns the entries of a list of patterns. A single text counts as a list with one entry, as in other lists of
// tools.
func listOfPatterns(v yamlread.Value, key string) []yamlread.Value {
	if v.Kind() == yamlread.TextKind {
		return []yamlread.Value{v}
	}
	items := v.List()
	switch {
	case v.Kind() == yamlread.ListKind && len(items) == 0:
		v.Errorf("%q is empty, expected at least one tool", key)
	case len(items) > maxPatterns:
		v.Errorf("%q has %d entries, at most %d are read", key, len(items), maxPatterns)
		return nil
	}
	return items
}

// readPattern reads an entry of a list of patterns; it returns the zero pattern for a mistake.
func readPattern(item yamlread.Value, key string, in judge.Context) callPattern {
	switch item.Kind() {
	case yamlread.TextKind:
		s, _ := item.Str()
		if s.Value == "" {
			item.Errorf("an entry of %q must not be empty", key)
		}
		return patternOf(s, in)
	case yamlread.MapKind:
		m, _ := item.Map()
		tool := m.Str("tool")
		p := patternOf(tool, in)
		p.readArgs(m)
		m.Done()
		if tool.Value != "" {
			return p
		}
	default:
		item.Errorf("an entry of %q must be a tool, or a map with tool and args, found %s", key, item.Describe())
	}
	return callPattern{}
}

func patternOf(tool yamlread.Str, in judge.Context) callPattern {
	p := callPattern{text: judge.Clip(tool.Value), whole: tool.Value, tool: judge.NewToolName(tool.Value, in.Servers)}
	if !judge.IsGlob(tool.Value) && tool.Value != "" {
		p.named = []judge.Member{{Name: tool.Value, Pos: tool.Pos}}
	}
	return p
}

func patternOfClass(class *classTools) callPattern {
	whole := "class " + class.Name
	return callPattern{text: judge.Clip(whole), whole: whole, class: class}
}

func reportUnknownClass(m *yamlread.Map, name yamlread.Str, classes []judge.Class) {
	if len(classes) == 0 {
		m.Errorf(name.Pos, `class %q is not known: the test has no "classes"`, judge.Clip(name.Value))
		return
	}
	names := lists.Map(classes, func(c judge.Class) string { return c.Name })
	hint := cmp.Or(source.DidYouMean(judge.Clip(name.Value), names), ", expected one of "+lists.FirstFive(names))
	m.Errorf(name.Pos, "class %q is not among those of the test%s", judge.Clip(name.Value), hint)
}

func (p *callPattern) readArgs(m *yamlread.Map) {
	var said []string
	for _, e := range m.Map("args").Entries() {
		path, ok := judge.ParseArgPath(e.Key.Value)
		if !ok {
			m.Errorf(e.Key.Pos, `%q must be the name of an argument, or a path such as filters[0].name or ["odd.key"]`, judge.Clip(e.Key.Value))
			continue
		}
		if value, ok := judge.ReadArgMatcher(e.Value, e.Key.Value); ok {
			p.args = append(p.args, argPattern{path, value})
			said = append(said, e.Key.Value+": "+value.String())
		}
	}
	if len(said) > 0 {
		p.whole += "(" + strings.Join(said, ", ") + ")"
		p.text = judge.Clip(p.whole)
	}
}

func readsArgs(patterns []callPattern) bool {
	return slices.ContainsFunc(patterns, func(p callPattern) bool { return len(p.args) > 0 })
}

// membersOf returns the tools that patterns name. It leaves out the tools of classes, because the classes name them.
func membersOf(patterns []callPattern) []judge.Member {
	var members []judge.Member
	for _, p := range patterns {
		members = append(members, p.named...)
	}
	return members
}

// namesOf returns one list for each tool or class of the patterns, without repeats. At least one tool of each list must exist.
// Globs are left out.
func namesOf(patterns []callPattern) [][]string {
	var names [][]string
	tools, classes := map[string]bool{}, map[*classTools]bool{}
	for _, p := range patterns {
		switch {
		case p.class != nil && !classes[p.class]:
			classes[p.class] = true
			names = append(names, p.class.Members)
		case len(p.named) > 0 && !tools[p.named[0].Name]:
			tools[p.named[0].Name] = true
			names = append(names, memberNames(p.named))
		}
	}
	return names
}

// callMatcher finds the patterns that a call matches. It looks up the patterns of each tool only once.
type callMatcher struct {
	patterns []callPattern
	tools    map[*trace.Tool]toolPatterns
	work     judge.Work

	// undecided is the first pattern that may match the last call, depending on arguments that the recording does not keep;
	// len(patterns) if there is none.
	undecided int
}

// toolPatterns has the positions of the patterns that name a tool, in order.
type toolPatterns struct {
	list []int
	args bool // one of the patterns has arguments
}

func newCallMatcher(patterns []callPattern) *callMatcher {
	return &callMatcher{patterns: patterns, tools: map[*trace.Tool]toolPatterns{}}
}

// matching returns the positions of the patterns that a call matches, in order. Callers must not change the list.
func (m *callMatcher) matching(call *trace.Call) []int {
	t := lists.Cached(m.tools, call.Tool, func() toolPatterns { return m.patternsNaming(call.Tool.Ref) })
	m.undecided = len(m.patterns)
	if !t.args {
		return t.list
	}
	args := argsOf(call)
	var list []int
	for _, i := range t.list {
		switch p := &m.patterns[i]; {
		case call.Args == trace.ArgsUnknown && p.readsArgs():
			m.undecided = min(m.undecided, i)
		case p.matchesArgs(args, &m.work):
			list = append(list, i)
		}
	}
	return list
}

func (m *callMatcher) patternsNaming(ref catalog.Ref) toolPatterns {
	var t toolPatterns
	for i, p := range m.patterns {
		if p.names(ref) {
			t.list = append(t.list, i)
			t.args = t.args || p.readsArgs()
		}
	}
	return t
}

func (p *callPattern) names(ref catalog.Ref) bool {
	if p.class != nil {
		return p.class.members.Names(ref)
	}
	return p.tool.Names(ref)
}

// callArgs has the arguments of a call, decoded.
type callArgs struct {
	object map[string]any
	size   int  // size of the arguments as written, in bytes
	known  bool // false for malformed arguments, and for arguments that the gate did not ask to keep
}

func argsOf(call *trace.Call) callArgs {
	args := callArgs{size: len(call.Arguments()), known: call.Args == trace.ArgsEmpty}
	if call.Args == trace.ArgsObject {
		var value any
		value, args.known = judge.DecodeJSON(call.Arguments())
		args.object, _ = value.(map[string]any)
	}
	return args
}

func (p *callPattern) readsArgs() bool { return len(p.args) > 0 || p.exact }

// matchesArgs reports whether the arguments certainly match. It is false for arguments that the recording does not keep.
func (p *callPattern) matchesArgs(args callArgs, work *judge.Work) bool {
	if !p.readsArgs() {
		return true
	}
	if !args.known {
		return false
	}
	for _, a := range p.args {
		value, has := a.path.Follow(args.object)
		if !has || !work.Spend(args.size) {
			return false
		}
		if ok, _ := a.value.Match(value, work); !ok {
			return false
		}
	}
	return !p.exact || p.coversAll(args.object)
}

func (p *callPattern) coversAll(args map[string]any) bool {
	for name := range args {
		if !slices.ContainsFunc(p.args, func(a argPattern) bool { return a.path.Argument() == name }) {
			return false
		}
	}
	return true
}

// unkeptArgs returns the reason why a figure on arguments is absent; "" if unknown is 0. unknown is the number of calls whose
// arguments the recording lacks.
func unkeptArgs(unknown, calls int) string {
	if unknown == 0 {
		return ""
	}
	return fmt.Sprintf("the log keeps no arguments of %d of %s; have the agent log them", unknown, judge.CountOf(calls, "call"))
}

// allAbsent returns one reason for the absence of all figures.
func allAbsent(targets []judge.Target, why string) map[string]string {
	absent := map[string]string{}
	for _, target := range targets {
		absent[target.Name] = why
	}
	return absent
}

// setAbsent makes figures absent for a reason. It does nothing if the reason is empty.
func setAbsent(m *judge.Measurement, why string, targets ...string) {
	if why == "" {
		return
	}
	for _, target := range targets {
		delete(m.Values, target)
		m.Absent[target] = why
	}
}
