package catalog

import (
	"cmp"
	"slices"
	"sort"

	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
)

// Pair is a tool in the base and in the head.
type Pair struct{ Base, Head *Tool }

// Pairing pairs the tools of one catalog with those of another. Its lists are sorted by server and name; lists of pairs first by
// those of the base. If several tools have the same server and name, the first counts.
type Pairing struct {
	Same           []Pair  // tools with the same server and name, changed or not
	Renamed        []Pair  // pairs of the same tool under two names
	Hidden         []Pair  // tools with the same server and name that models no longer see
	Added, Removed []*Tool // all other tools

	// Probable pairs removed tools with their probable successors: added tools, or the new names of renamed tools. Several removed
	// tools may have the same successor. Names with opposite meanings are not paired. The list breaks no callers; it decides only
	// which findings are new, for tools with the same description.
	Probable []Pair
}

// The minimum share of words that the descriptions of two tools have in common.
const (
	renamedWords       = 9 // in tenths, for a renamed tool; its schemas and hints are equal
	probableWords      = 6 // in tenths, for a probable successor whose schema is equal
	probableOtherWords = 4 // in tenths, for a probable successor that has half of the argument names
)

// Limits on the search for renamed tools. If a server has more than maxPairs pairs of a removed and an added tool, or after
// maxLooked terms of all servers were compared, only tools with equal words and schemas are paired.
const (
	maxPairs  = 250_000
	maxLooked = 1 << 26
)

// Pairs pairs the tools of base with those of head, by server; a nil catalog has no tools. A removed and an added tool
// are one renamed tool if
//
//   - the schemas of both are known (a manifest has no schemas),
//   - their input schemas are equal in RFC 8785 form, titles and descriptions aside, and so are the hints of their
//     annotations,
//   - their descriptions have words, and have at least nine tenths of them in common: the Jaccard index of their terms,
//   - and no difference shows that they do different things; see [lexical.Profile.SameSense].
//
// Best pairs come first: by words, argument names, old name and new name.
func Pairs(base, head *Catalog) Pairing {
	base, head = cmp.Or(base, &Catalog{}), cmp.Or(head, &Catalog{})
	before, after := firstByRef(base.Tools), firstByRef(head.Tools)
	var p Pairing
	removed, added := map[string][]*Tool{}, map[string][]*Tool{}
	servers := []string{}
	for ref, t := range before {
		if now, ok := after[ref]; ok {
			p.Same = append(p.Same, Pair{t, now})
			continue
		}
		if removed[ref.Server] == nil {
			servers = append(servers, ref.Server)
		}
		removed[ref.Server] = append(removed[ref.Server], t)
	}
	for ref, t := range after {
		if before[ref] == nil {
			added[ref.Server] = append(added[ref.Server], t)
			p.Added = append(p.Added, t)
		}
	}
	slices.Sort(servers)
	looked := 0
	for _, server := range servers {
		p.Removed = append(p.Removed, removed[server]...)
		if len(added[server]) > 0 {
			newRenameSearch(removed[server], added[server]).findPairs(&p, &looked)
		}
	}
	p.moveHidden(head)
	p.finishLists()
	return p
}

// moveHidden moves the removed tools that head still has, but only for apps, from Removed to Hidden, and drops their probable
// successors. It leaves renamed tools in Removed, because finishLists removes them.
func (p *Pairing) moveHidden(head *Catalog) {
	renamed, hidden := map[*Tool]bool{}, firstByRef(head.Hidden)
	for _, pair := range p.Renamed {
		renamed[pair.Base] = true
	}
	p.Removed = slices.DeleteFunc(p.Removed, func(t *Tool) bool {
		now := hidden[t.Ref()]
		isHidden := now != nil && !renamed[t]
		if isHidden {
			p.Hidden = append(p.Hidden, Pair{t, now})
		}
		return isHidden
	})
	p.Probable = slices.DeleteFunc(p.Probable, func(pair Pair) bool { return hidden[pair.Base.Ref()] != nil })
}

func firstByRef(list []*Tool) map[Ref]*Tool {
	tools := map[Ref]*Tool{}
	for _, t := range list {
		if tools[t.Ref()] == nil {
			tools[t.Ref()] = t
		}
	}
	return tools
}

// finishLists removes renamed tools from Added and Removed, and sorts all lists.
func (p *Pairing) finishLists() {
	renamed := map[*Tool]bool{}
	for _, pair := range p.Renamed {
		renamed[pair.Base], renamed[pair.Head] = true, true
	}
	isRenamed := func(t *Tool) bool { return renamed[t] }
	p.Added = slices.DeleteFunc(p.Added, isRenamed)
	p.Removed = slices.DeleteFunc(p.Removed, isRenamed)
	slices.SortStableFunc(p.Added, compareTools)
	slices.SortStableFunc(p.Removed, compareTools)
	for _, pairs := range [][]Pair{p.Same, p.Renamed, p.Hidden, p.Probable} {
		sort.SliceStable(pairs, func(i, j int) bool {
			a, b := &pairs[i], &pairs[j]
			return cmp.Or(compareTools(a.Base, b.Base), compareTools(a.Head, b.Head)) < 0
		})
	}
}

func compareTools(a, b *Tool) int { return CompareRefs(a.Ref(), b.Ref()) }

// unpairedTool is a tool that only one of the two catalogs has.
type unpairedTool struct {
	*Tool
	words     *lexical.Profile
	schema    string // see [bareSchema]
	hints     string
	arguments []string // names, ascending
}

// renameSearch looks for pairs among the tools of one server.
type renameSearch struct {
	removed, added []*unpairedTool // sorted by name
}

func newRenameSearch(removed, added []*Tool) *renameSearch {
	all := slices.Concat(removed, added)
	docs := lists.Map(all, func(t *Tool) lexical.Doc { return lexical.Doc{Name: t.Name, Description: t.Description} })
	lones := make([]*unpairedTool, len(all))
	for i, words := range lexical.Profiles(docs) {
		input := all[i].Input()
		lones[i] = &unpairedTool{all[i], words, bareSchema(input), hints(all[i].Annotations), argumentNames(input)}
	}
	r := &renameSearch{lones[:len(removed)], lones[len(removed):]}
	for _, side := range [][]*unpairedTool{r.removed, r.added} {
		slices.SortStableFunc(side, func(a, b *unpairedTool) int { return cmp.Compare(a.Name, b.Name) })
	}
	return r
}

// findPairs adds the server's pairs to p, and the number of compared terms to looked.
func (r *renameSearch) findPairs(p *Pairing, looked *int) {
	work := len(r.added)*termCount(r.removed) + len(r.removed)*termCount(r.added)
	if len(r.removed)*len(r.added) > maxPairs || work > maxLooked-*looked {
		r.findEqualPairs(p)
		return
	}
	*looked += work
	candidates := r.sortedCandidates()
	taken := map[*unpairedTool]bool{}
	for _, c := range candidates {
		if c.isRenamed && !taken[c.old] && !taken[c.now] {
			taken[c.old], taken[c.now] = true, true
			p.Renamed = append(p.Renamed, Pair{c.old.Tool, c.now.Tool})
		}
	}
	for _, c := range candidates {
		if !taken[c.old] {
			taken[c.old] = true
			p.Probable = append(p.Probable, Pair{c.old.Tool, c.now.Tool})
		}
	}
}

func termCount(tools []*unpairedTool) int {
	return lists.Sum(tools, func(t *unpairedTool) int { return 1 + t.words.Len() })
}

// candidate is a removed and an added tool that may be the same tool.
type candidate struct {
	old, now  *unpairedTool
	words     share
	arguments share
	isRenamed bool
}

// sortedCandidates returns the pairs that are at least probable, the best first.
func (r *renameSearch) sortedCandidates() []candidate {
	var all []candidate
	for _, old := range r.removed {
		for _, now := range r.added {
			if c := newCandidate(old, now); c.isRenamed || c.isProbable() {
				all = append(all, c)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(b.words.compare(a.words), b.arguments.compare(a.arguments)) < 0
	})
	return all
}

func newCandidate(old, now *unpairedTool) candidate {
	c := candidate{old: old, now: now}
	c.words.part, c.words.whole = old.words.Common(now.words)
	if !c.words.atLeast(probableOtherWords, 10) || old.words.OppositeNames(now.words) {
		return candidate{}
	}
	c.arguments = namesInCommon(old.arguments, now.arguments)
	isSameForm := c.schemasKnown() && old.schema == now.schema && old.hints == now.hints
	c.isRenamed = isSameForm && c.words.atLeast(renamedWords, 10) && old.words.SameSense(now.words)
	return c
}

func (c *candidate) schemasKnown() bool { return !c.old.SchemaUnknown && !c.now.SchemaUnknown }

func (c *candidate) isProbable() bool {
	if !c.words.atLeast(probableOtherWords, 10) {
		return false
	}
	mayHaveSameSchema := c.old.schema == c.now.schema || !c.schemasKnown()
	sharesArguments := c.arguments.atLeast(1, 2)
	return sharesArguments || mayHaveSameSchema && c.words.atLeast(probableWords, 10)
}

// findEqualPairs pairs tools whose words and schemas are equal, in the order of their names.
func (r *renameSearch) findEqualPairs(p *Pairing) {
	type key struct{ text, schema, hints string }
	keyOf := func(t *unpairedTool) key { return key{lexical.Plain(t.Description), t.schema, t.hints} }
	added := map[key][]*unpairedTool{}
	for _, t := range r.added {
		if k := keyOf(t); !t.SchemaUnknown {
			added[k] = append(added[k], t)
		}
	}
	for _, old := range r.removed {
		k := keyOf(old)
		if old.words.Len() == 0 || old.SchemaUnknown || len(added[k]) == 0 {
			continue
		}
		now := added[k][0]
		added[k] = added[k][1:]
		if old.words.SameSense(now.words) {
			p.Renamed = append(p.Renamed, Pair{old.Tool, now.Tool})
		}
	}
}

// share is a part of a whole. A whole of 0 means that there is nothing to share.
type share struct{ part, whole int }

func (s share) atLeast(part, whole int) bool {
	return s.whole > 0 && s.part*whole >= part*s.whole
}

func (s share) compare(t share) int {
	return cmp.Compare(s.part*max(t.whole, 1), t.part*max(s.whole, 1))
}

// namesInCommon returns the Jaccard index of two ascending lists.
func namesInCommon(a, b []string) share {
	common := lists.Count(a, func(name string) bool {
		_, ok := slices.BinarySearch(b, name)
		return ok
	})
	return share{common, len(a) + len(b) - common}
}
