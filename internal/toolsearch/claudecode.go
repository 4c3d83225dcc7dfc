package toolsearch

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/lists"
)

// ClaudeCode is the search of Claude Code's tool ToolSearch.
var ClaudeCode = &Client{
	Name:     "claude-code",
	Title:    "Claude Code",
	Version:  "2.1.330",
	Verified: "2026-11-23",
	Evidence: "with 2,412 search results of the program: all have the same order",
	Source:   "the program and its JavaScript",
	Tool:     "ToolSearch",

	Fields:  []string{"server name", "tool name", "description", "`_meta[\"anthropic/searchHint\"]`"},
	Ignored: []string{"title", "arguments", "annotations", "instructions of the server", "output schema"},
	Tokens: "A query is split at blanks into at most 32 lower-case words. Stop words are kept, and words are not stemmed. " +
		"A name is split at blanks, `_` and `.`. Only the first 4,096 characters of a description are searched.",
	Scoring: "A word of the query scores 24 if it equals a name of one word, 16 if it equals one word of a name, 12 if it equals a name of several words, " +
		"10 if it is part of one word of a name, and 4 if it is part of a name but spans several words. It scores 4 more if the search hint has it, and 2 more if the description has it. " +
		"A tool must have each `+word`. `select:NAME` looks up a name, and so does a query that is a name with `mcp__`, or the beginning of such a name.",
	Ties:  "Tools are ordered by `mcp__SERVER__TOOL` in Unicode collation.",
	Limit: 5,
	Unknowns: []string{
		"the client's own 15 deferred tools, which were first among equal scores in 4 of 90 lists",
		"servers with `alwaysLoad` in the client's settings (`_meta[\"anthropic/alwaysLoad\"]` of a tool is modelled)",
		"features that the vendor enables remotely",
	},

	asciiWords: true,

	wireName: func(server, tool string) string { return "mcp__" + wireWord(server) + "__" + wireWord(tool) },
	isEager:  alwaysLoads,
	engine:   newClaudeCode,
}

// Bounds of Claude Code for a query.
const (
	maxQueryUnits = 16_384
	maxQueryWords = 32
	maxSelected   = 64
)

// wireWord replaces the characters that names in requests to the model cannot have, one for each UTF-16 unit.
func wireWord(name string) string {
	var b strings.Builder
	for _, r := range name {
		if isASCIIWordRune(r) || r == '-' {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Repeat("_", utf16.RuneLen(r)))
	}
	return b.String()
}

// isASCIIWordRune reports whether JavaScript's \w matches a character.
func isASCIIWordRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// claudeCode is the engine of [ClaudeCode].
type claudeCode struct {
	index *Index
	lower []claudeTool
	names substrings

	wires, lowerWires map[string]int32 // the first tool with a wire name, as written and in lower case

	words    map[string][]int32 // tools by the runs of word characters in their descriptions, and by the text between two runs
	hints    map[string][]int32
	terms    map[string][]hit // points of a term for each tool
	keptHits int              // hits in terms

	scores []float64
	found  []hit
}

// claudeTool holds the texts of a tool that are searched, in lower case.
type claudeTool struct {
	server, name, description, hint string
}

func newClaudeCode(ix *Index) engine {
	sortByWireName(ix.tools)
	sortByWireName(ix.eager)
	c := &claudeCode{index: ix, words: map[string][]int32{}, hints: map[string][]int32{}, terms: map[string][]hit{}, scores: make([]float64, len(ix.tools))}
	for i, e := range ix.tools {
		t := claudeTool{lowerCase(e.server.Name), lowerCase(e.tool.Name), lowerCase(cutUnits(e.tool.Description)), lowerCase(hintOf(e.tool))}
		c.lower = append(c.lower, t)
		c.names.add(t.server, int32(i))
		c.names.add(t.name, int32(i))
		addWords(c.words, t.description, int32(i))
		addWords(c.hints, t.hint, int32(i))
	}
	c.names.build()
	c.indexWireNames()
	return c
}

func (c *claudeCode) indexWireNames() {
	c.wires, c.lowerWires = map[string]int32{}, map[string]int32{}
	for tool := range int32(len(c.index.tools) + len(c.index.eager)) {
		wire := c.index.entryAt(tool).wireName
		for _, named := range []struct {
			of   map[string]int32
			name string
		}{{c.wires, wire}, {c.lowerWires, strings.ToLower(wire)}} {
			if _, ok := named.of[named.name]; !ok {
				named.of[named.name] = tool
			}
		}
	}
}

// sortByWireName sorts tools by their wire names in the order of ICU's root collation: "_", "-", digits, letters regardless
// of case; if these are equal, a lower-case letter comes first.
func sortByWireName(tools []entry) {
	keys := make(map[string]string, len(tools))
	folded := strings.NewReplacer("_", "\x01", "-", "\x02")
	for _, e := range tools {
		keys[e.wireName] = folded.Replace(strings.ToLower(e.wireName))
	}
	lists.SortStable(tools, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(keys[a.wireName], keys[b.wireName]), cmp.Compare(b.wireName, a.wireName)) // upper case has the lower codes
	})
}

func (c *claudeCode) score(query string) hits {
	query = cutQuery(query)
	if names, ok := selectedNames(query); ok {
		return hits{list: c.selectedTools(names), isOrdered: true, noLimit: true}
	}
	query = firstWords(query)
	if list, ok := c.namedTools(query); ok {
		return hits{list: list, isOrdered: true}
	}
	terms, required := termsOf(query)
	for _, term := range terms {
		for _, h := range c.hitsOf(term) {
			if c.scores[h.tool] == 0 {
				c.found = append(c.found, h)
			}
			c.scores[h.tool] += h.score
		}
	}
	list := c.found
	for i, h := range list {
		list[i].score, c.scores[h.tool] = c.scores[h.tool], 0
	}
	for _, term := range required {
		list = intersect(list, c.hitsOf(term))
	}
	c.found = c.found[:0]
	return hits{list: list}
}

// intersect keeps the hits whose tools are also in another list, which must be sorted by tool.
func intersect(list, other []hit) []hit {
	return slices.DeleteFunc(list, func(h hit) bool {
		_, ok := slices.BinarySearchFunc(other, h, func(a, b hit) int { return cmp.Compare(a.tool, b.tool) })
		return !ok
	})
}

// hitsOf returns the tools that get points for a term, with their points, sorted by tool.
func (c *claudeCode) hitsOf(term string) []hit {
	if list, ok := c.terms[term]; ok {
		return list
	}
	points := map[int32]float64{}
	for tool, m := range c.matchNames(term) {
		points[tool] += m.points()
	}
	for _, tool := range toolsWithTerm(c.hints, term, func(tool int32) string { return c.lower[tool].hint }) {
		points[tool] += hintPoints
	}
	for _, tool := range toolsWithTerm(c.words, term, func(tool int32) string { return c.lower[tool].description }) {
		points[tool] += descriptionPoints
	}
	list := make([]hit, 0, len(points))
	for tool, n := range points {
		list = append(list, hit{tool, n})
	}
	slices.SortFunc(list, func(a, b hit) int { return cmp.Compare(a.tool, b.tool) })
	size := len(list) + 1
	c.keptHits += size
	if c.keptHits > maxKept {
		c.keptHits = size
		clear(c.terms)
	}
	c.terms[strings.Clone(term)] = list
	return list
}

// maxKept bounds the hits that are remembered, of 16 bytes each. Queries repeat their words, but malicious ones do not, so all
// hits are forgotten when there are more.
const maxKept = 4_000_000

// The points of a term for places other than names.
const (
	hintPoints        = 4
	descriptionPoints = 2
)

// nameMatch describes the match of a term with the names of a tool, the best of both names. The parts of a name are its words
// between separators.
type nameMatch struct {
	isPart bool // the term is a part
	inPart bool // the term is in one part
	isName bool // the term is a name
}

func (m nameMatch) points() float64 {
	var n float64
	switch {
	case m.isPart:
		n = 12
	case m.inPart:
		n = 6
	}
	if m.isName {
		return n + 12
	}
	return n + 4
}

// withMatch returns m together with the match of the term at name[from:to].
func (m nameMatch) withMatch(name string, from, to int) nameMatch {
	within := strings.IndexFunc(name[from:to], isSeparator) < 0
	m.inPart = m.inPart || within
	m.isPart = m.isPart || within && endsPart(name[:from]) && beginsPart(name[to:])
	m.isName = m.isName || from == 0 && to == len(name)
	return m
}

func endsPart(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || isSeparator(r)
}

func beginsPart(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || isSeparator(r)
}

func isSeparator(r rune) bool { return r == '_' || r == '.' || isBlank(r) }

// isBlank reports whether JavaScript's \s matches a character.
func isBlank(r rune) bool { return unicode.IsSpace(r) && r != '\u0085' || r == '\ufeff' }

func (c *claudeCode) matchNames(term string) map[int32]nameMatch {
	matches := map[int32]nameMatch{}
	c.names.find(term, func(name string, at int, tools []int32) {
		m := nameMatch{}.withMatch(name, at, at+len(term))
		for _, tool := range tools {
			old := matches[tool]
			matches[tool] = nameMatch{old.isPart || m.isPart, old.inPart || m.inPart, old.isName || m.isName}
		}
	})
	return matches
}
