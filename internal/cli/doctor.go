package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/cobra"
)

// doctorCommand is the lint command under the name that mcptest gives it. It finds the catalogs in the suites.
func (p *program) doctorCommand() *cobra.Command {
	var f lintFlags
	var descriptions bool
	var configs []string
	cmd := &cobra.Command{
		Use:    "doctor --lint-descriptions [FILE...] | doctor --lint-descriptions -- COMMAND...",
		Short:  "Judge how catalogs describe their tools, as lint does; for commands written for mcptest",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !descriptions {
				return errors.New("doctor takes --lint-descriptions; \"mcp-gates snapshot --check\" tries whether the servers of the suites answer")
			}
			files := f.server.cutCommand(cmd, args)
			if len(files) == 0 && !f.server.hasDash {
				return p.lintSuites(cmd.Context(), f, configs)
			}
			return p.runLint(cmd.Context(), f, files)
		},
	}
	cmd.Flags().BoolVar(&descriptions, "lint-descriptions", false, "judge the descriptions of the tools")
	cmd.Flags().StringArrayVar(&configs, "config", nil, "`SUITE` whose catalogs are judged where no FILE is given; the suites of this folder without it")
	f.register(cmd.Flags())
	return cmd
}

// lintSuites judges the catalogs that suites name. For each server without a catalog, it prints the command that judges the
// server's tools, and sets the exit status, because the tools of all servers were to be judged.
func (p *program) lintSuites(ctx context.Context, f lintFlags, configs []string) error {
	files, hints, err := p.suiteCatalogs(configs)
	if err != nil || p.status != 0 {
		return err
	}
	if len(files) == 0 && len(hints) == 0 {
		return errors.New("no suite names a catalog; name a file, or the command of a server after --")
	}
	if len(files) > 0 {
		if err := p.runLint(ctx, f, files); err != nil {
			return err
		}
	}
	for _, line := range hints {
		p.say(line)
		p.status = max(p.status, report.ExitUser)
	}
	return nil
}

// suiteCatalogs returns the paths of the catalogs that suites name, each once. For each server without a catalog, hints has a line
// with the command that judges its tools. Mistakes in suites are printed, and set the program's status.
func (p *program) suiteCatalogs(configs []string) (files, hints []string, err error) {
	workspace, found, err := findSuites(".", configs)
	if err != nil {
		return nil, nil, err
	}
	loader := suite.NewLoader(workspace)
	for _, name := range found {
		s, errs := loader.Load(name)
		if p.printMistakes(errs) {
			continue
		}
		for _, c := range s.Catalogs {
			files = append(files, filepath.FromSlash(c.Path))
		}
		for _, server := range s.Servers {
			canStart := len(server.Start.Command) > 0 || server.Start.URL != ""
			if server.Snapshot == nil && canStart {
				command := quotedCommand([]string{"mcp-gates", "snapshot", "--server", server.Name, name}) + " | mcp-gates lint -"
				hints = append(hints, fmt.Sprintf("%s: server %q has no catalog, so its tools were not judged; this starts it and judges them: %s", name, server.Name, command))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), hints, nil
}
