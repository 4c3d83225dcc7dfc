package weaken

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// class is an equal-function set in settings.
type class struct {
	key     string   // key of the setting that holds the members
	members []string // sorted
	cut     bool     // the list was too long to be kept as a whole
}

// classShape ends the shape of each setting that lists the members of a class.
const classShape = ".classes[].members"

// classChange is how a class, or the list of classes, differs between base and head. The zero value means no difference.
type classChange int

const (
	_ classChange = iota
	classAdded
	classRemoved
	memberAdded
	memberShared        // a member was removed that another class also has
	classesReordered    // two classes that share a tool changed places
	classesUncomparable // how classes differ is unknown: a list is too long to be kept, or the gate uses another gate's classes
)

// inClasses returns a direction for settings of classes. The answer is yes if the class, or the list of classes, has this change.
func inClasses(is classChange) direction {
	return func(c change) answer {
		if c.classes[c.key] == classesUncomparable {
			return unknown
		}
		return answerIf(c.classes[c.key] == is)
	}
}

// classChanges returns how the classes differ between base and head. The key of a class's members has the change of this class,
// and the key of the list has the change of the order. Classes are paired by members first and then by name, because a name
// decides no verdict.
func classChanges(before, after map[string]setting) map[string]classChange {
	changes := map[string]classChange{}
	gatesWithClasses := map[string]bool{}
	for _, side := range []map[string]setting{before, after} {
		for key := range side {
			if gate, ok := strings.CutSuffix(shapeOf(key), classShape); ok {
				gatesWithClasses[gate] = true
			}
		}
	}
	for gate := range gatesWithClasses {
		p := classPairs{before: classesOf(before, gate), after: classesOf(after, gate)}
		list := gate + ".classes"
		was, is := classesUsedBy(before, gate), classesUsedBy(after, gate)
		usesOtherGate := len(was) > len(p.before) || len(is) > len(p.after) // the gate has no classes of its own
		if usesOtherGate {
			if !sameClasses(was, is) {
				changes[list] = classesUncomparable
			}
			continue
		}
		p.pairClasses()
		p.noteChanges(changes)
		hasOrder := len(before[list]) > 0 && len(after[list]) > 0
		if hasOrder && p.reordered() {
			changes[list] = classesReordered
		}
	}
	return changes
}

// classesUsedBy returns the classes that a gate uses: those under its name, otherwise those of the first gate that has classes.
func classesUsedBy(settings map[string]setting, gate string) []class {
	for _, of := range []string{gate, gates.EqualFunctionSets.Name, gates.TokenEfficiency.Name} {
		if classes := classesOf(settings, of); len(classes) > 0 {
			return classes
		}
	}
	return nil
}

func sameClasses(a, b []class) bool {
	return slices.EqualFunc(a, b, func(a, b class) bool { return slices.Equal(a.members, b.members) })
}

// takers are the gates that use the classes of other gates.
var takers = []*judge.Gate{gates.Orchestration, gates.Trajectory, gates.GoldenPath, gates.Recovery}

// reclassified reports whether a gate that base and head have uses other classes in the head.
func (s *sides) reclassified() bool {
	return slices.ContainsFunc(takers, func(g *judge.Gate) bool {
		return takesClasses(s.before, g) && takesClasses(s.after, g) &&
			!sameClasses(classesUsedBy(s.before, g.Name), classesUsedBy(s.after, g.Name))
	})
}

// takesClasses reports whether the gate exists and its figures depend on classes. The figures of a gate with steps depend on
// classes only if a step names one.
func takesClasses(side map[string]setting, g *judge.Gate) bool {
	if g != gates.Trajectory && g != gates.GoldenPath {
		return len(side[g.Name]) > 0
	}
	return slices.ContainsFunc(side[g.Name+".steps"].items(), func(step string) bool {
		var named struct {
			Class string `json:"class"`
		}
		err := json.Unmarshal([]byte(step), &named)
		return named.Class != "" || err != nil && strings.HasPrefix(step, "[") // a list that is too long to be kept may name a class
	})
}

// classesOf returns the classes of a gate in the order of the suite, or sorted by key if the report does not record the order.
func classesOf(settings map[string]setting, gate string) (classes []class) {
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if prefix, ok := strings.CutSuffix(shapeOf(key), classShape); ok && prefix == gate {
			s := settings[key]
			classes = append(classes, class{key, s.set(), s.isCut()})
		}
	}
	place := map[string]int{}
	for i, name := range settings[gate+".classes"].items() {
		place[name] = i
	}
	lists.SortStable(classes, func(a, b *class) int { return place[nameIn(a.key)] - place[nameIn(b.key)] })
	return classes
}

// classPairs pairs the classes of base and head, and compares the classes of each pair.
type classPairs struct {
	before, after []class
	to, from      map[int]int // positions of paired classes: to maps before to after, from maps after to before
}

// pairClasses finds the head's class for each class of the base. It looks first for a class with the same name and members, then
// for one with the same members, then for one with the same name.
func (p *classPairs) pairClasses() {
	p.to, p.from = map[int]int{}, map[int]int{}
	for _, identity := range []func(class) string{ // quoted, because a name can contain any separator
		func(c class) string { return fmt.Sprintf("%q %q", c.key, c.members) },
		func(c class) string { return fmt.Sprintf("%q", c.members) },
		func(c class) string { return c.key },
	} {
		free := map[string][]int{}
		for i, c := range p.after {
			if _, taken := p.from[i]; !taken {
				free[identity(c)] = append(free[identity(c)], i)
			}
		}
		for i, c := range p.before {
			if _, taken := p.to[i]; !taken && len(free[identity(c)]) > 0 {
				at := free[identity(c)][0]
				free[identity(c)] = free[identity(c)][1:]
				p.to[i], p.from[at] = at, i
			}
		}
	}
}

// noteChanges notes how each class changed. A new class can turn an unexpected call into a right call, and a removed class is no
// longer missed. If another class also has a removed member, calls to this member can now satisfy the other class.
func (p *classPairs) noteChanges(changes map[string]classChange) {
	shared := sharing(p.before)
	for i, c := range p.before {
		at, paired := p.to[i]
		if !paired {
			changes[c.key] = classRemoved
			continue
		}
		head := p.after[at]
		gone := surplus(c.members, head.members)
		switch {
		case slices.Equal(c.members, head.members):
		case c.cut || head.cut:
			changes[head.key] = classesUncomparable
		case len(surplus(head.members, c.members)) > 0:
			changes[head.key] = memberAdded
		case slices.ContainsFunc(gone, func(member string) bool { return shared.isNamedElsewhere(i, member) }):
			changes[head.key] = memberShared
		}
	}
	for i, c := range p.after {
		if _, paired := p.from[i]; !paired {
			changes[c.key] = classAdded
		}
	}
}

// reordered reports whether two classes that one call can satisfy changed places. Such a call satisfies only the first of them.
func (p *classPairs) reordered() bool {
	for _, classes := range sharing(p.before).classes {
		last := -1
		for _, i := range classes {
			at, paired := p.to[i]
			if paired && at < last {
				return true
			}
			last = max(last, at)
		}
	}
	return false
}

// sharedTools holds, for each tool, the positions of the classes that name it.
type sharedTools struct {
	classes map[string][]int    // positions of classes by tool
	tools   map[string][]string // tools that a member names, by member
}

func sharing(classes []class) sharedTools {
	direct := map[string][]int{}
	for i, c := range classes {
		for _, member := range c.members {
			direct[member] = append(direct[member], i)
		}
	}
	shared := sharedTools{map[string][]int{}, map[string][]string{}}
	for tool := range direct {
		var list []int
		for _, name := range namesOf(tool) {
			list = append(list, direct[name]...)
			shared.tools[name] = append(shared.tools[name], tool)
		}
		slices.Sort(list)
		shared.classes[tool] = slices.Compact(list)
	}
	return shared
}

// namesOf returns the members that can name a tool. There can be several, because names of servers and of tools can contain
// dots.
func namesOf(tool string) []string {
	names := []string{tool}
	for i := range len(tool) {
		if tool[i] == '.' {
			names = append(names, tool[i+1:])
		}
	}
	return names
}

// isNamedElsewhere reports whether a class at another position also names a tool that the member names.
func (s sharedTools) isNamedElsewhere(place int, member string) bool {
	another := func(i int) bool { return i != place }
	return slices.ContainsFunc(s.tools[member], func(tool string) bool { return slices.ContainsFunc(s.classes[tool], another) })
}
