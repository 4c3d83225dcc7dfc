package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// shell is one for which a completion script can be written.
type shell struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}

var shells = []shell{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) }},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
}

func shellNames() []string {
	names := make([]string, len(shells))
	for i, s := range shells {
		names[i] = s.name
	}
	return names
}

func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for " + strings.Join(shellNames(), ", "),
		Example: `  source <(mcp-gates completion bash)
  mcp-gates completion fish > ~/.config/fish/completions/mcp-gates.fish`,
		ValidArgs: shellNames(),
		Args:      takes(1, "one shell of "+strings.Join(shellNames(), ", ")),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.write(cmd.Root(), p.stdout)
				}
			}
			return unknown("shell", args[0], "shells", shellNames())
		},
	}
}
