package tokens

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
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
	buckets := make([][]byte, bucketCount)
	for _, token := range slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return ranks[a] - ranks[b] }) {
		if ranks[token]>>rankBits != 0 || token == "" || len(token) > LongestToken {
			t.Fatalf("token %q of rank %d does not fit into the table", token, ranks[token])
		}
		bucket := &buckets[bucketOf(token)]
		*bucket = append(appendThree(*bucket, ranks[token]|(len(token)-1)<<rankBits), token...)
	}
	var all []byte
	offset := 3 * (bucketCount + 1)
	for _, bucket := range buckets {
		all = appendThree(all, offset)
		offset += len(bucket)
	}
	return append(appendThree(all, offset), bytes.Join(buckets, nil)...)
}

func appendThree(to []byte, n int) []byte { return append(to, byte(n), byte(n>>8), byte(n>>16)) }

// TestVocabulary pins that the table is that of the published vocabulary.
func TestVocabulary(t *testing.T) {
	want := published(t)
	if *update {
		if err := os.WriteFile("cl100k_base.bin", table(t, want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(table(t, want)) != vocabulary {
		t.Error("cl100k_base.bin is not the table of the published vocabulary: run go test -update")
	}
	for token := range want {
		for _, text := range []string{token, token + " x", token[:len(token)-1], token[1:]} {
			wantRank, wantOK := want[text]
			if got, ok := rankOf(text); got != wantRank || ok != wantOK {
				t.Errorf("rankOf(%q) = %d, %t, want %d, %t", text, got, ok, wantRank, wantOK)
			}
		}
	}
}

// TestBuckets bounds what a text made to be slow can cost, because the table is the same in each run: the tokens of the fullest bucket.
func TestBuckets(t *testing.T) {
	const most = 12
	tokens := map[int]int{}
	for token := range published(t) {
		tokens[bucketOf(token)]++
	}
	if fullest := slices.Max(slices.Collect(maps.Values(tokens))); fullest > most {
		t.Errorf("a bucket has %d tokens, want %d at most", fullest, most)
	}
}
