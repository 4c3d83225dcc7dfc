package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"
)

// fence is a fenced block of Markdown: its language, and its text.
var fence = regexp.MustCompile("(?ms)^ *```([a-z]*)\n(.*?)^ *```$")

// notRun are the shown commands that the tests cannot run as they stand, by a regular expression on the line, with the reason.
var notRun = []struct {
	line   *regexp.Regexp
	reason string
	always bool // also where the command names the examples
}{
	{regexp.MustCompile(`--(live|record)\b`), "starts servers and writes recordings; TestExamplesRecordAgain does so with copies of the examples", true},
	{regexp.MustCompile(`=\S+\.\w+$|--(output|update)\b`), "writes a file into the repository", true},
	{regexp.MustCompile(`^(mock|proxy) `), "serves until it is ended; the tests of both commands start them", true},
	{regexp.MustCompile(`^(snapshot|init)\b`), "starts servers, and writes files; testdata/script has both", true},
	{regexp.MustCompile(`^import `), "reads the logs of a user; TestLogsExample imports those of examples/logs", true},
	{regexp.MustCompile(`^intents `), "reads the recordings of a user; testdata/script has those of runs with prompts", false},
	{regexp.MustCompile(`^action `), "reads the inputs of a job; testdata/script and e2e run it", true},
	{regexp.MustCompile(`^(run|lint|find|cost|history|bisect|bench|merge|compare|report|validate)\b`), "names files of a user, or none and takes those of the folder", false},
	{regexp.MustCompile(`^(doctor|tool-bench|schema|completion|version)\b`), "has a script of its own", false},
}

// TestCommandsShown holds every command line of the documentation and of the help to the program: the command and its flags exist,
// and it takes that many arguments. A command on the examples is run, too.
func TestCommandsShown(t *testing.T) {
	t.Parallel()
	shown, ran := 0, 0
	for _, file := range documents(t) {
		for _, args := range commandsIn(read(t, file)) {
			shown++
			if err := accepts(args); err != nil {
				t.Errorf("%s shows %q: %v", file, args, err)
			}
			if !runnable(t, args) {
				continue
			}
			ran++
			if status, out := statusOf(args); status > report.ExitFail {
				t.Errorf("%s shows %q: exit status %d, want at most %d\n%s", file, args, status, report.ExitFail, out)
			}
		}
	}
	if shown < 100 || ran < 10 {
		t.Errorf("got %d command lines in the documentation, %d of them run; want at least 100 and 10", shown, ran)
	}
}

// commandsIn returns the command lines in the blocks of a page that are of a shell or of no language.
func commandsIn(page string) [][]string {
	var calls [][]string
	for _, block := range fence.FindAllStringSubmatch(page, -1) {
		if block[1] == "sh" || block[1] == "" {
			calls = append(calls, commandLines(block[2])...)
		}
	}
	return calls
}

// runnable reports whether a shown command is one on the examples that only reads. Another must have its reason in notRun.
func runnable(t *testing.T, args []string) bool {
	t.Helper()
	line := strings.Join(args, " ")
	onExamples := strings.Contains(line, "examples/")
	for _, row := range notRun {
		if row.line.MatchString(line) && (row.always || !onExamples) {
			return false
		}
	}
	if onExamples {
		return true
	}
	t.Errorf("%q is not run, and notRun has no reason", line)
	return false
}

// accepts returns the mistake that the program would find in the arguments before it does anything.
func accepts(args []string) error {
	command, err := parsed(args)
	if err != nil || command.Args == nil {
		return err
	}
	return command.Args(command, command.Flags().Args())
}

// parsed returns the command of the arguments, with its flags read.
func parsed(args []string) (*cobra.Command, error) {
	root := (&program{getenv: noEnvironment}).rootCommand()
	command, rest, err := root.Find(args)
	if err != nil {
		return nil, err
	}
	if command == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return nil, fmt.Errorf("unknown command %q", rest[0])
	}
	return command, command.ParseFlags(rest)
}

// flagsExist returns an error where the command or one of its flags does not exist. Flags may lack their values.
func flagsExist(args []string) error {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	command, err := parsed(args[:1])
	if err != nil {
		return err
	}
	command.InitDefaultHelpFlag()
	for _, arg := range args[1:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if strings.HasPrefix(arg, "--") && command.Flags().Lookup(name) == nil {
			return fmt.Errorf("unknown flag %q", arg)
		}
	}
	return nil
}

// inline are commands within sentences and tables, and in steps of workflows.
var inline = regexp.MustCompile("(?m)`(mcp-gates [a-z][^`]*)`|run: (mcp-gates .*)$")

// TestCommandsInSentences holds commands within sentences to the program: the command and its flags exist. They may leave arguments
// out, and have options in brackets.
func TestCommandsInSentences(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, file := range documents(t) {
		for _, m := range inline.FindAllStringSubmatch(read(t, file), -1) {
			for _, args := range commandLines(strings.NewReplacer("[", "", "]", "", "…", "").Replace(m[1] + m[2])) {
				shown++
				if err := flagsExist(args); err != nil {
					t.Errorf("%s has %q: %v", file, m[0], err)
				}
			}
		}
	}
	if shown < 30 {
		t.Errorf("got %d commands within sentences, want at least 30", shown)
	}
}

// TestAccepts pins that the check of shown commands finds what the program would refuse.
func TestAccepts(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"run":                         true,
		"run --record a.yml":          true,
		"lint -- node server.js":      true,
		"compare base.json head.json": true,
		"compare base.json":           false,
		"run --recrod":                false,
		"lnit":                        false,
		"version 1":                   false,
	} {
		if err := accepts(strings.Fields(line)); (err == nil) != want {
			t.Errorf("%q: got error %v, want accepted %v", line, err, want)
		}
	}
}

// TestFlagsExist pins that a command within a sentence is read, and its flags are looked up.
func TestFlagsExist(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"run --record --stale":        true,
		"run --list --format json":    true,
		"snapshot --server NAME":      true,
		"lint -- node server.js --no": true,
		"run --lits":                  false,
		"recrod --list":               false,
	} {
		if err := flagsExist(strings.Fields(line)); (err == nil) != want {
			t.Errorf("%q: got error %v, want it to exist %v", line, err, want)
		}
	}
}

// commandLines returns the arguments of each call of the program in a block. Lines that are not of a shell, such as output, hold none.
func commandLines(block string) [][]string {
	var calls [][]string
	for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
		file, err := syntax.NewParser().Parse(strings.NewReader(strings.TrimPrefix(strings.TrimSpace(line), "$ ")), "")
		if err != nil {
			continue
		}
		syntax.Walk(file, func(node syntax.Node) bool {
			if call, ok := node.(*syntax.CallExpr); ok {
				if args, ok := callOf(call); ok {
					calls = append(calls, args)
				}
			}
			return true
		})
	}
	return calls
}

// callOf returns the arguments after the program's name; false for a call of another program.
func callOf(call *syntax.CallExpr) ([]string, bool) {
	var words []string
	for _, word := range call.Args {
		var b strings.Builder
		_ = syntax.NewPrinter().Print(&b, word)
		words = append(words, strings.Trim(b.String(), `'"`))
	}
	at := slices.Index(words, "mcp-gates")
	if at < 0 || at > 0 && words[0] != "env" {
		return nil, false
	}
	return words[at+1:], true
}

// transcripts are blocks that begin with a command and show what it prints.
var transcripts = regexp.MustCompile("(?ms)^```\n\\$ mcp-gates ([^\n]+)\n(.*?)^```$")

// TestTranscripts holds what pages show of a command to what it prints at the top of the repository; -update writes it. The list of
// examples has a test of its own.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, file := range documents(t) {
		if file == examplesReadme {
			continue
		}
		got := read(t, file)
		want := transcripts.ReplaceAllStringFunc(got, func(block string) string {
			shown++
			line := transcripts.FindStringSubmatch(block)[1]
			_, out := statusOf(commandLines("mcp-gates " + line)[0])
			return "```\n$ mcp-gates " + line + "\n" + strings.TrimSpace(out) + "\n```"
		})
		if got == want {
			continue
		}
		if !*update {
			t.Errorf("%s: go test ./internal/cli -run Transcripts -update writes it\n%s", file, diff.Diff("want", []byte(want), "got", []byte(got)))
		} else if err := os.WriteFile(path.Join(repository, file), []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if shown == 0 {
		t.Error("got no transcript, want some")
	}
}

// statusOf runs a command that takes a workspace on the repository, and returns its exit status and what it prints.
func statusOf(args []string) (int, string) {
	var stdout, stderr strings.Builder
	status := run(append(slices.Clone(args), "--workspace", repository), noEnvironment, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String() + stderr.String()
}

// TestHelpExamples holds the examples in the help to the program.
func TestHelpExamples(t *testing.T) {
	t.Parallel()
	root := (&program{getenv: noEnvironment}).rootCommand()
	for _, command := range append([]*cobra.Command{root}, root.Commands()...) {
		if command.Example == "" && command.IsAvailableCommand() {
			t.Errorf("command %q has no example", command.Name())
		}
		for _, args := range commandLines(command.Example) {
			if err := accepts(args); err != nil {
				t.Errorf("the help of %q shows %q: %v", command.Name(), args, err)
			}
		}
	}
}

// documents lists the Markdown files for users.
func documents(t *testing.T) []string {
	t.Helper()
	files := []string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "examples/*.md", "examples/*/*.md"} {
		found, err := fs.Glob(os.DirFS(repository), pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}
