package lexical

import (
	"cmp"
	"math/bits"
	"slices"
)

// The cosine from which on two texts are twins, 0.95, squared.
const (
	twinNumerator   = 361
	twinDenominator = 400
)

// maxCompared bounds the work on texts made to have every pair compared, in terms looked at. It is about a second.
const maxCompared = 1 << 28

// NoTwin is the twin of a text that has none.
const NoTwin = -1

// Twins returns for each text the index of the first text before it that reads almost the same: the cosine of the angle
// between their vectors of term counts is at least 0.95. It is [NoTwin] where there is none, and for a text without
// terms.
//
// In lists of thousands of texts every twin is found. A list made so that nearly all texts share their rarest terms and
// are still no twins is given up at a fixed point, the same one every time.
//
// With stems, which may be nil, the search is faster from the second catalog on.
func Twins(texts []string, stems *Stems) []int {
	return newTwinSearch(texts, stems, maxCompared).all()
}

// twinSearch compares only texts that share one of their rarest terms: the prefix filter of Bayardo, Ma and Srikant,
// "Scaling Up All Pairs Similarity Search", 2007.
type twinSearch struct {
	vectors  []vector
	holders  [][]int // by term: the earlier texts that have it in their prefix, ascending
	compared []int   // by earlier text: 1 + the index of the last text that it was compared with
	budget   int     // how many terms may still be looked at
}

// vector is a text's term counts. Its terms are numbered from the rarest up.
type vector struct {
	counts []count
	square uint64 // of the vector's length
	prefix int    // a twin has one of the first prefix terms in its own prefix
}

func newTwinSearch(texts []string, stems *Stems, budget int) *twinSearch {
	vocab := newVocabulary(stems)
	s := &twinSearch{compared: make([]int, len(texts)), budget: budget}
	for _, text := range texts {
		s.vectors = append(s.vectors, vector{counts: tally(vocab.text(nil, text))})
	}
	rarity := s.rarity(len(vocab.stems))
	s.holders = make([][]int, len(rarity))
	for i := range s.vectors {
		s.vectors[i].arrange(rarity)
	}
	return s
}

// rarity returns the place of each term when they are sorted by how many texts hold them, rarest first.
func (s *twinSearch) rarity(terms int) []int32 {
	held := make([]int, terms)
	for _, v := range s.vectors {
		for _, c := range v.counts {
			held[c.term]++
		}
	}
	byRarity := make([]int32, terms)
	for i := range byRarity {
		byRarity[i] = int32(i)
	}
	slices.SortStableFunc(byRarity, func(t, u int32) int { return cmp.Compare(held[t], held[u]) })
	places := make([]int32, terms)
	for place, term := range byRarity {
		places[term] = int32(place)
	}
	return places
}

// arrange renumbers the terms and finds the prefix. What is left of the vector after the prefix is so short that its
// cosine with anything is below the twins'.
func (v *vector) arrange(rarity []int32) {
	for i, c := range v.counts {
		v.counts[i].term = rarity[c.term]
		v.square += square(c)
	}
	slices.SortFunc(v.counts, func(c, d count) int { return cmp.Compare(c.term, d.term) })
	// Rounding must not end the prefix too early; one that is longer than it must be is only slower.
	const margin = 1 - 1e-9
	least := float64(v.square) * (margin * twinNumerator / twinDenominator)
	rest := v.square
	for v.prefix < len(v.counts) && float64(rest) >= least {
		rest -= square(v.counts[v.prefix])
		v.prefix++
	}
}

func square(c count) uint64 {
	return uint64(c.n) * uint64(c.n)
}

func (s *twinSearch) all() []int {
	twins := make([]int, len(s.vectors))
	for i := range twins {
		twins[i] = s.first(i)
		s.hold(i)
	}
	return twins
}

// first returns the first of the texts held that is a twin of text i, or NoTwin.
func (s *twinSearch) first(i int) int {
	best := NoTwin
	for _, c := range s.vectors[i].counts[:s.vectors[i].prefix] {
		for _, j := range s.holders[c.term] {
			if best != NoTwin && j >= best || s.budget < 0 {
				break
			}
			if s.compared[j] != i+1 && s.areTwins(i, j) {
				best = j
			}
			s.compared[j] = i + 1
		}
	}
	return best
}

func (s *twinSearch) hold(i int) {
	for _, c := range s.vectors[i].counts[:s.vectors[i].prefix] {
		s.holders[c.term] = append(s.holders[c.term], i)
	}
}

func (s *twinSearch) areTwins(i, j int) bool {
	v, w := s.vectors[i], s.vectors[j]
	s.budget -= len(v.counts) + len(w.counts)
	// In whole numbers, so that a cosine of exactly 0.95 counts on every platform. The counts of texts of some
	// megabytes are far from overflowing.
	dot := product(v.counts, w.counts)
	wantHi, wantLo := bits.Mul64(twinNumerator*v.square, w.square)
	gotHi, gotLo := bits.Mul64(twinDenominator*dot, dot)
	return cmp.Or(cmp.Compare(gotHi, wantHi), cmp.Compare(gotLo, wantLo)) >= 0
}

// product returns the scalar product of two vectors that are sorted by term.
func product(v, w []count) uint64 {
	var sum uint64
	for len(v) > 0 && len(w) > 0 {
		switch c, d := v[0], w[0]; {
		case c.term < d.term:
			v = v[1:]
		case c.term > d.term:
			w = w[1:]
		default:
			sum += uint64(c.n) * uint64(d.n)
			v, w = v[1:], w[1:]
		}
	}
	return sum
}
