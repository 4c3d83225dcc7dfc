package tokens

import (
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
)

func TestText(t *testing.T) {
	c := Counter{}
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"a", 1},
		{"hello world", 2},
		{"tiktoken is great!", 6},
		{"antidisestablishmentarianism", 6},
		{"2 + 2 = 4", 7},
		{"お誕生日おめでとう", 9},
		{"1234567", 3},
		{"I'm sure they'll say it's 'fine'", 11},
		{"\n", 1},
		{"\n \n", 1},
		{"a \n \n b", 3},
		{"a  b", 3},
		{"a\t\tb", 3},
		{"trailing  ", 3},
		{"x\r\n\r\ny", 3},
		{"<|endoftext|>", 7},
		{"<|fim_prefix|> and <|endofprompt|>", 14},
		{"👍🏽", 6},
		{"\xff", 1},
		{"\xff\xfe", 1},
	} {
		if got := c.Text(test.text); got != test.want {
			t.Errorf("Text(%q) = %d, want %d", test.text, got, test.want)
		}
	}
}

func TestTool(t *testing.T) {
	c := Counter{}
	for _, test := range []struct {
		name string
		tool catalog.Tool
		want []string // the texts that are counted
	}{
		{"name only", catalog.Tool{Name: "get_weather"}, []string{"get_weather"}},
		{"null schema", catalog.Tool{Name: "n", InputSchema: jsontext.Value(" null ")}, []string{"n"}},
		{"parts are counted apart", catalog.Tool{Name: "hello", Description: " world"}, []string{"hello", " world"}},
		{
			"spelling is kept, white space between tokens is not",
			catalog.Tool{Name: "n", Description: "d", InputSchema: jsontext.Value("{ \"b\\u0041\" :\n[ 1.0e+2 , \"x  \\u003c\" ] , \"a\" : { } }")},
			[]string{"n", "d", `{"b\u0041":[1.0e+2,"x  \u003c"],"a":{}}`},
		},
		{"a key twice", catalog.Tool{Name: "n", InputSchema: jsontext.Value(`{"a": 1, "a": 2}`)}, []string{"n", `{"a":1,"a":2}`}},
		{"true", catalog.Tool{Name: "n", InputSchema: jsontext.Value(`true`)}, []string{"n", "true"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := 0
			for _, text := range test.want {
				want += c.Text(text)
			}
			schema := test.tool.InputSchema.String()
			if got := c.Tool(&test.tool); got != want {
				t.Errorf("Tool(%+v) = %d, want the %d of %q", test.tool, got, want, test.want)
			}
			if after := test.tool.InputSchema.String(); after != schema {
				t.Errorf("Tool changed the schema %s to %s", schema, after)
			}
		})
	}
}

func TestCatalog(t *testing.T) {
	c := Counter{}
	cat := &catalog.Catalog{}
	want := int64(0)
	for _, word := range strings.Fields("one three fourteen one_hundred deux quarante-deux") {
		tool := &catalog.Tool{Name: word, Description: word + " " + word, InputSchema: jsontext.Value(`{"type": "object"}`)}
		cat.Tools = append(cat.Tools, tool)
		want += int64(c.Tool(tool))
	}
	if got := c.Catalog(cat); got != want {
		t.Errorf("Catalog of %d tools = %d, want %d", len(cat.Tools), got, want)
	}
	if got := c.Catalog(nil); got != 0 {
		t.Errorf("Catalog(nil) = %d, want 0", got)
	}
	if got := c.Catalog(&catalog.Catalog{}); got != 0 {
		t.Errorf("Catalog of no tools = %d, want 0", got)
	}
}

// Counts by many goroutines agree.
func TestConcurrent(t *testing.T) {
	c := Counter{}
	const text = "antidisestablishmentarianism in several goroutines"
	got := make([]int, 16)
	var workers sync.WaitGroup
	for i := range got {
		workers.Go(func() { got[i] = c.Text(text) })
	}
	workers.Wait()
	for i := range got {
		if want := 10; got[i] != want {
			t.Errorf("count %d of %q = %d, want %d", i, text, got[i], want)
		}
	}
}

// Runs that a merge by scanning takes quadratic time on have the counts that it would come to.
func TestLongRuns(t *testing.T) {
	c, yardstick := Counter{}, whole(t)
	for _, run := range []string{"a", "=", " ", "\r\n", "漢", "👍", "aB", "\u2003\t", "antidisestablishment"} {
		text := strings.Repeat(run, 4096/len(run)) + "x1"
		if got, want := c.Text(text), len(yardstick.EncodeOrdinary(text)); got != want {
			t.Errorf("Text of %d times %q and \"x1\" = %d, want %d", 4096/len(run), run, got, want)
		}
	}
}

// A piece longer than longestMerge is counted in portions.
func TestPortions(t *testing.T) {
	letter, long := "ꀀ", 1 // each of its bytes is a token, which no other joins
	if thorough.Asked() {
		letter, long = "a", 8 // aaaaaaaa is the longest token of its kind
	}
	text := strings.Repeat(letter, longestMerge/len(letter)+16)
	if got, want := (Counter{}).Text(text), len(text)/long; got != want {
		t.Errorf("Text of %d bytes of %q = %d, want %d", len(text), letter, got, want)
	}
}
