// Package bench measures how much the choice of a tool depends on the tools' descriptions.
//
// A [Spec] has a catalog, intents (requests of users, each with the tools that are right picks) and mutations (changes that
// damage one description). [Run] lets the lexical selector pick a tool for each intent, then applies each mutation alone and
// picks again. If the loss of a description changes no pick, the description does not help the selector. If the loss costs many
// picks, the description is worth keeping. The selector is not a model: it gives the same picks each time, by the words that a
// model also sees.
//
// [Read] reads a spec from YAML, [JSON] and [Text] write a result.
package bench

import (
	"math/big"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Spec is a benchmark. A valid spec, as [Read] returns it, has an intent, each intent has a gold tool, and all named tools are in
// the catalog.
type Spec struct {
	Catalog   *catalog.Catalog
	Intents   []Intent
	Mutations []Mutation

	// LeftOut is a note on the entries of a file of intents that were left out; "" if none was.
	LeftOut string

	// Auto tries every tool with [blank] and [genericize] instead of Mutations, and ranks the effects by their drop.
	Auto bool

	// MinAccuracy is the least accuracy with which the benchmark passes. MinWilsonLower is the same for the lower end of the
	// accuracy's Wilson interval. Both are from 0 to 1; nil for no bound. Run does not read them.
	MinAccuracy, MinWilsonLower *big.Rat
}

// Intent is a request with its gold tools. Each gold tool is a right pick.
type Intent struct {
	Query   string
	Gold    []*catalog.Tool
	Names   []string   // names of the gold tools, as they are written
	MaxRank int        // the worst allowed rank of a gold tool in a search; 0 if none is given. Run does not read it
	Pos     source.Pos // of the intent
}

// Mutation is a change that damages the description of one tool.
type Mutation struct {
	Tool  *catalog.Tool
	Name  string // name of the tool, as it is written
	Kind  Kind
	Chars int    // for truncate: the number of characters (Unicode code points) to keep, 0 or more
	Word  string // for drop_keyword: the word to remove
}

// Counter counts tokens of the cl100k_base encoding, as tokens.Counter does.
type Counter interface {
	Text(s string) int
	Tool(t *catalog.Tool) int
}
