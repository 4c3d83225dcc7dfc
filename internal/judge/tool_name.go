package judge

import (
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
)

// ToolName is a name in a suite that can mean several tools: a bare name, a qualified name, or a glob, in which * means any
// characters or none. The zero value means no tool.
type ToolName struct {
	text      string
	parts     []string // texts of a glob between its stars
	qualified bool
}

// NewToolName returns the name in text. servers are the declared servers, sorted. A name that begins with a server and a dot means
// only tools of this server.
func NewToolName(text string, servers []string) ToolName {
	n := ToolName{text: text, qualified: Qualified(text, servers)}
	if IsGlob(text) {
		n.parts = strings.Split(text, "*")
	}
	return n
}

// Names reports whether the name means the tool. It compares the whole id, see [Members.Names].
func (n ToolName) Names(ref catalog.Ref) bool {
	matches := func(name string) bool { return n.text != "" && name == n.text }
	if isGlob := n.parts != nil; isGlob {
		matches = func(name string) bool { return matchParts(n.parts, name) }
	}
	return !n.qualified && matches(ref.Name) || matches(ref.ID())
}

// IsGlob reports whether the name of a tool is a glob.
func IsGlob(name string) bool { return strings.Contains(name, "*") }

// MatchGlob reports whether a glob matches a name. It takes at most as many steps as the product of their lengths.
func MatchGlob(glob, name string) bool {
	return matchParts(strings.Split(glob, "*"), name)
}

// matchParts reports whether a name consists of the parts of a glob, in order, with any text between them.
func matchParts(parts []string, name string) bool {
	if len(parts) == 1 {
		return name == parts[0]
	}
	first, last := parts[0], parts[len(parts)-1]
	rest, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	rest, ok = strings.CutSuffix(rest, last)
	if !ok {
		return false
	}
	// Taking the first place of each part leaves the most text for the later parts.
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return true
}
