package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestSHA256(t *testing.T) {
	for _, test := range []struct{ name, catalog, canonical string }{
		{"no tools", `[]`, `{}`},
		{"no server", `[{"name": "a"}]`, `{"":[{"name":"a"}]}`},
		{
			"sorted by server, name and key",
			`{"servers": {"b": {"tools": [{"name": "z"}, {"name": "B"}, {"name": "a"}]}, "a": {"tools": [{"name": "é"}]}}}`,
			`{"a":[{"name":"é"}],"b":[{"name":"B"},{"name":"a"},{"name":"z"}]}`,
		},
		{
			"the five fields, in canonical spelling",
			`[{"outputSchema": null, "title": "T", "name": "a", "annotations": {"readOnlyHint": true}, "inputSchema": {"b": 1.0, "a": [1E2, 0.000001, -0], "\u20ac": "\u003c\/\n"}, "description": "d", "_meta": {}}]`,
			`{"":[{"annotations":{"readOnlyHint":true},"description":"d","inputSchema":{"a":[100,0.000001,0],"b":1,"€":"</\n"},"name":"a","outputSchema":null}]}`,
		},
		{"no text is not no description", `[{"name": "a", "description": ""}, {"name": "b", "description": null}, {"name": "c"}]`, `{"":[{"description":"","name":"a"},{"description":null,"name":"b"},{"name":"c"}]}`},
		{"one name twice", `[{"name": "a", "description": "2"}, {"name": "a", "description": "1"}]`, `{"":[{"description":"2","name":"a"},{"description":"1","name":"a"}]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			sum := sha256.Sum256([]byte(test.canonical))
			if got, want := read(t, test.catalog).SHA256(), hex.EncodeToString(sum[:]); got != want {
				t.Errorf("SHA256 of %s = %s, want %s of %s", test.catalog, got, want, test.canonical)
			}
		})
	}
}

// The hash reads a catalog without changing it, and takes what the canonical form has no place for.
func TestSHA256KeepsCatalog(t *testing.T) {
	const text = `[{"name": "a", "inputSchema": {"b": 1e999, "b": 2, "a": 10000000000000000000001}}]`
	c := read(t, text)
	first := c.SHA256()
	if got := c.SHA256(); got != first {
		t.Errorf("second SHA256 of %s = %s, first %s", text, got, first)
	}
	if got, want := string(c.Tools[0].InputSchema), `{"b": 1e999, "b": 2, "a": 10000000000000000000001}`; got != want {
		t.Errorf("schema after SHA256 = %s, want %s", got, want)
	}
}

// A tool made by hand hashes as the same tool read.
func TestSHA256Composed(t *testing.T) {
	made := &Catalog{Tools: []*Tool{{Server: "s", Name: "a", Description: "d\"", InputSchema: jsontext.Value(`{}`)}}}
	got := made.SHA256()
	want := read(t, `{"servers": {"s": {"tools": [{"inputSchema": { }, "name": "a", "description": "d\u0022"}]}}}`).SHA256()
	if got != want {
		t.Errorf("SHA256 of a tool made by hand = %s, want %s", got, want)
	}
}

func TestCompare(t *testing.T) {
	old := read(t, `[{"server": "s", "name": "same", "inputSchema": {"a": 1, "b": 2}}, {"server": "s", "name": "gone"}, {"name": "gone"}, {"name": "twice"}, {"name": "twice"}, {"server": "s", "name": "described", "description": "a"}]`)
	now := read(t, `[{"name": "new"}, {"server": "s", "description": "b", "name": "described"}, {"name": "twice"}, {"server": "s", "title": "t", "name": "same", "inputSchema": {"b": 2.0, "a": 1}}, {"server": "a", "name": "new"}]`)
	want := Diff{
		Added:   []Ref{{"", "new"}, {"a", "new"}},
		Removed: []Ref{{"", "gone"}, {"s", "gone"}},
		Changed: []Ref{{"", "twice"}, {"s", "described"}},
	}
	if diff := cmp.Diff(Compare(old, now), want); diff != "" {
		t.Errorf("Compare (-got +want):\n%s", diff)
	}
	if got := Compare(old, old); !got.Empty() {
		t.Errorf("Compare of equal catalogs = %v, want no difference", got)
	}
	if got := len(Compare(nil, now).Added); got != 5 {
		t.Errorf("Compare with no catalog: %d tools added, want 5", got)
	}
	if got := Compare(nil, nil); !got.Empty() {
		t.Errorf("Compare of no catalogs = %v, want no difference", got)
	}
}
