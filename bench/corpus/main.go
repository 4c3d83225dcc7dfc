// Command corpus writes the inputs that docs/performance.md measures on, the same bytes each time:
//
//	corpus DIR
//
// stream/ holds one case with 80 MB of runs as JSON Lines, cases-N/ N cases with a small cassette each, empty/ a suite
// with one case of one run, and catalog/ catalogs, a suite with one of them, and benchmark specs.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	dir := os.Args[1]
	for _, write := range []func(string) error{writeStream, writeEmpty, writeCatalogs} {
		if err := write(dir); err != nil {
			log.Fatal(err)
		}
	}
	for _, n := range []int{100, 1000, 10000} {
		if err := writeCases(filepath.Join(dir, fmt.Sprintf("cases-%d", n)), n); err != nil {
			log.Fatal(err)
		}
	}
}

const streamSize = 80_000_000

func writeStream(dir string) error {
	dir = filepath.Join(dir, "stream")
	if err := write(dir, "mcp-gates.yml", suite("stream", "runs.jsonl")); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "runs.jsonl"))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	for i, size := 0, 0; size < streamSize; i++ {
		n, err := out.WriteString(line(i))
		if err != nil {
			return err
		}
		size += n
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func writeEmpty(dir string) error {
	dir = filepath.Join(dir, "empty")
	if err := write(dir, "mcp-gates.yml", suite("empty", "run.json")); err != nil {
		return err
	}
	return write(dir, "run.json", line(0))
}

func writeCases(dir string, n int) error {
	var all strings.Builder
	all.WriteString("agents:\n")
	for i := range n {
		name := fmt.Sprintf("case-%05d", i)
		all.WriteString(entry(name, "cassettes/"+name+".json"))
		cassette := `{"cassette": 1, "runs": [` + "\n" + line(i) + "]}\n"
		if err := write(filepath.Join(dir, "cassettes"), name+".json", cassette); err != nil {
			return err
		}
	}
	return write(dir, "mcp-gates.yml", all.String())
}

func suite(name, cassette string) string { return "agents:\n" + entry(name, cassette) }

func entry(name, cassette string) string {
	return fmt.Sprintf(`  - name: %s
    cassette: %s
    equal_function_sets:
      classes:
        - {name: search, members: [search]}
        - {name: fetch, members: [fetch]}
`, name, cassette)
}

// line is a run of about a thousand bytes: three calls with arguments and results.
func line(i int) string {
	call := func(name string) string {
		return fmt.Sprintf(`{"name":%q,"server":"web","args":{"query":"number %d","limit":%d},"result":%q}`,
			name, i, i%20, strings.Repeat("some text of the answer ", 8+i%5))
	}
	third := []string{"search", "open", "fetch"}[i%3]
	return fmt.Sprintf(`{"tool_calls":[%s,%s,%s],"conversation":{"tokens":{"total":%d}}}`+"\n",
		call("search"), call("fetch"), call(third), 1000+i%500)
}

func write(dir, name, content string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644)
}
