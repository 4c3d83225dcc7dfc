package logs

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// names splits the names that clients give to tools into server and tool.
type names struct {
	servers  []string // servers of the suite and of the server map, the longest first
	lone     string   // see [Options.Lone]
	prefixes []string // prefixes of the server map, the longest first
	byPrefix map[string]string
}

func newNames(o Options) names {
	longestFirst := func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) }
	servers := slices.AppendSeq(slices.Clone(o.Servers), maps.Values(o.ServerMap))
	slices.SortStableFunc(servers, longestFirst)
	return names{
		servers:  slices.Compact(servers),
		lone:     o.Lone,
		prefixes: slices.SortedStableFunc(maps.Keys(o.ServerMap), longestFirst),
		byPrefix: o.ServerMap,
	}
}

// ref returns the server and the tool that a call names. server is the log's own field for the server; "" if there is none.
func (n *names) ref(f *Format, server, name string) catalog.Ref {
	if server != "" {
		return n.toolOfServer(server, name)
	}
	if slices.Contains(f.Builtins, name) {
		return catalog.Ref{Server: trace.BuiltinServer, Name: name}
	}
	if ref, ok := n.split(f, name); ok {
		return ref
	}
	return catalog.Ref{Server: n.lone, Name: name}
}

// toolOfServer returns the tool of a server that the log names in a separate field. The field may use the client's spelling.
func (n *names) toolOfServer(server, name string) catalog.Ref {
	if mapped, ok := n.byPrefix[server]; ok {
		return catalog.Ref{Server: mapped, Name: name}
	}
	for _, prefix := range []string{"", "mcp__", "mcp_"} {
		bare, has := strings.CutPrefix(server, prefix)
		for _, known := range n.servers {
			if has && clientSpelling(known) == clientSpelling(bare) {
				return catalog.Ref{Server: known, Name: name}
			}
		}
	}
	return catalog.Ref{Server: strings.TrimPrefix(server, "mcp__"), Name: name}
}

// split splits a name that an agent made from a server and a tool; ok is false if the server is unknown.
func (n *names) split(f *Format, name string) (ref catalog.Ref, ok bool) {
	for _, splitBare := range []func(name string, allowed []string) (catalog.Ref, bool){n.splitMapped, n.splitKnown} {
		for _, client := range clientPrefixes {
			if bare, ok := strings.CutPrefix(name, client.prefix); ok {
				if ref, ok := splitBare(bare, client.separators); ok {
					return ref, true
				}
			}
		}
	}
	if ref, ok := splitAt(name, "mcp__", "__"); ok {
		return ref, true
	}
	if f.SingleUnderscore {
		if ref, ok := splitAt(name, "mcp_", "_"); ok {
			return ref, true
		}
	}
	server, ok := n.byPrefix[""]
	return catalog.Ref{Server: server, Name: name}, ok
}

// separators are the texts between a server and its tool. The first one that matches counts, so "__" comes before "_".
var separators = [...]string{"__", "_", "-", ".", "/"}

// clientPrefixes are the prefixes that clients put before a server's name, each with the separators that can follow the server.
var clientPrefixes = [...]struct {
	prefix     string
	separators []string
}{
	{"mcp__", separators[:1]},
	{"mcp_", separators[:2]},
	{"", separators[:]},
}

// splitMapped splits a name that begins with a prefix of the server map; the longest prefix counts. One of the allowed
// separators must follow the prefix, unless the prefix ends in a separator.
func (n *names) splitMapped(name string, allowed []string) (catalog.Ref, bool) {
	for _, prefix := range n.prefixes {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || prefix == "" {
			continue
		}
		tool, cut := withoutSeparator(rest, allowed)
		if !cut && endsInSeparator(prefix) {
			tool, _ = withoutSeparator(rest, separators[:])
			cut = true
		}
		if cut && tool != "" {
			return catalog.Ref{Server: n.byPrefix[prefix], Name: tool}, true
		}
	}
	return catalog.Ref{}, false
}

// splitKnown splits a name that begins with a known server and one of the allowed separators; the longest server counts.
func (n *names) splitKnown(name string, allowed []string) (catalog.Ref, bool) {
	for _, server := range n.servers {
		rest, ok := cutServer(name, server)
		if !ok {
			continue
		}
		if tool, cut := withoutSeparator(rest, allowed); cut && tool != "" {
			return catalog.Ref{Server: server, Name: tool}, true
		}
	}
	return catalog.Ref{}, false
}

func splitAt(name, prefix, separator string) (catalog.Ref, bool) {
	rest, ok := strings.CutPrefix(name, prefix)
	server, tool, cut := strings.Cut(rest, separator)
	return catalog.Ref{Server: server, Name: tool}, ok && cut && server != "" && tool != ""
}

// withoutSeparator removes an allowed separator from the beginning of a name; cut is false if the name does not begin with one.
func withoutSeparator(name string, allowed []string) (rest string, cut bool) {
	for _, separator := range allowed {
		if rest, ok := strings.CutPrefix(name, separator); ok {
			return rest, true
		}
	}
	return name, false
}

func endsInSeparator(prefix string) bool {
	return slices.ContainsFunc(separators[:], func(separator string) bool { return strings.HasSuffix(prefix, separator) })
}

// clientSpelling returns a server's name as a client may rewrite it: with _ for each character that is not an ASCII letter or digit.
func clientSpelling(server string) string { return strings.Map(clientRune, server) }

func clientRune(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return r
	}
	return '_'
}

func cutServer(name, server string) (rest string, ok bool) {
	rest = name
	for _, want := range server {
		got, size := utf8.DecodeRuneInString(rest)
		if size == 0 || clientRune(got) != clientRune(want) {
			return "", false
		}
		rest = rest[size:]
	}
	return rest, server != ""
}
