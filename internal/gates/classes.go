package gates

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// maxClasses bounds the number of classes of one block, because every run lists its missed classes.
const maxClasses = 1000

// classKeys documents an entry of the key classes.
var classKeys = []judge.Key{
	{Name: "name", Type: judge.TypeText, Required: true, Doc: "The class's name."},
	{Name: "members", Type: judge.TypeTexts, Required: true, Doc: "The class's tools: `name` or `server.name`."},
}

// ownOrTestClasses returns the classes of the block, or those of the test if the block has none. One of the two must have classes.
// ofTest is the value for Plan.Classes: the classes of the test if they are used, otherwise nil.
func ownOrTestClasses(block *yamlread.Map, in judge.Context) (classes, ofTest []judge.Class) {
	if !block.Has("classes") && len(in.TestClasses) > 0 {
		return in.TestClasses, in.TestClasses
	}
	return ReadClasses(block), nil
}

// ReadClasses reads the required key classes of a block or a test. Mistakes are reported at their places in the suite.
func ReadClasses(block *yamlread.Map) []judge.Class {
	const expected = "a list of classes, each with name and members"
	if !block.Has("classes") {
		block.Errorf(block.Pos(), `"classes" is missing, expected %s`, expected)
		return nil
	}
	v, _ := block.Value("classes")
	list := v.List()
	if v.Kind() == yamlread.ListKind && len(list) == 0 {
		v.Errorf(`"classes" is empty, expected %s`, expected)
	}
	if len(list) > maxClasses {
		v.Errorf(`"classes" has %d entries, at most %d are read`, len(list), maxClasses)
		return nil
	}
	classes := make([]judge.Class, 0, len(list))
	at := make(map[string]source.Pos) // the first place of each name
	for _, item := range list {
		m, ok := item.Map()
		if !ok {
			continue
		}
		class, namePos := readClass(m, item.Pos())
		if first, twice := at[class.Name]; twice && class.Name != "" {
			m.Errorf(namePos, "class %q is given twice, first at %d:%d", judge.Clip(class.Name), first.Line, first.Col)
		} else {
			at[class.Name] = namePos
		}
		classes = append(classes, class)
		m.Done()
	}
	return classes
}

func readClass(m *yamlread.Map, pos source.Pos) (class judge.Class, namePos source.Pos) {
	name := m.Str("name")
	class = judge.Class{Name: name.Value, Pos: pos}
	for _, member := range readMembers(m, "members") {
		class.Members = append(class.Members, member.Name)
		class.Places = append(class.Places, member.Pos)
	}
	return class, name.Pos
}

func classMembers(classes []judge.Class) []judge.Member {
	var members []judge.Member
	for _, class := range classes {
		for i, place := range class.Places {
			members = append(members, judge.Member{Name: class.Members[i], Pos: place})
		}
	}
	return members
}

func classNames(classes []judge.Class) [][]string {
	return lists.Map(classes, func(class judge.Class) []string { return class.Members })
}

// readMembers reads a required, non-empty list of tools under key. A tool that is listed twice is a mistake.
func readMembers(m *yamlread.Map, key string) []judge.Member {
	if !m.Has(key) {
		m.Errorf(m.Pos(), "%q is missing, expected the name of a tool, or a list of them", key)
		return nil
	}
	v, _ := m.Value(key)
	if v.IsEmptyList() {
		v.Errorf("%q is empty, expected at least one tool", key)
	}
	return uniqueMembers(m, v.Strs())
}

// uniqueMembers returns the texts as members, and reports repeated texts.
func uniqueMembers(m *yamlread.Map, texts []yamlread.Str) []judge.Member {
	at := map[string]source.Pos{}
	var unique []judge.Member
	for _, s := range texts {
		if first, twice := at[s.Value]; twice {
			m.Errorf(s.Pos, "%q is given twice, first at %d:%d", judge.Clip(s.Value), first.Line, first.Col)
			continue
		}
		at[s.Value] = s.Pos
		unique = append(unique, judge.Member{Name: s.Value, Pos: s.Pos})
	}
	return unique
}

func memberNames(members []judge.Member) []string {
	return lists.Map(members, func(m judge.Member) string { return m.Name })
}
