package trace_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

const deferredCassette = `{
  "cassette": 1,
  "catalog": {"web": {"tools": [{"name": "fetch", "inputSchema": {"type": "object"}}]}},
  "deferred": [{"server": "web", "name": "search"}, {"server": "web", "name": "fetch"}],
  "runs": [{"tool_calls": [
    {"server": "builtin", "name": "ToolSearch", "found": [{"server": "web", "name": "search"}, {"name": "other"}]},
    {"server": "builtin", "name": "ToolSearch", "query": "search\u0020pages", "deferred_tools": 27, "found": []},
    {"server": "builtin", "name": "ToolSearch", "loaded": [{"server": "web", "name": "fetch"}], "query": "select:mcp__web__fetch"},
    {"server": "builtin", "name": "tool_search", "query": "pages"},
    {"server": "web", "name": "search", "query": {"q": "no search for tools"}, "deferred_tools": "x"},
    {"server": "builtin", "name": "bash", "found": null}]}]
}`

// TestDeferred pins that deferred tools and searches survive writing, and that searches are kept whatever is asked for.
func TestDeferred(t *testing.T) {
	read := func(text string, keep trace.Keep) *trace.Trace {
		t.Helper()
		tr, errs := trace.Read(fstest.MapFS{"c.json": {Data: []byte(text)}}, []string{"c.json"}, keep)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		return tr
	}
	tr := read(deferredCassette, trace.KeepArgs|trace.KeepResults)
	var out bytes.Buffer
	if err := trace.Write(&out, tr); err != nil {
		t.Fatal(err)
	}
	again := read(out.String(), 0)
	want := []catalog.Ref{{Server: "web", Name: "fetch"}, {Server: "web", Name: "search"}}
	if !reflect.DeepEqual(again.Deferred, want) {
		t.Errorf("deferred are %v, want %v", again.Deferred, want)
	}
	if got := again.NamedOnly(); !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("known by name only are %v, want %v", got, want[1:])
	}
	for i, want := range []*trace.Search{
		{Tools: []catalog.Ref{{Server: "web", Name: "search"}, {Name: "other"}}},
		{Query: "search pages", Pool: trace.Known(27), Tools: []catalog.Ref{}},
		{Query: "select:mcp__web__fetch", ByName: true, Tools: []catalog.Ref{{Server: "web", Name: "fetch"}}},
		{Query: "pages"},
		nil,
		nil,
	} {
		if got := again.Runs[0].Calls[i].Search(); !reflect.DeepEqual(got, want) {
			t.Errorf("call %d is the search %+v, want %+v", i, got, want)
		}
	}
	if empty := read(`{"cassette": 1, "deferred": [], "runs": [{"tool_calls": []}]}`, 0); empty.Deferred == nil {
		t.Error("an empty list of deferred tools is none")
	}
	if old := read(`{"cassette": 1, "deferred": null, "runs": [{"tool_calls": []}]}`, 0); old.Deferred != nil {
		t.Error("null is a list of deferred tools")
	}
}

func TestDeferredMistakes(t *testing.T) {
	many := strings.Repeat(`{"name": "a"},`, trace.MaxDeferred) + `{"name": "b"}`
	for text, want := range map[string]string{
		`{"cassette": 1, "deferred": [` + many + `], "runs": [{"tool_calls": []}]}`:                         `"deferred" has too many tools`,
		`{"cassette": 1, "deferred": 3, "runs": [{"tool_calls": []}]}`:                                      `"deferred" must be`,
		`{"cassette": 1, "deferred": [{"server": "a"}], "runs": [{"tool_calls": []}]}`:                      `a deferred tool has no "name"`,
		`{"runs": [{"tool_calls": [{"server": "web", "name": "delete", "found": []}]}]}`:                    `"found" is of a search, which is a call of server "builtin", found server "web"`,
		`{"runs": [{"tool_calls": [{"server": "builtin", "name": "ToolSearch", "found": [{"name": 3}]}]}]}`: `"name" must be`,
		`{"runs": [{"tool_calls": [{"loaded": [], "server": "web", "name": "delete"}]}]}`:                   `"loaded" is of a search, which is a call of server "builtin", found server "web"`,
		`{"runs": [{"tool_calls": [{"server": "builtin", "name": "a", "found": [], "loaded": []}]}]}`:       `a call has both "found" and "loaded", expected one of them`,
		`{"runs": [{"tool_calls": [{"server": "builtin", "name": "a", "loaded": 3}]}]}`:                     `"loaded" must be`,
	} {
		_, errs := trace.Read(fstest.MapFS{"c.json": {Data: []byte(text)}}, []string{"c.json"}, 0)
		if len(errs) == 0 || !strings.Contains(errs[0].Msg, want) {
			t.Errorf("%s: %v, want %q", text, errs, want)
		}
	}
}

// TestMergeOffered pins which catalogs are of the same offer.
func TestMergeOffered(t *testing.T) {
	cat := func(tools ...string) *catalog.Catalog {
		c, err := catalog.FromServers([]byte(`{"web": {"tools": [` + strings.Join(tools, ",") + `]}}`))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b, other := `{"name": "a"}`, `{"name": "b"}`, `{"name": "a", "description": "Other"}`
	ref := func(names ...string) (list []catalog.Ref) {
		for _, name := range names {
			list = append(list, catalog.Ref{Server: "web", Name: name})
		}
		return list
	}
	for _, test := range []struct {
		name     string
		a, b     *catalog.Catalog
		deferred []catalog.Ref
		want     int // tools; -1 for catalogs that differ
	}{
		{"each loaded one", cat(a), cat(b), ref("a", "b"), 2},
		{"one loaded none", nil, cat(b), ref("b"), 1},
		{"none loaded any", nil, nil, ref("b"), 0},
		{"one has another eager tool", cat(a), cat(a, b), ref("a"), -1},
		{"one lacks an eager tool", cat(a, b), cat(b), ref("b"), -1},
		{"a deferred tool was changed", cat(a), cat(other), ref("a"), -1},
		{"nothing is deferred", cat(a), cat(b), nil, -1},
	} {
		got, ok := trace.MergeOffered(test.a, test.b, test.deferred)
		n := -1
		if ok && got == nil {
			n = 0
		} else if ok {
			n = len(got.Tools)
		}
		if n != test.want {
			t.Errorf("%s: %d tools, want %d", test.name, n, test.want)
		}
	}
}
