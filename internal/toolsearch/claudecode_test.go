package toolsearch

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// read returns the tools of a catalog.
func read(t testing.TB, text string) []*catalog.Tool {
	t.Helper()
	c, mistakes := catalog.Read("c.json", []byte(text))
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	return c.All()
}

// long is a description that Claude Code cuts: "word" stands before the place, "behind" after it.
var long = "word " + strings.Repeat("é", 4091) + " behind"

var bakery = `[
	{"name": "list_loaves", "description": "List what the oven holds. Uses C++ and a-b."},
	{"name": "bake-loaf", "description": "Bake one loaf"},
	{"name": "bakeMany", "title": "Sourdough", "description": "Bake", "inputSchema": {"type": "object", "properties": {"rye": {}}}},
	{"name": "oven.heat_up", "description": "Heat."},
	{"name": "tell", "description": "` + long + `"},
	{"name": "hinted", "_meta": {"anthropic/searchHint": "Crust, crumb"}},
	{"name": "first_aid", "description": "oven burns", "_meta": {"anthropic/alwaysLoad": true}},
	{"name": "not_eager", "_meta": {"anthropic/alwaysLoad": "true"}},
	{"name": "button", "description": "oven", "_meta": {"ui": {"visibility": ["app"]}}}
]`

// TestClaudeCode has one line for each rule: what a query returns, and the score of each tool.
func TestClaudeCode(t *testing.T) {
	ix := ClaudeCode.Index([]Server{
		{Name: "Bakery 2", Instructions: "flour", Tools: read(t, bakery)},
		{Name: "shop", Tools: read(t, `[{"name": "list_loaves"}, {"name": "Tell"}]`)},
	})
	for _, test := range []struct {
		rule, query string
		limit       int
		want        string
	}{
		{"a whole name of one word", "tell", 0, "Bakery 2.tell 24, shop.Tell 24"},
		{"a word of a name", "loaves", 0, "Bakery 2.list_loaves 16, shop.list_loaves 16"},
		{"a whole name of several words", "list_loaves", 0, "Bakery 2.list_loaves 12, shop.list_loaves 12"},
		{"a part of a word, and a hyphen divides nothing", "loaf", 0, "Bakery 2.bake-loaf 12"},
		{"camelCase divides nothing", "many", 0, "Bakery 2.bakeMany 10"},
		{"a part across words", "t_loav", 0, "Bakery 2.list_loaves 4, shop.list_loaves 4"},
		{"points divide names", "oven", 0, "Bakery 2.oven.heat_up 16, Bakery 2.list_loaves 2"},
		{"a blank in a server's name divides it", "bakery", 2, "Bakery 2.bake-loaf 16, Bakery 2.bakeMany 16"},
		{"a word of a description", "holds", 0, "Bakery 2.list_loaves 2"},
		{"punctuation stays part of a word", "holds.", 0, ""},
		{"\\b beside a letter alone", "c++", 0, ""},
		{"inner punctuation", "a-b", 0, "Bakery 2.list_loaves 2"},
		{"a search hint", "crumb", 0, "Bakery 2.hinted 4"},
		{"words are added, repeated ones too", "crumb CRUMB holds", 0, "Bakery 2.hinted 8, Bakery 2.list_loaves 2"},
		{"the beginning of a description", "word", 0, "Bakery 2.tell 2"},
		{"not the rest of it", "behind", 0, ""},
		{"but the mark of the cut", "truncated", 0, "Bakery 2.tell 2"},
		{"no titles", "sourdough", 0, ""},
		{"no arguments", "rye", 0, ""},
		{"no instructions", "flour", 0, ""},
		{"no stems", "loaving", 0, ""},
		{"a required word", "+loaves shop", 0, "shop.list_loaves 40, Bakery 2.list_loaves 16"},
		{"required words are all required", "+loaves +shop", 0, "shop.list_loaves 40"},
		{"a required word that nothing has", "+zebra loaves", 0, ""},
		{"a plus alone is a word", "+", 0, ""},
		{"a limit", "loaves", 1, "Bakery 2.list_loaves 16"},
		{"eager tools are not found", "burns", 0, ""},
		{"eager is only true", "eager", 0, "Bakery 2.not_eager 16"},
		{"tools of apps are not found", "button", 0, ""},
		{"a whole wire name", "mcp__shop__list_loaves", 0, "shop.list_loaves 0"},
		{"in another case", "MCP__SHOP__TELL", 0, "shop.Tell 0"},
		{"of an eager tool", "mcp__Bakery_2__first_aid", 0, ""},
		{"the beginning of a wire name", "mcp__SHOP", 0, "shop.list_loaves 0, shop.Tell 0"},
		{"the limit of these", "mcp__shop", 1, "shop.list_loaves 0"},
		{"the prefix alone is a word", "mcp__", 0, ""},
		{"a select", "SELECT: mcp__shop__Tell , tell,nothing,mcp__shop__Tell", 1, "shop.Tell 0, Bakery 2.tell 0"},
		{"a select by bare names, which all servers have", "select:list_loaves", 1, "Bakery 2.list_loaves 0, shop.list_loaves 0"},
		{"a select of an eager tool", "select:first_aid", 0, "Bakery 2.first_aid 0"},
		{"a select that finds nothing is no search", "select:loaves", 0, ""},
		{"nothing", "", 0, ""},
		{"32 words", strings.Repeat("zebra ", 31) + "crumb loaves", 0, "Bakery 2.hinted 4"},
		{"16,384 units", strings.Repeat("é", 16_378) + " crumb loaves", 0, "Bakery 2.hinted 4"},
	} {
		if got := shown(ix.Search(test.query, test.limit)); got != test.want {
			t.Errorf("%s: %.60q\ngot  %s\nwant %s", test.rule, test.query, got, test.want)
		}
	}
}

// shown returns results in a line.
func shown(results []Result) string {
	var all []string
	for _, r := range results {
		one := strings.TrimPrefix(r.Server+".", ".") + r.Tool.Name + " " + short(r.Score)
		if r.Tied {
			one += " tied"
		}
		all = append(all, one)
	}
	return strings.Join(all, ", ")
}

func TestCollation(t *testing.T) {
	want := []string{"mcp__a__x_y", "mcp__a__x-y", "mcp__a__x1", "mcp__a__xa", "mcp__a__xA", "mcp__a__xB", "mcp__a-b__x", "mcp__a1__x"}
	var tools []entry
	for _, wire := range slices.Backward(want) {
		tools = append(tools, entry{wireName: wire})
	}
	sortByWireName(tools)
	var got []string
	for _, e := range tools {
		got = append(got, e.wireName)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWireWord(t *testing.T) {
	if got, want := ClaudeCode.WireName("a b", "é-😀.x"), "mcp__a_b___-___x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzClaudeCode holds what the index prepared to what a reading of each tool's texts finds.
func FuzzClaudeCode(f *testing.F) {
	f.Add("list_loaves", "Bakes a loaf, c++ — or two", "t_l a loaf c++ +or —")
	f.Add("a.b_c", "aéb x-y y-x", "é x-y a.b +a b_ -")
	f.Fuzz(func(t *testing.T, name, description, query string) {
		tools := []*catalog.Tool{{Name: name, Description: description}, {Name: "other_" + name}, {Name: "x", Description: description + name}}
		ix := ClaudeCode.Index([]Server{{Name: "srv." + name, Tools: tools}})
		found := ix.Search(query, len(tools))
		if len(found) > 0 && found[0].Score == 0 {
			return // by name
		}
		scores := map[*catalog.Tool]float64{}
		for _, r := range found {
			scores[r.Tool] = r.Score
		}
		_, required := termsOf(firstWords(cutQuery(query)))
		for i, e := range ix.tools {
			want := 0.0
			words := ix.engine.explain(query, i)
			for _, w := range words {
				want += w.Points
			}
			for _, term := range required {
				if !slices.ContainsFunc(words, func(w Earned) bool { return w.Term == term }) {
					want = 0
				}
			}
			if got := scores[e.tool]; got != want {
				t.Errorf("%q in %q, %q: got %v, want %v", query, e.tool.Name, e.tool.Description, got, want)
			}
		}
	})
}
