package cli

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/codequality"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/junit"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/sarif"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/spf13/pflag"
)

// format is a way to write a report.
type format struct {
	name  string
	write func(w io.Writer, r *report.Report, o text.Options) error
}

var formats = []format{
	{"text", text.Report},
	{formatJSON, func(w io.Writer, r *report.Report, _ text.Options) error { return report.JSON(w, r) }},
	{"markdown", func(w io.Writer, r *report.Report, o text.Options) error {
		return markdown.Report(w, r, markdown.Options{Run: o.Run})
	}},
	{formatHTML, func(w io.Writer, r *report.Report, o text.Options) error {
		return html.Report(w, r, html.Options{Run: o.Run})
	}},
	{"junit", func(w io.Writer, r *report.Report, _ text.Options) error { return junit.Report(w, r) }},
	{"sarif", func(w io.Writer, r *report.Report, _ text.Options) error {
		return sarif.Report(w, r, annotation.Of(r, annotation.Options{}))
	}},
	{"codequality", func(w io.Writer, r *report.Report, _ text.Options) error {
		return codequality.Write(w, annotation.Of(r, annotation.Options{}))
	}},
	{formatGitHub, func(w io.Writer, r *report.Report, o text.Options) error {
		return annotate.Step(w, annotation.Of(r, annotation.Options{}), func(w io.Writer) error { return text.Report(w, r, o) })
	}},
}

// formatJSON is the format that programs read.
const formatJSON = "json"

// formatHTML is a page for a browser.
const formatHTML = "html"

// formatGitHub is the format that the runner of GitHub Actions reads in the log of a step.
const formatGitHub = "github"

// forPrograms are the formats that only programs read. If one of them is written to standard output, what is wrong is also
// written to standard error, for people.
var forPrograms = []string{formatJSON, formatHTML, "junit", "sarif", "codequality"}

func formatNames() []string {
	return lists.Map(formats, func(f format) string { return f.name })
}

// outputFlags are the flags of every command that writes a report.
type outputFlags struct {
	formats   []string
	reporters []string // values of --reporter, which is mcptest's flag for the format
	verbose   bool
	run       int // the run that --run selects; 0 for all runs
	jsonRuns  bool
}

func (f *outputFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.formats, "format", nil,
		"write the report as `FORMAT[=PATH]`; repeatable; "+
			strings.Join(formatNames(), ", ")+"; text goes to standard output unless another format does")
	flags.StringArrayVar(&f.reporters, "reporter", nil, "like --format, for compatibility with mcptest; md is markdown, pretty is text")
	flags.BoolVar(&f.verbose, "verbose", false, "list everything, and each run, in the text format")
}

func (f *outputFlags) registerRun(flags *pflag.FlagSet) {
	runFlag(flags, &f.run, "run", "show only run `N` of each case, in text, HTML and the details of Markdown; no figure changes")
}

func (f *outputFlags) registerJSONRuns(flags *pflag.FlagSet) {
	flags.BoolVar(&f.jsonRuns, "json-runs", false, "keep each run of passing cases in the JSON report, which otherwise only counts these runs")
}

func runFlag(flags *pflag.FlagSet, to *int, name, usage string) {
	flags.Func(name, usage, func(value string) error {
		run, err := strconv.Atoi(value)
		if err != nil || run < 1 {
			return errors.New("a run is a whole number of 1 or more")
		}
		*to = run
		return nil
	})
}

func (f *outputFlags) options() text.Options { return text.Options{All: f.verbose, Run: f.run} }

func (f *outputFlags) places() ([]place, error) { return readPlaces(f.formatArgs(), formatNames()) }

// formatArgs returns the values of --format, and those of --reporter as names of formats.
func (f *outputFlags) formatArgs() []string {
	all := slices.Clone(f.formats)
	for _, arg := range f.reporters {
		name, path, hasPath := strings.Cut(arg, "=")
		name = cmp.Or(reporterNames[name], name)
		if hasPath {
			name += "=" + path
		}
		all = append(all, name)
	}
	return all
}

// reporterNames maps mcptest's names of reporters to this program's names, where they differ.
var reporterNames = map[string]string{"md": "markdown", "pretty": "text", "gitlab": "codequality"}

// place is a place where something is written in a format: a file, or standard output if path is empty.
type place struct{ format, path string }

// readPlaces reads the values of a --format flag. One format at most goes to standard output: the first of formats,
// unless another is asked for.
func readPlaces(args, formats []string) ([]place, error) {
	var places []place
	argOf := map[string]string{}
	for _, arg := range args {
		name, path, hasPath := strings.Cut(arg, "=")
		other, isTaken := argOf[path]
		switch {
		case hasPath && path == "":
			return nil, fmt.Errorf("--format %q has no path after \"=\"", arg)
		case !slices.Contains(formats, name):
			return nil, unknownNameError("format", name, "formats", formats)
		case isTaken:
			return nil, fmt.Errorf("--format %q and --format %q write to the same place; give each a path of its own, as in %s=PATH",
				other, arg, name)
		}
		argOf[path] = arg
		places = append(places, place{name, path})
	}
	if _, ok := argOf[""]; !ok {
		places = append(places, place{formats[0], ""})
	}
	return places, nil
}

// rendering holds the functions that write a result.
type rendering struct {
	noun     string // noun for the result in messages
	write    func(w io.Writer, format string, o text.Options) error
	failures func(io.Writer, text.Options) error // writes what is wrong, in lines for people
}

// lintFormats are the formats of findings. The first is the default for standard output.
var lintFormats = []string{"text", formatJSON, "sarif", "codequality", formatGitHub}

// findings holds a function for each way to write what lint found.
type findings struct {
	items func() []annotation.Item
	text  func(io.Writer, text.Options) error
	json  func(io.Writer) error
}

func (f findings) write(w io.Writer, format string, tool report.Tool, o text.Options) error {
	switch format {
	case formatJSON:
		return f.json(w)
	case "sarif":
		return sarif.Write(w, tool, f.items())
	case "codequality":
		return codequality.Write(w, f.items())
	case formatGitHub:
		return annotate.Step(w, f.items(), func(w io.Writer) error { return f.text(w, o) })
	}
	return f.text(w, o)
}

// renderingOf returns how a report is written in each format. With keepRuns, the report's JSON includes the runs of passing cases.
func renderingOf(r *report.Report, keepRuns bool) rendering {
	return rendering{
		noun: "report",
		write: func(w io.Writer, name string, o text.Options) error {
			if name == formatJSON && !keepRuns {
				return report.JSON(w, r.WithoutPassingRuns())
			}
			i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
			return formats[i].write(w, r, o)
		},
		failures: func(w io.Writer, o text.Options) error { return text.Failures(w, r, o) },
	}
}

// writeResult writes a result to all places, as far as it can. If the format on standard output is for programs, what is wrong is
// also written to standard error. An error in writing to standard error is ignored.
func (p *program) writeResult(places []place, r rendering, o text.Options) error {
	var errs []error
	for _, at := range places {
		if at.path != "" {
			if err := writeFile(at.path, func(w io.Writer) error { return r.write(w, at.format, o) }); err != nil {
				errs = append(errs, fmt.Errorf("write the %s to %q: %w", r.noun, at.path, err))
			}
			continue
		}
		shown := o
		if at.format == "text" {
			shown.Color, shown.Values = p.colors(p.stdout), p.isPrivate(p.stdout)
		}
		if err := r.write(p.stdout, at.format, shown); err != nil {
			errs = append(errs, fmt.Errorf("write the %s: %w", r.noun, err))
		}
		if slices.Contains(forPrograms, at.format) {
			r.failures(p.stderr, text.Options{Color: p.colors(p.stderr)})
		}
	}
	if err := errors.Join(errs...); err != nil {
		return worldError{err}
	}
	return nil
}

// writeFile replaces a file as a whole, by renaming a temporary file. A link is replaced, not followed, because a checkout can
// contain links. Anything else that is not a regular file, such as a pipe, is written to directly.
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

// writeInRoot replaces a file below root as a whole, by renaming a temporary file. It follows no link out of root.
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

// writing returns a function that writes a text.
func writing(text []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(text); return err }
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
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// writeWordsTable writes which tool comes first for each prompt by its words alone, below the text report on standard output.
func (p *program) writeWordsTable(places []place, r *report.Report) error {
	if !slices.ContainsFunc(places, isShownText) {
		return nil
	}
	fmt.Fprintln(p.stdout, "\nBY WORDS ALONE (a lexical check, not a model)")
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, row := range r.Words {
		fmt.Fprintf(table, "  %s\t%s%s\n", report.Safe(row.ID), toolAndRight(row.First, row.Right), formerFirst(row))
	}
	if len(r.Words) == 0 {
		fmt.Fprintln(table, "  no case has a prompt, an expected tool or a class, and servers with snapshots")
	}
	if err := table.Flush(); err != nil {
		return worldError{fmt.Errorf("write the table by words: %w", err)}
	}
	return nil
}

func toolAndRight(tool report.Optional, right bool) string {
	name := report.Safe(cmp.Or(string(tool), "no tool"))
	if right {
		return name + " (right)"
	}
	return name + " (not expected)"
}

// formerFirst returns a cell with the tool that came first in the base; "" if it was the same, or nothing was compared.
func formerFirst(row report.WordsRow) string {
	if row.Before == "" || row.Before == row.First && row.WasRight == row.Right {
		return ""
	}
	text := "\tbefore: " + toolAndRight(row.Before, row.WasRight)
	if len(row.Gone) > 0 {
		text += "; gone: " + report.Safe(strings.Join(row.Gone, ", "))
	}
	return text
}
