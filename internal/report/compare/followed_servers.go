package compare

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// serverNames give servers their new names.
type serverNames report.ServerRenames

// serverKeys are the shapes of settings that hold names of servers.
var serverKeys = []string{"servers", "servers without catalog", "tool_quality.server", "tool_bench.server"}

// setting returns a setting of the base with the new names of servers: in servers["x"], and where names of servers are the value.
func (n serverNames) setting(s report.Setting) report.Setting {
	if len(n) == 0 {
		return s
	}
	shape := shapeOf(s.Key)
	if strings.HasPrefix(shape, "servers[]") {
		var names []string
		if step := quotedStep.FindString(s.Key); json.Unmarshal([]byte(step), &names) == nil && len(names) == 1 {
			s.Key = strings.Replace(s.Key, step, judge.CompactJSON([]string{n.name(names[0])}), 1)
		}
	}
	if slices.Contains(serverKeys, shape) {
		s.Value = n.value(s.Value)
	}
	return s
}

// value returns a name, or a list of names.
func (n serverNames) value(text string) string {
	var names []string
	if json.Unmarshal([]byte(text), &names) != nil {
		return n.name(text)
	}
	for i, name := range names {
		names[i] = n.name(name)
	}
	return judge.CompactJSON(names)
}

// name returns the name that a server has now.
func (n serverNames) name(old string) string {
	at := slices.IndexFunc(n, func(r report.ServerRename) bool { return r.Old == old })
	if at < 0 {
		return old
	}
	return n[at].New
}
