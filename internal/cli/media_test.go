package cli

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mediaTool is a tool of the server whose pull requests TestMedia tells.
type mediaTool struct{ name, description, input string }

var mediaTools = []mediaTool{
	{"search_tickets", "Search support tickets by customer, product and status, and return the newest first with id and title.", `"query"`},
	{"create_ticket", "Create a support ticket for a customer and return its id and address.", `"customer"`},
	{"close_ticket", "Close an open support ticket by its id and note why it was closed, then notify the customer.", `"id"`},
}

// mediaCatalog is the snapshot of tools, indented.
func mediaCatalog(tools []mediaTool) string {
	var list []object
	for _, tool := range tools {
		properties, required := object{}, []string{}
		for _, arg := range strings.Split(tool.input, ",") {
			name, kind, _ := strings.Cut(strings.Trim(arg, `"`), ":")
			if kind == "" {
				kind = "string"
			}
			properties[name] = object{"type": kind, "description": "The " + name + "."}
			required = append(required, name)
		}
		list = append(list, object{"name": tool.name, "description": tool.description, "inputSchema": object{"type": "object", "properties": properties, "required": required}})
	}
	text, _ := json.MarshalIndent(object{"tools": list}, "", " ")
	return string(text) + "\n"
}

// mediaServer is the code of the server.
func mediaServer(tools []mediaTool) string {
	text := "import { server } from './mcp.js';\n"
	for _, tool := range tools {
		text += fmt.Sprintf("\nserver.tool(\n  %q,\n  %q,\n  handlers.%s,\n);\n", tool.name, tool.description, tool.name)
	}
	return text
}

// mediaCassette is a recording of ten runs, each of which calls one tool.
func mediaCassette(tools []mediaTool, calls ...string) string {
	var catalog any
	_ = json.Unmarshal([]byte(mediaCatalog(tools)), &catalog)
	var runs []object
	for i := range 10 {
		runs = append(runs, object{"tool_calls": []object{{"server": "tickets", "name": calls[i%len(calls)], "arguments": object{"id": "7"}}}, "total_tokens": 1400 + i})
	}
	text, _ := json.Marshal(object{"catalog": object{"tickets": catalog}, "runs": runs})
	return string(text) + "\n"
}

const mediaSuite = `servers:
  tickets: {command: [node, server.js], catalog: tickets.json, source: server.js}
agents:
  - name: finds the open ticket
    servers: [tickets]
    prompt: Which tickets of Acme are open?
    cassette: find.json
    tool_selection: {expected_tool: search_tickets, min_selection_rate: 0.8}
  - name: closes a ticket
    servers: [tickets]
    prompt: Close ticket 7, it is done.
    cassette: close.json
    tool_selection: {expected_tool: close_ticket, min_selection_rate: 0.8}
  - name: files a ticket
    servers: [tickets]
    prompt: Create a ticket for Acme, the printer is broken.
    cassette: file.json
    equal_function_sets: {classes: [{name: create, members: [create_ticket]}], expect: [{tool_selection.f1: {">=": 80}}]}
tool_bench:
  - name: descriptions
    catalog: tickets.json
    intents:
      - {query: search the newest tickets of a product, gold: search_tickets}
      - {query: create a ticket for a customer, gold: create_ticket}
      - {query: close an open ticket and notify the customer, gold: close_ticket}
    mutations: auto
    min_accuracy: 0.6
`

func mediaBase() map[string]string {
	return map[string]string{
		"mcp-gates.yml": mediaSuite, "tickets.json": mediaCatalog(mediaTools), "server.js": mediaServer(mediaTools),
		"find.json": mediaCassette(mediaTools, "search_tickets"), "close.json": mediaCassette(mediaTools, "close_ticket"), "file.json": mediaCassette(mediaTools, "create_ticket"),
	}
}

// withTool returns the tools with one replaced, added (at = len) or removed (no name).
func withTool(at int, tool mediaTool) []mediaTool {
	list := append([]mediaTool(nil), mediaTools...)
	switch {
	case at == len(list):
		return append(list, tool)
	case tool.name == "":
		return append(list[:at], list[at+1:]...)
	}
	list[at] = tool
	return list
}

var lookAlike = withTool(3, mediaTool{"find_tickets", "Search support tickets by customer, product and status, and return the newest first with id and subject.", `"query"`})

// mediaChanges are pull requests: the files that they change.
var mediaChanges = []struct {
	name  string
	files func() map[string]string
}{
	{"renamed", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(2, mediaTool{"resolve_ticket", mediaTools[2].description, mediaTools[2].input}))}
	}},
	{"removed", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(2, mediaTool{}))}
	}},
	{"vague", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(1, mediaTool{"create_ticket", "Handles tickets.", `"customer"`}))}
	}},
	{"look-alike", func() map[string]string { return map[string]string{"tickets.json": mediaCatalog(lookAlike)} }},
	{"look-alike-recorded", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(lookAlike), "find.json": mediaCassette(lookAlike, "find_tickets", "search_tickets"),
			"close.json": mediaCassette(lookAlike, "close_ticket"), "file.json": mediaCassette(lookAlike, "create_ticket")}
	}},
	{"required", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(1, mediaTool{"create_ticket", mediaTools[1].description, `"customer","team"`}))}
	}},
	{"argument-removed", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(1, mediaTool{"create_ticket", mediaTools[1].description, `"title"`}))}
	}},
	{"argument-type", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(2, mediaTool{"close_ticket", mediaTools[2].description, `"id:integer"`}))}
	}},
	{"growth", func() map[string]string {
		return map[string]string{"tickets.json": mediaCatalog(withTool(3, mediaTool{"list_invoices", "List the invoices of a customer with their sums and the days on which they are due.", `"customer"`}))}
	}},
	{"hidden", func() map[string]string {
		return map[string]string{"tickets.json": strings.Replace(mediaCatalog(mediaTools), `"name": "close_ticket"`, `"name": "close_ticket", "_meta": {"ui": {"visibility": ["app"]}}`, 1)}
	}},
	{"lowered-gate", func() map[string]string {
		return map[string]string{"mcp-gates.yml": strings.Replace(mediaSuite, "search_tickets, min_selection_rate: 0.8", "search_tickets, min_selection_rate: 0.5", 1),
			"find.json": mediaCassette(mediaTools, "create_ticket", "search_tickets")}
	}},
	{"case-removed", func() map[string]string {
		before, after, _ := strings.Cut(mediaSuite, "  - name: closes a ticket")
		_, after, _ = strings.Cut(after, "  - name: files a ticket")
		return map[string]string{"mcp-gates.yml": before + "  - name: files a ticket" + after}
	}},
	{"worse-runs", func() map[string]string {
		return map[string]string{"find.json": mediaCassette(mediaTools, "create_ticket", "search_tickets")}
	}},
	{"unreliable", func() map[string]string {
		return map[string]string{"mcp-gates.yml": strings.Replace(mediaSuite, "search_tickets, min_selection_rate: 0.8", "search_tickets, min_selection_rate: 0.8, min_pass_hat: {k: 3, rate: 0.7}", 1),
			"find.json": mediaCassette(mediaTools, "search_tickets", "search_tickets", "search_tickets", "search_tickets", "create_ticket")}
	}},
	{"dropped", func() map[string]string {
		return map[string]string{"mcp-gates.yml": strings.Replace(mediaSuite, "search_tickets, min_selection_rate: 0.8", "search_tickets, min_selection_rate: 0.8, max_drop: 10", 1),
			"find.json": mediaCassette(mediaTools, "search_tickets", "search_tickets", "search_tickets", "search_tickets", "create_ticket")}
	}},
	{"new-case", func() map[string]string {
		return map[string]string{"mcp-gates.yml": strings.Replace(mediaSuite, "tool_bench:", `  - name: reopens a ticket
    servers: [tickets]
    prompt: Open ticket 7 again.
    cassette: reopen.json
    tool_selection: {expected_tool: create_ticket, min_selection_rate: 0.8}
tool_bench:`, 1), "reopen.json": mediaCassette(mediaTools, "close_ticket")}
	}},
	{"mistake", func() map[string]string {
		return map[string]string{"mcp-gates.yml": strings.Replace(mediaSuite, "prompt: Close", "promt: Close", 1)}
	}},
	{"cut-off", func() map[string]string {
		return map[string]string{"close.json": mediaCassette(mediaTools, "close_ticket")[:900]}
	}},
	{"snapshot-forgotten", func() map[string]string {
		return map[string]string{"server.js": mediaServer(withTool(1, mediaTool{"create_ticket", mediaTools[1].description + " Never for bugs.", `"customer"`}))}
	}},
	{"all-vague", func() map[string]string {
		list := append([]mediaTool(nil), mediaTools...)
		for i := range list {
			list[i].description = "This tool updates and handles various things of the system in some way."
		}
		return map[string]string{"tickets.json": mediaCatalog(list)}
	}},
}

var (
	mediaTags  = regexp.MustCompile(`<[^>]*>`)
	mediaLines = regexp.MustCompile(`\n\s*\n+`)
	mediaSHA   = regexp.MustCompile(`\b[0-9a-f]{12,40}\b`)
)

// TestMedia tells twenty pull requests in all media, side by side in a file for each, and pins that they begin with one headline.
func TestMedia(t *testing.T) {
	t.Parallel()
	base := newRepository(t)
	for name, text := range mediaBase() {
		base.write(name, text)
	}
	base.git("add", "-A")
	base.git("commit", "-qm", "base")
	for _, change := range mediaChanges {
		t.Run(change.name, func(t *testing.T) {
			c := base.copy(t)
			for name, text := range change.files() {
				c.write(name, text)
			}
			terminal := c.format(t, "text")
			page := plainPage(c.format(t, "html"))
			c.git("checkout", "-qb", "topic")
			c.git("add", "-A")
			c.git("commit", "-qm", "topic")
			head := c.git("rev-parse", "HEAD")
			_, published := c.act("pull_request", head, object{"pull_request": object{"number": 7, "base": object{"sha": c.git("rev-parse", "main")}, "head": object{"sha": head}}})
			headline := strings.SplitN(strings.SplitN(terminal, "\n", 2)[0], ": ", 2)[1]
			for medium, text := range map[string]string{"page": page, "comment": published, "check run": checkTitle(published)} {
				if !strings.Contains(text, headline) {
					t.Errorf("the %s lacks the headline %q:\n%s", medium, headline, text)
				}
			}
			got := "== terminal\n" + terminal + "== check run, annotations and comment\n" + published + "== page, to the changes\n" + page + "== JUnit\n" + c.format(t, "junit")
			c.golden(t, change.name, mediaSHA.ReplaceAllString(got, "SHA"))
		})
	}
}

func (c *checkouts) format(t *testing.T, format string) string {
	t.Helper()
	var stdout, stderr stream
	run([]string{"run", "--workspace", c.dir, "--baseline", "main", "--format", format}, os.Getenv, strings.NewReader(""), &stdout, &stderr)
	return string(stdout.all())
}

func (c *checkouts) golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "media", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-update writes it) -want +got\n%s", file, diff)
	}
}

// checkTitle is the line with the title of the check run.
func checkTitle(log string) string {
	for _, line := range strings.Split(log, "\n") {
		if strings.HasPrefix(line, "check run ") {
			return line
		}
	}
	return ""
}

// plainPage is the text of a page up to its figures.
func plainPage(doc string) string {
	_, doc, _ = strings.Cut(doc, "<body>")
	doc, _, _ = strings.Cut(doc, "<section id=cases>")
	return strings.TrimSpace(mediaLines.ReplaceAllString(html.UnescapeString(mediaTags.ReplaceAllString(doc, "")), "\n")) + "\n"
}
