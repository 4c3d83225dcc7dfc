package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
)

var clientLimit = &Rule{
	ID: "MCP-007", Severity: Warning, Reads: Texts,
	Title: "a widespread client cannot take the name as it is, or takes two names for one",
	Why: `Clients put the server's name before the tool's, as in mcp__SERVER__TOOL, and replace many characters by _. A client or model
API cuts or refuses a name that is too long. If two names become equal, a client offers one tool, or adds a hash to
the names. docs/rules/protocol.md lists the clients. If a suite's tests name presets of agents, only the clients of these presets
count. If a name exceeds several limits, the strictest is reported. Programs that pass names to a model's API unchanged allow no
dot and at most 128 tools: in the order of names, the 129th tool is reported. Only a suite declares the server's name. Without a
suite, a tool is reported if its name leaves no character for the server's name.`,
	Bad:         `{"name": "calendar.create_event"}`,
	Good:        `{"name": "calendar_create_event"}`,
	Source:      "clients and model APIs, in the table of clients",
	Fix:         "shorten names, make them differ in letters and digits, and split a large server into groups of tools",
	Recommended: true,
	Trial:       Trial{Found: 4, Judged: 4, Right: 4},
	CheckAll: func(views []*View, to func(*View) Report) {
		if len(views) == 0 {
			return
		}
		for _, v := range views {
			v.reportLength(to(v))
			v.reportDot(to(v))
		}
		reportAlike(views, to)
		reportTooMany(views, to)
	},
}

// reportLength reports a name that is too long for a client. If it is too long for several, the message names the client
// whose limit it exceeds most.
func (v *View) reportLength(report Report) {
	var strictest *agents.Naming
	worst := 0
	for _, c := range v.clients {
		if over := v.charactersOver(c); c.Longest > 0 && over > worst {
			strictest, worst = c, over
		}
	}
	if strictest == nil {
		return
	}
	c, name := strictest, v.Tool.Name // c is the client that the message names
	n := Note{AtName: true, Suggestion: fmt.Sprintf("shorten the tool's name or the server's: %d characters may be in both together", c.Longest-c.Around())}
	limit := fmt.Sprintf("%s %d characters", c.TooLong, c.Longest)
	switch {
	case c.NoServer:
		n.Message = fmt.Sprintf("the name %s has %d characters, function names of model APIs have at most %d", quoted(name), c.Length("", name), c.Longest)
		n.Suggestion = "shorten it"
	case v.Tool.Server == "":
		n.Message = fmt.Sprintf("%s writes the name %s as %s, %s: its %d leave none for the server's name",
			c.Client, quoted(name), c.Form(), limit, len(c.Plain(name)))
	default:
		written := c.Write(v.Tool.Server, name)
		n.Message = fmt.Sprintf("%s writes the name %s as %s (%d characters), %s", c.Client, quoted(name), quoted(written), len(written), limit)
	}
	report(n)
}

// charactersOver returns the number of characters by which the written name exceeds the client's limit. The name of an
// unknown server counts as one character.
func (v *View) charactersOver(c *agents.Naming) int {
	return c.Length(cmp.Or(v.Tool.Server, "s"), v.Tool.Name) - c.Longest
}

func (v *View) reportDot(report Report) {
	name := v.Tool.Name
	if !strings.Contains(name, ".") || !slices.Contains(v.clients, agents.ModelAPIs) {
		return
	}
	report(Note{
		AtName:     true,
		Message:    fmt.Sprintf("the name %s has a dot, which function names of model APIs may not have", quoted(name)),
		Suggestion: "rename it to " + quotedName(strings.ReplaceAll(name, ".", "_")),
	})
}

// reportAlike finds tools whose names become the same when a client writes them. It reports each of them except the first by
// name, and only once. It does not report two tools with the same name on the same server, because MCP-002 does.
func reportAlike(views []*View, to func(*View) Report) {
	sorted := slices.SortedStableFunc(slices.Values(views), compareViews)
	reported := map[catalog.Ref]bool{}
	for _, c := range views[0].clients {
		if c.NoServer {
			continue
		}
		first := map[string]*View{}
		for _, v := range sorted {
			written := v.written(c)
			earlier := first[written]
			if earlier == nil {
				first[written] = v
				continue
			}
			if ref := v.Tool.Ref(); ref != earlier.Tool.Ref() && !reported[ref] {
				reported[ref] = true
				to(v)(alikeNote(c, earlier, v, written))
			}
		}
	}
}

// written returns the name that a model sees. The name of an unknown server is SERVER.
func (v *View) written(c *agents.Naming) string {
	if v.Tool.Server == "" {
		return c.Write("SERVER", v.Tool.Name)
	}
	return c.Written(v.Tool.Server, v.Tool.Name)
}

func alikeNote(c *agents.Naming, a, b *View, written string) Note {
	name := func(v *View) string {
		if a.Tool.Server == b.Tool.Server {
			return quoted(v.Tool.Name)
		}
		return quoted(v.Tool.Ref().ID())
	}
	message := fmt.Sprintf("%s writes the names %s and %s alike, as %s", c.Client, name(a), name(b), quoted(written))
	if c.Alike != "" {
		message += ", " + c.Alike
	}
	return Note{AtName: true, Message: message, Suggestion: "rename one of them, so that letters or digits differ"}
}

// reportTooMany reports servers with more tools than a client allows. The finding is at the first tool beyond the limit, by name.
func reportTooMany(views []*View, to func(*View) Report) {
	at := slices.IndexFunc(views[0].clients, func(c *agents.Naming) bool { return c.MostTools > 0 })
	if at < 0 {
		return
	}
	most := views[0].clients[at].MostTools
	byServer := make(map[string][]*View)
	for _, v := range views {
		byServer[v.Tool.Server] = append(byServer[v.Tool.Server], v)
	}
	for _, server := range slices.Sorted(maps.Keys(byServer)) {
		tools := byServer[server]
		if len(tools) <= most {
			continue
		}
		slices.SortStableFunc(tools, compareViews)
		of := "the catalog"
		if server != "" {
			of = "the server " + quoted(server)
		}
		to(tools[most])(Note{
			AtName:     true,
			Message:    fmt.Sprintf("%s has %d tools, some clients take at most %d", of, len(tools), most),
			Suggestion: "split the server, or let users choose groups of tools",
		})
	}
}

var unsearchedText = &Rule{
	ID: "MCP-009", Severity: Warning, Reads: Texts,
	Title: "the description is longer than a client searches",
	Why: `An agent finds deferred tools by a search. The search of Claude Code looks at the first 4,096 UTF-16 units of a description. If
a suite's tests name presets of agents, only the clients of these presets count. The score does not depend on this rule.`,
	Bad:    `{"name": "query", "description": "Runs a query.` + strings.Repeat(" It may join tables.", 300) + `"}`,
	Good:   `{"name": "query", "description": "Runs a query."}`,
	Source: "clients and model APIs, in the table of clients",
	Fix:    "put the tool's purpose first, and move the rest to the arguments or a resource",
	Check: func(v *View, report Report) {
		for _, c := range v.clients {
			if lost, units := v.unsearched(c.Searches); lost != "" {
				report(Note{
					Message: fmt.Sprintf("the description has %s UTF-16 units, of which %s searches the first %s: lost is what begins with %s",
						thousands(units), c.Client, thousands(c.Searches), quoted(lost)),
					Suggestion: "put the words that lead to the tool before that, and move the rest to the arguments",
				})
				return
			}
		}
	},
}

// unsearched returns the part of the description after the first limit UTF-16 units, and the number of all units. The part is ""
// if it is only white space, or if there is no limit (0).
func (v *View) unsearched(limit int) (lost string, units int) {
	text := v.Tool.Description
	if limit == 0 || len(text) <= limit {
		return "", 0
	}
	end := -1
	for i, r := range text {
		if units += max(1, utf16.RuneLen(r)); units > limit && end < 0 {
			end = i
		}
	}
	if end < 0 {
		return "", 0
	}
	return strings.TrimSpace(text[end:]), units
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
