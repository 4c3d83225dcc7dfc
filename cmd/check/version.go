package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

// version of the program, without the v of the release's tag.
const version = "0.1.0"

// versionLine is what version and --version print.
func versionLine() string {
	return fmt.Sprintf("mcp-gates %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  mcp-gates version`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(p.stdout, versionLine())
			return err
		},
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, found %q", cmd.Name(), args[0])
	}
	return nil
}
