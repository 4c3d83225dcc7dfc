package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/report"
)

// class is an equal-function set as settings have it.
type class struct {
	key     string   // of the setting that holds the members
	members []string // sorted
	cut     bool     // the list was too long to be kept as a whole
}

// classShape is the end of the shape of settings that hold the members of a class.
const classShape = ".classes[].members"

// classKinds returns how the classes of both sides differ, by key: that of a class's members, and that of the list for
// the order. Classes are paired by members and then by name, for a name decides nothing.
func classKinds(before, after map[string]setting) map[string]string {
	kinds := map[string]string{}
	having := map[string]bool{}
	for _, side := range []map[string]setting{before, after} {
		for key := range side {
			if gate, ok := strings.CutSuffix(shapeOf(key), classShape); ok {
				having[gate] = true
			}
		}
	}
	for gate := range having {
		p := classPairs{before: classesOf(before, gate), after: classesOf(after, gate)}
		if was, is := takenClasses(before, gate), takenClasses(after, gate); len(was) > len(p.before) || len(is) > len(p.after) {
			if !sameClasses(was, is) { // of which one side are another gate's
				kinds[gate+".classes"] = report.SettingChanged
			}
			continue
		}
		p.pair()
		p.compare(kinds)
		if list := gate + ".classes"; len(before[list]) > 0 && len(after[list]) > 0 && p.reordered() {
			kinds[list] = report.OrderChanged
		}
	}
	return kinds
}

// takenClasses returns the classes that a gate takes: those under its name, which are its own or the test's, otherwise those
// of the first gate that has some.
func takenClasses(settings map[string]setting, gate string) []class {
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

// classesOf returns the classes of a gate in the order of the suite; those of a report without that order by key.
func classesOf(settings map[string]setting, gate string) []class {
	var classes []class
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if prefix, ok := strings.CutSuffix(shapeOf(key), classShape); ok && prefix == gate {
			s := settings[key]
			classes = append(classes, class{key, s.set(), s.cut()})
		}
	}
	place := map[string]int{}
	for i, name := range settings[gate+".classes"].items() {
		place[name] = i
	}
	order := func(c class) int {
		var name []string
		if json.Unmarshal([]byte(quotedStep.FindString(c.key)), &name) != nil {
			return 0
		}
		return place[name[0]]
	}
	slices.SortStableFunc(classes, func(a, b class) int { return order(a) - order(b) })
	return classes
}

// classPairs holds the classes of both sides against each other.
type classPairs struct {
	before, after []class
	to, from      map[int]int // places of paired classes
}

// pair finds the class of the head for each of the base's.
func (p *classPairs) pair() {
	p.to, p.from = map[int]int{}, map[int]int{}
	members := func(c class) string { return fmt.Sprintf("%q", c.members) } // a name can hold any separator
	p.pairBy(func(c class) classMark { return classMark{c.key, members(c)} })
	p.pairBy(func(c class) classMark { return classMark{members: members(c)} })
	p.pairBy(func(c class) classMark { return classMark{key: c.key} })
}

// classMark is equal for two classes that are the same.
type classMark struct{ key, members string }

func (p *classPairs) pairBy(mark func(class) classMark) {
	free := map[classMark][]int{}
	for i, c := range p.after {
		if _, taken := p.from[i]; !taken {
			free[mark(c)] = append(free[mark(c)], i)
		}
	}
	for i, c := range p.before {
		if _, taken := p.to[i]; taken || len(free[mark(c)]) == 0 {
			continue
		}
		at := free[mark(c)][0]
		free[mark(c)] = free[mark(c)][1:]
		p.to[i], p.from[at] = at, i
	}
}

// compare notes the change of each class. A new class can make an unexpected call right, and a removed one a missed
// class. So can a removed member that another class has, too, because its calls then satisfy that one.
func (p *classPairs) compare(kinds map[string]string) {
	shared := sharing(p.before)
	for i, c := range p.before {
		at, paired := p.to[i]
		if !paired {
			kinds[c.key] = report.ClassRemoved
			continue
		}
		head := p.after[at]
		gone := without(c.members, head.members)
		switch {
		case slices.Equal(c.members, head.members):
		case c.cut || head.cut:
			kinds[head.key] = report.SettingChanged
		case len(without(head.members, c.members)) > 0:
			kinds[head.key] = report.ToolAdded
		case slices.ContainsFunc(gone, func(member string) bool { return shared.other(i, member) }):
			kinds[head.key] = report.SharedRemoved
		}
	}
	for i, c := range p.after {
		if _, paired := p.from[i]; !paired {
			kinds[c.key] = report.ClassAdded
		}
	}
}

// reordered reports whether two classes that one call can satisfy changed places: the call satisfies the first.
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

// sharedTools says which classes, by place, name the tools that are members of one of them.
type sharedTools struct {
	classes map[string][]int    // by tool
	tools   map[string][]string // by member: those that it names
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

// namesOf returns the members that can name a tool: names of servers and of tools hold dots.
func namesOf(tool string) []string {
	names := []string{tool}
	for i := range len(tool) {
		if tool[i] == '.' {
			names = append(names, tool[i+1:])
		}
	}
	return names
}

// other reports whether another class than the one at a place names a tool that member names.
func (s sharedTools) other(place int, member string) bool {
	another := func(i int) bool { return i != place }
	return slices.ContainsFunc(s.tools[member], func(tool string) bool { return slices.ContainsFunc(s.classes[tool], another) })
}
