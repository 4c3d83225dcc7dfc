package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ids returns the qualified ids of the tools of c.
func ids(c *Catalog) []string {
	var all []string
	for _, t := range c.Tools {
		all = append(all, t.Ref().ID())
	}
	return all
}

func TestLookup(t *testing.T) {
	c := read(t, `[{"server": "s", "name": "a", "title": "1"}, {"server": "r", "name": "a"}, {"name": "b"}, {"server": "s", "name": "a", "title": "2"}]`)
	for _, test := range []struct {
		ref  Ref
		want int // index of the tool, -1 for none
	}{
		{Ref{"s", "a"}, 0},
		{Ref{"r", "a"}, 1},
		{Ref{"", "a"}, 0},
		{Ref{"x", "a"}, -1},
		{Ref{"x", "b"}, 2},
		{Ref{"", "s.a"}, -1},
	} {
		got, ok := c.Lookup(test.ref)
		switch {
		case ok != (test.want >= 0):
			t.Errorf("Lookup(%v) found a tool: %v", test.ref, ok)
		case ok && got != c.Tools[test.want]:
			t.Errorf("Lookup(%v) = %s, want tool %d", test.ref, got.Raw, test.want)
		}
	}
	var none *Catalog
	if _, ok := none.Lookup(Ref{Name: "a"}); ok {
		t.Error("Lookup found a tool in no catalog")
	}
}

func TestNamed(t *testing.T) {
	c := read(t, `[{"name": "a"}, {"server": "s", "name": "b"}]`)
	named := c.Named("n")
	if diff := cmp.Diff(ids(named), []string{"n.a", "s.b"}); diff != "" {
		t.Errorf("tools (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(ids(c), []string{"a", "s.b"}); diff != "" {
		t.Errorf("tools of the original (-got +want):\n%s", diff)
	}
	if named.File != c.File {
		t.Errorf("file = %q, want %q", named.File, c.File)
	}
}

func TestWithout(t *testing.T) {
	c := read(t, `[{"server": "s", "name": "a"}, {"name": "b"}, {"server": "s", "name": "c"}, {"server": "s", "name": "d"}]`)
	got := c.Without([]Ref{{"s", "a"}, {"x", "b"}, {"", "c"}, {"x", "d"}})
	if diff := cmp.Diff(ids(got), []string{"s.d"}); diff != "" {
		t.Errorf("tools (-got +want):\n%s", diff)
	}
	if len(c.Tools) != 4 {
		t.Errorf("the original has %d tools left, want 4", len(c.Tools))
	}
}

func TestMerge(t *testing.T) {
	a, b := read(t, `[{"name": "a"}]`), read(t, `[{"name": "b"}, {"name": "a"}]`)
	other := &Catalog{File: "other.json"}
	for _, test := range []struct {
		cats  []*Catalog
		file  string
		tools []string
	}{
		{[]*Catalog{a}, "c.json", []string{"a"}},
		{[]*Catalog{nil, a, nil, b}, "c.json", []string{"a", "b", "a"}},
		{[]*Catalog{b, other}, "", []string{"b", "a"}},
	} {
		got := Merge(test.cats...)
		if diff := cmp.Diff(ids(got), test.tools); diff != "" || got.File != test.file {
			t.Errorf("file %q, want %q; tools (-got +want):\n%s", got.File, test.file, diff)
		}
	}
	if got := Merge(nil, nil); got != nil {
		t.Errorf("Merge(nil, nil) = %v, want nil", got)
	}
	if len(a.Tools) != 1 {
		t.Errorf("Merge changed its argument to %v", ids(a))
	}
}

func TestWrite(t *testing.T) {
	c := read(t, `[{"name":"b","z":[],"description":"<\u00e9>","inputSchema":{"type":"object","a":{}}},{"name":"B"},{"x":1.0,"name":"a"}]`)
	tools := append(c.Tools, &Tool{Server: "s", Name: "c", Description: "d", Annotations: []byte(`{"readOnlyHint":true}`)})
	want := `{
  "tools": [
    {
      "name": "B"
    },
    {
      "x": 1.0,
      "name": "a"
    },
    {
      "name": "b",
      "z": [],
      "description": "<\u00e9>",
      "inputSchema": {
        "type": "object",
        "a": {}
      }
    },
    {
      "name": "c",
      "description": "d",
      "annotations": {
        "readOnlyHint": true
      }
    }
  ]
}
`
	if diff := cmp.Diff(string(Write(tools)), want); diff != "" {
		t.Errorf("Write (-got +want):\n%s", diff)
	}
	if got, want := string(Write(nil)), "{\n  \"tools\": []\n}\n"; got != want {
		t.Errorf("Write(nil) = %q, want %q", got, want)
	}
}
