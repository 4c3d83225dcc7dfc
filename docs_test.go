package layout_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGlossary holds the words of the glossary to the alphabet, each to one or two sentences.
func TestGlossary(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/glossary.md")
	var words []string
	for _, entry := range strings.Split(text, "\n### ")[1:] {
		word, meaning, _ := strings.Cut(entry, "\n")
		words = append(words, word)
		if n := len(strings.Fields(meaning)); n < 4 || n > 45 {
			t.Errorf("%q: got %d words, want a sentence or two", word, n)
		}
	}
	sorted := slices.SortedFunc(slices.Values(words), func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	if !slices.Equal(words, slices.Compact(sorted)) {
		t.Errorf("got the words in the order %q, want %q, each once", words, sorted)
	}
}

// TestIndexNamesAllPages holds the index of questions to the pages: it lists each page of docs.
func TestIndexNamesAllPages(t *testing.T) {
	t.Parallel()
	linked := map[string]bool{}
	for _, link := range parsePage(read(t, "docs/README.md")).links {
		page, _, _ := strings.Cut(link, "#")
		linked["docs/"+page] = true
	}
	for _, file := range markdownFiles(t) {
		if regexp.MustCompile(`^docs/[^/]+\.md$`).MatchString(file) && file != "docs/README.md" && !linked[file] {
			t.Errorf("docs/README.md has no link to %s", file)
		}
	}
}
