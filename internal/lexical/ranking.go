package lexical

import "iter"

// Ranking scores tools for any query, as a [Selector] scores them for a fixed list of queries. It is not safe for concurrent use.
type Ranking struct{ selector *Selector }

// NewRanking returns a ranking of docs.
func NewRanking(docs []Doc) *Ranking {
	s := NewSelector(docs, nil)
	for term := range int32(len(s.vocab.stems)) {
		s.slot(term)
	}
	s.fillPostings()
	s.scorer.setLengths(s.docs, None, 0)
	s.scorer.load(s.postings, None, nil)
	return &Ranking{s}
}

// Scores yields the documents that share a term with a query, and their scores in units of 1e-9, in any order.
func (r *Ranking) Scores(query string) iter.Seq2[int, int64] {
	s := r.selector
	return func(yield func(int, int64) bool) {
		s.scorer.sum(r.slotsOf(query))
		defer s.scorer.reset()
		for _, doc := range s.scorer.touched {
			if !yield(int(doc), steps(s.scorer.scores[doc])) {
				return
			}
		}
	}
}

func (r *Ranking) slotsOf(query string) []int32 {
	s := r.selector
	var slots []int32
	for _, term := range firsts(s.vocab.text(nil, query)) {
		if slot, ok := s.slots[term]; ok {
			slots = append(slots, slot)
		}
	}
	return slots
}

// Matched returns the words of a query that a document has, the word with the greatest weight first.
func (r *Ranking) Matched(query string, doc int) []Matched {
	return r.selector.matched(r.slotsOf(query), doc, r.selector.wordsOf(query))
}
