package lexical

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

// Ranked is a document that shares terms with a query, with its score and the words that earned it.
type Ranked struct {
	Doc   int
	Score int64 // in units of 1e-9; documents with equal scores are tied
	Words []Matched
}

// Matched is a word of a query that a document has, in any form.
type Matched struct {
	Word   string // the word as it first occurs in the query, in lower case
	Weight int64  // points that the word adds to the score, in units of 1e-9

	InName, InDescription bool // the document has the word in its name, or in its description
}

// Where returns the fields of the document that have the word.
func (m Matched) Where() (fields []string) {
	if m.InName {
		fields = append(fields, "name")
	}
	if m.InDescription {
		fields = append(fields, "description")
	}
	return fields
}

// Explain returns a list of documents for each query whose index is in which: the best documents first, and no more than most.
// texts are all queries of the selector.
func (s *Selector) Explain(which []int, texts []string, most int) [][]Ranked {
	s.scorer.setLengths(s.docs, None, 0)
	s.scorer.load(s.postings, None, nil)
	lists := make([][]Ranked, len(which))
	for i, query := range which {
		lists[i] = s.explain(query, s.wordsOf(texts[query]), most)
	}
	return lists
}

// queryWord is a word of a query, and its term.
type queryWord struct {
	text string
	term int32
}

func (s *Selector) wordsOf(query string) map[int32]queryWord {
	words := map[int32]queryWord{}
	for word := range strings.FieldsFuncSeq(query, isSeparator) {
		term := s.vocab.term(word)
		slot, ok := s.slots[term]
		if _, known := words[slot]; ok && !known {
			words[slot] = queryWord{strings.ToLower(word), term}
		}
	}
	return words
}

func (s *Selector) explain(query int, words map[int32]queryWord, most int) []Ranked {
	s.scorer.sum(s.queries[query])
	var list []Ranked
	for _, doc := range s.scorer.touched {
		list = append(list, Ranked{Doc: int(doc), Score: steps(s.scorer.scores[doc])})
	}
	s.scorer.reset()
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(s.scorer.place[a.Doc], s.scorer.place[b.Doc])) < 0
	})
	list = list[:min(len(list), most)]
	for i := range list {
		list[i].Words = s.matched(s.queries[query], list[i].Doc, words)
	}
	return list
}

// matched returns the words of a query that a document has, the word with the greatest weight first. words has the words by slot.
func (s *Selector) matched(query []int32, doc int, words map[int32]queryWord) []Matched {
	var list []Matched
	for _, slot := range query {
		for _, w := range s.scorer.postings[slot] {
			if int(w.doc) == doc {
				list = append(list, s.docs[doc].matched(words[slot], steps(w.score)))
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return cmp.Compare(b.Weight, a.Weight) < 0
	})
	return list
}

func (d document) matched(word queryWord, weight int64) Matched {
	inName := 0
	for _, term := range d.name {
		if term == word.term {
			inName += nameWeight
		}
	}
	i, _ := slices.BinarySearchFunc(d.counts, word.term, func(c count, term int32) int { return cmp.Compare(c.term, term) })
	return Matched{word.text, weight, inName > 0, int(d.counts[i].n) > inName}
}

func steps(score float64) int64 { return int64(math.Round(score * resolution)) }
