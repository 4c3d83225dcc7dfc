package tokens

import (
	_ "embed"
	"encoding/binary"
)

// vocabulary holds the tokens of cl100k_base as a hash table that is read in place. Building a table at the start would make a run
// of a small suite take 1.4 times the processor time. The table begins with the offsets of the buckets and of the end, three bytes
// each. A bucket is a list of tokens: three bytes (the low 17 bits are the rank, the others the length less one), then the text.
//
//go:generate go test -run ^TestVocabulary$ -update
//go:embed cl100k_base.bin
var vocabulary string

const (
	bucketBits  = 15
	bucketCount = 1 << bucketBits // three tokens in each
	rankBits    = 17              // enough for all tokens
)

// LongestToken is the maximum length of a token, in bytes.
const LongestToken = 1 << (24 - rankBits)

// rankOf returns the rank of a token, and whether the text is a token.
func rankOf(token string) (int, bool) {
	if len(token) > LongestToken {
		return 0, false
	}
	bucket := 3 * bucketOf(token)
	end := threeBytes(bucket + 3)
	for at := threeBytes(bucket); at < end; {
		held := threeBytes(at)
		text, size := at+3, held>>rankBits+1
		if size == len(token) && vocabulary[text:text+size] == token {
			return held % (1 << rankBits), true
		}
		at = text + size
	}
	return 0, false
}

// threeBytes returns the number at an offset of vocabulary.
func threeBytes(at int) int {
	four := vocabulary[at : at+4]
	return int(binary.LittleEndian.Uint32([]byte(four))) & (1<<24 - 1)
}

// bucketOf returns the number of the bucket of a token. The hash is the same in each run and in each program.
func bucketOf(token string) int {
	hash := uint64(len(token))
	for ; len(token) >= 8; token = token[8:] {
		hash = mix(hash ^ binary.LittleEndian.Uint64([]byte(token[:8])))
	}
	rest := uint64(0)
	for i := range len(token) {
		rest = rest<<8 | uint64(token[i])
	}
	return int(mix(hash^rest) >> (64 - bucketBits))
}

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15 // 2^64 by the golden ratio
	return x ^ x>>32
}
