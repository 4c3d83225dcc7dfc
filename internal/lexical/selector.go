// Package lexical picks tools by the words that they share with a query, and finds descriptions that read alike.
//
// A [Selector] imitates an agent's choice of a tool. Its choice is deterministic, and depends on words that a model or a
// retriever also sees. It ranks tools by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
// Beyond", 2009) over the words of their names and descriptions. [Twins] compares texts with one another.
//
// Terms are the Porter2 stems (Snowball's English stemmer) of lower-cased words without stop words. A word is a
// maximal run of Unicode letters and digits; a name is also split at camelCase boundaries.
package lexical

import (
	"cmp"
	"slices"
)

// nameWeight is the weight of a word in a name. A word in a description has the weight 1.
const nameWeight = 2

// None is the pick of a query that shares no term with any tool.
const None = -1

// Doc is a tool as the selector sees it.
type Doc struct {
	Name, Description string
}

// Selector picks a tool for each of a fixed list of queries. It prepares most data only once, so that trying another description of
// a tool is fast. A Selector is not safe for concurrent use.
type Selector struct {
	vocab *vocabulary
	docs  []document

	queries  [][]int32       // slots of each query's terms
	slots    map[int32]int32 // maps the terms of queries to their places in postings
	postings [][]posting     // by slot: the documents that contain the term

	scorer scorer
}

// document is a tool's terms.
type document struct {
	name   []int32 // terms of the name, repeated ones too
	counts []count // terms of the name and the description; a term of the name counts nameWeight times
	length int     // sum of the weighted counts
}

// posting has the weighted number of times that a document contains a term.
type posting struct {
	doc, n int32
}

// NewSelector returns a selector that picks among docs for each of queries.
func NewSelector(docs []Doc, queries []string) *Selector {
	s := &Selector{vocab: newVocabulary(nil), slots: map[int32]int32{}}
	for _, d := range docs {
		s.docs = append(s.docs, s.vocab.document(s.vocab.name(nil, d.Name), d.Description))
	}
	for _, query := range queries {
		s.queries = append(s.queries, s.compile(query))
	}
	s.fillPostings()
	s.scorer = newScorer(places(docs))
	return s
}

func (v *vocabulary) document(name []int32, description string) document {
	var ids []int32
	for range nameWeight {
		ids = append(ids, name...)
	}
	ids = v.text(ids, description)
	return document{name, tally(ids), len(ids)}
}

// compile returns the slots of a query's terms, each once, in the order in which they first occur. Scores are summed in
// this order.
func (s *Selector) compile(query string) []int32 {
	slots := firsts(s.vocab.text(nil, query))
	for i, term := range slots {
		slots[i] = s.slot(term)
	}
	return slots
}

func (s *Selector) slot(term int32) int32 {
	slot, ok := s.slots[term]
	if !ok {
		slot = int32(len(s.slots))
		s.slots[term] = slot
	}
	return slot
}

func (s *Selector) fillPostings() {
	s.postings = make([][]posting, len(s.slots))
	for i, d := range s.docs {
		for _, c := range d.counts {
			if slot, ok := s.slots[c.term]; ok {
				s.postings[slot] = append(s.postings[slot], posting{int32(i), c.n})
			}
		}
	}
}

// places returns the place of each document in the order of the names. Documents with the same name keep their order.
func places(docs []Doc) []int32 {
	byName := make([]int, len(docs))
	for i := range byName {
		byName[i] = i
	}
	slices.SortStableFunc(byName, func(i, j int) int { return cmp.Compare(docs[i].Name, docs[j].Name) })
	at := make([]int32, len(docs))
	for place, i := range byName {
		at[i] = int32(place)
	}
	return at
}

// Picks returns the index of the document that each query picks, or [None]. Among documents with equal scores, it picks the one
// whose name sorts first by its bytes, and among equal names the earlier document.
func (s *Selector) Picks() []int {
	s.scorer.setLengths(s.docs, None, 0)
	s.scorer.load(s.postings, None, nil)
	return s.scorer.picks(s.queries)
}

// PicksWith returns the picks of a selector in which document i has another description.
func (s *Selector) PicksWith(i int, description string) []int {
	doc := s.vocab.document(s.docs[i].name, description)
	added := map[int32]int32{}
	for _, c := range doc.counts {
		if slot, ok := s.slots[c.term]; ok {
			added[slot] = c.n
		}
	}
	s.scorer.setLengths(s.docs, i, doc.length)
	s.scorer.load(s.postings, i, added)
	return s.scorer.picks(s.queries)
}
