package tokens

import (
	_ "embed"
	"sync"

	"github.com/pkoukk/tiktoken-go"
)

// vocabulary holds the tokens of cl100k_base in the order of their ranks, each after a byte that gives its length. It
// is made from the published vocabulary, which is more than twice as long and slow to read.
//
//go:generate go test -run ^TestVocabulary$ -update
//go:embed cl100k_base.bin
var vocabulary string

const vocabularySize = 100256

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
func fill(ranks map[string]int, table string) {
	for rank := 0; len(table) > 0; rank++ {
		end := 1 + int(table[0])
		ranks[table[1:end]] = rank
		table = table[end:]
	}
}
