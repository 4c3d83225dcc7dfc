package lexical

import (
	"cmp"
	"math/bits"

	"github.com/org/mcp-gates/internal/lists"
)

// Match is a text that resembles another.
type Match struct {
	Index   int // index of the similar text
	Percent int // cosine of the two texts' vectors of term counts, rounded down
}

// maxAlikeTerms bounds the terms that are examined for one text. This many take a tenth of a second.
const maxAlikeTerms = 1 << 20

// Alike returns the texts in among whose cosine with text is at least percent, computed as for the rule MCP-008. The most similar
// texts come first, and equally similar texts keep their order. After 2^20 terms, further texts are ignored.
func Alike(text string, among []string, percent int) []Match {
	vocab := newVocabulary(nil)
	counts := map[int32]uint64{}
	own := uint64(0)
	for _, c := range tally(vocab.text(nil, text)) {
		counts[c.term] = uint64(c.n)
		own += uint64(c.n) * uint64(c.n)
	}
	var matches []Match
	looked := 0
	for i, other := range among {
		var product, square uint64
		terms := tally(vocab.text(nil, other))
		looked += len(terms)
		if looked > maxAlikeTerms {
			break
		}
		for _, c := range terms {
			n := uint64(c.n)
			square += n * n
			product += n * counts[c.term]
		}
		if p := cosinePercent(product, own, square); product > 0 && p >= percent {
			matches = append(matches, Match{i, p})
		}
	}
	lists.SortStable(matches, func(a, b *Match) int { return cmp.Compare(b.Percent, a.Percent) })
	return matches
}

// cosinePercent returns product/√(a·b) in percent, rounded down. The numbers do not overflow, even for texts of some megabytes.
func cosinePercent(product, a, b uint64) int {
	for p := uint64(100); p > 0; p-- {
		wantHi, wantLo := bits.Mul64(p*p*a, b)
		gotHi, gotLo := bits.Mul64(10_000*product, product)
		if cmp.Or(cmp.Compare(gotHi, wantHi), cmp.Compare(gotLo, wantLo)) >= 0 {
			return int(p)
		}
	}
	return 0
}
