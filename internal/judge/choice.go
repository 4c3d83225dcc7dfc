package judge

import (
	"slices"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ReadChoice reads an optional text, which must be one of choices. It returns "" if the text is missing or wrong.
func ReadChoice(m *yamlread.Map, key string, choices ...string) string {
	s, ok := m.OptStr(key)
	if !ok || slices.Contains(choices, s.Value) {
		return s.Value
	}
	m.Errorf(s.Pos, "%q must be %s, found %q%s", key, lists.InSentence(choices, "or"), Clip(s.Value), source.DidYouMean(Clip(s.Value), choices))
	return ""
}
