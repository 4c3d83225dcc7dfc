package gates

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
)

func TestBundledList(t *testing.T) {
	file, mistakes := catalog.Read("distractors.json", bundledFile)
	if len(mistakes) > 0 {
		t.Fatal(mistakes.Err())
	}
	domain := map[string]string{}
	domains := map[string]bool{}
	for _, tool := range file.Tools {
		if domain[tool.Name] != "" {
			t.Errorf("%s stands in the list twice", tool.Name)
		}
		domain[tool.Name] = tool.Server
		domains[tool.Server] = true
	}
	list := bundled()
	if len(list) != len(file.Tools) || len(list) < 64 || len(domains) < 12 {
		t.Errorf("%d tools (%d in the file) of %d domains, want at least 64 of 12", len(list), len(file.Tools), len(domains))
	}
	for i, tool := range list {
		if tool.Server != distractorServer {
			t.Errorf("%s is served as %q, want %q", tool.Name, tool.Server, distractorServer)
		}
		// No domain comes again before every other one has come.
		for _, near := range list[max(0, i-len(domains)+1):i] {
			if domain[near.Name] == domain[tool.Name] {
				t.Errorf("%s and %s of one domain (%s) stand close together", near.Name, tool.Name, domain[tool.Name])
			}
		}
	}
	// Recordings that kept no list depend on the order.
	if got, want := list[0].Name+" "+list[1].Name+" "+list[16].Name, "convert_currency find_recipes calculate_loan_payment"; got != want {
		t.Errorf("the first, second and seventeenth are %s, want %s", got, want)
	}
}

func TestBundledToolsAreRealistic(t *testing.T) {
	for _, tool := range bundled() {
		if n := len(tool.Description); n < 60 || n > 500 || !strings.Contains(tool.Description, "Returns ") {
			t.Errorf("%s: the description has %d characters, want 60 to 500 that say what it returns: %s", tool.Name, n, tool.Description)
		}
		doc, ok := judge.DecodeJSON(tool.InputSchema)
		if !ok {
			t.Fatalf("%s: the schema cannot be read", tool.Name)
		}
		if _, err := judge.NewMeter(0).Compile(doc); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		schema := doc.(map[string]any)
		properties := schema["properties"].(map[string]any)
		for name, property := range properties {
			if text, _ := property.(map[string]any)["description"].(string); len(text) < 8 {
				t.Errorf("%s: argument %s is described as %q", tool.Name, name, text)
			}
		}
		for _, name := range schema["required"].([]any) {
			if properties[name.(string)] == nil {
				t.Errorf("%s requires %s, which it does not declare", tool.Name, name)
			}
		}
		if !strings.Contains(string(tool.Annotations), "readOnlyHint") {
			t.Errorf("%s has no annotations: %s", tool.Name, tool.Annotations)
		}
	}
}

// TestBundledToolsAreWellDescribed holds the list to the rules of this project: a distractor that is described badly
// distracts nobody.
func TestBundledToolsAreWellDescribed(t *testing.T) {
	for _, f := range lint.Check(&catalog.Catalog{Tools: bundled()}, lint.Config{}).Findings {
		if f.Severity != lint.Pass {
			t.Errorf("%s: %s %s: %s", f.Tool.Name, f.Rule, f.Argument, f.Message)
		}
	}
}

func TestInterleave(t *testing.T) {
	var tools []*catalog.Tool
	for _, id := range []string{"a 1", "a 2", "a 3", "b 4", "c 5", "c 6"} {
		server, name, _ := strings.Cut(id, " ")
		tools = append(tools, &catalog.Tool{Server: server, Name: name})
	}
	got := ""
	for _, tool := range interleave(tools) {
		got += tool.Name
	}
	if want := "145263"; got != want {
		t.Errorf("interleave(%s) = %s, want %s", "a1 a2 a3 b4 c5 c6", got, want)
	}
	if tools[0].Server != "a" {
		t.Errorf("interleave changed its argument: %+v", tools[0])
	}
}
