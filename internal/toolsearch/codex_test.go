package toolsearch

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

func short(score float64) string { return strconv.FormatFloat(score, 'f', -1, 32) }

// TestTokens has one line for each rule of how Codex makes words.
func TestTokens(t *testing.T) {
	for _, test := range []struct{ rule, text, want string }{
		{"lower case, without stop words", "Close THE Ticket you've shouldn't", "close ticket"},
		{"stems", "closing tickets, running happily", "close ticket run happili"},
		{"letters, digits and _ join", "create_issue v2 2fa", "create_issu v2 2fa"},
		{"- and / divide", "create-issue a/b", "creat issu b"},
		{"these join letters: . ' :", "e.g. foo.bar foo:bar o'neil", "e.g foo.bar foo:bar o'neil"},
		{"and these digits: . , ; '", "1.5 1,000 1;2 1'0", "1.5 1,000 1;2 1'0"},
		{"not each other's", "a:1 foo,bar 1:2", "1 foo bar 1 2"},
		{"at an end they join nothing", "foo. 'bar' :baz:", "foo bar baz"},
		{"no letter and no digit", "_ __ -- … *", ""},
		{"Latin letters", "Café “naïve” Straße ærø", "cafe naiv strass aero"},
		{"punctuation", "don’t it’s a—b 2×3", "b 2x3"},
		{"Greek and Cyrillic letters", "Задача Ωmega Ёж", "zadacha omega iozh"},
		{"composed letters and signs", "ＡＢ² ½ ﬁn ™", "ab2 1 2 fin tm"},
		{"marks and invisible characters", "re\u0301sume\u0301 zero\u200bwidth", "resum zero width"},
		{"a Chinese letter is a word", "北京x", "u5317 u4eac x"},
		{"other letters join", "げん ⠿ 🦄", "u3052u3093"},
		{"a sign of the table", "✅done", "white check mark done"},
		{"an apostrophe of a genitive", "user's users'", "user user"},
	} {
		var stems []string
		for _, token := range newTokens().tokensOf(test.text) {
			stems = append(stems, token.stem)
		}
		if got := strings.Join(stems, " "); got != test.want {
			t.Errorf("%s: %q:\ngot  %q\nwant %q", test.rule, test.text, got, test.want)
		}
	}
}

func TestStopWords(t *testing.T) {
	if got, want := len(nltkStopWords), 179; got != want {
		t.Errorf("got %d stop words, want %d", got, want)
	}
}

// TestCodex has one line for each rule of what Codex searches.
func TestCodex(t *testing.T) {
	ix := Codex.Index([]Server{
		{Name: "bake-ry", Instructions: "Flour first", Tools: read(t, bakery)},
		{Name: "shop", Tools: read(t, `[{"name": "sell_one", "description": "Sell."}, {"name": "sell_two", "description": "Sell."}]`)},
	})
	for _, test := range []struct{ rule, query, want string }{
		{"a snake_case name is one word", "list_loaves", "list_loaves"},
		{"its words are not found in it", "loaves aid", ""},
		{"a name with hyphens is found by its words", "loaf", "bake-loaf"},
		{"by the form for requests", "bake_loaf", "bake-loaf"},
		{"by namespace and name", "mcp__bake_rybakemany", "bakeMany"},
		{"a title", "sourdough", "bakeMany"},
		{"the name of an argument", "rye", "bakeMany"},
		{"the whole description", "behind", "tell"},
		{"no _meta", "crumb", ""},
		{"eager tools of other clients", "burn", "first_aid"},
		{"tools of apps are not found", "button", ""},
		{"nothing", "", ""},
		{"stop words alone", "the and", ""},
	} {
		var names []string
		for _, r := range ix.Search(test.query, 0) {
			names = append(names, r.Tool.Name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %q: got %q, want %q", test.rule, test.query, got, test.want)
		}
	}
	if got := len(ix.Search("flour", 20)); got != 8 {
		t.Errorf("instructions: got %d tools, want the 8 of their server", got)
	}
}

// TestTies shows what a client leaves to chance: the tools are tied, and each has the worst rank that it can get.
func TestTies(t *testing.T) {
	tools := read(t, `[{"name": "sell_one", "description": "Sell."}, {"name": "sell_two", "description": "Sell."}, {"name": "buy", "description": "Sell, buy."}, {"name": "other"}]`)
	servers := []Server{{Name: "shop", Tools: tools}}
	for _, test := range []struct {
		client *Client
		tied   []bool
		ranks  []int
	}{
		{Codex, []bool{true, true, false}, []int{2, 2, 3, 5}},
		{ClaudeCode, []bool{false, false, false}, []int{1, 2, 3, 5}},
	} {
		ix := test.client.Index(servers)
		var tied []bool
		for _, r := range ix.Search("sell", 0) {
			tied = append(tied, r.Tied)
		}
		if got := ix.Ranks("sell", tools...); !slices.Equal(tied, test.tied) || !slices.Equal(got, test.ranks) {
			t.Errorf("%s: got %v, ranks %v, want %v, ranks %v", test.client.Name, tied, got, test.tied, test.ranks)
		}
	}
}

// TestGroups shows that Codex lists the tools of a server together, where its best one stands.
func TestGroups(t *testing.T) {
	ix := Codex.Index([]Server{
		{Name: "a", Tools: read(t, `[{"name": "one", "description": "bread bread bread"}, {"name": "two", "description": "bread and a great many other things of all kinds"}]`)},
		{Name: "b", Tools: read(t, `[{"name": "three", "description": "bread with butter"}]`)},
	})
	var got []string
	for i, r := range ix.Search("bread", 0) {
		got = append(got, r.Server+"."+r.Tool.Name)
		if r.Rank != i+1 {
			t.Errorf("rank of %s: got %d, want %d", got[i], r.Rank, i+1)
		}
	}
	if want := []string{"a.one", "a.two", "b.three"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := ix.Ranks("bread", ix.servers[0].Tools[1], ix.servers[1].Tools[0]); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("ranks: got %v, want them by score: [3 2]", got)
	}
}

// TestExplain holds what words earned to the score, for every client.
func TestExplain(t *testing.T) {
	for _, client := range Clients {
		ix := client.Index([]Server{{Name: "bake-ry", Instructions: "Flour first", Tools: read(t, bakery)}})
		query := "flour: bake one loaf list_loaves"
		all := ix.Explain(query, 0)
		if len(all) == 0 {
			t.Errorf("%s: no result", client.Name)
		}
		for _, one := range all {
			sum := 0.0
			for _, w := range one.Words {
				sum += w.Points
				if len(w.Where) == 0 {
					t.Errorf("%s: %s: %q earned %v nowhere", client.Name, one.Tool.Name, w.Term, w.Points)
				}
			}
			if diff := sum - one.Score; diff < -1e-5 || diff > 1e-5 {
				t.Errorf("%s: %s: words earned %v, want %v", client.Name, one.Tool.Name, sum, one.Score)
			}
		}
	}
}

// TestEager shows that a tool that stands in front of the model needs no search.
func TestEager(t *testing.T) {
	tools := read(t, bakery)
	aid := tools[slices.IndexFunc(tools, func(t *catalog.Tool) bool { return t.Name == "first_aid" })]
	servers := []Server{{Name: "bakery", Tools: tools}}
	if got := ClaudeCode.Index(servers).Ranks("zebra", aid); got[0] != 0 {
		t.Errorf("claude-code: got rank %d, want 0", got[0])
	}
	if got, want := Codex.Index(servers).Ranks("zebra", aid), 9; got[0] != want {
		t.Errorf("codex: got rank %d, want %d", got[0], want)
	}
}
