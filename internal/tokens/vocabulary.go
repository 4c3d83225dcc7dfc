package tokens

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"github.com/pkoukk/tiktoken-go"
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

// encoding is cl100k_base: the rank of each token, and an encoder that merges by these ranks.
type encoding struct {
	ranks  map[string]int
	merger *tiktoken.Tiktoken
}

// cl100k returns the encoding of all counters. Reading it takes some milliseconds.
var cl100k = sync.OnceValue(readEncoding)

func readEncoding() encoding {
	ranks := make(map[string]int, vocabularySize)
	merger := newMerger(ranks)
	fill(ranks, vocabulary)
	return encoding{ranks, merger}
}

// newMerger returns an encoder that takes a text for one piece and merges it by ranks, which are filled afterwards.
// An encoder made of a full vocabulary would spend 50 ms on tables that only decoding needs.
func newMerger(ranks map[string]int) *tiktoken.Tiktoken {
	core, err := tiktoken.NewCoreBPE(ranks, nil, `[\s\S]+`)
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return tiktoken.NewTiktoken(core, nil, nil)
}

// fill adds the tokens of a table to ranks.
func fill(ranks map[string]int, table []byte) {
	text, starts := texts(table)
	for rank := range vocabularySize {
		ranks[text[starts[rank]:starts[rank+1]]] = rank
	}
}

// texts returns the tokens of a table one after another, and where each starts, followed by the length of all.
func texts(table []byte) (string, []uint32) {
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
	return string(text[:end]), starts
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
