package agents

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of model APIs: OpenAI's functions have names of ^[a-zA-Z0-9_-]{1,64}$, and a chat completions request has at
// most 128 functions; Anthropic's tools have names of ^[a-zA-Z0-9_-]{1,64}$.
const (
	LongestFunctionName = 64
	MostFunctions       = 128
)

// Naming describes how a client writes the names of MCP tools for its model, and its limits for tools. Every value was
// observed in Version, or comes from Source; a value that nobody has verified is zero.
type Naming struct {
	Client string // the client's name in sentences

	Prefix, Joint string // text before and after the server's name
	OncePrefix    bool   // the prefix is left out if the rest begins with it
	NoServer      bool   // the written name is only the tool's name
	Keeps         string // characters that are kept besides ASCII letters and digits; every other character becomes _

	Longest int                 // greatest number of characters of a written name; 0 if no source has a number
	Cut     func(string) string // shortens a longer name; nil if the client does not
	TooLong string              // words for the effect of a longer name, to be followed by Longest
	Alike   string              // words for the effect of two tools with the same written name; "" if it is not known

	MostTools int // greatest number of tools of one server; 0 if no source has a number
	Searches  int // UTF-16 units of a description that a search reads; 0 if no source has a number

	Version string // version of the client; "" for an API
	Source  string // where the values come from and when, in Markdown
}

// ModelAPIs is the naming of programs that pass the names of tools unchanged to a model's API.
var ModelAPIs = &Naming{
	Client: "a model API", NoServer: true,
	Longest: LongestFunctionName, TooLong: "which takes at most", MostTools: MostFunctions,
	Source: "references of [OpenAI](https://platform.openai.com/docs/api-reference/chat/create) and " +
		"[Anthropic](https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools), of which copies were read on 2026-11-27",
}

// Namings lists the namings of [Presets] in order, then [ModelAPIs].
func Namings() []*Naming {
	list := make([]*Naming, 0, len(Presets)+1)
	for _, p := range Presets {
		list = append(list, p.Names)
	}
	return append(list, ModelAPIs)
}

// Form returns the pattern of a written name, such as mcp__SERVER__TOOL.
func (n *Naming) Form() string {
	if n.NoServer {
		return "TOOL"
	}
	return n.Prefix + "SERVER" + n.Joint + "TOOL"
}

// Around returns the number of characters in a written name besides the server's and the tool's names.
func (n *Naming) Around() int { return len(n.Prefix) + len(n.Joint) }

// Write returns the written name of a server's tool before it is shortened.
func (n *Naming) Write(server, tool string) string {
	if n.NoServer {
		return tool
	}
	prefix := n.Prefix
	if n.OncePrefix && strings.HasPrefix(server+n.Joint, prefix) {
		prefix = ""
	}
	return prefix + n.Plain(server) + n.Joint + n.Plain(tool)
}

// Written returns the name that a model sees.
func (n *Naming) Written(server, tool string) string {
	name := n.Write(server, tool)
	if n.Cut != nil && len(name) > n.Longest {
		return n.Cut(name)
	}
	return name
}

// Length returns the number of characters in the written name of a server's tool before it is shortened.
func (n *Naming) Length(server, tool string) int {
	return utf8.RuneCountInString(n.Write(server, tool))
}

// Plain returns a name with _ for every UTF-16 unit that the client does not keep.
func (n *Naming) Plain(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune(n.Keeps, r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Repeat("_", max(1, utf16.RuneLen(r))))
		}
	}
	return b.String()
}
