package describe_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/schema"
	"gopkg.in/yaml.v3"
)

// lines returns the lines of a YAML file that have the flaws of its value: a key that is not allowed is on its own line.
func lines(t *testing.T, f file, flaws []schema.Flaw) []int {
	t.Helper()
	data, err := fs.ReadFile(f.fsys, f.name)
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatalf("%s: %v", f.place, err)
	}
	var list []int
	for _, flaw := range flaws {
		list = append(list, linesOf(doc.Content[0], flaw)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// notAllowed takes the keys out of a problem such as "additional properties 'a', 'b' not allowed".
var notAllowed = regexp.MustCompile(`'((?:[^'\\]|\\.)*)'`)

func linesOf(root *yaml.Node, flaw schema.Flaw) []int {
	at := root
	for _, step := range flaw.Path {
		if value := child(at, step); value != nil {
			at = value
		}
	}
	at = resolved(at)
	if regexp.MustCompile("^additional propert").MatchString(flaw.Problem) {
		var list []int
		for _, key := range notAllowed.FindAllStringSubmatch(flaw.Problem, -1) {
			for i := 0; i+1 < len(at.Content); i += 2 {
				// The problem quotes control characters.
				if name := at.Content[i].Value; name == key[1] || strings.Trim(strconv.Quote(name), `"`) == key[1] {
					list = append(list, at.Content[i].Line)
				}
			}
		}
		return list
	}
	return []int{at.Line}
}

func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// child returns the value to which a key or an index leads; nil where none does.
func child(n *yaml.Node, step string) *yaml.Node {
	n = resolved(n)
	if n.Kind == yaml.SequenceNode {
		i, err := strconv.Atoi(step)
		if err != nil || i >= len(n.Content) {
			return nil
		}
		return n.Content[i]
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			return n.Content[i+1]
		}
	}
	return nil
}
