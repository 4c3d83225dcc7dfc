package lexical

import "math"

// Parameters of BM25: k1 bounds the gain from repeating a term, and b is how strongly a document's length reduces its score.
const (
	k1 = 1.2
	b  = 0.75
)

// resolution is the number of steps in a score of 1. Scores are rounded to steps before they are compared, because equal scores
// differ in their last bits if their terms are added in another order.
const resolution = 1e9

// scorer computes the scores of a catalog's documents, for one query after another in the same memory.
//
// Products are converted to float64 before something is added to them. The conversion rounds, so that no compiler fuses the two
// operations, and scores are the same on every platform.
type scorer struct {
	place []int32 // place of each document in the order of the names

	norms    []float64 // by document: the part of the denominator that comes from the document's length
	postings [][]weight
	scores   []float64 // scores of the documents for one query
	touched  []int32   // documents that share a term with the query
}

// weight is the points that a term adds to the score of a document.
type weight struct {
	doc   int32
	score float64
}

func newScorer(place []int32) scorer {
	n := len(place)
	return scorer{
		place:  place,
		norms:  make([]float64, n),
		scores: make([]float64, n),
	}
}

// setLengths prepares the part of the scores that comes from the documents' lengths. length replaces the length of docs[changed];
// if changed is None, each document keeps its own length.
func (s *scorer) setLengths(docs []document, changed, length int) {
	total := 0
	for i, d := range docs {
		s.norms[i] = float64(d.length)
		if i == changed {
			s.norms[i] = float64(length)
		}
		total += int(s.norms[i])
	}
	average := float64(total) / float64(len(docs))
	for i := range s.norms {
		s.norms[i] = k1 * (1 - b + float64(b*(s.norms[i]/average)))
	}
}

// load prepares the weights of each term. The terms in added replace those of the document with the index changed, which may be
// None.
func (s *scorer) load(postings [][]posting, changed int, added map[int32]int32) {
	if s.postings == nil {
		s.postings = make([][]weight, len(postings))
	}
	for slot, list := range postings {
		weights := s.postings[slot][:0]
		for _, p := range list {
			if int(p.doc) != changed {
				weights = append(weights, weight{p.doc, s.saturated(p.doc, p.n)})
			}
		}
		if n, ok := added[int32(slot)]; ok {
			weights = append(weights, weight{int32(changed), s.saturated(int32(changed), n)})
		}
		idf := inverseFrequency(len(weights), len(s.place))
		for i := range weights {
			weights[i].score = float64(idf * weights[i].score)
		}
		s.postings[slot] = weights
	}
}

// saturated returns the part of a term's score that comes from its n occurrences in a document.
func (s *scorer) saturated(doc, n int32) float64 {
	tf := float64(n)
	return float64(tf*(k1+1)) / (tf + s.norms[doc])
}

// inverseFrequency returns the weight of a term that df of n documents have: ln(1 + (n-df+0.5)/(df+0.5)).
func inverseFrequency(df, n int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

func (s *scorer) picks(queries [][]int32) []int {
	picks := make([]int, len(queries))
	for i, slots := range queries {
		s.sum(slots)
		picks[i] = s.best()
		s.reset()
	}
	return picks
}

// sum computes the scores of all documents for a query with the terms in slots. Every term adds more than 0.
func (s *scorer) sum(slots []int32) {
	for _, slot := range slots {
		for _, w := range s.postings[slot] {
			if s.scores[w.doc] == 0 {
				s.touched = append(s.touched, w.doc)
			}
			s.scores[w.doc] += w.score
		}
	}
}

// best returns the document with the highest score; None if the query shares no term with any document.
func (s *scorer) best() int {
	best, highest, least := None, 0.0, 0.0
	for _, doc := range s.touched {
		// Rounding is the slowest step, and cannot raise a much lower score to the highest.
		if s.scores[doc] < least {
			continue
		}
		score := math.Round(s.scores[doc] * resolution)
		if best == None || score > highest || score == highest && s.place[doc] < s.place[best] {
			best, highest, least = int(doc), score, s.scores[doc]-2/resolution
		}
	}
	return best
}

func (s *scorer) reset() {
	for _, doc := range s.touched {
		s.scores[doc] = 0
	}
	s.touched = s.touched[:0]
}
