package toolsearch

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// Codex is the search of Codex' tool tool_search.
var Codex = &Client{
	Name:     "codex",
	Title:    "Codex",
	Version:  "0.169.0",
	Verified: "2026-11-23",
	Evidence: "with 2,310 search results of the program: apart from equal scores, all but 2 (Chinese and emoji) have the same order",
	Source:   "openai/codex codex-rs/core/src/tools/handlers/tool_search.rs and mcp.rs; the crate bm25 2.3.2",
	Tool:     "tool_search",

	Fields: []string{"`mcp__SERVERTOOL`", "tool name (as written, and as requests spell it)", "server name", "title", "description",
		"instructions of the server", "names of the outermost arguments"},
	Ignored: []string{"descriptions of arguments", "values", "inner arguments", "annotations", "`_meta`"},
	Tokens: "Text is converted to lower-case ASCII letters and split at word boundaries (UAX 29): `create_issue` is one word, `create-issue` is two words. " +
		"179 stop words (NLTK) are removed. The other words are stemmed by Porter2.",
	Scoring:  "BM25 with k1 = 1.2 and b = 0.75 in 32-bit floats, over all tools of all servers. A word that the query repeats counts each time.",
	Ties:     "The client orders such tools at random in each search. mcp-gates gives a tool its worst possible rank.",
	Limit:    8,
	Unknowns: []string{"connectors and plugins", "letters that are not Latin, Greek or Cyrillic, and most emoji: the client converts them to Latin letters, but in mcp-gates they match only themselves"},

	RandomTies: true, NeedsSchemas: true,
	groups:   true,
	wireName: func(server, tool string) string { return "mcp__" + codexWord(server) + "/" + codexWord(tool) },
	engine:   newCodex,
}

// codexWord replaces the characters that names in requests to the model cannot have.
func codexWord(name string) string {
	return strings.Map(func(r rune) rune {
		if isASCIIWordRune(r) {
			return r
		}
		return '_'
	}, name)
}

// Parameters of BM25.
const (
	k1 float32 = 1.2
	b  float32 = 0.75
)

// codex is the engine of [Codex].
type codex struct {
	index    *Index
	words    *tokens
	lengths  []int32
	average  float32
	postings map[string][]posting
	scores   []float32
	seen     []bool
	found    []hit
}

// posting is a tool with a token, and the score that each occurrence of the token in a query adds for the tool.
type posting struct {
	tool  int32
	score float32
}

func newCodex(ix *Index) engine {
	lists.SortStable(ix.tools, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.wireName, b.wireName), cmp.Compare(a.tool.Name, b.tool.Name))
	})
	n := len(ix.tools)
	c := &codex{index: ix, words: newTokens(), postings: map[string][]posting{}, scores: make([]float32, n), seen: make([]bool, n)}
	instructions := map[*Server][]token{}
	total := 0
	for i, e := range ix.tools {
		if _, ok := instructions[e.server]; !ok {
			instructions[e.server] = c.words.tokensOf(e.server.Instructions)
		}
		all := slices.Clone(instructions[e.server])
		for _, f := range fieldsOf(e) {
			all = append(all, c.words.tokensOf(f.text)...)
		}
		c.lengths = append(c.lengths, int32(len(all)))
		total += len(all)
		c.addPostings(int32(i), all)
	}
	c.average = float32(float64(total) / float64(max(n, 1)))
	if c.average <= 0 {
		c.average = 256
	}
	for _, list := range c.postings {
		c.setScores(list)
	}
	return c
}

func (c *codex) addPostings(tool int32, all []token) {
	for _, token := range all {
		list := c.postings[token.stem]
		if n := len(list); n > 0 && list[n-1].tool == tool {
			list[n-1].score++
			continue
		}
		c.postings[token.stem] = append(list, posting{tool, 1})
	}
}

// setScores turns the counts of a token into scores. The conversions prevent a compiler from fusing two operations into
// one.
func (c *codex) setScores(list []posting) {
	n, f := float32(len(c.index.tools)), float32(len(list))
	idf := float32(math.Log(float64(1 + float32((n-f+0.5)/(f+0.5)))))
	for i, p := range list {
		length := float32(float32(c.lengths[p.tool]) / c.average)
		norm := float32(k1 * (1 - b + float32(b*length)))
		list[i].score = float32(idf * float32(float32(p.score*(k1+1))/(p.score+norm)))
	}
}

func (c *codex) score(query string) hits {
	c.found = c.found[:0]
	for _, token := range c.words.tokensOf(query) {
		for _, p := range c.postings[token.stem] {
			if !c.seen[p.tool] {
				c.seen[p.tool] = true
				c.found = append(c.found, hit{tool: p.tool})
			}
			c.scores[p.tool] += p.score
		}
	}
	for i, h := range c.found {
		c.found[i].score = float64(c.scores[h.tool])
		c.scores[h.tool], c.seen[h.tool] = 0, false
	}
	return hits{list: c.found}
}

// field is a text of a tool that is searched.
type field struct {
	what, text string
}

// fieldsOf returns the texts of a tool, without its server's instructions.
func fieldsOf(e entry) []field {
	callable := codexWord(e.tool.Name)
	return []field{
		{"name", "mcp__" + codexWord(e.server.Name) + callable},
		{"name", callable},
		{"name", e.tool.Name},
		{"server", e.server.Name},
		{"title", e.tool.Title},
		{"description", e.tool.Description},
		{"arguments", strings.Join(argumentsOf(e.tool), " ")},
	}
}

func argumentsOf(t *catalog.Tool) []string {
	properties := t.Input().Get("properties").Object()
	if properties == nil {
		return nil
	}
	return slices.Sorted(slices.Values(properties.Keys))
}

// explain returns the words of a query that a tool has, with the points that each earned.
func (c *codex) explain(query string, tool int) []Earned {
	e := c.index.tools[tool]
	var fields []field
	for _, f := range append(fieldsOf(e), field{"instructions", e.server.Instructions}) {
		fields = append(fields, field{f.what, c.words.stemsOf(f.text)})
	}
	var all []Earned
	for _, token := range c.words.tokensOf(query) {
		i, ok := slices.BinarySearchFunc(c.postings[token.stem], int32(tool), func(p posting, tool int32) int { return cmp.Compare(p.tool, tool) })
		if !ok {
			continue
		}
		one := Earned{Term: token.word, Points: float64(c.postings[token.stem][i].score)}
		for _, f := range fields {
			if strings.Contains(f.text, "\x00"+token.stem+"\x00") && !slices.Contains(one.Where, f.what) {
				one.Where = append(one.Where, f.what)
			}
		}
		all = append(all, one)
	}
	return all
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
