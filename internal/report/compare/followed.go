package compare

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// followed returns a case of the base with the settings that it has once its suite follows what the change did to tools
// and files: a tool has the name that the head's suite gives it, one that is gone is named no more, and a catalog that
// was moved has its new path.
func (c *comparer) followed(base, head *report.Case) *report.Case {
	out := *base
	out.Settings = nil
	f := follower{}
	if head.Base != nil {
		f = follower{head.Base.Renames, head.Base.Gone, serverNames(head.Base.Servers)}
	}
	dropped := map[string]bool{} // keys of classes without a member that is left
	for _, s := range base.Settings {
		s = f.servers.setting(s)
		switch shape := shapeOf(s.Key); {
		case c.moved[s.Value] != "" && strings.HasSuffix("."+shape, ".catalog"):
			s.Value = c.moved[s.Value]
		case shape == "members[]":
			s.Key = "members[" + f.value(s.Key[len("members["):len(s.Key)-1], onlyTexts) + "]"
		case strings.Contains(shape, ".expect.tool[]"), len(f.servers) > 0 && strings.HasSuffix(shape, "_by_tool[]"):
			s.Key = f.key(s.Key)
		case f.rewrites(shape):
			s.Value = f.value(s.Value, fieldsOf(shape))
			dropped[s.Key] = strings.HasSuffix(shape, classShape) && s.Value == "[]"
		}
		if !dropped[s.Key] {
			out.Settings = append(out.Settings, s)
		}
	}
	return &out
}

// follower gives tools their new names.
type follower struct {
	renames report.Renames
	gone    []string
	servers serverNames
}

// name returns the name that a tool has now.
func (f follower) name(old string) string {
	return report.ServerRenames(f.servers).NewTool(f.renames.New(old))
}

// toolKeys end the shapes of settings that hold names of tools.
var toolKeys = []string{
	".members", ".expected_tool", ".correct", ".source.of", ".intents", ".mutations", ".rules.ignore", ".tool_names", ".name",
}

// patternKeys end those that hold patterns of tools, which follow the names of servers alone.
var patternKeys = []string{".steps", ".restricted", ".allowed"}

// rewrites reports whether a setting of that shape holds names of tools.
func (f follower) rewrites(shape string) bool {
	isOf := func(end string) bool { return strings.HasSuffix("."+shape, end) }
	return len(f.renames)+len(f.gone)+len(f.servers) > 0 && slices.ContainsFunc(toolKeys, isOf) ||
		len(f.servers) > 0 && slices.ContainsFunc(patternKeys, isOf)
}

// onlyTexts stands for lists of names, and not of maps.
var onlyTexts []string

// fieldsOf returns the fields that hold names in the maps of a list.
func fieldsOf(shape string) []string {
	switch {
	case strings.HasSuffix(shape, ".intents"):
		return []string{"gold"}
	case slices.ContainsFunc(slices.Concat(patternKeys, []string{".mutations", ".ignore"}), func(end string) bool { return strings.HasSuffix(shape, end) }):
		return []string{"tool"}
	}
	return onlyTexts
}

// key returns a key with the new name of the tool that stands in it, such as tool_quality.expect.tool["x"].score.
func (f follower) key(key string) string {
	step := quotedStep.FindString(key)
	var names []string
	if json.Unmarshal([]byte(step), &names) != nil || len(names) != 1 {
		return key
	}
	return strings.Replace(key, step, "["+judge.CompactJSON(f.name(names[0]))+"]", 1)
}

// catalog returns a catalog whose rules name tools by their new names.
func (f follower) catalog(c *report.Catalog) *report.Catalog {
	out := *c
	out.Rules = slices.Clone(c.Rules)
	for i := range out.Rules {
		out.Rules[i].Tool = report.Optional(f.name(string(out.Rules[i].Tool)))
	}
	return &out
}

// value returns the value of a setting with the new names: a name, a list of names or of maps, or a matcher and its
// argument.
func (f follower) value(text string, fields []string) string {
	matcher := ""
	if name, arg, ok := strings.Cut(text, " "); ok && (strings.HasPrefix(arg, `"`) || strings.HasPrefix(arg, "[")) {
		matcher, text = name+" ", arg
	}
	var decoded any
	if json.Unmarshal([]byte(text), &decoded) != nil {
		if matcher != "" {
			return matcher + text
		}
		return f.name(text)
	}
	return matcher + judge.CompactJSON(f.in(decoded, fields))
}

// in returns a decoded value with the new names. In a list, names that are gone are left out, and so is a map that is left
// without a name.
func (f follower) in(v any, fields []string) any {
	switch v := v.(type) {
	case string:
		return f.name(v)
	case map[string]any:
		for _, field := range fields {
			if inner, ok := v[field]; ok {
				v[field] = f.in(inner, fields)
			}
		}
	case []any:
		left := []any{}
		for _, item := range v {
			if !f.lost(item, fields) {
				left = append(left, f.in(item, fields))
			}
		}
		return left
	}
	return v
}

// lost reports whether an item of a list is about nothing but tools that are gone.
func (f follower) lost(item any, fields []string) bool {
	switch item := item.(type) {
	case string:
		_, gone := slices.BinarySearch(f.gone, item)
		return gone
	case []any:
		return len(item) > 0 && !slices.ContainsFunc(item, func(one any) bool { return !f.lost(one, fields) })
	case map[string]any:
		return slices.ContainsFunc(fields, func(field string) bool { return item[field] != nil && f.lost(item[field], fields) })
	}
	return false
}

// movedCatalogs returns the new path of each catalog of the base that stands elsewhere in the head: most of its tools do, and
// nothing is left at its old path. Otherwise a suite could choose another file to be judged by.
func movedCatalogs(base, head []report.Catalog, stands func(path string) bool) map[string]string {
	moved := map[string]string{}
	for _, p := range pairCatalogs(base, head) {
		if p.base.Path != p.head.Path && !stands(p.base.Path) && report.HaveMoved(toolNames(p.base), toolNames(p.head)) {
			moved[p.base.Path] = p.head.Path
		}
	}
	return moved
}

func toolNames(c *report.Catalog) []string {
	names := make([]string, len(c.Tools))
	for i, t := range c.Tools {
		names[i] = t.Name
	}
	return names
}

// shared counts the tools that have the same name on both sides.
func (p catalogPair) shared() int {
	names := map[string]bool{}
	for _, t := range p.base.Tools {
		names[t.Name] = true
	}
	n := 0
	for _, t := range p.head.Tools {
		if names[t.Name] {
			n++
		}
	}
	return n
}
