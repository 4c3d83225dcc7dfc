package builtin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestLexicalClauses(t *testing.T) {
	tests := []struct {
		prompt string
		want   []string
	}{
		{"", nil},
		{" \n\t ", nil},
		{"List the files", []string{"List the files"}},
		{"List the files. Read a.txt! Done?", []string{"List the files", "Read a.txt", "Done"}},
		{"Read v1.2.3 and 2.5", []string{"Read v1.2.3 and 2.5"}},
		{"Use a tool, e.g. the first. Stop", []string{"Use a tool, e.g. the first", "Stop"}},
		{"1. List files\n2) Read one\n- Write it\r\n* Delete it\n\na) Close", []string{"List files", "Read one", "Write it", "Delete it", "Close"}},
		{"get the time; send it", []string{"get the time", "send it"}},
		{"Get the time, then tell me", []string{"Get the time", "tell me"}},
		{"Get the time and then mail it, after that stop", []string{"Get the time", "mail it", "stop"}},
		{"Then finally, go", []string{"go"}},
		{"the authentic text", []string{"the authentic text"}},
		{"Create a branch and open a pull request", []string{"Create a branch", "open a pull request"}},
		{"Create a branch, open a pull request, and send a mail", []string{"Create a branch", "open a pull request", "send a mail"}},
		{"Find and delete all logs", []string{"Find and delete all logs"}},
		{"Weather in Paris, Rome and Berlin", []string{"Weather in Paris, Rome and Berlin"}},
		{`Write "a. b; then c, and send d" and send "x"`, []string{`Write "a. b; then c, and send d"`, `send "x"`}},
		{"Don't stop. It's 'a. b' here", []string{"Don't stop", "It's 'a. b' here"}},
		{"Write “one. two” now; go", []string{"Write “one. two” now", "go"}},
		{`an open " quote. Go`, []string{`an open " quote`, "Go"}},
	}
	for _, test := range tests {
		if got := lexicalClauses(test.prompt); !slices.Equal(got, test.want) {
			t.Errorf("clauses of %q: got %q, want %q", test.prompt, got, test.want)
		}
	}
}

// TestManyClauses pins that a prompt asks for at most 200 things.
func TestManyClauses(t *testing.T) {
	if got := len(lexicalClauses(strings.Repeat("go\n", 300))); got != 200 {
		t.Errorf("got %d clauses, want 200", got)
	}
}

func TestLexicalLiterals(t *testing.T) {
	tests := []struct {
		clause          string
		quoted, numbers []string
	}{
		{`echo "a b" and 'c' with ` + "`d`" + ` “e”`, []string{"a b", "c", "d", "e"}, nil},
		{"don't say it's done", nil, nil},
		{`the 'don't' case`, []string{"don't"}, nil},
		{"add 2 and 3.5, -4 (5); n=6 7% $8", nil, []string{"2", "3.5", "-4", "5", "6", "7", "8"}},
		{"v1.2.3, 2026-01-31, file2, 3rd, x-5, 10:30, 1.2.3", nil, nil},
		{`"5" 6.`, []string{"5"}, []string{"6"}},
		{`""`, []string{""}, nil},
		{"12345678901234567890", nil, nil},
	}
	for _, test := range tests {
		quoted, numbers := lexicalLiterals(test.clause)
		if !slices.Equal(quoted, test.quoted) || !slices.Equal(numbers, test.numbers) {
			t.Errorf("literals of %q: got %q and %q, want %q and %q", test.clause, quoted, numbers, test.quoted, test.numbers)
		}
	}
}

func TestLexicalArgs(t *testing.T) {
	tests := []struct{ what, schema, clause, want string }{
		{"no schema", ``, `"a"`, `{}`},
		{"nothing required", `{"properties":{"a":{"type":"string"}}}`, `"a"`, `{}`},
		{"required, in its order", `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b","a"]}`, `"x" "y"`, `{"b":"x","a":"y"}`},
		{"required twice", `{"required":["a","a"]}`, ``, `{"a":"text"}`},
		{"default", `{"properties":{"a":{"type":"string","default":"d","enum":["e"]}},"required":["a"]}`, `"x"`, `{"a":"d"}`},
		{"null for a default", `{"properties":{"a":{"type":"string","default":null}},"required":["a"]}`, `"x"`, `{"a":"x"}`},
		{"enum", `{"properties":{"a":{"enum":["e","f"],"examples":["g"]}},"required":["a"]}`, `"x"`, `{"a":"e"}`},
		{"examples", `{"properties":{"a":{"type":"integer","examples":[7]}},"required":["a"]}`, `5`, `{"a":7}`},
		{"const", `{"properties":{"a":{"const":{"k":1}}},"required":["a"]}`, ``, `{"a":{"k":1}}`},
		{"numbers by kind", `{"properties":{"i":{"type":"integer"},"n":{"type":"number"}},"required":["i","n"]}`, `2.5 of 3`, `{"i":3,"n":2.5}`},
		{"leading zero", `{"properties":{"i":{"type":"integer"}},"required":["i"]}`, `007`, `{"i":7}`},
		{"plain values", `{"properties":{"s":{"type":"string"},"i":{"type":"integer"},"b":{"type":"boolean"},"z":{"type":"null"},"o":{"type":"object"},"l":{"type":"array"}},"required":["s","i","b","z","o","l"]}`, ``,
			`{"s":"text","i":1,"b":false,"z":null,"o":{},"l":[]}`},
		{"several types", `{"properties":{"a":{"type":["null","integer"]}},"required":["a"]}`, ``, `{"a":1}`},
		{"lengths", `{"properties":{"a":{"type":"string","minLength":6},"b":{"type":"string","maxLength":2}},"required":["a","b"]}`, ``, `{"a":"textxx","b":"te"}`},
		{"huge lengths", `{"properties":{"a":{"type":"string","minLength":1e300,"maxLength":5},"b":{"type":"array","minItems":1e9}},"required":["a"]}`, ``, `{"a":"textx"}`},
		{"formats", `{"properties":{"d":{"format":"date"},"u":{"type":"string","format":"uri"}},"required":["d","u"]}`, ``, `{"d":"2026-01-01","u":"https://example.com/"}`},
		{"bounds", `{"properties":{"a":{"type":"integer","minimum":10},"b":{"type":"integer","maximum":-3},"c":{"type":"integer","exclusiveMinimum":5,"multipleOf":4},"d":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},"e":{"type":"number","minimum":1.5},"f":{"type":"integer","minimum":0.5,"maximum":2.5},"g":{"type":"integer","minimum":5,"exclusiveMinimum":true}},"required":["a","b","c","d","e","f","g"]}`, ``,
			`{"a":10,"b":-3,"c":8,"d":0.5,"e":1.5,"f":1,"g":6}`},
		{"odd bounds", `{"properties":{"a":{"type":"integer","minimum":1e300},"b":{"type":"number","multipleOf":1e-320},"c":{"type":"integer","minimum":"x"}},"required":["a","b","c"]}`, ``, `{"a":1,"b":1,"c":1}`},
		{"items", `{"properties":{"a":{"type":"array","items":{"type":"string"},"minItems":2},"b":{"type":"array","items":{"type":"integer"}},"c":{"type":"array","items":{},"maxItems":0}},"required":["a","b","c"]}`, `"x" 4`, `{"a":["x","text"],"b":[4],"c":[]}`},
		{"nested", `{"properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"integer"}},"required":["c"]}},"required":["b"]}},"required":["a"]}`, ``, `{"a":{"b":{"c":1}}}`},
		{"references", `{"$defs":{"a/b":{"type":"integer","minimum":3}},"properties":{"x":{"$ref":"#/$defs/a~1b"},"y":{"allOf":[{"$ref":"#/$defs/a~1b"}]},"z":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/a~1b"}]}},"required":["x","y","z"]}`, ``, `{"x":3,"y":3,"z":3}`},
		{"reference in a circle", `{"$defs":{"a":{"$ref":"#/$defs/a"}},"properties":{"x":{"$ref":"#/$defs/a"}},"required":["x"]}`, ``, `{"x":"text"}`},
		{"reference elsewhere", `{"properties":{"x":{"$ref":"https://example.com/x"},"y":{"$ref":"#/nothing/there"}},"required":["x","y"]}`, ``, `{"x":"text","y":"text"}`},
		{"oddities", `{"properties":{"a":true,"b":7,"c":{"type":5},"d":{"properties":{}}},"required":["a","b","c","d",5]}`, ``, `{}`},
		{"names that need quotes", `{"required":["a\"b"]}`, ``, `{"a\"b":"text"}`},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			got := lexicalArgs([]byte(test.schema), test.clause)
			if got != test.want || !json.Valid([]byte(got)) {
				t.Errorf("arguments for %s from %q:\ngot  %s\nwant %s", test.schema, test.clause, got, test.want)
			}
		})
	}
}

// TestLexicalArgsBounded pins that schemas made to explode do not.
func TestLexicalArgsBounded(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	tree := `{"$defs":{"n":{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"}},"required":["a","b"],"description":"` +
		strings.Repeat("x", 1<<20) + `"}},"properties":{"r":{"$ref":"#/$defs/n"}},"required":["r"]}`
	if got := lexicalArgs([]byte(tree), ""); len(got) > 1<<20 || !json.Valid([]byte(got)) {
		t.Errorf("arguments of %d bytes", len(got))
	}
	long := `{"$defs":{"n":{"default":"` + strings.Repeat("x", 1<<20) + `"}},"properties":{"r":{"type":"array","minItems":16,"items":{"type":"array","minItems":16,"items":{"$ref":"#/$defs/n"}}}},"required":["r"]}`
	if got := lexicalArgs([]byte(long), ""); len(got) > 20<<20 || !json.Valid([]byte(got)) {
		t.Errorf("arguments of %d bytes from one default value", len(got))
	}
}

var lexicalTools = []model.Tool{
	{Name: "get_weather", Description: "Weather forecast of a city", Schema: jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)},
	{Name: "send_mail", Description: "Sends a mail to somebody", Schema: jsontext.Value(`{"type":"object","properties":{"to":{"type":"string","format":"email"}},"required":["to"]}`)},
	{Name: "list_files", Description: ""},
}

func TestLexicalAgent(t *testing.T) {
	req := model.Request{
		System: "Be brief.", Tools: lexicalTools, MaxOutputTokens: 1000,
		Messages: []model.Message{{Role: model.RoleUser, Text: "What is the weather in \"Paris\"? Sing a song, then send a mail and list my files."}},
	}
	want := []string{`get_weather{"city":"Paris"}`, `send_mail{"to":"user@example.com"}`, `list_files{}`,
		"get_weather{\"city\":\"Paris\"}\n\nsend_mail{\"to\":\"user@example.com\"}\n\nlist_files{}"}
	if got := playProvider(t, newLexicalAgent(noRules), req); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	req.Tools = slices.Clone(lexicalTools)
	slices.Reverse(req.Tools)
	if got := playProvider(t, newLexicalAgent(noRules), req); !slices.Equal(got, want) {
		t.Errorf("tools in another order:\n got %q\nwant %q", got, want)
	}
	req.Messages[0].Text = "Sing a song"
	want = []string{"No tool shares a word with the request."}
	if got := playProvider(t, newLexicalAgent(noRules), req); !slices.Equal(got, want) {
		t.Errorf("nothing to do: got %q, want %q", got, want)
	}
}

func TestLexicalTokens(t *testing.T) {
	var counter tokens.Counter
	req := model.Request{System: "Be brief.", Tools: lexicalTools[:1], MaxOutputTokens: 5, Messages: []model.Message{{Role: model.RoleUser, Text: "weather"}}}
	agent := newLexicalAgent(noRules)
	read := counter.Text("Be brief.") + counter.Text("weather") + counter.Text("get_weather") +
		counter.Text("Weather forecast of a city") + counter.Text(string(lexicalTools[0].Schema))
	first := mustTurn(t, agent, req)
	written := counter.Text("get_weather") + counter.Text(`{"city":"text"}`)
	compareReplies(t, first, model.Reply{
		Calls: []model.Call{{ID: "call_1", Name: "get_weather", Args: `{"city":"text"}`}}, Stop: model.StopToolUse, Model: trace.ModelLexical,
		Input: trace.Known(int64(read)), Output: trace.Known(int64(written)),
	})
	result := strings.Repeat("sun ", 100000)
	second := mustTurn(t, agent, afterResults(req, first, model.Result{Text: result}))
	compareReplies(t, second, model.Reply{
		Text: "sun sun sun sun sun", Stop: model.StopEndTurn, Model: trace.ModelLexical,
		Input: trace.Known(int64(read + written + counter.Text(result))), Output: trace.Known(5),
	})
}

func TestCutToTokens(t *testing.T) {
	var counter tokens.Counter
	for _, text := range []string{"", "a", "é漢字👍", strings.Repeat("é漢👍", 1000), strings.Repeat(" ", 5000), strings.Repeat("a", 5000)} {
		for _, most := range []int{0, 1, 2, 3, 100} {
			got := cutToTokens(text, most)
			if n := counter.Text(got); n > most || !strings.HasPrefix(text, got) || strings.Contains(got, "\ufffd") {
				t.Errorf("%.20q cut to %d tokens has %d", text, most, n)
			}
		}
	}
}

// TestLexicalConcurrent shares one agent between runs, for the race detector.
func TestLexicalConcurrent(t *testing.T) {
	agent := newLexicalAgent(noRules)
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			req := model.Request{Tools: lexicalTools, MaxOutputTokens: 9, Messages: []model.Message{{Role: model.RoleUser, Text: "weather, then mail"}}}
			if _, err := agent.Turn(t.Context(), req); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
}

func FuzzLexicalCalls(f *testing.F) {
	f.Add(`Send "a" to 5, then stop.`, `{"properties":{"a":{"$ref":"#"}},"required":["a"]}`)
	f.Add("'“`\"1. 2; and get x", `{"anyOf":[{"type":"array","items":{"type":"number","multipleOf":0.1}}]}`)
	f.Fuzz(func(t *testing.T, prompt, schema string) {
		tools := []model.Tool{{Name: "send", Description: "Sends a", Schema: jsontext.Value(schema)}}
		for _, c := range lexicalCalls(prompt, tools) {
			var args map[string]any
			if json.Valid([]byte(schema)) && json.Unmarshal([]byte(c.Args), &args) != nil {
				t.Errorf("arguments for %q from %q are no object: %s", schema, prompt, c.Args)
			}
		}
	})
}

// TestPublishedSchemas counts for how many published tools the arguments fit the schema.
func TestPublishedSchemas(t *testing.T) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA is not set: made-up arguments are not checked against published schemas")
	}
	files, err := filepath.Glob(filepath.Join(dir, "catalogs", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs in %s: %v", dir, err)
	}
	tools, fit := 0, 0
	for _, file := range files {
		for _, schema := range publishedSchemas(t, file) {
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
			if err != nil {
				continue
			}
			c := jsonschema.NewCompiler()
			if c.AddResource("x.json", doc) != nil {
				continue
			}
			compiled, err := c.Compile("x.json")
			if err != nil {
				continue
			}
			args, err := jsonschema.UnmarshalJSON(strings.NewReader(lexicalArgs(schema, "")))
			if err != nil {
				t.Fatalf("arguments for %s: %v", schema, err)
			}
			if tools++; compiled.Validate(args) == nil {
				fit++
			}
		}
	}
	t.Logf("%d of %d", fit, tools)
	if fit*100 < tools*98 {
		t.Errorf("arguments fit the schemas of %d of %d tools, want 98%%", fit, tools)
	}
}

func publishedSchemas(t *testing.T, file string) []json.RawMessage {
	t.Helper()
	var content struct {
		Tools []struct {
			InputSchema json.RawMessage `json:"inputSchema"`
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal(data, &content) != nil {
		return nil
	}
	var schemas []json.RawMessage
	for _, tool := range content.Tools {
		schemas = append(schemas, tool.InputSchema)
	}
	return schemas
}
