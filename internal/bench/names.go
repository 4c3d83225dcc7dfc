package bench

import (
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// names finds the tools of a catalog by their names.
type names struct {
	tools map[string][]*catalog.Tool // tools by name and by server.name, in the catalog's order
	cat   *catalog.Catalog
	all   []string // keys of tools, in the order in which they were added
	hints int      // number of names that may still be compared for hints
}

// maxHints bounds the comparisons of names for hints. Later mistakes have no hint.
const maxHints = 1_000_000

// namesOf returns the names of a catalog's tools. A nil catalog has no tools.
func namesOf(cat *catalog.Catalog) *names {
	n := &names{tools: map[string][]*catalog.Tool{}, hints: maxHints}
	if cat == nil {
		return n
	}
	n.cat = cat
	for _, t := range cat.Tools {
		n.add(t.Name, t)
		if t.Server != "" {
			n.add(t.Ref().ID(), t)
		}
	}
	return n
}

func (n *names) add(name string, t *catalog.Tool) {
	if n.tools[name] == nil {
		n.all = append(n.all, name)
	}
	n.tools[name] = append(n.tools[name], t)
}

// find returns the tools with a name. what describes the name in the error, such as "gold tool".
func (n *names) find(what, name string) ([]*catalog.Tool, error) {
	found := n.tools[name]
	switch {
	case found == nil && n.cat != nil && n.cat.Hides(name):
		return nil, fmt.Errorf("%s %q is hidden from models by its _meta.ui.visibility", what, name)
	case found == nil:
		return nil, fmt.Errorf("%s %q is not in the catalog%s", what, name, n.hint(name))
	}
	return found, nil
}

// hint returns a hint with the known name that is most similar to an unknown name; "" if none is similar.
func (n *names) hint(name string) string {
	n.hints -= len(n.all) + 1
	if n.hints < 0 {
		return ""
	}
	return source.DidYouMean(name, n.all)
}

// tool returns the tool with a name, the first if one server lists it twice.
func (n *names) tool(name string) (*catalog.Tool, error) {
	found, err := n.find("tool", name)
	if err != nil {
		return nil, err
	}
	for _, t := range found {
		if t.Server != found[0].Server {
			return nil, fmt.Errorf("tool %q is on several servers, expected %q or %q", name, found[0].Ref().ID(), t.Ref().ID())
		}
	}
	return found[0], nil
}

// On returns the same benchmark for another catalog, such as the server's current tools. It returns an error if the catalog lacks
// a tool of the benchmark, or if the benchmark would take too long.
func (s Spec) On(cat *catalog.Catalog) (Spec, error) {
	s.Catalog = cat
	n := namesOf(cat)
	intents := make([]Intent, len(s.Intents))
	for i, intent := range s.Intents {
		intents[i] = intent
		intents[i].Gold = nil
		for _, name := range intent.Names {
			gold, err := n.find("gold tool", name)
			if err != nil {
				return s, err
			}
			intents[i].Gold = append(intents[i].Gold, gold...)
		}
	}
	mutations := append([]Mutation(nil), s.Mutations...)
	for i := range mutations {
		var err error
		if mutations[i].Tool, err = n.tool(mutations[i].Name); err != nil {
			return s, err
		}
	}
	s.Intents, s.Mutations = intents, mutations
	if problem := s.problem(); problem != "" {
		return s, fmt.Errorf("%s", problem)
	}
	return s, nil
}
