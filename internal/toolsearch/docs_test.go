package toolsearch

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the clients in docs/find.md")

// TestDocs holds the clients of docs/find.md to the table.
func TestDocs(t *testing.T) {
	const file, begin, end = "../../docs/find.md", "-update -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the clients", file)
	}
	var made strings.Builder
	for _, c := range Clients {
		c.document(&made)
	}
	want := before + begin + "\n" + made.String() + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s is not up to date; run go test ./internal/toolsearch -update", file)
	}
}

// document writes the section of a client.
func (c *Client) document(b *strings.Builder) {
	fmt.Fprintf(b, "### `%s`\n\n| | |\n|---|---|\n", c.Name)
	program := c.Title
	if c.Version != "" {
		program += " " + c.Version
	}
	if c.Tool != "" {
		program += ", its tool `" + c.Tool + "`"
	}
	verified := c.Evidence
	if c.Verified != "" {
		verified = c.Verified + ", " + verified
	}
	for _, row := range [][2]string{
		{"program", program},
		{"source", c.Source},
		{"compared", verified},
		{"searched", strings.Join(c.Fields, ", ")},
		{"not searched", strings.Join(c.Ignored, ", ")},
		{"words", c.Tokens},
		{"score", c.Scoring},
		{"equal scores", c.Ties},
		{"returns", fmt.Sprintf("at most %d tools, unless the search sets a limit", c.Limit)},
		{"not modelled", strings.Join(c.Unknowns, "; ")},
	} {
		if row[1] != "" {
			fmt.Fprintf(b, "| %s | %s |\n", row[0], strings.ReplaceAll(row[1], "|", `\|`))
		}
	}
	b.WriteString("\n")
}

// TestClients holds each row to what documentation and messages need.
func TestClients(t *testing.T) {
	for _, c := range Clients {
		if c.Name == "" || c.Title == "" || c.Source == "" || c.Evidence == "" || c.Tokens == "" || c.Scoring == "" || c.Ties == "" || c.Limit < 1 || len(c.Fields) == 0 {
			t.Errorf("%s: a field is empty", c.Name)
		}
		if Named(c.Name) != c {
			t.Errorf("%s: another client has its name", c.Name)
		}
	}
	if Named("") != nil {
		t.Errorf("a client has no name")
	}
}
