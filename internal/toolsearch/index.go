package toolsearch

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// Server is what one server advertises.
type Server struct {
	Name         string // as the client's settings name it; "" where nobody knows: its tools then have no server's words
	Instructions string // "" where the server gives none, or where they are not known
	Tools        []*catalog.Tool

	// KnowsInstructions says that Instructions are the server's, be they "".
	KnowsInstructions bool
}

// ServersOf groups the tools that models are offered by their servers, in the order of the catalogs. Tools of one server in several
// catalogs are together.
func ServersOf(cats ...*catalog.Catalog) (list []Server) {
	at := map[string]int{}
	for _, cat := range cats {
		for _, t := range cat.Tools {
			i, ok := at[t.Server]
			if !ok {
				i = len(list)
				at[t.Server] = i
				list = append(list, Server{Name: t.Server})
			}
			s := &list[i]
			s.Tools = append(s.Tools, t)
			if !s.KnowsInstructions {
				said, known := cat.InstructionsOf(t.Server)
				s.Instructions, s.KnowsInstructions = said.Text, known
			}
		}
	}
	return list
}

// Index is the tools of all servers, as one client searches them. It is not safe for concurrent use.
type Index struct {
	client  *Client
	servers []Server
	tools   []entry               // that are deferred, in the order in which equal scores stand
	place   map[*catalog.Tool]int // in tools
	eager   []entry
	engine  engine
}

// entry is a tool of an index.
type entry struct {
	server *Server
	tool   *catalog.Tool
	wire   string
}

// engine is one client's scoring.
type engine interface {
	// score returns the tools that fit a query, each once. They are valid until the next call.
	score(query string) hits
	// explain returns what the words of the query earned a tool, in the order of the query.
	explain(query string, tool int) []Earned
}

// hits are the tools that fit a query. Those of a list that the query spells out have their order and no scores.
type hits struct {
	list    []hit
	ordered bool
	whole   bool // no limit applies
}

// hit is a tool, by its place in the index. Eager tools follow the others.
type hit struct {
	tool  int32
	score float64
}

// Result is a tool that a search returned.
type Result struct {
	Rank   int // its place in the list that the model sees, from 1
	Server string
	Tool   *catalog.Tool
	Score  float64 // 0 where the query names the tool
	Tied   bool    // the client orders it among tools of its score by chance

	at int32 // its place in the index
}

// Earned is what a word of a query earned a tool.
type Earned struct {
	Term   string // the word, in lower case
	Points float64
	Where  []string // in which fields
}

// Explained is a result with what each word of the query earned it; words that earned nothing are left out.
type Explained struct {
	Result
	Words []Earned
}

// Index makes an index of the tools of servers that models are offered.
func (c *Client) Index(servers []Server) *Index {
	ix := &Index{client: c, servers: slices.Clone(servers), place: map[*catalog.Tool]int{}}
	for i := range ix.servers {
		s := &ix.servers[i]
		for _, t := range s.Tools {
			switch one := (entry{s, t, c.WireName(s.Name, t.Name)}); {
			case t.ForAppsOnly():
			case c.IsEager(t):
				ix.eager = append(ix.eager, one)
			default:
				ix.tools = append(ix.tools, one)
			}
		}
	}
	ix.engine = c.engine(ix)
	for i, e := range ix.tools {
		ix.place[e.tool] = i
	}
	return ix
}

func (ix *Index) at(tool int32) entry {
	if n := len(ix.tools); int(tool) >= n {
		return ix.eager[int(tool)-n]
	}
	return ix.tools[tool]
}

// Len returns how many tools can be found: those that models are offered, without eager ones.
func (ix *Index) Len() int { return len(ix.tools) }

// Search returns what a search for a query returns to the model, in the client's order; at most limit tools, or as many as the
// client returns by itself where limit is 0.
func (ix *Index) Search(query string, limit int) []Result {
	found := ix.engine.score(query)
	if limit == 0 {
		limit = ix.client.Limit
	}
	if !found.ordered {
		sortFirst(found.list, min(limit, len(found.list))+1) // and one more, which may be tied with the last
	}
	shown := found.list
	if !found.whole {
		shown = shown[:min(limit, len(shown))]
	}
	results := make([]Result, len(shown))
	for i, h := range shown {
		e := ix.at(h.tool)
		results[i] = Result{Server: e.server.Name, Tool: e.tool, Score: h.score, Tied: ix.client.RandomTies && isTied(found.list, i), at: h.tool}
	}
	if ix.client.groups {
		results = grouped(results)
	}
	for i := range results {
		results[i].Rank = i + 1
	}
	return results
}

// compare puts a higher score first, and the tool that stands first in the index where scores are equal.
func compare(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.tool, b.tool))
}

// sortFirst puts the first n hits in order in front of the others: a search shows few of the many tools that fit.
func sortFirst(list []hit, n int) {
	if n >= len(list)/8 {
		slices.SortFunc(list, compare)
		return
	}
	first := list[:n]
	slices.SortFunc(first, compare)
	for i := n; i < len(list); i++ {
		h, last := list[i], first[n-1]
		if compare(h, last) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(first, h, compare)
		copy(first[at+1:], first[at:n-1])
		first[at], list[i] = h, last
	}
}

// isTied reports whether a hit of a sorted list has its equal beside it.
func isTied(list []hit, i int) bool {
	return i > 0 && list[i-1].score == list[i].score || i+1 < len(list) && list[i+1].score == list[i].score
}

// grouped puts the tools of each server together, where its first one stands.
func grouped(results []Result) []Result {
	var all []Result
	for i, r := range results {
		if slices.ContainsFunc(results[:i], func(o Result) bool { return o.Server == r.Server }) {
			continue
		}
		for _, o := range results[i:] {
			if o.Server == r.Server {
				all = append(all, o)
			}
		}
	}
	return all
}

// Ranks returns where tools stand among all that fit a query, by score, from 1: a search finds those whose rank is at most its limit.
// Where the client orders equal scores by chance, a tool has the worst rank that it can get. A tool that does not fit ranks after
// all tools, as [Index.Unfound] has it, and so does one that models are not offered; an eager tool needs no search and has rank 0.
func (ix *Index) Ranks(query string, tools ...*catalog.Tool) []int {
	found := ix.engine.score(query)
	ranks := make([]int, len(tools))
	for i, t := range tools {
		ranks[i] = ix.rank(found, t)
	}
	return ranks
}

// Unfound is the rank of a tool that a query does not find.
func (ix *Index) Unfound() int { return len(ix.tools) + 1 }

func (ix *Index) rank(found hits, t *catalog.Tool) int {
	if ix.client.IsEager(t) {
		return 0
	}
	place, ok := ix.place[t]
	at := -1
	if ok {
		at = slices.IndexFunc(found.list, func(h hit) bool { return int(h.tool) == place })
	}
	switch {
	case at < 0:
		return ix.Unfound()
	case found.ordered:
		return at + 1
	}
	own, rank := found.list[at], 1
	for _, h := range found.list {
		if h.score > own.score || h.score == own.score && h.tool != own.tool && (ix.client.RandomTies || h.tool < own.tool) {
			rank++
		}
	}
	return rank
}

// Explain returns what [Index.Search] does, and what each word of the query earned each tool, the most first.
func (ix *Index) Explain(query string, limit int) []Explained {
	var all []Explained
	for _, r := range ix.Search(query, limit) {
		one := Explained{Result: r}
		if r.Score > 0 {
			one.Words = sumByWord(ix.engine.explain(query, int(r.at)))
		}
		all = append(all, one)
	}
	return all
}

// sumByWord adds up what a repeated word earned, and sorts the words by that.
func sumByWord(words []Earned) (all []Earned) {
	at := map[string]int{}
	for _, w := range words {
		if i, ok := at[w.Term]; ok {
			all[i].Points += w.Points
			continue
		}
		at[w.Term] = len(all)
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b Earned) int { return cmp.Compare(b.Points, a.Points) })
	return all
}
