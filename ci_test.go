package layout_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCIExamples holds docs/ci.md to the files of examples/ci, each of which it shows whole, below a link to it.
func TestCIExamples(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/ci.md")
	shown := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)\\(\\.\\./(examples/ci/[^)]+)\\)[^`]*```\\w*\n(.*?)```\n").FindAllStringSubmatch(page, -1) {
		shown[m[1]] = m[2]
	}
	err := filepath.WalkDir("examples/ci", func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name = filepath.ToSlash(name)
		want := read(t, name)
		got, ok := shown[name]
		if *update {
			if !ok {
				t.Errorf("docs/ci.md has no block below a link to %s", name)
			}
			page = replaceBlock(page, name, want)
			return nil
		}
		if !ok || got != want {
			t.Errorf("docs/ci.md does not show %s as it is; go test . -update writes it", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, "docs/ci.md", page)
	}
}

// replaceBlock puts a text into the first block of code below the link to the file.
func replaceBlock(page, name, text string) string {
	before, rest, ok := strings.Cut(page, "(../"+name+")")
	begin := strings.Index(rest, "```")
	if !ok || begin < 0 {
		return page
	}
	begin += strings.Index(rest[begin:], "\n") + 1
	end := begin + strings.Index(rest[begin:], "```\n")
	return before + "(../" + name + ")" + rest[:begin] + text + rest[end:]
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
