package toolsearch

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// invented returns tools and queries that look like real ones: words of a vocabulary of 3,000, few of them often.
func invented(tools, queries int) (servers []Server, texts []string, right []*catalog.Tool) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		f := random.Float64()
		n := int(f * f * f * 3000)
		return fmt.Sprintf("%s%s%s", []string{"ba", "ce", "di", "fo", "gu", "lar"}[n%6], []string{"ket", "men", "rol", "sit", "tan"}[n/6%5], strings.Repeat("o", n/30%10)+strings.Repeat("n", n/300))
	}
	some := func(n int, between string) string {
		var words []string
		for range n {
			words = append(words, word())
		}
		return strings.Join(words, between)
	}
	var list []*catalog.Tool
	for i := range tools {
		list = append(list, &catalog.Tool{Name: fmt.Sprintf("%s_%d", some(2, "_"), i), Description: some(40, " ")})
	}
	for i := range queries {
		t := list[i%tools]
		words := strings.Fields(t.Description)
		at := random.IntN(len(words) - 8)
		texts, right = append(texts, strings.Join(words[at:at+8], " ")), append(right, t)
	}
	return []Server{{Name: "invented", Instructions: some(20, " "), Tools: list}}, texts, right
}

func benchmark(b *testing.B, client *Client, tools, queries int) {
	servers, texts, right := invented(tools, queries)
	b.ReportAllocs()
	for b.Loop() {
		ix := client.Index(servers)
		for i, text := range texts {
			ix.Ranks(text, right[i])
		}
	}
}

func BenchmarkRanks(b *testing.B) {
	for _, client := range Clients {
		b.Run(client.Name+"/200x500", func(b *testing.B) { benchmark(b, client, 200, 500) })
		b.Run(client.Name+"/5000x10000", func(b *testing.B) { benchmark(b, client, 5000, 10_000) })
	}
}
