package suite

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExamplesAreThePages pins that the examples, which load, are what mcptest's pages show, line by line but for the indentation,
// which most copies of the pages have lost; and that no block of a suite on these pages is left out. The sketches in the notes,
// which hold dots and question marks, are nobody's suite.
func TestExamplesAreThePages(t *testing.T) {
	dir := os.Getenv("MCP_GATES_REFERENCE")
	if dir == "" {
		t.Skip("SKIPPED: set MCP_GATES_REFERENCE to the folder with copies of mcptest's pages to hold the examples to them")
	}
	pages := map[string][]string{}
	for _, file := range filesOf(t, filepath.Join(dir, "*.txt")) {
		pages[file] = linesOf(t, file)
	}
	shown := map[string]map[int]bool{}
	for _, file := range filesOf(t, "testdata/examples/*.yml") {
		found := false
		for page, lines := range pages {
			for _, at := range placesOf(linesOf(t, file), lines) {
				if shown[page] == nil {
					shown[page] = map[int]bool{}
				}
				shown[page][at], found = true, true
			}
		}
		if !found {
			t.Errorf("%s is on none of the pages", file)
		}
	}
	for page, lines := range pages {
		for i, line := range lines {
			if blockBegin.MatchString(line) && !shown[page][i] {
				t.Errorf("%s: no example has the block at %q", page, strings.Join(lines[i:min(i+3, len(lines))], " / "))
			}
		}
	}
}

// blockBegin is the first line of a suite on a page, or of a gate's block that stands there by itself.
var blockBegin = regexp.MustCompile(`^(servers|agents|tests|tool_quality|distractors|equal_function_sets|discovery|orchestration|token_efficiency|tool_selection):$`)

// placesOf returns the lines of a page, by number, that an example has: all of the example, or what begins with a gate where the
// page shows only that.
func placesOf(example, page []string) []int {
	first := slices.IndexFunc(example, func(line string) bool {
		return blockBegin.MatchString(line) && line != "servers:" && line != "agents:" && line != "tests:"
	})
	for _, part := range [][]string{example, example[max(first, 0):]} {
		var list []int
		for at := 0; at+len(part) <= len(page); at++ {
			if slices.Equal(page[at:at+len(part)], part) {
				for i := range part {
					list = append(list, at+i)
				}
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

func filesOf(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	return files
}

// linesOf returns the lines of a file without indentation and without the empty ones.
func linesOf(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
