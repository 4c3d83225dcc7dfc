package describe_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/schema"
	"golang.org/x/tools/txtar"
)

// inSuite returns the keys of an example of the gates as a suite holds them, and the keys that lead to each block there.
func inSuite(example map[string]any) (suite map[string]any, drop int) {
	for _, g := range []string{gates.ToolQuality.Name, gates.ToolBench.Name, gates.Findability.Name} {
		if block, ok := example[g].(map[string]any); ok {
			if _, named := block["name"]; !named {
				block["name"] = "case"
			}
			return map[string]any{g: []any{block}}, 1
		}
	}
	test := map[string]any{"name": "case"}
	maps.Copy(test, example)
	for _, key := range []string{"surface", "current_surface", "tool_tokens"} { // only in examples
		delete(test, key)
	}
	return map[string]any{"tests": []any{test}}, 2
}

// TestGateExamples pins the same for the examples of the gates: each block that is right fits the schema, and the mistakes of shape
// are found in their lines.
func TestGateExamples(t *testing.T) {
	s := compiled(t, "suite")
	shape := regexp.MustCompile(`test\.yaml:(\d+):\d+: .*(unknown (key|target|matcher)|must be (text|a map|a list|true or false)\b)`)
	for _, f := range files(t, []string{"internal/gates/testdata"}, ".yaml") {
		value, ok := yamlValue(f)
		if !ok {
			continue
		}
		suite, drop := inSuite(value)
		found := schema.Flaws(s.Validate(suite))
		for i := range found {
			found[i].Path = found[i].Path[min(drop, len(found[i].Path)):]
			if drop == 1 {
				found[i].Path[0] = gateOf(suite)
			}
		}
		wanted := mistakesOf(t, f)
		if wanted == "" && len(found) > 0 {
			t.Errorf("%s is right, but does not fit the schema: %v", f.place, found)
		}
		at := lines(t, f, found)
		for _, m := range shape.FindAllStringSubmatch(wanted, -1) {
			if line, _ := strconv.Atoi(m[1]); !slices.Contains(at, line) {
				t.Errorf("%s: the schema does not find %s", f.place, m[0])
			}
		}
		for _, line := range at {
			if wanted != "" && !strings.Contains(wanted, "test.yaml:"+strconv.Itoa(line)+":") {
				t.Errorf("%s: the schema finds a flaw in line %d, the program none: %v", f.place, line, found)
			}
		}
	}
}

func gateOf(suite map[string]any) string {
	for key := range suite {
		return key
	}
	return ""
}

// mistakesOf returns the mistakes that an example of the gates has; "" for none.
func mistakesOf(t *testing.T, f file) string {
	t.Helper()
	archive, err := txtar.ParseFile("../../" + strings.TrimSuffix(f.place, ":"+f.name))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range archive.Files {
		if part.Name == "mistakes.txt" {
			return string(part.Data)
		}
	}
	return ""
}
