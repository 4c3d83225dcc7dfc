package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version of the program, without the v of the release's tag.
const version = "0.1.0"

// printVersion is the command version, and the flag --version.
func (p *program) printVersion() error {
	_, err := fmt.Fprintf(p.stdout, "mcp-gates %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  mcp-gates version`,
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return p.printVersion() },
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, found %q", cmd.Name(), args[0])
	}
	return nil
}
