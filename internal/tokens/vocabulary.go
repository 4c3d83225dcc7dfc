package tokens

import (
	_ "embed"
	"sync"
)

// vocabulary holds the tokens of cl100k_base in the order of their ranks, each after a byte that gives its length. It
// is made from the published vocabulary, which is more than twice as long and slow to read.
//
//go:generate go test -run ^TestVocabulary$ -update
//go:embed cl100k_base.bin
var vocabulary string

const vocabularySize = 100256

// ranks returns the rank of each token. Reading them takes some milliseconds.
var ranks = sync.OnceValue(func() map[string]int { return ranksOf(vocabulary) })

// ranksOf returns the ranks of the tokens of a table.
func ranksOf(table string) map[string]int {
	ranks := make(map[string]int, vocabularySize)
	for rank := 0; len(table) > 0; rank++ {
		end := 1 + int(table[0])
		ranks[table[1:end]] = rank
		table = table[end:]
	}
	return ranks
}
