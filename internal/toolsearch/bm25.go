package toolsearch

import (
	"strings"

	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
)

// BM25 is the plain search of the gate tool_bench, which no client uses.
var BM25 = &Client{
	Name:     "bm25",
	Title:    "BM25",
	Evidence: "with no client, because no client uses this search. The gate `tool_bench` uses it",
	Source:   "Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009",

	Fields:  []string{"tool name (counts twice)", "description"},
	Ignored: []string{"server name", "title", "arguments", "annotations", "instructions of the server", "`_meta`"},
	Tokens:  "Text is split into lower-case sequences of letters and digits. Names are also split at camelCase. 124 stop words (Snowball) are removed. The other words are stemmed by Porter2.",
	Scoring: "BM25 with k1 = 1.2 and b = 0.75. A word that the query repeats counts once.",
	Ties:    "Tools are ordered by the bytes of their names.",
	Limit:   5,

	wireName: func(server, tool string) string {
		if server == "" {
			return tool
		}
		return server + "." + tool
	},
	engine: newPlain,
}

// plain is the engine of [BM25].
type plain struct {
	ranking *lexical.Ranking
	found   []hit
}

func newPlain(ix *Index) engine {
	lists.SortStable(ix.tools, func(a, b *entry) int { return strings.Compare(a.tool.Name, b.tool.Name) })
	docs := make([]lexical.Doc, len(ix.tools))
	for i, e := range ix.tools {
		docs[i] = lexical.Doc{Name: e.tool.Name, Description: e.tool.Description}
	}
	return &plain{ranking: lexical.NewRanking(docs)}
}

func (p *plain) score(query string) hits {
	p.found = p.found[:0]
	for doc, score := range p.ranking.Scores(query) {
		p.found = append(p.found, hit{int32(doc), pointsOf(score)})
	}
	return hits{list: p.found}
}

func pointsOf(steps int64) float64 { return float64(steps) / 1e9 }

func (p *plain) explain(query string, tool int) (all []Earned) {
	for _, m := range p.ranking.Matched(query, tool) {
		all = append(all, Earned{m.Word, pointsOf(m.Weight), m.Where()})
	}
	return all
}
