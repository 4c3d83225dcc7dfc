package judge_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// TestWords pins what schemas of suites and reports are made of: the words of expectations, the keys of a result, and how each kind of
// notes is worded.
func TestWords(t *testing.T) {
	var b strings.Builder
	list := func(what string, words []judge.Word) {
		for _, w := range words {
			fmt.Fprintf(&b, "%s %s of %q: %s\n", what, w.Name, w.Of, w.Pattern)
			if w.Doc == "" {
				t.Errorf("%s %s has no documentation", what, w.Name)
			}
		}
	}
	targets, limits := judge.RunWords()
	list("target", targets)
	list("limit", limits)
	list("matcher", judge.MatcherWords())
	names := lists.Map(slices.Concat(targets, limits), func(w judge.Word) string { return w.Name })
	fmt.Fprintf(&b, "all targets: %q\n", names)
	for _, g := range gates.All {
		for _, target := range g.Targets {
			if strings.Contains(target.Name, "[") {
				fmt.Fprintf(&b, "figure %s: %s\n", target.Name, target.Pattern())
			}
		}
	}
	for _, key := range judge.ResultKeys() {
		var fields []string
		for _, field := range key.Fields {
			fields = append(fields, fmt.Sprintf("%s %t %t", field.Key, field.Made, field.Optional))
		}
		fmt.Fprintf(&b, "key %s %v, optional %t: %q\n", key.Name, key.Type, key.Optional, fields)
	}
	for _, k := range judge.Kinds {
		fmt.Fprintf(&b, "kind %s of %q: line %q, aside %q, annotation %q %q (annotate %d, news %d, right %t)\n",
			k.Name, k.Noun, k.Line, k.Aside, k.Title, k.Message, k.Annotate, k.News, k.Right)
	}
	const file = "testdata/words.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-update writes it) -want +got\n%s", file, diff)
	}
}
