// Package bench measures how much the choice of a tool depends on the tools' descriptions.
//
// A [Spec] is a catalog, intents (what users ask, and which tools are right picks) and mutations (damage done to one
// description). [Run] lets the lexical selector pick a tool for each intent, then applies each mutation alone and
// picks again. A description whose loss changes no pick carries no signal; one whose loss costs many picks is worth
// keeping. The selector is not a model: it is a reproducible stand-in that sees the same words.
//
// [Read] reads a spec from YAML, [JSON] and [Text] write a result.
package bench

import (
	"math/big"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Spec is a benchmark to run. [Read] returns only valid ones: there is an intent, each has a gold tool, and all tools
// that it names are in the catalog.
type Spec struct {
	Catalog   *catalog.Catalog
	Intents   []Intent
	Mutations []Mutation

	// LeftOut says which entries of a file of intents were left out; "" when none was.
	LeftOut string

	// Auto tries every tool with [blank] and [genericize] instead of Mutations, and ranks the effects by their drop.
	Auto bool

	// MinAccuracy and MinWilsonLower, from 0 to 1, are the least accuracy and the least lower end of its interval to
	// pass with; nil asks for nothing. Run does not look at them.
	MinAccuracy, MinWilsonLower *big.Rat
}

// Intent is a request and the tools any of which is a right pick for it.
type Intent struct {
	Query   string
	Gold    []*catalog.Tool
	Names   []string   // names of the gold tools, as they are written
	MaxRank int        // the worst rank of a gold tool in a search; 0 when it is not given. Run does not look at it
	Pos     source.Pos // of the intent
}

// Mutation is damage to the description of one tool.
type Mutation struct {
	Tool  *catalog.Tool
	Name  string // name of the tool, as it is written
	Kind  Kind
	Chars int    // for Truncate: the number of characters (Unicode code points) to keep, 0 or more
	Word  string // of DropKeyword
}

// Counter counts tokens of the cl100k_base encoding. A tokens.Counter is one.
type Counter interface {
	Text(s string) int
	Tool(t *catalog.Tool) int
}
