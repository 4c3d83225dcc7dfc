package gates

import (
	"math"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// notFound is the position of a tool that is not in a list: after all others.
const notFound = math.MaxInt

// positions finds the first reference in a list that may mean a tool. Server and name must be equal. If the reference or the tool
// has no server, only the names must be equal.
type positions struct {
	exact      map[catalog.Ref]int
	named      map[string]int // positions by name, to find a tool without a server
	serverless map[string]int // positions of references without a server, by name
}

func newPositions(list []catalog.Ref) positions {
	p := positions{map[catalog.Ref]int{}, map[string]int{}, map[string]int{}}
	for i, ref := range slices.Backward(list) {
		p.exact[ref], p.named[ref.Name] = i, i
		if ref.Server == "" {
			p.serverless[ref.Name] = i
		}
	}
	return p
}

// positionOf returns the position of the first reference that means the tool, or notFound.
func (p positions) positionOf(ref catalog.Ref) int {
	first := earlier(p.exact, ref, notFound)
	if ref.Server == "" {
		return earlier(p.named, ref.Name, first)
	}
	// A list that was written by hand may use a qualified id as the name, without a server.
	return earlier(p.serverless, ref.ID(), earlier(p.serverless, ref.Name, first))
}

// earlier returns the position of key, or other if key is missing or comes after other.
func earlier[K comparable](in map[K]int, key K, other int) int {
	if at, ok := in[key]; ok {
		return min(at, other)
	}
	return other
}
