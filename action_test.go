package layout_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/annotate"
)

var update = flag.Bool("update", false, "write what is made from the code into action.yml and the documentation")

// TestGenerated holds the action's metadata and its documentation to the tables of internal/annotate.
func TestGenerated(t *testing.T) {
	for _, part := range []struct{ file, begin, made, end string }{
		{"action.yml", "go test . -update\n", metadata(), "runs:\n"},
		{"full/action.yml", "go test . -update\n", metadata(), "runs:\n"},
		{"docs/action.md", "<!-- begin of the generated inputs: go test . -update -->\n", inputsMarkdown(), "<!-- end of the generated inputs -->\n"},
		{"docs/action.md", "<!-- begin of the generated outputs: go test . -update -->\n", outputsMarkdown(), "<!-- end of the generated outputs -->\n"},
	} {
		t.Run(part.file, func(t *testing.T) {
			source := read(t, part.file)
			before, rest, ok := strings.Cut(source, part.begin)
			got, after, ok2 := strings.Cut(rest, part.end)
			if !ok || !ok2 {
				t.Fatalf("%s has no part between %q and %q", part.file, part.begin, part.end)
			}
			if *update {
				write(t, part.file, before+part.begin+part.made+part.end+after)
				return
			}
			if diff := cmp.Diff(part.made, got); diff != "" {
				t.Errorf("%s is not what the code says (-want +got); go test . -update writes it:\n%s", part.file, diff)
			}
		})
	}
}

// metadata returns the inputs and outputs as action.yml has them.
func metadata() string {
	var b strings.Builder
	b.WriteString("inputs:\n")
	for _, in := range annotate.InputTable {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n    required: false\n", in.Name, scalar(in.Doc))
		if in.Default != "" {
			fmt.Fprintf(&b, "    default: %s\n", scalar(in.Default))
		}
	}
	b.WriteString("outputs:\n")
	for _, out := range annotate.OutputTable {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n", out.Name, scalar(out.Doc))
	}
	return b.String()
}

// scalar returns one line of text as YAML in single quotes, in which nothing but the quote is special.
func scalar(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

var (
	uses   = regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(.*)$`)
	pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+){0,2}$`)
	// floating are the uses without a commit: this repository itself, and its releases in examples, whose readers
	// choose one.
	floating = regexp.MustCompile(`^(\./(full)?|org/mcp-gates(/full)?@v1( # .*)?)$`)
	digest   = regexp.MustCompile(`(?m)^ARG \w+_IMAGE=[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$`)
)

// TestPinned holds workflows to actions by commit and the images to bases by digest: a tag is what its owner, or who
// stole its owner's key, says it is today.
func TestPinned(t *testing.T) {
	for _, file := range workflows(t) {
		for _, m := range uses.FindAllStringSubmatch(read(t, file), -1) {
			if !pinned.MatchString(m[1]) && !floating.MatchString(m[1]) {
				t.Errorf("%s uses %q; want a commit of 40 digits and its version, OWNER/NAME@COMMIT # v1.2.3", file, m[1])
			}
		}
	}
	dockerfile := read(t, "Dockerfile")
	if got, want := len(digest.FindAllString(dockerfile, -1)), strings.Count(dockerfile, "_IMAGE="); got != want || want == 0 {
		t.Errorf("Dockerfile: %d of %d base images are pinned by digest", got, want)
	}
}

// TestOneGo pins that binaries and images are built, and tested, with one version of Go.
func TestOneGo(t *testing.T) {
	m := regexp.MustCompile(`/golang:(\d+\.\d+\.\d+)-`).FindStringSubmatch(read(t, "Dockerfile"))
	if m == nil {
		t.Fatal("Dockerfile names no golang image by its full version")
	}
	for _, file := range workflows(t) {
		for _, got := range regexp.MustCompile(`go-version: (\S+)`).FindAllStringSubmatch(read(t, file), -1) {
			if got[1] != m[1] {
				t.Errorf("%s sets up Go %s, the Dockerfile %s", file, got[1], m[1])
			}
		}
	}
}

// TestWorkflowsGrantNothingByDefault pins that a job has only the permissions that it asks for.
func TestWorkflowsGrantNothingByDefault(t *testing.T) {
	for _, file := range workflows(t) {
		text := read(t, file)
		if !strings.Contains(text, "\npermissions: {}\n") {
			t.Errorf("%s: want %q at the top level", file, "permissions: {}")
		}
		jobs := strings.Count(text, "\n    runs-on: ")
		if got := strings.Count(text, "\n    permissions:"); got != jobs || jobs == 0 {
			t.Errorf("%s: %d jobs, %d of them with permissions of their own", file, jobs, got)
		}
		if !strings.Contains(text, "\nconcurrency:\n") {
			t.Errorf("%s: want a concurrency group at the top level", file)
		}
	}
}

// TestImageRunsAsGitHubWants pins what GitHub asks of the image of a container action: no USER, no WORKDIR, an entry
// point without a shell, to which the action gives its command; and that the default image is the last stage, on an empty base.
func TestImageRunsAsGitHubWants(t *testing.T) {
	stages := regexp.MustCompile(`(?m)^FROM `).Split(read(t, "Dockerfile"), -1)
	last, full := stages[len(stages)-1], stages[len(stages)-2]
	if !strings.HasPrefix(last, "scratch\n") {
		t.Errorf("the last stage begins with %q, want it on scratch", strings.SplitN(last, "\n", 2)[0])
	}
	for _, stage := range []string{last, full} {
		if regexp.MustCompile(`(?m)^(USER|WORKDIR)\b`).MatchString(stage) {
			t.Errorf("a published stage sets USER or WORKDIR:\n%s", stage)
		}
		if want := "ENTRYPOINT [\"/usr/local/bin/mcp-gates\"]\n"; !strings.Contains(stage, want) {
			t.Errorf("a published stage has no %s:\n%s", want, stage)
		}
	}
	for _, file := range []string{"action.yml", "full/action.yml"} {
		if want := "\n  args: [action]\n"; !strings.HasSuffix(read(t, file), want) {
			t.Errorf("%s does not end with %q, the command that the image is to run", file, want)
		}
	}
}

// workflows lists the workflows of this repository and those that it offers.
func workflows(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{".github/workflows", "examples/workflows"} {
		found, err := fs.Glob(os.DirFS("."), dir+"/*.yml")
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no workflows (%v)", dir, err)
		}
		files = append(files, found...)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.FromSlash(file), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

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
	for _, in := range annotate.InputTable {
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
	for _, out := range annotate.OutputTable {
		fmt.Fprintf(&b, "| `%s` | %s |\n", out.Name, cell(out.Doc))
	}
	return b.String()
}

// cell returns our own Markdown as a cell of a table.
func cell(doc string) string { return strings.ReplaceAll(doc, "|", `\|`) }
