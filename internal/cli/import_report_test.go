package cli

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/source"
	"github.com/rogpeppe/go-internal/diff"
)

// TestImportNames pins that a file whose name has line feeds takes one line in each list.
func TestImportNames(t *testing.T) {
	const name = "x\n::error::y.jsonl"
	var got bytes.Buffer
	in := &importing{program: &program{stdout: &got}, flags: &importFlags{}}
	err := in.printSummary(&imported{
		account:   &imports.Account{Files: 1, Runs: 1, Calls: 1, Unread: 1, Formats: []string{"openai"}},
		unread:    source.Errors{{Pos: source.Pos{File: name, Line: 2, Col: 1}, Msg: "is not a message"}},
		unfit:     []string{fmt.Sprintf("(%s): no case has this prompt", "m\n::error::z")},
		cassettes: []*cassette{{group: &imports.Group{}, shown: "a\n::error::b/c.json", state: stateNew}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `cassette                state  prompt  model  runs  calls  tools
a\x0a::error::b/c.json  new    -       -      0     0      -

0 sessions of 1 file (openai): 1 run, 1 call
a\x0a::error::b/c.json: no run called a tool of a server
groups of runs fit no case:
  (m\x0a::error::z): no case has this prompt
1 record could not be read:
  x\x0a::error::y.jsonl:2:1: is not a message
`
	if got.String() != want {
		t.Errorf("%s", diff.Diff("want", []byte(want), "got", got.Bytes()))
	}
}

// TestImportParts pins that each of a group's cassettes shows its own runs and calls, and the group's tools once.
func TestImportParts(t *testing.T) {
	tool := &imports.Use{Ref: catalog.Ref{Server: "s", Name: "t"}, Calls: 6}
	group := &imports.Group{Model: "m", Runs: 3, Broken: 1, Calls: 6, Tools: []*imports.Use{tool}}
	lone := &imports.Group{Model: "n", Runs: 2, Broken: 1, Calls: 6, Tools: group.Tools}
	var got bytes.Buffer
	err := writeTable(&got, []*cassette{
		{group: group, shown: "a.json", state: stateNew, part: imports.Part{Runs: 2, Calls: 5}},
		{group: group, shown: "a-2.json", state: stateNew, part: imports.Part{Runs: 1, Broken: 1, Calls: 1}},
		{group: lone, shown: "b.json", state: stateSame, part: imports.Part{Runs: 2, Broken: 1, Calls: 6}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `cassette  state  prompt  model  runs              calls   tools
a.json    new    -       m      2 of 3            5 of 6  s.t 6
a-2.json  new    -       m      1 of 3, 1 broken  1 of 6  as above
b.json    same   -       n      2, 1 broken       6       s.t 6
`
	if got.String() != want {
		t.Errorf("%s", diff.Diff("want", []byte(want), "got", got.Bytes()))
	}
}
