package tokens

import (
	_ "embed"
	"encoding/binary"
	"hash/maphash"
	"sync"
)

// vocabulary holds the tokens of cl100k_base in the order of their ranks: the single bytes, and for each other token the
// ranks of the two tokens that it consists of. It has the low 16 bits of each rank, and then the highest bits of all. It
// is made from the published vocabulary, which has four times the size and is slow to read.
//
//go:generate go test -run ^TestVocabulary$ -update
//go:embed cl100k_base.bin
var vocabulary []byte

const (
	vocabularySize  = 100256 // tokens
	vocabularyBytes = 643830 // of all tokens
	singleBytes     = 256    // tokens of one byte
	pairedTokens    = vocabularySize - singleBytes
)

// encoding is cl100k_base: its tokens by rank, and the rank of each token.
type encoding struct {
	text    []byte   // all tokens, one after another
	starts  []uint32 // where in text each token starts, by rank, followed by the length of text
	slots   []uint32 // a hash table with linear probing: rank+1 of a token in its low 17 bits, above them high bits of its hash
	seed    maphash.Seed
	mergers sync.Pool // of *merger
}

const (
	rankBits  = 17      // enough for vocabularySize
	slotCount = 1 << 17 // a quarter more than tokens
)

// cl100k returns the encoding of all counters. Reading it takes some milliseconds.
var cl100k = sync.OnceValue(readEncoding)

// readEncoding reads vocabulary. Filling a map with all tokens would take three times as long, and longer than checking a
// small suite.
func readEncoding() *encoding {
	e := &encoding{slots: make([]uint32, slotCount), seed: maphash.MakeSeed()}
	e.mergers.New = func() any { return newMerger(e) }
	e.text, e.starts = texts(vocabulary)
	for rank := range vocabularySize {
		slot, tag := place(maphash.Bytes(e.seed, e.token(rank)))
		for e.slots[slot] != 0 {
			slot = (slot + 1) % slotCount
		}
		e.slots[slot] = tag | uint32(rank+1)
	}
	return e
}

// token returns the token of a rank.
func (e *encoding) token(rank int) []byte { return e.text[e.starts[rank]:e.starts[rank+1]] }

// place returns the slot at which the search for a token begins, and the bits of its hash that its slot holds.
func place(hash uint64) (slot, tag uint32) {
	return uint32(hash % slotCount), uint32(hash>>32) >> rankBits << rankBits
}

// rank returns the rank of a token, and whether it is one.
func (e *encoding) rank(token string) (int, bool) {
	slot, tag := place(maphash.String(e.seed, token))
	for ; e.slots[slot] != 0; slot = (slot + 1) % slotCount {
		if held := e.slots[slot]; held>>rankBits<<rankBits == tag {
			if rank := int(held-tag) - 1; string(e.token(rank)) == token {
				return rank, true
			}
		}
	}
	return 0, false
}

// texts returns the tokens of a table one after another, and where each starts, followed by the length of all.
func texts(table []byte) ([]byte, []uint32) {
	text := make([]byte, vocabularyBytes+usualToken)
	starts := make([]uint32, singleBytes, vocabularySize+1)
	for rank := range copy(text, table[:singleBytes]) {
		starts[rank] = uint32(rank)
	}
	end := uint32(singleBytes)
	starts = append(starts, end)
	low, high := table[singleBytes:], table[singleBytes+4*pairedTokens:]
	for i := range 2 * pairedTokens {
		part := int(binary.LittleEndian.Uint16(low[2*i:])) | int(high[i/8]>>(i%8)&1)<<16
		end += copyPart(text, end, starts[part], starts[part+1])
		if i%2 == 1 {
			starts = append(starts, end)
		}
	}
	return text[:end], starts
}

// usualToken is the length in bytes that hardly any token exceeds.
const usualToken = 16

// copyPart copies the part of text from start to end to another place, and returns its length.
func copyPart(text []byte, to, start, end uint32) uint32 {
	// A copy of a fixed length takes a third of the time, and the next part overwrites the rest.
	*(*[usualToken]byte)(text[to:]) = [usualToken]byte(text[start:])
	if end-start > usualToken {
		copy(text[to:], text[start:end])
	}
	return end - start
}
