package annotate

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated holds the action's metadata and its documentation to its tables of inputs and outputs.
func TestGenerated(t *testing.T) {
	for _, part := range []struct{ file, begin, made, end string }{
		{"action.yml", "go test ./internal/annotate -update\n", metadata(), "runs:\n"},
		{"full/action.yml", "go test ./internal/annotate -update\n", metadata(), "runs:\n"},
		{"docs/action-inputs.md", "<!-- begin of the generated inputs: go test ./internal/annotate -update -->\n", inputsMarkdown(), "<!-- end of the generated inputs -->\n"},
		{"docs/action-inputs.md", "<!-- begin of the generated outputs: go test ./internal/annotate -update -->\n", outputsMarkdown(), "<!-- end of the generated outputs -->\n"},
	} {
		t.Run(part.file, func(t *testing.T) {
			path := "../../" + part.file
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			source := strings.ReplaceAll(string(text), "\r\n", "\n")
			before, rest, ok := strings.Cut(source, part.begin)
			got, after, ok2 := strings.Cut(rest, part.end)
			if !ok || !ok2 {
				t.Fatalf("%s has no part between %q and %q", part.file, part.begin, part.end)
			}
			if *update {
				if err := os.WriteFile(path, []byte(before+part.begin+part.made+part.end+after), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(part.made, got); diff != "" {
				t.Errorf("%s is not what the code says (-want +got); go test ./internal/annotate -update writes it:\n%s", part.file, diff)
			}
		})
	}
}

// metadata returns the inputs and outputs as action.yml has them.
func metadata() string {
	var b strings.Builder
	b.WriteString("inputs:\n")
	for _, in := range InputTable {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n    required: false\n", in.Name, scalar(in.Doc))
		if in.Default != "" {
			fmt.Fprintf(&b, "    default: %s\n", scalar(in.Default))
		}
	}
	b.WriteString("outputs:\n")
	for _, out := range OutputTable {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n", out.Name, scalar(out.Doc))
	}
	return b.String()
}

// scalar returns one line of text as YAML in single quotes, in which nothing but the quote is special.
func scalar(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// TestTablesAreWhole pins that no cell of the tables ends before its end.
func TestTablesAreWhole(t *testing.T) {
	for name, table := range map[string]string{"inputs": inputsMarkdown(), "outputs": outputsMarkdown()} {
		rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
		for _, row := range rows {
			cells := strings.Count(row, "|") - strings.Count(row, `\|`)
			if cells != strings.Count(rows[1], "|") {
				t.Errorf("%s: row %q has another number of cells", name, row)
			}
		}
	}
}

// inputsMarkdown returns the table of inputs as documentation shows it.
func inputsMarkdown() string {
	var b strings.Builder
	b.WriteString("| input | default | meaning |\n|---|---|---|\n")
	for _, in := range InputTable {
		def := ""
		if in.Default != "" {
			def = "`" + in.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", in.Name, def, cell(in.Doc))
	}
	return b.String()
}

// outputsMarkdown returns the table of outputs as documentation shows it.
func outputsMarkdown() string {
	var b strings.Builder
	b.WriteString("| output | meaning |\n|---|---|\n")
	for _, out := range OutputTable {
		fmt.Fprintf(&b, "| `%s` | %s |\n", out.Name, cell(out.Doc))
	}
	return b.String()
}

// cell returns our own Markdown as a cell of a table.
func cell(doc string) string { return strings.ReplaceAll(doc, "|", `\|`) }
