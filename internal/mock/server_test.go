package mock

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/thorough"
)

// Pins that tools come back byte for byte but for white space: order of tools and of keys, unknown fields, odd values,
// schemas that the SDK panics at, and one name twice.
func TestCatalogAsItIs(t *testing.T) {
	want := []string{
		`{"zeta":1e400,"name":"z","title":"T","description":"<b>\u00e9é &","inputSchema":{"type":"array","required":7,"b":1.0,"a":{}},"_meta":{"x":[null]},"icons":[]}`,
		`{"name":"a","inputSchema":null,"outputSchema":true,"annotations":{"readOnlyHint":"yes"}}`,
		`{"name":"a"}`,
		`{"inputSchema":{"$ref":"#/nowhere","type":["object"],"x":"\ud83d\ude00"},"name":"","server":"s"}`,
		`{"name":"` + strings.Repeat("n", 300) + `","inputSchema":{"properties":{"p":{"x-mcp-header":"a b"}},"type":"object"}}`,
	}
	s := New(catalogOf(t, "{\"tools\": [\n"+strings.Join(want, " ,\n ")+"]}"), Options{})
	got := exchange(t, s, handshake+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n")[2]
	if list := `"tools":[` + strings.Join(want, ",") + `]}`; !strings.HasSuffix(got, list) {
		t.Errorf("tools/list:\n got: %s\nwant: %s", got, list)
	}
}

// listAll lists all tools page by page, as the client reads them.
func listAll(t testing.TB, session *mcp.ClientSession) (names []string, pages int) {
	t.Helper()
	cursor := ""
	for {
		page, err := session.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			t.Fatalf("list from %q: %v", cursor, err)
		}
		pages++
		for _, tool := range page.Tools {
			names = append(names, tool.Name)
		}
		if cursor = page.NextCursor; cursor == "" {
			return names, pages
		}
	}
}

func TestPages(t *testing.T) {
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`{"name": "t%d"}`, i*7919%1000))
	}
	d := catalogOf(t, "["+strings.Join(many, ",")+"]")
	for _, test := range []struct{ size, pages int }{{0, 1}, {50, 20}, {999, 2}, {1000, 1}, {1, 1000}} {
		if test.pages > 20 && !thorough.Asked() {
			continue
		}
		names, pages := listAll(t, dial(t, d, Options{PageSize: test.size}))
		if pages != test.pages || len(names) != 1000 || names[1] != "t919" || names[999] != "t81" {
			t.Errorf("page size %d: %d tools on %d pages, want 1000 in the catalog's order on %d", test.size, len(names), pages, test.pages)
		}
	}
	if names, pages := listAll(t, dial(t, catalogOf(t, "["+strings.Join(many[:3], ",")+"]"), Options{PageSize: 1})); pages != 3 || len(names) != 3 {
		t.Errorf("page size 1: %d tools on %d pages, want 3 on 3", len(names), pages)
	}
	session := dial(t, d, Options{PageSize: 50})
	for _, cursor := range []string{"x", "0", "-1", "1000", "99999999999999999999"} {
		if _, err := session.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor}); err == nil || !strings.Contains(err.Error(), "unknown cursor") {
			t.Errorf("cursor %q: got error %v, want an unknown cursor", cursor, err)
		}
	}
}

func TestPageSizeOfManifest(t *testing.T) {
	text := "mock_server:\n  page_size: 2\n  tools: [{name: c}, {name: a}, {name: b}]\n"
	for _, test := range []struct{ flag, pages int }{{0, 2}, {1, 3}} {
		names, pages := listAll(t, dial(t, manifest(t, text), Options{PageSize: test.flag}))
		if want := []string{"c", "a", "b"}; !slices.Equal(names, want) || pages != test.pages {
			t.Errorf("page size %d: got %d pages, want %d; got the names %q, want %q", test.flag, pages, test.pages, names, want)
		}
	}
}

func TestEcho(t *testing.T) {
	session := dial(t, catalogOf(t, `[{"name": "a\"b", "inputSchema": {"type": "object", "required": ["x"]}}, {"name": "c"}]`), Options{})
	for _, test := range []struct{ name, args, want string }{
		{`a"b`, `{"z":1.50,"a":{"<":[]}}`, `{"name":"a\"b","args":{"z":1.50,"a":{"<":[]}}};`},
		{"c", ``, `{"name":"c","args":{}};`},
		{"c", `null`, `{"name":"c","args":{}};`},
		{"c", `[1]`, `error -32602: "arguments" must be an object`},
		{"c", `"x"`, `error -32602: "arguments" must be an object`},
		{"d", `{}`, `error -32602: unknown tool "d"`},
		{strings.Repeat("d", 100), ``, `error -32602: unknown tool "` + strings.Repeat("d", 60) + `…"`},
	} {
		if got := call(t, session, test.name, test.args); got != test.want {
			t.Errorf("%s(%s):\n got: %s\nwant: %s", test.name, test.args, got, test.want)
		}
	}
}

// Pins how a tool of a manifest is listed: under the protocol's names, in one order, with the schema's own order.
func TestManifestTools(t *testing.T) {
	d := tools(t, `
    - name: a
      description: "d"
      title: "t"
      _meta: {k: 1}
      annotations: {readOnlyHint: true, title: T}
      inputSchema: {type: object, properties: {z: {default: 1.50}, a: {enum: [~, no, "1"]}}, additionalProperties: false}
      output_schema: {type: object}
    - name: b
`)
	want := []string{
		`{"name":"a","title":"t","description":"d","inputSchema":{"type":"object","properties":{"z":{"default":1.5},"a":{"enum":[null,"no","1"]}},` +
			`"additionalProperties":false},"outputSchema":{"type":"object"},"annotations":{"title":"T","readOnlyHint":true},"_meta":{"k":1}}`,
		`{"name":"b","inputSchema":{"type":"object"}}`,
	}
	var got []string
	for _, tool := range d.tools {
		got = append(got, string(tool.raw))
	}
	if !slices.Equal(got, want) {
		t.Errorf("tools:\n got %q\nwant %q", got, want)
	}
}

func TestResourcesAndPrompts(t *testing.T) {
	session := dial(t, manifest(t, `
mock_server:
  name: notes
  version: "3"
  instructions: Be brief.
  resources:
    - {uri: "note://1", name: one, title: One, description: d, mime_type: text/plain, text: first}
    - {uri: "note://2", name: two, blob: AAEC}
  prompts:
    - name: greet
      title: Greet
      description: says hello
      arguments: [{name: who, description: w, required: true}, {name: how, title: How}]
      messages:
        - {role: user, content: "Greet ${args.who} ${args.how}."}
        - {role: assistant, content: {type: resource_link, uri: "note://1", name: "${args.who}"}}
`), Options{})
	info := session.InitializeResult()
	if info.ServerInfo.Name != "notes" || info.ServerInfo.Version != "3" || info.Instructions != "Be brief." {
		t.Errorf("the server calls itself %+v with %q", info.ServerInfo, info.Instructions)
	}
	listed, err := session.ListResources(t.Context(), nil)
	prompts, promptsErr := session.ListPrompts(t.Context(), nil)
	one, oneErr := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "note://1"})
	two, twoErr := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "note://2"})
	greeting, greetErr := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "\"Ada\""}})
	if err := errors.Join(err, promptsErr, oneErr, twoErr, greetErr); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal([]any{listed.Resources, prompts.Prompts, one.Contents, two.Contents, greeting.Description, greeting.Messages})
	if err != nil {
		t.Fatal(err)
	}
	want := `[[{"description":"d","mimeType":"text/plain","name":"one","title":"One","uri":"note://1"},{"name":"two","uri":"note://2"}],` +
		`[{"arguments":[{"name":"who","description":"w","required":true},{"name":"how","title":"How"}],"description":"says hello","name":"greet","title":"Greet"}],` +
		`[{"uri":"note://1","mimeType":"text/plain","text":"first"}],[{"uri":"note://2","blob":"AAEC"}],"says hello",` +
		`[{"content":{"type":"text","text":"Greet \"Ada\" ."},"role":"user"},{"content":{"type":"resource_link","uri":"note://1","name":"\"Ada\""},"role":"assistant"}]]`
	if string(got) != want {
		t.Errorf("resources and prompts:\n got %s\nwant %s", got, want)
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "note://3"}); err == nil {
		t.Error("a resource that is not there can be read")
	}
	if _, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet"}); err == nil || !strings.Contains(err.Error(), `argument "who" of prompt "greet" is missing`) {
		t.Errorf("a prompt without its argument: got error %v", err)
	}
}

// Pins that a server called by one name in the catalog is called so.
func TestCatalogName(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`[{"name": "a"}]`, "mock"},
		{`{"servers": {"weather": {"tools": [{"name": "a"}, {"name": "b"}]}}}`, "weather"},
		{`{"servers": {"a": {"tools": [{"name": "a"}]}, "b": {"tools": [{"name": "a"}]}}}`, "mock"},
		{`[]`, "mock"},
	} {
		if got := catalogOf(t, test.text).name; got != test.want {
			t.Errorf("name of the server of %s: got %q, want %q", test.text, got, test.want)
		}
	}
}
