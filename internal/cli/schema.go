package cli

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/describe"
	"github.com/org/mcp-gates/internal/validate"
	"github.com/spf13/cobra"
)

func (p *program) schemaCommand() *cobra.Command {
	var kinds strings.Builder
	for _, f := range describe.Formats {
		fmt.Fprintf(&kinds, "\n  %-10s %s", f.Name, f.Doc)
	}
	return &cobra.Command{
		Use:   "schema [" + strings.Join(describe.Names(), "|") + "]",
		Short: "Print the JSON Schema of suites or of other files, for editors",
		Long: `Schema prints a JSON Schema (2020-12), by default the schema of suites. With this schema, editors with a YAML
language server complete and explain keys, and underline unknown keys, wrong types and unknown words.
"validate" finds all mistakes. A suite names its schema in its first line:

  # yaml-language-server: $schema=mcp-gates.schema.json

` + "There are schemas of:\n" + kinds.String(),
		Example: `  mcp-gates schema > mcp-gates.schema.json
  mcp-gates schema report`,
		ValidArgs: describe.Names(),
		Args:      countedArgs(0, 1, "at most one name of a schema"),
		RunE: func(_ *cobra.Command, args []string) error {
			format := describe.Formats[0]
			if len(args) > 0 {
				named, ok := describe.Find(args[0])
				if !ok {
					return unknownNameError("schema", args[0], "schemas", describe.Names())
				}
				format = named
			}
			return writeError(format.Write(p.stdout))
		},
	}
}

func (p *program) validateCommand() *cobra.Command {
	var workspace string
	cmd := &cobra.Command{
		Use:   "validate [FILE|GLOB|FOLDER...]",
		Short: "Report the mistakes in suites and other files, and run nothing",
		Long: `Validate reads suites and the catalogs that they name, and reports all mistakes with their places. It starts
no server, asks no model and judges nothing. Without arguments, it looks for suites as run does. A FILE can
also be a cassette, a catalog, a report, a benchmark or a manifest of the mock server.

Exit status: 0 every file is right, 2 a file has a mistake or nothing was found.`,
		Example: `  mcp-gates validate
  mcp-gates validate 'suites/**/*.yml' catalogs/weather.json`,
		RunE: func(_ *cobra.Command, args []string) error { return p.runValidate(workspace, args) },
	}
	cmd.Flags().StringVar(&workspace, "workspace", ".", "`folder` of the files and all that they name")
	return cmd
}

// runValidate prints the mistakes in files of the workspace; if there are none, the names of the files.
func (p *program) runValidate(workspace string, args []string) error {
	files, found, err := findSuites(workspace, args)
	mistakes, read := validate.Files(files, found, thisBuild().Version)
	p.printMistakes(mistakes)
	if err != nil {
		return err
	}
	if len(mistakes) == 0 {
		_, err = fmt.Fprintf(p.stdout, "no mistake in %s\n", read)
	}
	return writeError(err)
}
