package lexical

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/thorough"
)

var weather = []Doc{
	{"get_weather", "Weather forecast of a city"},
	{"send_mail", "Sends mail"},
	{"list_files", ""},
}

func TestPicks(t *testing.T) {
	tests := []struct {
		what  string
		docs  []Doc
		query string
		want  int
	}{
		{"description", weather, "what is the forecast for Paris", 0},
		{"name", weather, "list my files", 2},
		{"stem", weather, "mailing", 1},
		{"no shared term", weather, "translate this", None},
		{"stop words only", weather, "what is the", None},
		{"empty query", weather, "", None},
		{"no tools", nil, "mail", None},
		{"only empty tools", []Doc{{"", ""}, {"_", "the"}}, "mail", None},
		{"tie goes to the name that sorts first", []Doc{{"b_mail", ""}, {"a_mail", ""}}, "mail", 1},
		{"upper case sorts first", []Doc{{"amail x", ""}, {"Bmail x", ""}}, "x", 1},
		{"tie of one name goes to the earlier", []Doc{{"mail", ""}, {"mail", ""}}, "mail", 0},
		{"repeating the query's word changes nothing", weather, "mail mail mail mail forecast weather city", 0},
		{"name counts twice", []Doc{{"x", "mail"}, {"mail", "x"}}, "mail", 1},
		{"long document loses", []Doc{{"a_b", "mail one two three four five"}, {"c_d", "mail"}}, "mail", 1},
		{"rare term wins", []Doc{{"a", "mail"}, {"b", "mail"}, {"c", "post"}}, "mail post", 2},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			got := NewSelector(test.docs, []string{test.query}).Picks()
			if got[0] != test.want {
				t.Errorf("pick of %q among %q: got %d, want %d", test.query, test.docs, got[0], test.want)
			}
		})
	}
}

// TestScores holds scores worked out by hand. Tool 0 has get 2, weather 2+1, forecast 1, city 1, so its length is 7;
// tool 1 has send 2+1, mail 2+1, length 6; tool 2 has list 2, file 2, length 4. The average length is 17/3.
func TestScores(t *testing.T) {
	const average = 17.0 / 3
	tests := []struct {
		query string
		want  []float64
	}{
		{"weather", []float64{
			// ln(1 + 2.5/1.5) x 3 x 2.2 / (3 + 1.2 x (0.25 + 0.75 x 7/average))
			0.98082925301172619 * 6.6 / (3.3 + 0.9*7/average), 0, 0,
		}},
		{"files in the mail", []float64{
			0,
			0.98082925301172619 * 6.6 / (3.3 + 0.9*6/average),
			0.98082925301172619 * 4.4 / (2.3 + 0.9*4/average),
		}},
		{"forecast for the city", []float64{2 * 0.98082925301172619 * 2.2 / (1.3 + 0.9*7/average), 0, 0}},
	}
	for _, test := range tests {
		if got := scoresOf(NewSelector(weather, []string{test.query}), 0); !isClose(got, test.want) {
			t.Errorf("scores of %q: got %v, want %v", test.query, got, test.want)
		}
	}
}

// scoresOf returns what each document scores for query q. It repeats what Picks does up to the comparison.
func scoresOf(s *Selector, q int) []float64 {
	s.scorer.setLengths(s.docs, None, 0)
	s.scorer.load(s.postings, None, nil)
	defer s.scorer.reset()
	s.scorer.sum(s.queries[q])
	return slices.Clone(s.scorer.scores)
}

func isClose(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
}

// TestTieOfSums pins that scores are rounded before they are compared. Tools zz and aa hold terms that are equally rare,
// but the query lists them in another order, so that the last bits of the sums may differ.
func TestTieOfSums(t *testing.T) {
	for df := range 125 {
		docs := []Doc{{"zz", "p q r"}, {"aa", "u v w"}}
		for i, pair := range []string{"p w", "q u", "r v"} {
			for range []int{df % 5, df / 5 % 5, df / 25}[i] {
				docs = append(docs, Doc{"mm", pair + strings.Repeat(" long", 50)})
			}
		}
		got := NewSelector(docs, []string{"p q r u v w"}).Picks()[0]
		if got != 1 {
			t.Errorf("pick among %q: got %d, want 1", docs, got)
		}
	}
}

// reference is a second implementation, straight from the formula, on maps.
func reference(docs []Doc, query string) []float64 {
	tf, length, df := make([]map[string]float64, len(docs)), make([]float64, len(docs)), map[string]float64{}
	total := 0.0
	for i, d := range docs {
		tf[i] = map[string]float64{}
		for _, word := range plainWords(splitCamel(d.Name)) {
			tf[i][word] += 2
			length[i] += 2
		}
		for _, word := range plainWords(d.Description) {
			tf[i][word]++
			length[i]++
		}
		for word := range tf[i] {
			df[word]++
		}
		total += length[i]
	}
	n := float64(len(docs))
	scores := make([]float64, len(docs))
	terms := plainWords(query)
	slices.Sort(terms)
	for _, word := range slices.Compact(terms) {
		for i := range docs {
			if f := tf[i][word]; f > 0 {
				idf := math.Log(1 + (n-df[word]+0.5)/(df[word]+0.5))
				scores[i] += idf * f * 2.2 / (f + 1.2*(0.25+0.75*length[i]/(total/n)))
			}
		}
	}
	return scores
}

// plainWords finds terms for texts of ASCII words whose stems are the words themselves.
func plainWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return slices.DeleteFunc(words, func(w string) bool { return stopWords[w] })
}

func splitCamel(name string) string {
	var split strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			split.WriteByte(' ')
		}
		split.WriteRune(r)
	}
	return split.String()
}

var vocabularyOfTests = strings.Fields("mail the file x y repo issu commit branch user of team page board card 7 list")

func randomText(r *rand.Rand, most int) string {
	words := make([]string, r.IntN(most+1))
	for i := range words {
		words[i] = vocabularyOfTests[r.IntN(len(vocabularyOfTests))]
	}
	return strings.Join(words, []string{" ", "_", ", "}[r.IntN(3)])
}

func randomDocs(r *rand.Rand) []Doc {
	docs := make([]Doc, 1+r.IntN(12))
	for i := range docs {
		docs[i] = Doc{randomText(r, 3), randomText(r, 15)}
	}
	return docs
}

func TestReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		docs, query := randomDocs(r), randomText(r, 6)
		want := reference(docs, query)
		s := NewSelector(docs, []string{query})
		if got := scoresOf(s, 0); !isClose(got, want) {
			t.Fatalf("scores of %q among %q: got %v, want %v", query, docs, got, want)
		}
		if got := s.Picks()[0]; got != bestOf(docs, want) {
			t.Fatalf("pick of %q among %q: got %d, want %d (scores %v)", query, docs, got, bestOf(docs, want), want)
		}
	}
}

func bestOf(docs []Doc, scores []float64) int {
	best := None
	for i, score := range scores {
		if score == 0 {
			continue
		}
		if best == None || cmp.Or(-cmp.Compare(math.Round(score*1e9), math.Round(scores[best]*1e9)),
			cmp.Compare(docs[i].Name, docs[best].Name)) < 0 {
			best = i
		}
	}
	return best
}

// TestPicksWith compares a change of one description with a selector made of the changed tools, scores included.
func TestPicksWith(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range thorough.Cases(300) {
		docs := randomDocs(r)
		queries := []string{randomText(r, 6), randomText(r, 6), "new words"}
		s := NewSelector(docs, queries)
		before := s.Picks()
		for i := range docs {
			changed := slices.Clone(docs)
			changed[i].Description = []string{"", randomText(r, 15), "Performs new operations."}[r.IntN(3)]
			got := s.PicksWith(i, changed[i].Description)
			want := NewSelector(changed, queries).Picks()
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("picks of %q among %q with %d changed to %q: -want +got\n%s", queries, docs, i, changed[i].Description, diff)
			}
			compareWeights(t, s, NewSelector(changed, queries))
		}
		if diff := gocmp.Diff(before, s.Picks()); diff != "" {
			t.Fatalf("picks of %q among %q after changes: -before +after\n%s", queries, docs, diff)
		}
	}
}

// compareWeights compares what the terms add, bit by bit, after PicksWith and in a fresh selector.
func compareWeights(t *testing.T, changed, fresh *Selector) {
	t.Helper()
	fresh.Picks()
	byDoc := func(a, b weight) int { return cmp.Compare(a.doc, b.doc) }
	for slot, want := range fresh.scorer.postings {
		got := slices.SortedFunc(slices.Values(changed.scorer.postings[slot]), byDoc)
		if !slices.Equal(got, slices.SortedFunc(slices.Values(want), byDoc)) {
			t.Fatalf("weights of term %d: got %v, want %v", slot, got, want)
		}
	}
}

func TestHostileText(t *testing.T) {
	size := thorough.Size(1<<18, 1<<20)
	texts := []string{
		strings.Repeat("a", size), strings.Repeat("a ", size/2), strings.Repeat("ing", size/3), strings.Repeat("y", size),
		strings.Repeat("\xff", size), strings.Repeat("aB", size/2), strings.Repeat("東", size/3), strings.Repeat("é", size/2),
	}
	for _, text := range texts {
		s := NewSelector([]Doc{{text, text}, {"mail", ""}}, []string{text, "mail"})
		if got := s.Picks()[1]; got != 1 {
			t.Errorf("pick of %q among %.20q and %q: got %d, want 1", "mail", text, "mail", got)
		}
	}
}

func FuzzSelector(f *testing.F) {
	f.Add("getMail", "Reads mail", "send_mail", "Sends mail", "read my mail", "Performs an operation.")
	f.Add("", "\xff", "ǅ", "", "don't İ ſ", "٣")
	f.Fuzz(func(t *testing.T, name, text, name2, text2, query, changed string) {
		docs := []Doc{{name, text}, {name2, text2}}
		s := NewSelector(docs, []string{query})
		pick := s.Picks()[0]
		scores := scoresOf(s, 0)
		if pick == None {
			if scores[0] != 0 || scores[1] != 0 {
				t.Errorf("no pick of %q among %q, whose scores are %v", query, docs, scores)
			}
		} else if other := scores[1-pick]; !(scores[pick] > 0) || other > scores[pick]+1e-9 {
			t.Errorf("pick of %q among %q: got %d, whose scores are %v", query, docs, pick, scores)
		}
		got := s.PicksWith(1, changed)
		want := NewSelector([]Doc{docs[0], {name2, changed}}, []string{query}).Picks()
		if !slices.Equal(got, want) {
			t.Errorf("pick of %q among %q with %q: got %v, want %v", query, docs, changed, got, want)
		}
	})
}

func BenchmarkSelector(b *testing.B) {
	docs, queries := realistic(200, 500)
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			NewSelector(docs, queries).Picks()
		}
	})
	b.Run("change", func(b *testing.B) {
		s := NewSelector(docs, queries)
		i := 0
		for b.Loop() {
			s.PicksWith(i%len(docs), "Performs an operation.")
			i++
		}
	})
}

// realistic returns tools and queries whose words are as unevenly distributed as those of real ones.
func realistic(tools, intents int) ([]Doc, []string) {
	r := rand.New(rand.NewPCG(5, 6))
	zipf := rand.NewZipf(r, 1.1, 4, 3000)
	text := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = string(rune('a'+zipf.Uint64()%26)) + strings.Repeat("o", int(zipf.Uint64()%9)) + string(rune('a'+zipf.Uint64()%26))
		}
		return strings.Join(words, " ")
	}
	docs, queries := make([]Doc, tools), make([]string, intents)
	for i := range docs {
		docs[i] = Doc{text(3), text(60)}
	}
	for i := range queries {
		queries[i] = text(12)
	}
	return docs, queries
}
