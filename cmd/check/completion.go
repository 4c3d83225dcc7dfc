package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/source"
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
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("completion takes one shell of %s, found %d arguments", strings.Join(shellNames(), ", "), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.write(cmd.Root(), p.stdout)
				}
			}
			return fmt.Errorf("unknown shell %q%s; the shells are %s", args[0], source.DidYouMean(args[0], shellNames()),
				strings.Join(shellNames(), ", "))
		},
	}
}
