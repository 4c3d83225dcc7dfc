package agents

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/schema"
)

// Deferral describes the text that a client shows the model instead of its deferred tools, before any search.
type Deferral struct {
	SearchTool int64 // cl100k tokens of the definition of its search tool

	// All means that the client defers every tool of a server, and never lists their names.
	All bool

	// IsEager reports whether the definition of a tool keeps it from being deferred; nil for a client that ignores it.
	IsEager func(*catalog.Tool) bool

	// List returns the text that replaces the deferred tools. If the text would quote the unknown instructions of a
	// server, text is "" and unknown is the name of that server. The name can be "", too.
	List func(deferred []catalog.Ref, instructions func(server string) (text string, known bool)) (text, unknown string)
}

// Both values were measured on the first requests of the programs, Claude Code 2.1.330 and Codex 0.169.0, on
// 2026-11-23.
var (
	claudeDeferral = &Deferral{SearchTool: 329, IsEager: claudeIsEager, List: claudeList}
	codexDeferral  = &Deferral{SearchTool: 152, All: true, List: codexList}
)

// claudeIsEager reports whether Claude Code offers a tool from the start.
func claudeIsEager(t *catalog.Tool) bool {
	return schema.Decode(t.Field("_meta")).Get("anthropic/alwaysLoad").Is('t')
}

// claudeList returns Claude Code's reminder: a sentence, and the names sorted by code point, one on each line.
func claudeList(deferred []catalog.Ref, _ func(string) (string, bool)) (text, unknown string) {
	names := make([]string, len(deferred))
	for i, ref := range deferred {
		names[i] = claudeNames.Written(ref.Server, ref.Name)
	}
	slices.Sort(names)
	return "<system-reminder>\nThe following deferred tools are now available via ToolSearch. Their schemas are NOT loaded — calling them " +
		"directly will fail with InputValidationError. Use ToolSearch with query \"select:<name>[,<name>...]\" to load tool schemas before " +
		"calling them:\n" + strings.Join(names, "\n") + "\n</system-reminder>", ""
}

// codexList returns Codex' block: the servers, each with the first line of its instructions.
func codexList(deferred []catalog.Ref, instructions func(string) (string, bool)) (text, unknown string) {
	const maxLine = 250 // characters, of an instruction's first line
	var servers []string
	for _, ref := range deferred {
		servers = append(servers, ref.Server)
	}
	slices.Sort(servers)
	var b strings.Builder
	b.WriteString("<tools>\nDeferred tool namespaces:\n")
	for _, server := range slices.Compact(servers) {
		said, known := instructions(server)
		if !known {
			return "", server
		}
		b.WriteString("- " + codexNames.Prefix + codexNames.Plain(server))
		line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
		if chars := []rune(line); len(chars) > maxLine {
			line = string(chars[:maxLine]) + "..."
		}
		if line != "" {
			b.WriteString(": " + line)
		}
		b.WriteByte('\n')
	}
	b.WriteString("</tools>")
	return b.String(), ""
}
