package toolsearch

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// Server holds the tools and instructions of one server.
type Server struct {
	Name         string // the name in the client's settings; "" if it is unknown: then the words of the name do not count
	Instructions string // "" if the server has none, or if they are not known
	Tools        []*catalog.Tool

	// KnowsInstructions means that Instructions are known, even if they are "".
	KnowsInstructions bool
}

// ServersOf groups the tools for models by server, in the order of the catalogs. Tools of the same server in several
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

// Index holds the tools of all servers for the search of one client. It is not safe for concurrent use.
type Index struct {
	client  *Client
	servers []Server
	tools   []entry               // deferred tools, in the order that decides between equal scores
	placeOf map[*catalog.Tool]int // index of a tool in tools
	eager   []entry
	engine  engine
}

// entry is a tool of an index.
type entry struct {
	server   *Server
	tool     *catalog.Tool
	wireName string
}

// engine computes the scores of one client.
type engine interface {
	// score returns the tools that match a query, each once. The result is valid until the next call.
	score(query string) hits
	// explain returns the points that a tool gets for the words of the query, in the order of the query.
	explain(query string, tool int) []Earned
}

// hits are the tools that match a query. If the query lists tools by name, they are in that order and have no scores.
type hits struct {
	list      []hit
	isOrdered bool
	noLimit   bool // no limit applies
}

// hit is a tool, given by its place in the index. Eager tools follow the others.
type hit struct {
	tool  int32
	score float64
}

// Result is a tool that a search returned.
type Result struct {
	Rank   int // place in the list that the model sees, from 1
	Server string
	Tool   *catalog.Tool
	Score  float64 // 0 if the query names the tool
	Tied   bool    // the client orders tools with this score by chance

	at int32 // position in the index
}

// Earned holds the points that a tool gets for a word of a query.
type Earned struct {
	Term   string // the word, in lower case
	Points float64
	Where  []string // the fields with the word
}

// Explained is a result with the points for each word of the query; words without points are left out.
type Explained struct {
	Result
	Words []Earned
}

// Index makes an index of the servers' tools for models.
func (c *Client) Index(servers []Server) *Index {
	ix := &Index{client: c, servers: slices.Clone(servers), placeOf: map[*catalog.Tool]int{}}
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
		ix.placeOf[e.tool] = i
	}
	return ix
}

func (ix *Index) entryAt(tool int32) entry {
	if n := len(ix.tools); int(tool) >= n {
		return ix.eager[int(tool)-n]
	}
	return ix.tools[tool]
}

// Len returns the number of tools that can be found: those for models, without eager ones.
func (ix *Index) Len() int { return len(ix.tools) }

// Search returns the list that the model gets for a query, in the client's order: at most limit tools, or the client's
// own limit if limit is 0.
func (ix *Index) Search(query string, limit int) []Result {
	found := ix.engine.score(query)
	if limit == 0 {
		limit = ix.client.Limit
	}
	if !found.isOrdered {
		moveFirst(found.list, min(limit, len(found.list))+1) // one more, which may be tied with the last
	}
	shown := found.list
	if !found.noLimit {
		shown = shown[:min(limit, len(shown))]
	}
	results := make([]Result, len(shown))
	for i, h := range shown {
		e := ix.entryAt(h.tool)
		results[i] = Result{Server: e.server.Name, Tool: e.tool, Score: h.score, Tied: ix.client.RandomTies && isTied(found.list, i), at: h.tool}
	}
	if ix.client.groups {
		results = groupByServer(results)
	}
	for i := range results {
		results[i].Rank = i + 1
	}
	return results
}

// compare orders by descending score; tools with equal scores keep their order in the index.
func compare(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.tool, b.tool))
}

// moveFirst moves the first n hits to the front, in order, because a search shows only few of the matching tools.
func moveFirst(list []hit, n int) {
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

// isTied reports whether a hit of a sorted list has the same score as a neighbour.
func isTied(list []hit, i int) bool {
	return i > 0 && list[i-1].score == list[i].score || i+1 < len(list) && list[i+1].score == list[i].score
}

// groupByServer puts the tools of each server together, at the place of the first one.
func groupByServer(results []Result) []Result {
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

// Ranks returns the ranks of tools among all tools that match a query, by score, from 1: a search finds the tools whose rank is
// at most its limit. If the client orders equal scores by chance, a tool has the worst rank that it can get. A tool that does
// not match, or that is hidden from models, has the rank [Index.Unfound], which is after those of all tools. An eager tool needs
// no search and has the rank 0.
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

// rank returns the worst rank that ties allow for a tool; 0 for a tool that the client does not defer.
func (ix *Index) rank(found hits, t *catalog.Tool) int {
	if ix.client.IsEager(t) {
		return 0
	}
	place, ok := ix.placeOf[t]
	at := -1
	if ok {
		at = slices.IndexFunc(found.list, func(h hit) bool { return int(h.tool) == place })
	}
	switch {
	case at < 0:
		return ix.Unfound()
	case found.isOrdered:
		return at + 1
	}
	own, rank := found.list[at], 1
	for _, h := range found.list {
		isTied := h.score == own.score && h.tool != own.tool
		comesFirst := ix.client.RandomTies || h.tool < own.tool
		if h.score > own.score || isTied && comesFirst {
			rank++
		}
	}
	return rank
}

// Explain returns the result of [Index.Search], with the points of each tool for each word of the query, the most
// first.
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

// sumByWord adds up the points of repeated words, and sorts the words by their points.
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
	lists.SortStable(all, func(a, b *Earned) int { return cmp.Compare(b.Points, a.Points) })
	return all
}
