package mock

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func docs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/mock.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// table returns the first column of the table under a heading, each `word` in it.
func table(t *testing.T, heading string) []string {
	t.Helper()
	_, text, ok := strings.Cut(docs(t), "# "+heading+"\n")
	if !ok {
		t.Fatalf("docs/mock.md has no heading %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n#")
	var words []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1) {
		for _, word := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			words = append(words, word[1])
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

var expectedKeys = regexp.MustCompile(`unknown key "[^"]*", expected one of ([\w, ]+)`)

// keysOf returns the keys that a map of a manifest may have, as the mistakes about one that it may not tell them.
func keysOf(t *testing.T, manifests ...string) []string {
	t.Helper()
	var keys []string
	for _, text := range manifests {
		_, mistakes := ReadManifest("m.yml", []byte("mock_server: "+text))
		found := expectedKeys.FindStringSubmatch(mistakes.Error())
		if found == nil {
			t.Fatalf("%s: no mistake tells the keys:\n%v", text, mistakes)
		}
		keys = append(keys, strings.Split(found[1], ", ")...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// TestDocumentedKeys holds the tables of docs/mock.md to what the reader asks for.
func TestDocumentedKeys(t *testing.T) {
	const unknown = "qqqqqqqqqq: 1"
	var blocks []string
	for _, kind := range []string{"text", "image", "resource_link", "resource"} {
		blocks = append(blocks, "{tools: [{name: a, response: {content: [{type: "+kind+", "+unknown+"}]}}]}")
	}
	for heading, manifests := range map[string][]string{
		"mock_server": {"{" + unknown + "}"},
		"tools":       {"{tools: [{" + unknown + "}]}"},
		"responses":   {"{tools: [{name: a, responses: [{" + unknown + "}]}]}"},
		"content":     blocks,
		"resources":   {"{resources: [{" + unknown + "}]}"},
		"prompts":     {"{prompts: [{" + unknown + "}]}"},
	} {
		if documented, read := table(t, heading), keysOf(t, manifests...); !slices.Equal(documented, read) {
			t.Errorf("%s: docs/mock.md has the keys\n%q, the reader asks for\n%q", heading, documented, read)
		}
	}
}

// TestDocumentedFaults holds the table of faults to what the program knows and says of them.
func TestDocumentedFaults(t *testing.T) {
	text := docs(t)
	for i, spelling := range faultSpellings() {
		if row := "| `" + spelling + "` | " + faults[i].doc + " |\n"; !strings.Contains(text, row) {
			t.Errorf("docs/mock.md does not have the row\n%s", row)
		}
	}
	if documented, known := table(t, "Faults"), slices.Sorted(slices.Values(faultSpellings())); !slices.Equal(documented, known) {
		t.Errorf("docs/mock.md has the faults\n%q, the program\n%q", documented, known)
	}
}

// TestDocumentedManifests reads every manifest that docs/mock.md shows.
func TestDocumentedManifests(t *testing.T) {
	found := regexp.MustCompile("(?s)```yaml\n(mock_server:.*?)```").FindAllStringSubmatch(docs(t), -1)
	if len(found) == 0 {
		t.Fatal("docs/mock.md shows no manifest")
	}
	for _, example := range found {
		manifest(t, example[1])
	}
}
