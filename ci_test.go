package layout_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCIExamples holds docs/ci.md to the files of examples/ci, each of which it links.
func TestCIExamples(t *testing.T) {
	t.Parallel()
	links := parsePage(read(t, "docs/ci.md")).links
	err := filepath.WalkDir("examples/ci", func(name string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !slices.Contains(links, "../"+filepath.ToSlash(name)) {
			t.Errorf("docs/ci.md has no link to %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHooks holds the entries of the pre-commit hooks in Go to a program that "go install ./..." makes, and those with an image to
// the image that action.yml has in a release.
func TestHooks(t *testing.T) {
	t.Parallel()
	hooks := read(t, ".pre-commit-hooks.yaml")
	entries := regexp.MustCompile(`(?m)^  language: (\w+)\n  entry: (\S+) (lint|run)$`).FindAllStringSubmatch(hooks, -1)
	if got, want := len(entries), strings.Count(hooks, "- id: "); got != want || want != 4 {
		t.Fatalf("got %d entries in %d hooks, want 4 in 4", got, want)
	}
	for _, m := range entries {
		language, program := m[1], m[2]
		if language == "docker_image" {
			if program != "ghcr.io/org/mcp-gates:v1" {
				t.Errorf("a hook runs the image %q", program)
			}
			continue
		}
		if _, err := os.Stat(filepath.Join("cmd", program, "main.go")); language != "golang" || err != nil {
			t.Errorf("a hook in %s runs %q, which no folder of cmd makes: %v", language, program, err)
		}
	}
}
