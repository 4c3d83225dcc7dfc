package cli

import (
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/spf13/cobra"
)

// shell is a shell for which a completion script can be written.
type shell struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}

var shells = []shell{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) }},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) }},
}

func shellNames() []string {
	return lists.Map(shells, func(s shell) string { return s.name })
}

func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for " + strings.Join(shellNames(), ", "),
		Long:  `Completion prints a script that completes commands, flags, and the suites' files, tags, servers and cases.`,
		Example: `  source <(mcp-gates completion bash)
  mcp-gates completion fish > ~/.config/fish/completions/mcp-gates.fish
  mcp-gates completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shellNames(),
		Args:      exactArgs(1, "one shell of "+strings.Join(shellNames(), ", ")),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.write(cmd.Root(), p.stdout)
				}
			}
			return unknownNameError("shell", args[0], "shells", shellNames())
		},
	}
}

// words returns the words that can complete the command line at the cursor, sorted or in a meaningful order.
type words func(cmd *cobra.Command, args []string) []string

// flagWords has, for the name of a flag, the function that lists its values. Flags that take a file, or values that cannot be
// listed, are missing.
var flagWords = map[string]words{
	"tag":           wordsOfSuites(tagsOf),
	"skip-tag":      wordsOfSuites(tagsOf),
	"filter":        wordsOfSuites(casesOf),
	"server":        wordsOfSuites(serversOf),
	"rule":          ruleIDs,
	"disable":       ruleIDs,
	"explain":       ruleIDs,
	"search":        func(*cobra.Command, []string) []string { return toolsearch.Names() },
	"preset":        func(*cobra.Command, []string) []string { return presetNames() },
	"format":        formatsOf,
	"fail-on":       inputWords("fail-on"),
	"fail-on-stale": inputWords("fail-on-stale"),
	"gates-from":    inputWords("gates-from"),
	"live-from":     inputWords("live-from"),
}

// listFlags are the flags that take several words with commas between them.
var listFlags = []string{"tag", "skip-tag", "search"}

// completeWords registers the completion of arguments and flags with cobra. It panics if a flag is registered twice, which is a
// mistake in this file.
func completeWords(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		for name, listWords := range flagWords {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			if err := cmd.RegisterFlagCompletionFunc(name, completer(listWords, slices.Contains(listFlags, name))); err != nil {
				panic(err)
			}
		}
		if cmd.Name() == "run" || cmd.Name() == "validate" {
			cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return withPrefix(suiteFiles(cmd), typed), cobra.ShellCompDirectiveDefault // or any other file
			}
		}
	}
}

// completer returns a function that completes a word of listWords. If several is set, the user types words separated by commas, and
// the function completes the last of them.
func completer(listWords words, several bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		earlierWords := "" // each followed by its comma
		if comma := strings.LastIndexByte(typed, ','); several && comma >= 0 {
			earlierWords = typed[:comma+1]
		}
		given := strings.Split(earlierWords, ",")
		var found []string
		for _, word := range listWords(cmd, args) {
			isGiven := several && slices.Contains(given, word)
			if !isGiven {
				found = append(found, earlierWords+word)
			}
		}
		return withPrefix(found, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// withPrefix returns the words that begin with the text that was typed. It leaves out a word with a control character, because the
// word may come from an untrusted file and goes to a terminal.
func withPrefix(list []string, typed string) []string {
	return slices.DeleteFunc(list, func(word string) bool {
		return !strings.HasPrefix(word, typed) || strings.ContainsFunc(word, func(c rune) bool { return c < ' ' || c == '\x7f' })
	})
}

func ruleIDs(*cobra.Command, []string) []string { return lint.IDs() }

func formatsOf(cmd *cobra.Command, _ []string) []string {
	if cmd.Name() == "lint" {
		return slices.Clone(lintFormats)
	}
	return formatNames()
}

func inputWords(name string) words {
	return func(*cobra.Command, []string) []string { return slices.Clone(annotate.InputNamed(name).Values) }
}

// workspaceFiles returns the files of the workspace that the command's flags name; nil if it cannot be opened.
func workspaceFiles(cmd *cobra.Command) fs.FS {
	dir := "."
	if flag := cmd.Flags().Lookup("workspace"); flag != nil && flag.Value.String() != "" {
		dir = flag.Value.String()
	}
	files, err := openWorkspace(dir)
	if err != nil {
		return nil
	}
	return files
}

// suiteFiles returns the suites in the usual places.
func suiteFiles(cmd *cobra.Command) []string {
	files := workspaceFiles(cmd)
	if files == nil {
		return nil
	}
	found, err := suite.Find(files, nil)
	if err != nil {
		return nil
	}
	return found
}

// maxSuitesRead is the number of suites that a completion reads at most, because the user waits for it.
const maxSuitesRead = 100

// wordsOfSuites returns words of the suites that the command names, otherwise of the suites in the usual places. Suites that cannot
// be read are skipped, because a completion cannot report errors.
func wordsOfSuites(wordsOf func(*suite.Suite) []string) words {
	return func(cmd *cobra.Command, args []string) []string {
		files := workspaceFiles(cmd)
		if files == nil {
			return nil
		}
		names, err := suite.Find(files, args)
		if err != nil {
			names = suiteFiles(cmd)
		}
		loader := suite.NewLoader(files)
		var found []string
		for _, name := range names[:min(len(names), maxSuitesRead)] {
			if s, _ := loader.Load(name); s != nil {
				found = append(found, wordsOf(s)...)
			}
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
}

func tagsOf(s *suite.Suite) []string {
	var tags []string
	for _, c := range s.Cases {
		tags = append(tags, c.Tags...)
	}
	return tags
}

// casesOf returns the ids of the cases. An id that is not a regular expression that matches itself is escaped, except its dots.
func casesOf(s *suite.Suite) []string {
	var ids []string
	for _, c := range s.Cases {
		id := c.ID
		if re, err := regexp.Compile(id); err != nil || !re.MatchString(id) {
			id = strings.ReplaceAll(regexp.QuoteMeta(id), `\.`, ".")
		}
		ids = append(ids, id)
	}
	return ids
}

func serversOf(s *suite.Suite) []string {
	return lists.Map(s.Servers, func(server *suite.Server) string { return server.Name })
}
