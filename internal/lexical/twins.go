package lexical

import (
	"cmp"
	"math/bits"
)

// The fraction is the square of 0.95, which is the least cosine of two twins.
const (
	twinNumerator   = 361
	twinDenominator = 400
)

// maxShared bounds the examined terms that pairs of texts share, because a server can make its texts share nearly all terms. This
// many take half a second.
const maxShared = 1 << 27

// NoTwin is the twin of a text that has none.
const NoTwin = -1

// Twins returns for each text the index of the first earlier text that is almost the same: the cosine of the angle between their
// vectors of term counts is at least 0.95. The index is [NoTwin] if there is no such text, or if the text has no terms.
//
// It finds every twin in lists of thousands of texts. If nearly all texts share most of their terms, the search stops after a
// fixed amount of work, so that its result is the same each time.
//
// If stems is not nil, the search is faster from the second catalog on.
func Twins(texts []string, stems *Stems) []int {
	return twinsWithin(texts, stems, maxShared)
}

// twinsWithin is Twins with the bound budget instead of maxShared.
func twinsWithin(texts []string, stems *Stems, budget int) []int {
	vocab := newVocabulary(stems)
	s := twinSearch{squares: make([]uint64, len(texts)), products: make([]uint64, len(texts)), budget: budget}
	twins := make([]int, len(texts))
	for i, text := range texts {
		counts := tally(vocab.text(nil, text))
		s.holders = append(s.holders, make([][]holder, len(vocab.stems)-len(s.holders))...)
		twins[i] = s.first(i, counts)
	}
	return twins
}

// twinSearch multiplies a text's vector with those of all earlier texts at once, term by term.
type twinSearch struct {
	holders  [][]holder // by term: the earlier texts that contain it
	squares  []uint64   // squared length of each text's vector
	products []uint64   // dot products of the current text with each earlier text; 0 before the search for a text begins
	shared   []int32    // the earlier texts that share a term with the current text
	budget   int        // number of shared terms that may still be examined
}

// holder is a text that has a term n times.
type holder struct{ text, n int32 }

// first returns the first earlier text that is a twin of text i, or NoTwin, and remembers text i.
func (s *twinSearch) first(i int, counts []count) int {
	shared := s.shared[:0]
	for _, c := range counts {
		n := uint64(c.n)
		s.squares[i] += n * n
		s.budget -= len(s.holders[c.term])
		if s.budget >= 0 {
			for _, h := range s.holders[c.term] {
				if s.products[h.text] == 0 {
					shared = append(shared, h.text)
				}
				s.products[h.text] += n * uint64(h.n)
			}
		}
		s.holders[c.term] = append(s.holders[c.term], holder{int32(i), int32(c.n)})
	}
	s.shared = shared
	first := NoTwin
	for _, j := range shared {
		if (first == NoTwin || int(j) < first) && s.areTwins(i, int(j)) {
			first = int(j)
		}
		s.products[j] = 0
	}
	return first
}

// areTwins reports whether the cosine of two texts is at least 0.95. It compares whole numbers, so that the result for a cosine
// of exactly 0.95 is the same on every platform. The numbers do not overflow, even for texts of some megabytes.
func (s *twinSearch) areTwins(i, j int) bool {
	product := s.products[j]
	wantHi, wantLo := bits.Mul64(twinNumerator*s.squares[i], s.squares[j])
	gotHi, gotLo := bits.Mul64(twinDenominator*product, product)
	return cmp.Or(cmp.Compare(gotHi, wantHi), cmp.Compare(gotLo, wantLo)) >= 0
}
