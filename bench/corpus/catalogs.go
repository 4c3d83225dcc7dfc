package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

// What tools do, to what, and how: every tool is one of each.
var (
	verbs = []string{"create", "list", "get", "update", "delete", "search", "archive", "export", "assign", "restore", "merge", "watch"}
	nouns = []string{"issue", "invoice", "parcel", "customer", "branch", "calendar", "dashboard", "deployment", "message", "recipe",
		"ticket", "contract", "photo", "playlist", "reservation", "certificate"}
	areas = []string{"billing", "support", "warehouse", "marketing", "security", "travel", "research", "kitchen", "library", "garage",
		"studio", "harbour", "campus", "clinic"}
)

// tool is the i-th of len(verbs)*len(nouns)*len(areas) tools, of about 190 tokens.
func tool(i int) map[string]any {
	verb, noun, area := verbs[i%len(verbs)], nouns[i/len(verbs)%len(nouns)], areas[i/len(verbs)/len(nouns)%len(areas)]
	text := func(what string) map[string]any { return map[string]any{"type": "string", "description": what} }
	return map[string]any{
		"name": fmt.Sprintf("%s_%s_%s", area, verb, noun),
		"description": fmt.Sprintf("%ss one %s of the %s department. Use it when somebody asks to %s a %s there; "+
			"it returns the %s as JSON, with its id, its owner and when it was last changed.",
			strings.ToUpper(verb[:1])+verb[1:], noun, area, verb, noun, noun),
		"inputSchema": map[string]any{
			"type": "object",
			"properties": map[string]any{
				noun + "_id": text("The id of the " + noun + ", as the list of all of them has it."),
				"owner":      text("Only what belongs to this person, given as an e-mail address."),
				"since":      map[string]any{"type": "string", "format": "date-time", "description": "Only what has changed since then."},
				"state":      map[string]any{"type": "string", "enum": []string{"open", "closed", "all"}, "description": "The state, open by default."},
				"limit":      map[string]any{"type": "integer", "minimum": 1, "maximum": 100, "description": "How many to return at most."},
			},
			"required": []string{noun + "_id"},
		},
		"annotations": map[string]any{"readOnlyHint": verb == "list" || verb == "get" || verb == "search"},
	}
}

// writeCatalogs writes catalogs of a usual and of a large size, a suite that names the former, and benchmark specs.
func writeCatalogs(dir string) error {
	catalog := filepath.Join(dir, "catalog")
	for name, n := range map[string]int{"tools-117.json": 117, "tools-200.json": 200, "tools-2664.json": 2664} {
		if err := write(catalog, name, toolList(n)); err != nil {
			return err
		}
	}
	server := "servers:\n  web: {catalog: tools-117.json}\n"
	if err := write(catalog, "mcp-gates.yml", server+suite("catalog", "run.json")); err != nil {
		return err
	}
	if err := write(catalog, "run.json", line(0)); err != nil {
		return err
	}
	spec := "catalog_path: tools-200.json\nintents:\n" + intents(500, 200)
	if err := write(catalog, "bench.yml", spec); err != nil {
		return err
	}
	return write(catalog, "bench-auto.yml", spec+"mutations: auto\n")
}

func toolList(n int) string {
	tools := make([]map[string]any, n)
	for i := range tools {
		tools[i] = tool(i)
	}
	text, err := json.MarshalIndent(map[string]any{"tools": tools}, "", "  ")
	if err != nil {
		panic(err) // unreachable: it is maps of texts and numbers
	}
	return string(text) + "\n"
}

// intents is n requests, each for one of the first tools.
func intents(n, tools int) string {
	var all strings.Builder
	for i := range n {
		want := i * 7 % tools
		parts := strings.Split(tool(want)["name"].(string), "_")
		fmt.Fprintf(&all, "  - {query: \"Please %s the %s number %d that the people of the %s told me about yesterday\", gold: [%s]}\n",
			parts[1], parts[2], i, parts[0], strings.Join(parts, "_"))
	}
	return all.String()
}
