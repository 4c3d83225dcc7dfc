package agents

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of the interfaces of models: OpenAI's functions have names of ^[a-zA-Z0-9_-]{1,64}$, and a request of chat completions has at
// most 128; Anthropic's tools have names of ^[a-zA-Z0-9_-]{1,64}$.
const (
	LongestFunctionName = 64
	MostFunctions       = 128
)

// Naming is how a client writes the tools of MCP servers for its model, and what it takes and reads of them. Every fact is one
// that somebody saw in the version, or that stands in a text with an address; what nobody verified is the zero value.
type Naming struct {
	Client string // as sentences name it

	Prefix, Joint string // before and behind the server's name
	OncePrefix    bool   // the prefix is left out where the rest begins with it
	NoServer      bool   // the tool's name is all, as it is
	Keeps         string // characters that are kept beside letters and digits of ASCII; every other one becomes _

	Longest int                 // characters of a written name; 0 where no source has a number
	Cut     func(string) string // makes a longer name shorter; nil where nothing does
	TooLong string              // what becomes of a longer name, before the number
	Alike   string              // what becomes of two tools that are written alike; "" where that is not known

	MostTools int // of one server; 0 where no source has a number
	Searches  int // UTF-16 units of a description that a search looks at; 0 where no source has a number

	Version string // of the client, "" for an interface
	Source  string // Markdown, with the day
}

// ModelAPIs is the naming of programs that hand names of tools to the interface of a model as they are.
var ModelAPIs = &Naming{
	Client: "a model API", NoServer: true,
	Longest: LongestFunctionName, TooLong: "which takes at most", MostTools: MostFunctions,
	Source: "references of [OpenAI](https://platform.openai.com/docs/api-reference/chat/create) and " +
		"[Anthropic](https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools), of which copies were read on 2026-11-27",
}

// Namings lists what is known of each client, those of [Presets] in their order first.
func Namings() []*Naming {
	list := make([]*Naming, 0, len(Presets)+1)
	for _, p := range Presets {
		list = append(list, p.Names)
	}
	return append(list, ModelAPIs)
}

// Form is what a written name looks like, such as mcp__SERVER__TOOL.
func (n *Naming) Form() string {
	if n.NoServer {
		return "TOOL"
	}
	return n.Prefix + "SERVER" + n.Joint + "TOOL"
}

// Around returns how many characters of a written name are not of the server's or the tool's.
func (n *Naming) Around() int { return len(n.Prefix) + len(n.Joint) }

// Write returns the name of a server's tool before any is cut.
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

// Length returns the characters of the name of a server's tool before any is cut.
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
