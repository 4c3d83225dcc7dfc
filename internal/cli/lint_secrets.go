package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/spf13/pflag"
)

// lintSecrets prints the place of each secret in the files on a line of its own, without the secret. If there is any, the exit
// status is 1.
func (p *program) lintSecrets(flags *pflag.FlagSet, hasDash bool, files []string) error {
	switch other := otherFlag(flags, "secrets"); {
	case other != "":
		return fmt.Errorf("lint --secrets cannot be combined with other flags, found --%s", other)
	case hasDash:
		return errors.New("lint --secrets takes files, found a command after --")
	case len(files) == 0:
		return errors.New("lint --secrets takes one file or more, found none; - is standard input")
	}
	var errs source.Errors
	found := 0
	for _, file := range files {
		n, err := p.scanFile(file)
		if _, isWorld := errors.AsType[worldError](err); isWorld {
			return err
		}
		if err != nil {
			errs.Addf(source.Pos{File: filepath.ToSlash(file)}, "%s", source.ErrorsOf(err)[0].Msg)
		}
		found += n
	}
	if found > 0 {
		p.status = report.ExitFail
		fmt.Fprintf(p.stderr, "mcp-gates: %s found; see what each rule takes for one in docs/redaction.md\n", judge.CountOf(found, "secret"))
	}
	p.printMistakes(errs)
	return nil
}

// otherFlag returns the name of a flag that was given besides the one called name; "" if there is none.
func otherFlag(flags *pflag.FlagSet, name string) string {
	other := ""
	flags.Visit(func(f *pflag.Flag) {
		if f.Name != name {
			other = f.Name
		}
	})
	return other
}

// scanFile prints the places of secrets in a file, and returns their number.
func (p *program) scanFile(file string) (found int, err error) {
	in, err := p.openInput(file)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var shapes *redact.Rules
	var writeErr error
	err = shapes.Scan(in, func(at redact.Place) {
		found++
		pos := source.Pos{File: filepath.ToSlash(file), Line: at.Line, Col: at.Col}
		if _, err := fmt.Fprintf(p.stdout, "%s: %s: %s\n", report.Safe(pos.String()), at.Rule, redact.What(at.Rule)); err != nil {
			writeErr = err
		}
	})
	if writeErr != nil {
		return found, worldError{fmt.Errorf("write the result: %w", writeErr)}
	}
	return found, err
}

// openInput opens a file that the command line names, however large it is; - is standard input.
func (p *program) openInput(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(p.stdin), nil
	}
	return source.Open(os.DirFS(filepath.Dir(file)), filepath.Base(file), math.MaxInt64)
}
