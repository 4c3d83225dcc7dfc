package lexical

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		what, text string
		name       bool
		want       string
	}{
		{"stems", "Lists the repositories of an organization", false, "list repositori organ"},
		{"punctuation", "e-mail: foo@bar.com (v2)", false, "e mail foo bar com v2"},
		{"underscore ends a word", "get_weather", false, "get weather"},
		{"camelCase stays in a description", "getWeather", false, "getweath"},
		{"contraction is two words", "don't", false, "don t"},
		{"stop words", "who is it that cannot be the same", false, ""},
		{"no stop words", "one will can may must get us", false, "one will can may must get us"},
		{"upper-case stop word", "THE API", false, "api"},
		{"scripts", "Größe 東京 Привет ١٢٣", false, "größe 東京 привет ١٢٣"},
		{"mark is no letter", "cafe\u0301s", false, "cafe s"},
		{"broken UTF-8", "caf\xe9 list\xff", false, "caf list"},
		{"empty", " \t\n", false, ""},

		{"snake", "get_weather-by.city/name", true, "get weather citi name"},
		{"camel", "listFilesInFolder", true, "list file folder"},
		{"Pascal", "FinanceTool", true, "financ tool"},
		{"acronym", "HTTPServer", true, "http server"},
		{"acronym at the end", "parseJSON", true, "pars json"},
		{"digit before capital", "page2Title", true, "page2 titl"},
		{"digits", "v2_x64", true, "v2 x64"},
		{"capitals", "GET_ALL", true, "get"},
		{"accents", "obtenirÉtat", true, "obtenir état"},
		{"space", "Get Weather", true, "get weather"},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			v := newVocabulary(nil)
			ids := v.text(nil, test.text)
			if test.name {
				ids = v.name(nil, test.text)
			}
			if got := spell(v, ids); got != test.want {
				t.Errorf("terms of %q: got %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func spell(v *vocabulary, ids []int32) string {
	stems := make([]string, len(v.stems))
	for stem, id := range v.stems {
		stems[id] = stem
	}
	var words []string
	for _, id := range ids {
		words = append(words, stems[id])
	}
	return strings.Join(words, " ")
}

// TestStems holds pairs of Snowball's sample vocabulary for English, some for each step of the algorithm.
func TestStems(t *testing.T) {
	pairs := strings.Fields(`
		consign:consign consigned:consign consignment:consign consistency:consist consolatory:consolatori
		knack:knack kneeling:kneel knights:knight knightly:knight knotted:knot
		caresses:caress ties:tie cries:cri gas:gas gaps:gap kiwis:kiwi misses:miss
		agreed:agre feed:feed luxuriated:luxuri hopping:hop hoping:hope
		by:by say:say cry:cri happily:happili
		relational:relat conditional:condit rationally:ration valency:valenc digitizer:digit
		operator:oper decisiveness:decis formality:formal sensitivity:sensit possibly:possibl
		triplicate:triplic electricity:electr hopefulness:hope formative:format
		revival:reviv allowance:allow inference:infer airliner:airlin adoption:adopt replacement:replac
		probate:probat rate:rate cease:ceas controlled:control roll:roll
		generate:generat generously:generous communication:communic arsenal:arsenal
		skis:ski skies:sky dying:die news:news inning:inning exceed:exceed early:earli
		youth:youth boyish:boyish flying:fli enjoyed:enjoy sayings:say`)
	for _, pair := range pairs {
		word, want, _ := strings.Cut(pair, ":")
		v := newVocabulary(nil)
		if got := spell(v, v.text(nil, word)); got != want && !stopWords[word] {
			t.Errorf("stem of %q: got %q, want %q", word, got, want)
		}
	}
}

func TestStopWords(t *testing.T) {
	if got, want := len(stopWords), 124; got != want {
		t.Errorf("stop words: got %d, want %d: %v", got, want, slices.Sorted(maps.Keys(stopWords)))
	}
	v := newVocabulary(nil)
	for word := range stopWords {
		if id := v.term(word); id != stopped {
			t.Errorf("term of %q: got %d, want none", word, id)
		}
	}
}

func TestTally(t *testing.T) {
	got := tally([]int32{3, 1, 3, 3, 2, 1})
	want := []count{{1, 2}, {2, 1}, {3, 3}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(count{})); diff != "" {
		t.Errorf("tally: -want +got\n%s", diff)
	}
}

// TestStemsRemembered pins that stems that are remembered are those that are made anew, and that no text fills the memory.
func TestStemsRemembered(t *testing.T) {
	var stems Stems
	long := strings.Repeat("running", 20)
	for range 2 {
		for _, word := range []string{"running", "flies", long} {
			if got, want := stems.stem(word), (*Stems)(nil).stem(word); got != want {
				t.Errorf("the stem of %q is %q, want %q", word, got, want)
			}
		}
	}
	if _, ok := stems.of[long]; ok || len(stems.of) != 2 {
		t.Errorf("%d words are remembered, want 2 and none of %d bytes", len(stems.of), len(long))
	}
	for i := range mostStems + 10 {
		stems.stem(fmt.Sprint("w", i))
	}
	if len(stems.of) != mostStems {
		t.Errorf("%d words are remembered, want %d", len(stems.of), mostStems)
	}
}
