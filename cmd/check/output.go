package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/source"
	"github.com/spf13/pflag"
)

// format is a way to write a report.
type format struct {
	name    string
	machine bool // programs read it, so that standard error says to people what is wrong
	write   func(w io.Writer, r *report.Report, o text.Options) error
}

var formats = []format{
	{"text", false, text.Report},
	{"json", true, func(w io.Writer, r *report.Report, _ text.Options) error { return report.JSON(w, r) }},
	{"markdown", false, func(w io.Writer, r *report.Report, o text.Options) error {
		return markdown.Report(w, r, markdown.Options{Run: o.Run})
	}},
}

func formatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// target is where a report is written in one format: a file, or standard output when path is empty.
type target struct {
	format
	path string
}

// outputFlags are the flags of every command that writes a report.
type outputFlags struct {
	formats []string
	verbose bool
	run     int // 0 when no run is asked for
}

func (f *outputFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.formats, "format", nil,
		"`FORMAT[=PATH]` to write the report in, to a file or to standard output; repeatable; "+
			strings.Join(formatNames(), ", ")+"; text goes to standard output unless another does")
	flags.BoolVar(&f.verbose, "verbose", false, "list everything in the text format, however much there is, and each run")
}

// registerRun adds the flag of the commands whose text shows runs.
func (f *outputFlags) registerRun(flags *pflag.FlagSet) {
	flags.Func("run", "show run `N` of each case and no other, in text and in the details of Markdown; no figure changes", func(value string) error {
		run, err := strconv.Atoi(value)
		if err != nil || run < 1 {
			return errors.New("a run is a whole number of 1 or more")
		}
		f.run = run
		return nil
	})
}

// options returns how much the formats for people show.
func (f *outputFlags) options() text.Options {
	return text.Options{All: f.verbose, Run: f.run}
}

// targets returns where to write what. One format at most goes to standard output: text, unless another is asked for.
func (f *outputFlags) targets() ([]target, error) {
	var targets []target
	taken := map[string]string{}
	for _, arg := range f.formats {
		t, err := parseTarget(arg)
		if err != nil {
			return nil, err
		}
		if other, twice := taken[t.path]; twice {
			return nil, fmt.Errorf("--format %q and --format %q write to the same place; give each a path of its own, as in %s=PATH",
				other, arg, t.name)
		}
		taken[t.path] = arg
		targets = append(targets, t)
	}
	if _, ok := taken[""]; !ok {
		targets = append(targets, target{format: formats[0]})
	}
	return targets, nil
}

func parseTarget(arg string) (target, error) {
	name, path, hasPath := strings.Cut(arg, "=")
	if hasPath && path == "" {
		return target{}, fmt.Errorf("--format %q has no path after \"=\"", arg)
	}
	for _, f := range formats {
		if f.name == name {
			return target{f, path}, nil
		}
	}
	return target{}, fmt.Errorf("unknown format %q%s; the formats are %s", name,
		source.DidYouMean(name, formatNames()), strings.Join(formatNames(), ", "))
}

// write writes the report everywhere it is to go, as far as it can.
func (p *program) write(r *report.Report, targets []target, o text.Options) error {
	var broken []error
	for _, t := range targets {
		if err := p.writeOne(r, t, o); err != nil {
			broken = append(broken, err)
		}
	}
	if err := errors.Join(broken...); err != nil {
		return worldError{err}
	}
	return nil
}

func (p *program) writeOne(r *report.Report, t target, o text.Options) error {
	if t.path == "" {
		o.Color = p.colors(p.stdout)
		err := t.format.write(p.stdout, r, o)
		if t.machine {
			p.tellFailures(func(w io.Writer, o text.Options) error { return text.Failures(w, r, o) })
		}
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		return nil
	}
	err := writeFile(t.path, func(w io.Writer) error {
		return t.format.write(w, r, o)
	})
	if err != nil {
		return fmt.Errorf("write the report to %q: %w", t.path, err)
	}
	return nil
}

// tellFailures writes on standard error what is wrong, where standard output has a format for programs. As with all that
// is said there, nothing depends on whether it can be written.
func (p *program) tellFailures(write func(io.Writer, text.Options) error) {
	write(p.stderr, text.Options{Color: p.colors(p.stderr)})
}

// writeFile writes a file so that it is either there as a whole or as it was before: beside the place where it
// belongs, then renamed. A link is replaced and not followed, for a checkout can bring links. What else is there and no
// regular file, such as a pipe, is written to as it is.
func writeFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeTo(path, os.O_WRONLY, write)
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8])
	err := writeTo(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, write)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary) // may never have been made
		return reason(err)
	}
	return nil
}

// writeInRoot writes a file below root in the same way, and follows no link out of it.
func writeInRoot(root *os.Root, name string, write func(io.Writer) error) error {
	temporary := path.Join(path.Dir(name), "."+path.Base(name)+"."+rand.Text()[:8])
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err = errors.Join(write(file), file.Close()); err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		root.Remove(temporary)
	}
	return err
}

func writeTo(path string, flag int, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return reason(err)
	}
	return errors.Join(write(file), file.Close())
}

// reason returns why a file operation failed, without the name of the temporary file.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
