package weaken

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// followed returns a case of the base with its settings adapted to the change: its tools and catalogs have the names and paths
// of the head, and removed tools are left out.
func followed(base, head *report.Case, moved map[string]string) *report.Case {
	out := *base
	out.Settings = nil
	f := follower{}
	if head.Base != nil {
		f = follower{head.Base.Renames, head.Base.Gone, serverNames(head.Base.Servers)}
	}
	dropped := map[string]bool{} // keys of classes that have lost all members
	for _, s := range base.Settings {
		s = f.servers.setting(s)
		switch shape := shapeOf(s.Key); {
		case moved[s.Value] != "" && strings.HasSuffix("."+shape, ".catalog"):
			s.Value = moved[s.Value]
		case shape == intentsOfTool:
			name := nameIn(s.Key)
			dropped[s.Key] = f.isLost(name, "")
			s.Key = renamedIn(s.Key, f.newName)
		case shape == "members[]":
			s.Key = "members[" + f.newValue(s.Key[len("members["):len(s.Key)-1], "") + "]"
		case strings.Contains(shape, ".expect.tool[]"), len(f.servers) > 0 && strings.HasSuffix(shape, "_by_tool[]"):
			s.Key = renamedIn(s.Key, f.newName) // such as tool_quality.expect.tool["x"].score
		default:
			dropped[s.Key] = f.rewrite(&s, shape) && strings.HasSuffix(shape, classShape) && s.Value == "[]"
		}
		if !dropped[s.Key] {
			out.Settings = append(out.Settings, s)
		}
	}
	return &out
}

// follower replaces the names of tools by their names in the head.
type follower struct {
	renames report.Renames
	gone    []string
	servers serverNames
}

func (f follower) newName(old string) string {
	return report.ServerRenames(f.servers).NewTool(f.renames.New(old))
}

// toolKeys are the ends of the shapes of settings that hold names or patterns of tools. In a pattern, only the names of servers
// are replaced. If a setting is a list of maps, field is the key of the names in a map.
var toolKeys = []struct {
	end, field string
	patterns   bool
}{
	{end: ".members"}, {end: ".expected_tool"}, {end: ".correct"}, {end: ".source.of"}, {end: ".tool_names"}, {end: ".name"},
	{end: ".intents", field: "gold"}, {end: ".mutations", field: "tool"}, {end: ".rules.ignore", field: "tool"},
	{end: ".steps", field: "tool", patterns: true}, {end: ".restricted", field: "tool", patterns: true}, {end: ".allowed", field: "tool", patterns: true},
}

// rewrite replaces the names of tools in a setting of the given shape. It returns false if settings of this shape name no tools, or
// if the change renames no server and, except for patterns, renames and removes no tool. A tool of a renamed server counts as
// renamed.
func (f follower) rewrite(s *report.Setting, shape string) bool {
	for _, key := range toolKeys {
		changesTools := !key.patterns && len(f.renames)+len(f.gone) > 0
		if strings.HasSuffix("."+shape, key.end) && (len(f.servers) > 0 || changesTools) {
			s.Value = f.newValue(s.Value, key.field)
			return true
		}
	}
	return false
}

// withNewNames returns a catalog with the new names of tools in its rules.
func (f follower) withNewNames(c *report.Catalog) *report.Catalog {
	out := *c
	out.Rules = slices.Clone(c.Rules)
	for i := range out.Rules {
		out.Rules[i].Tool = report.Optional(f.newName(string(out.Rules[i].Tool)))
	}
	return &out
}

// newValue returns the value of a setting with the new names. The value is a name, a list of names or of maps, or a matcher with
// its argument.
func (f follower) newValue(text string, field string) string {
	matcher := ""
	if name, arg, ok := strings.Cut(text, " "); ok && (strings.HasPrefix(arg, `"`) || strings.HasPrefix(arg, "[")) {
		matcher, text = name+" ", arg
	}
	var decoded any
	if json.Unmarshal([]byte(text), &decoded) != nil {
		if matcher != "" {
			return matcher + text
		}
		return f.newName(text)
	}
	return matcher + judge.CompactJSON(f.newDecoded(decoded, field))
}

// newDecoded returns a decoded value with the new names. Removed tools are left out of lists, and so are maps that are left
// without a name.
func (f follower) newDecoded(v any, field string) any {
	switch v := v.(type) {
	case string:
		return f.newName(v)
	case map[string]any:
		if inner, ok := v[field]; ok && field != "" {
			v[field] = f.newDecoded(inner, field)
		}
	case []any:
		left := []any{}
		for _, item := range v {
			if !f.isLost(item, field) {
				left = append(left, f.newDecoded(item, field))
			}
		}
		return left
	}
	return v
}

// isLost reports whether an item of a list names only removed tools.
func (f follower) isLost(item any, field string) bool {
	switch item := item.(type) {
	case string:
		_, gone := slices.BinarySearch(f.gone, item)
		return gone
	case []any:
		return len(item) > 0 && !slices.ContainsFunc(item, func(one any) bool { return !f.isLost(one, field) })
	case map[string]any:
		return field != "" && item[field] != nil && f.isLost(item[field], field)
	}
	return false
}

// serverNames replaces the names of servers by their names in the head.
type serverNames report.ServerRenames

// serverKeys are the shapes of settings that hold names of servers.
var serverKeys = []string{"servers", "servers without catalog", "tool_quality.server", "tool_bench.server", "findability.server"}

// setting returns a setting of the base with the new names of servers, both in a key such as servers["x"] and in the value.
func (n serverNames) setting(s report.Setting) report.Setting {
	if len(n) == 0 {
		return s
	}
	shape := shapeOf(s.Key)
	if strings.HasPrefix(shape, "servers[]") {
		s.Key = renamedIn(s.Key, n.newName)
	}
	if slices.Contains(serverKeys, shape) {
		s.Value = n.newValue(s.Value)
	}
	return s
}

func (n serverNames) newValue(text string) string {
	var names []string
	if json.Unmarshal([]byte(text), &names) != nil {
		return n.newName(text)
	}
	for i, name := range names {
		names[i] = n.newName(name)
	}
	return judge.CompactJSON(names)
}

func (n serverNames) newName(old string) string {
	at := slices.IndexFunc(n, func(r report.ServerRename) bool { return r.Old == old })
	if at < 0 {
		return old
	}
	return n[at].New
}
