package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

const shop = `{"type":["object","null"],"required":["b","a","b",1],"properties":{"b":{"$ref":"#/$defs/B"},"a":{"items":[{},true,{"x":1}]},"b c":{}},
"items":{"type":"string"},"$defs":{"B":{"$ref":"#/$defs/C~1D%20"},"C/D ":{"enum":[1,"two",true,null]},"loop":{"$ref":"#/$defs/loop"}}}`

func TestNode(t *testing.T) {
	n := Decode(jsontext.Value(shop))
	if !n.HasType("object") || !n.HasType("null") || n.HasType("string") || !n.DescribesObjects() {
		t.Error("the types are not found")
	}
	if got, want := n.Required(), []string{"b", "a"}; !slices.Equal(got, want) {
		t.Errorf("required: got %q, want %q", got, want)
	}
	var spelled []string
	for _, value := range n.At("#/$defs/C~1D%20").Get("enum").List() {
		spelled = append(spelled, value.Spelled())
	}
	if got, want := strings.Join(spelled, " "), "1 two true null"; got != want {
		t.Errorf("values: got %q, want %q", got, want)
	}
}

func TestBelow(t *testing.T) {
	n := Decode(jsontext.Value(shop))
	for of, want := range map[*Node]string{n: "b a b c [] ", n.At("#/properties/a"): "[] [] ", n.Get("type"): "", nil: ""} {
		var got strings.Builder
		of.Below(func(name string, _ *Node, isItems bool) {
			if isItems != (name == Items) {
				t.Errorf("%s: items: %t", name, isItems)
			}
			got.WriteString(name + " ")
		})
		if got.String() != want {
			t.Errorf("got %q, want %q", got.String(), want)
		}
	}
}

func TestReferences(t *testing.T) {
	root := Decode(jsontext.Value(shop))
	tests := map[string]int{"#/properties/b": 3, "#/properties/a": 1, "#/$defs/loop": 1, "#/none": 1}
	for from, want := range tests {
		if got := len(root.At(from).Chain(root)); got != want {
			t.Errorf("%s: got a chain of %d, want %d", from, got, want)
		}
	}
	var endless strings.Builder
	for i := range 30 {
		fmt.Fprintf(&endless, `"d%d":{"$ref":"#/d%d"},`, i, i+1)
	}
	root = Decode(jsontext.Value(`{` + endless.String() + `"d30":{}}`))
	if got := len(root.At("#/d0").Chain(root)); got != maxHops+1 {
		t.Errorf("got a chain of %d, want %d", got, maxHops+1)
	}
	for _, ref := range []string{"", "x", "#a", "http://x/y#/d0", "#/d0/0", "#/d0/$ref/x"} {
		if got := root.At(ref); got != nil {
			t.Errorf("%q leads to %v", ref, got)
		}
	}
}

// TestManyKeys pins that looking up each of many keys takes no time that grows with their square.
func TestManyKeys(t *testing.T) {
	const many = 100_000
	var b strings.Builder
	for i := range many {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i)
	}
	n := Decode(jsontext.Value(`{` + b.String() + `"k0":"again"}`))
	if len(n.Keys) != many || n.Get("k0").Text != "again" || n.Keys[0] != "k0" {
		t.Errorf("got %d keys, the first %s: %q", len(n.Keys), n.Keys[0], n.Get("k0").Text)
	}
	for _, key := range n.Keys {
		if !n.Has(key) {
			t.Fatalf("no %s", key)
		}
	}
}
