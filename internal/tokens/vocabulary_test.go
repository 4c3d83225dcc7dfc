package tokens

import (
	"bytes"
	"flag"
	"maps"
	"os"
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
		if rank >= len(tokens) || tokens[rank] != "" || len(token) > 0xff {
			t.Fatalf("token %q of rank %d does not fit into a table of %d", token, rank, len(tokens))
		}
		tokens[rank] = token
	}
	var b bytes.Buffer
	for _, token := range tokens {
		b.WriteByte(byte(len(token)))
		b.WriteString(token)
	}
	return b.Bytes()
}

func TestVocabulary(t *testing.T) {
	want := published(t)
	if *update {
		if err := os.WriteFile("cl100k_base.bin", table(t, want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got := cl100k().ranks
	if !maps.Equal(got, want) {
		t.Errorf("the embedded vocabulary of %d tokens is not the published one of %d, run go test -update", len(got), len(want))
	}
	if len(got) != vocabularySize {
		t.Errorf("vocabulary of %d tokens, vocabularySize is %d", len(got), vocabularySize)
	}
}

// Reading makes one table of the vocabulary. The library would make two more, with an allocation for each token.
func TestReadingMakesOneTable(t *testing.T) {
	if got := testing.AllocsPerRun(1, func() { readEncoding() }); got > vocabularySize/10 {
		t.Errorf("reading the vocabulary makes %.0f allocations, want a tenth of its %d tokens at most", got, vocabularySize)
	}
}
