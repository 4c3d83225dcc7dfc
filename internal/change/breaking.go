package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/sorting"
	"github.com/org/mcp-gates/internal/source"
)

// Break is a change that can break callers of a tool: arguments that were valid before may be invalid now.
type Break struct {
	Kind     BreakKind
	Tool     *catalog.Tool // of the new catalog; of the old one when it was removed or renamed
	Argument string        // a.b[].c, or "" when it is about the tool as a whole
	Message  string
	Pos      source.Pos // in the new catalog; in the old one when the tool was removed or renamed
}

// BreakKind is the kind of a change that breaks callers.
type BreakKind string

// The kinds of changes that break callers.
const (
	ToolRemoved     BreakKind = "tool_removed"
	ToolRenamed     BreakKind = "tool_renamed"
	ArgumentRemoved BreakKind = "argument_removed"
	NewlyRequired   BreakKind = "newly_required"
	TypeChanged     BreakKind = "type_changed"
	ValueDropped    BreakKind = "enum_value_dropped"
)

// Breaks returns the changes that can break callers of the old tools, by tool. The input schemas of a renamed tool are equal but for
// titles and descriptions, so that its name is all that breaks.
func (d *Diff) Breaks() []Break {
	now := map[*catalog.Tool]string{}
	for _, p := range d.Probable {
		now[p.Old] = fmt.Sprintf(", probably now %q", p.New.Name)
	}
	var breaks []Break
	for _, t := range d.Removed {
		message := fmt.Sprintf("tool %q is gone", t.Name) + now[t]
		breaks = append(breaks, Break{Kind: ToolRemoved, Tool: t, Message: message, Pos: t.Pos})
	}
	for _, p := range d.Renamed {
		message := fmt.Sprintf("tool %q is called %q now", p.Old.Name, p.New.Name)
		breaks = append(breaks, Break{Kind: ToolRenamed, Tool: p.Old, Message: message, Pos: p.Old.Pos})
	}
	for _, c := range d.Changed {
		if slices.Contains(c.Fields, "inputSchema") {
			breaks = append(breaks, c.breaks()...)
		}
	}
	sorting.Stable(breaks, func(a, b Break) int { return compareTools(a.Tool, b.Tool) })
	return breaks
}

// breaks compares the arguments that two input schemas spell out.
func (p Pair) breaks() []Break {
	ids := inputIDs{}
	before, after := newInputs(p.Old, ids), newInputs(p.New, ids)
	b := breaker{tool: p.New}
	for _, id := range before.order {
		b.compare(before.byID[id], after, id)
	}
	for _, id := range after.order {
		in := after.byID[id]
		if in != nil && in.required && before.byID[id] == nil && after.has(in.parent) && before.has(in.parent) {
			b.add(NewlyRequired, in.path, "is new and required")
		}
	}
	return b.found
}

type breaker struct {
	tool  *catalog.Tool
	found []Break
}

func (b *breaker) add(kind BreakKind, path []string, what string) {
	b.found = append(b.found, Break{
		Kind: kind, Tool: b.tool, Argument: lint.ArgumentName(path), Message: what, Pos: b.tool.ArgumentPos(path...),
	})
}

// compare looks at one argument of the old schema.
func (b *breaker) compare(old *input, after *inputs, id int) {
	now := after.byID[id]
	if now == nil {
		// The arguments below one that is gone are not reported one by one.
		if after.has(old.parent) && old.isArgument() {
			b.add(ArgumentRemoved, old.path, "is gone")
		}
		return
	}
	if now.required && !old.required {
		b.add(NewlyRequired, now.path, "is required now")
	}
	if id == rootID {
		return // arguments are always an object
	}
	before, values := old.values(), now.values()
	if lost := lostTypes(old.types(), now.types()); lost != "" && (before == nil || values == nil) {
		b.add(TypeChanged, now.path, lost)
		delete(after.byID, id) // the arguments below it are not reported one by one
		return
	}
	if lost := lostValues(before, values); lost != "" {
		b.add(ValueDropped, now.path, lost)
	}
}

// lostTypes describes the types that a value could have before and cannot have now; "" when there are none.
func lostTypes(old, now []string) string {
	if now == nil {
		return ""
	}
	if old == nil {
		return "must be " + strings.Join(now, " or ") + " now"
	}
	for _, t := range old {
		if !slices.Contains(now, t) && !(t == "integer" && slices.Contains(now, "number")) {
			return fmt.Sprintf("was %s and is %s now", strings.Join(old, " or "), strings.Join(now, " or "))
		}
	}
	return ""
}

// lostValues describes the values that were allowed before and are not now; "" when there are none.
func lostValues(old, now []string) string {
	switch {
	case now == nil:
		return ""
	case old == nil:
		return "takes only " + someOf(now) + " now"
	}
	allowed := make(map[string]bool, len(now))
	for _, value := range now {
		allowed[value] = true
	}
	lost := slices.DeleteFunc(slices.Clone(old), func(value string) bool { return allowed[value] })
	if len(lost) == 0 {
		return ""
	}
	return "does not take " + someOf(lost) + " any more"
}

func someOf(values []string) string {
	const most = 5
	shown := make([]string, min(most, len(values)))
	for i := range shown {
		shown[i] = lint.Shortened(values[i])
	}
	list := strings.Join(shown, ", ")
	if more := len(values) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
