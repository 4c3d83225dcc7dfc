package tokens

import (
	"encoding/binary"
	"flag"
	"os"
	"strings"
	"testing"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

var update = flag.Bool("update", false, "rewrite the files that are made from others")

// published returns cl100k_base as it was published.
func published(t testing.TB) map[string]int {
	t.Helper()
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe("cl100k_base.tiktoken")
	if err != nil {
		t.Fatalf("load cl100k_base: %v", err)
	}
	return ranks
}

// table returns ranks in the format of vocabulary.
func table(t testing.TB, ranks map[string]int) []byte {
	t.Helper()
	tokens := make([]string, len(ranks))
	for token, rank := range ranks {
		if rank >= len(tokens) || tokens[rank] != "" || (len(token) == 1) != (rank < singleBytes) {
			t.Fatalf("token %q of rank %d does not fit into a table of %d", token, rank, len(tokens))
		}
		tokens[rank] = token
	}
	all, high := []byte(strings.Join(tokens[:singleBytes], "")), make([]byte, pairedTokens/4)
	for i := range pairedTokens {
		for side, part := range pair(t, tokens[singleBytes+i], ranks) {
			all = binary.LittleEndian.AppendUint16(all, uint16(part))
			bit := 2*i + side
			high[bit/8] |= byte(part>>16) << (bit % 8)
		}
	}
	return append(all, high...)
}

// pair returns the ranks of two tokens of lower ranks that token consists of.
func pair(t testing.TB, token string, ranks map[string]int) [2]int {
	t.Helper()
	for at := 1; at < len(token); at++ {
		left, ok := ranks[token[:at]]
		right, also := ranks[token[at:]]
		if ok && also && max(left, right) < ranks[token] {
			return [2]int{left, right}
		}
	}
	t.Fatalf("token %q of rank %d does not consist of two tokens of lower ranks", token, ranks[token])
	return [2]int{}
}

func TestVocabulary(t *testing.T) {
	want := published(t)
	if *update {
		if err := os.WriteFile("cl100k_base.bin", table(t, want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(want) != vocabularySize {
		t.Errorf("published vocabulary of %d tokens, vocabularySize is %d", len(want), vocabularySize)
	}
	for token, rank := range want {
		if got, ok := cl100k().rank(token); !ok || got != rank {
			t.Errorf("rank(%q) = %d, %t, want %d: run go test -update", token, got, ok, rank)
		}
		if _, published := want[token+" x"]; !published {
			if got, ok := cl100k().rank(token + " x"); ok {
				t.Errorf("rank(%q) = %d, but it is not a token", token+" x", got)
			}
		}
	}
}

// Reading makes one table of the vocabulary, without an allocation for each token, as the tables of the library have it.
func TestReadingMakesOneTable(t *testing.T) {
	if got := testing.AllocsPerRun(1, func() { readEncoding() }); got > vocabularySize/10 {
		t.Errorf("reading the vocabulary makes %.0f allocations, want a tenth of its %d tokens at most", got, vocabularySize)
	}
}
