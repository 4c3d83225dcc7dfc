package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

var unusualName = &Rule{
	ID: "MCP-001", Severity: Warning, Reads: Texts,
	Title:       "the name is not 1 to 128 characters of A-Z a-z 0-9 _ - .",
	Why:         `The protocol advises this form. Other characters break clients that make names part of a path, a prefix or a function name.`,
	Bad:         `{"name": "get weather"}`,
	Good:        `{"name": "get_weather"}`,
	Source:      "Model Context Protocol, tool names",
	Fix:         "name tools in snake_case; a title may have any characters",
	Recommended: true,
	Trial:       Trial{Found: 3, Judged: 3, Right: 3},
	Check: func(v *View, report Report) {
		const longestName = 128
		name := v.Tool.Name
		switch i := strings.IndexFunc(name, func(r rune) bool { return !isNameRune(r) }); {
		case name == "":
			report(Note{AtName: true, Message: "the name is empty", Suggestion: "name it by what it does, such as get_weather"})
		case i >= 0:
			r, _ := utf8.DecodeRuneInString(name[i:])
			report(Note{
				AtName:     true,
				Message:    fmt.Sprintf("the name %s has the character %q, expected A-Z a-z 0-9 _ - .", quoted(name), r),
				Suggestion: "rename it to " + quotedName(plainName(name)),
			})
		case len(name) > longestName:
			report(Note{
				AtName:     true,
				Message:    fmt.Sprintf("the name %s has %d characters, at most %d are expected", quoted(name), len(name), longestName),
				Suggestion: "rename it to " + quotedName(name[:longestName]),
			})
		}
	},
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-.", r)
}

// plainName returns a name in which every run of characters that names should not have is one underscore.
func plainName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !isNameRune(r) })
	if len(words) == 0 {
		return "tool"
	}
	return strings.Join(words, "_")
}

var duplicateName = &Rule{
	ID: "MCP-002", Severity: Critical, Reads: Texts,
	Title:  "two tools of one server share a name",
	Why:    `One of the two tools can never be called; the client decides which. All but the first are reported.`,
	Bad:    `[{"name": "search", "description": "Searches pages."}, {"name": "search", "description": "Searches files."}]`,
	Good:   `[{"name": "search_pages", "description": "Searches pages."}, {"name": "search_files", "description": "Searches files."}]`,
	Source: "Model Context Protocol, tools",
	Fix:    "give each tool a name of its own",
	CheckAll: func(views []*View, to func(*View) Report) {
		type id struct{ server, name string }
		first := make(map[id]*View)
		for _, v := range views {
			key := id{v.Tool.Server, v.Tool.Name}
			earlier, ok := first[key]
			if !ok {
				first[key] = v
				continue
			}
			message := fmt.Sprintf("the name %s is that of an earlier tool, too", quoted(v.Tool.Name))
			if earlier.Tool.Pos.Line > 0 {
				message += " (" + earlier.Tool.Pos.String() + ")"
			}
			to(v)(Note{AtName: true, Message: message, Suggestion: "rename one of them, or remove it"})
		}
	},
}

func compareViews(a, b *View) int {
	order := cmp.Or(
		cmp.Compare(a.Tool.Server, b.Tool.Server),
		cmp.Compare(a.Tool.Name, b.Tool.Name),
		cmp.Compare(a.Text, b.Text),
	)
	if order != 0 {
		return order
	}
	return bytes.Compare(a.Tool.Raw, b.Tool.Raw)
}
