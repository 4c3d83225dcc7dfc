package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJSONSize pins what a case that passes takes in a JSON report: 10,000 of them take at most 15 MB.
func TestJSONSize(t *testing.T) {
	t.Parallel()
	const cases, most = 200, 1500 // bytes of each
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	suite := new(strings.Builder)
	suite.WriteString("agents:\n")
	for i := range cases {
		fmt.Fprintf(suite, `  - name: case-%05d
    cassette: case-%05d.json
    equal_function_sets:
      classes:
        - { name: search, members: [search] }
        - { name: fetch, members: [fetch] }
      expect: [ { tool_selection.f1: { ">=": 50 } } ]
`, i, i)
		write(fmt.Sprintf("case-%05d.json", i), `{"runs": [{"tool_calls": [{"server": "web", "name": "search"}, {"server": "web", "name": "fetch"}], "total_tokens": 1000}]}`)
	}
	write("mcp-gates.yml", suite.String())
	var stdout, stderr stream
	if status := run([]string{"run", "--workspace", dir, "--format", "json"}, os.Getenv, strings.NewReader(""), &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.all())
	}
	if n := len(stdout.all()) / cases; n > most {
		t.Errorf("a case takes %d bytes, want at most %d:\n%s", n, most, stdout.all()[:4*most])
	}
}
