package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/redact"
)

// TestInstructions pins where the instructions of servers are read, and which are known.
func TestInstructions(t *testing.T) {
	for _, one := range []struct {
		text  string
		want  string // server:text:line of each
		whole bool   // those of all servers are known
	}{
		{`{"tools": [{"name": "a"}]}`, "", false},
		{`{"tools": [{"name": "a"}], "instructions": "Say it."}`, ":Say it.:1", true},
		{"{\n\"instructions\": \"\",\n\"tools\": [{\"name\": \"a\"}]}", "::2", true},
		{`{"jsonrpc": "2.0", "result": {"instructions": "Say it.", "tools": [{"name": "a"}]}}`, ":Say it.:1", true},
		{`{"servers": {"x": {"tools": [{"name": "a"}], "instructions": "X"}, "y": {"tools": [{"name": "a"}]}}}`, "x:X:1", false},
		{`{"servers": {"x": {"tools": [{"name": "a"}], "instructions": "X"}, "y": {"instructions": "", "tools": [{"name": "a"}]}}}`, "x:X:1 y::1", true},
		{`{"tools": [{"name": "a"}], "instructions": null}`, "", false},
		{`{"tools": [{"name": "a"}], "instructions": {"text": "another program's"}}`, "", false},
		{`[{"name": "a", "instructions": "of a tool"}]`, "", false},
	} {
		cat, errs := Read("c.json", []byte(one.text))
		if len(errs) > 0 {
			t.Errorf("%s: %v", one.text, errs)
			continue
		}
		var got []string
		for _, said := range cat.Instructions {
			got = append(got, fmt.Sprintf("%s:%s:%d", said.Server, said.Text, said.Pos.Line))
		}
		if joined := strings.Join(got, " "); joined != one.want || cat.KeepsInstructions() != one.whole {
			t.Errorf("%s: got %q, whole %v; want %q, %v", one.text, joined, cat.KeepsInstructions(), one.want, one.whole)
		}
	}
}

// TestInstructionsStay pins that copies of a catalog keep the instructions, and a snapshot of it has them.
func TestInstructionsStay(t *testing.T) {
	cat, errs := Read("c.json", []byte(`{"tools": [{"name": "a"}], "instructions": "Say <it> of secret-of-mine."}`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	rules, err := redact.New(redact.Config{Values: []string{"secret-of-mine"}})
	if err != nil {
		t.Fatal(err)
	}
	other := &Catalog{Tools: []*Tool{{Server: "y", Name: "b"}}}
	for what, one := range map[string]*Catalog{
		"named": cat.Named("x"), "merged": Merge(other, cat.Named("x")), "without": cat.Named("x").Without([]Ref{{Server: "x", Name: "a"}}),
		"clean": cat.Named("x").Redacted(rules.File()),
	} {
		said, known := one.InstructionsOf("x")
		if hidden := strings.Contains(said.Text, "REDACTED"); !known || !strings.HasPrefix(said.Text, "Say <it> of ") || hidden != (what == "clean") {
			t.Errorf("%s: got %+v, known %v", what, said, known)
		}
	}
	if _, known := other.InstructionsOf("y"); known {
		t.Error("the instructions of a server are known that no catalog keeps")
	}
	again, errs := Read("c.json", Snapshot(cat))
	if said, known := again.InstructionsOf(""); len(errs) > 0 || !known || said.Text != cat.Instructions[0].Text || said.Pos.Line != 7 {
		t.Errorf("the snapshot has %+v, known %v, %v:\n%s", said, known, errs, Snapshot(cat))
	}
}
