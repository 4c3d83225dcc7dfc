package lexical

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Ranked is a document that shares terms with a query, and how it got its score.
type Ranked struct {
	Doc   int
	Score int64 // in 1e-9; equal scores are a tie
	Words []Matched
}

// Matched is a word of a query that a document has, in any form.
type Matched struct {
	Word   string // as the query has it first, in lower case
	Weight int64  // what it adds to the score, in 1e-9
}

// Explain returns, for each query of which by number, the first documents, best first, at most most of them. texts are all
// queries that the selector was made for.
func (s *Selector) Explain(which []int, texts []string, most int) [][]Ranked {
	s.scorer.setLengths(s.docs, None, 0)
	s.scorer.load(s.postings, None, nil)
	lists := make([][]Ranked, len(which))
	for i, query := range which {
		lists[i] = s.explain(query, s.wordsOf(texts[query]), most)
	}
	return lists
}

// wordsOf returns the first word of a query for each of its slots.
func (s *Selector) wordsOf(query string) map[int32]string {
	words := map[int32]string{}
	for word := range strings.FieldsFuncSeq(query, isSeparator) {
		term := s.vocab.term(word)
		slot, ok := s.slots[term]
		if _, known := words[slot]; ok && !known {
			words[slot] = strings.ToLower(word)
		}
	}
	return words
}

func (s *Selector) explain(query int, words map[int32]string, most int) []Ranked {
	s.scorer.sum(s.queries[query])
	var list []Ranked
	for _, doc := range s.scorer.touched {
		list = append(list, Ranked{Doc: int(doc), Score: steps(s.scorer.scores[doc])})
	}
	s.scorer.reset()
	slices.SortStableFunc(list, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(s.scorer.place[a.Doc], s.scorer.place[b.Doc]))
	})
	list = list[:min(len(list), most)]
	for i := range list {
		list[i].Words = s.matched(s.queries[query], list[i].Doc, words)
	}
	return list
}

// matched returns the words of a query, by their slots, that a document has, the weightiest first.
func (s *Selector) matched(query []int32, doc int, words map[int32]string) []Matched {
	var list []Matched
	for _, slot := range query {
		for _, w := range s.scorer.postings[slot] {
			if int(w.doc) == doc {
				list = append(list, Matched{words[slot], steps(w.score)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Matched) int { return cmp.Compare(b.Weight, a.Weight) })
	return list
}

func steps(score float64) int64 { return int64(math.Round(score * resolution)) }
