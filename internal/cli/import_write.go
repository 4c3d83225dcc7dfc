package cli

import (
	"bytes"
	"cmp"
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

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suggest"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// imported is the result of an import, and the cassettes that are made from it.
type imported struct {
	account   *imports.Account
	unread    source.Errors
	groups    []*imports.Group
	cassettes []*cassette
	unfit     []string // groups that fit no case of the suites
}

// cassette is a cassette file to write.
type cassette struct {
	group  *imports.Group
	part   imports.Part
	header trace.Header
	dir    string // the folder that contains the file; no link may lead out of it
	name   string // path in dir, with slashes
	shown  string // path for messages
	state  state

	findsErrors bool // the case has an error_pattern
}

// state is how writing changes a cassette's file.
type state string

const (
	stateNew      state = "new"
	stateReplaced state = "replaced"
	stateSame     state = "same"
)

func (in *importing) placeCassettes(out *imported) source.Errors {
	if len(in.suites) > 0 {
		return in.placeInSuites(out)
	}
	names := suggest.Names(out.groups, in.by)
	dir := in.outDir()
	for i, g := range out.groups {
		for n, part := range g.Parts() {
			name := suggest.PartName(names[i], n) + ".json"
			out.cassettes = append(out.cassettes, &cassette{
				group: g, part: part, header: in.headerOf(g), dir: dir, name: name, shown: path.Join(filepath.ToSlash(dir), name),
			})
		}
	}
	return nil
}

func (in *importing) outDir() string { return cmp.Or(in.flags.out, defaultOut) }

func (in *importing) headerOf(g *imports.Group) trace.Header {
	h := g.Header(thisBuild().Version)
	if in.flags.builtins == trace.BuiltinsCount {
		h.Builtins = trace.BuiltinsCount
	}
	return h
}

// placeInSuites assigns each group of runs to the cassette of the cases that it fits. Two groups for one cassette are a
// mistake.
func (in *importing) placeInSuites(out *imported) (errs source.Errors) {
	groupOf := map[string]*imports.Group{}
	for _, g := range out.groups {
		cases, reason := in.casesOf(g)
		if len(cases) == 0 {
			out.unfit = append(out.unfit, fmt.Sprintf("%s: %s", describeGroup(g), reason))
		}
		for _, c := range cases {
			other := groupOf[c.Cassettes[0]]
			switch {
			case other == g:
				continue // several cases judge this cassette
			case other != nil:
				errs.Addf(c.CassettePos, "cassette %q would be of two groups of runs: %s, and %s; give the cases a model", c.Cassettes[0], describeGroup(other), describeGroup(g))
				continue
			}
			groupOf[c.Cassettes[0]] = g
			if problem := in.assign(out, g, c); problem != "" {
				errs.Addf(c.CassettePos, "%s", problem)
			}
		}
	}
	return errs
}

// assign assigns a group to the cassette of a case, or returns the reason why it cannot.
func (in *importing) assign(out *imported, g *imports.Group, c *suite.Case) (problem string) {
	name, parts := c.Cassettes[0], g.Parts()
	switch {
	case len(c.Cassettes) > 1 || strings.ContainsAny(name, `*?[{\`):
		return fmt.Sprintf("cassette %q names no single file to write to; import without --suite, or name one file", name)
	case len(parts) > 1:
		return fmt.Sprintf("the runs take %d files; import them without --suite, and give the case a glob such as %q", len(parts), suggest.PartsGlob(strings.TrimSuffix(name, ".json"), len(parts)))
	}
	h := in.headerOf(g)
	if h.PromptSHA256 != "" {
		h.PromptSHA256 = trace.PromptSHA256(c.Recorded.Prompt)
	}
	if h.SystemPromptSHA256 != "" && (c.HasPrompt || c.HasSystemPrompt) {
		h.SystemPromptSHA256 = trace.PromptSHA256(c.Recorded.SystemPrompt)
	}
	out.cassettes = append(out.cassettes, &cassette{group: g, part: parts[0], header: h, dir: in.flags.workspace, name: name, shown: name, findsErrors: c.ErrorPattern != nil})
	return ""
}

// casesOf returns the cases that the runs of a group fit, or the reason why there is none.
func (in *importing) casesOf(g *imports.Group) (cases []*suite.Case, reason string) {
	reason = "no case has this prompt"
	for _, s := range in.suites {
		for _, c := range s.Cases {
			if c.Kind != suite.AgentTest || !c.HasPrompt || !isSamePrompt(g.Prompt, c.Recorded.Prompt) {
				continue
			}
			switch {
			case c.Log != nil:
				reason = fmt.Sprintf("case %q reads logs in place", c.DisplayName())
			case c.Model != "" && g.Model != "" && c.Model != g.Model:
				reason = fmt.Sprintf("case %q has the model %q", c.DisplayName(), c.Model)
			case g.System.SHA256 != "" && !isSamePrompt(g.System, c.Recorded.SystemPrompt):
				reason = fmt.Sprintf("case %q has another system prompt", c.DisplayName())
			default:
				cases = append(cases, c)
			}
		}
	}
	return cases, reason
}

// isSamePrompt reports whether a text of the logs equals a text of a suite, apart from white space at the ends and from secrets.
func isSamePrompt(logged imports.PromptText, text string) bool {
	sum := trace.PromptSHA256(strings.TrimSpace(text))
	return logged.SHA256 != "" && (sum == logged.SHA256 || sum == logged.Clean)
}

func describeGroup(g *imports.Group) string {
	text := fmt.Sprintf("%q", source.Shorten(g.Prompt.Head, 60))
	if g.Prompt.Head == "" {
		text = "no prompt"
	}
	if g.Model != "" {
		text += " (" + source.Shorten(g.Model, 60) + ")"
	}
	return text
}

// setStates sets the state of each cassette according to its existing file. If that file is not a cassette, this is a mistake.
func (in *importing) setStates(runs *imports.Collection, out *imported) (errs source.Errors) {
	for _, c := range out.cassettes {
		c.state = stateNew
		files, err := openWorkspace(c.dir)
		if err != nil {
			continue // the folder does not exist yet, or writing reports the error
		}
		if _, err := fs.Stat(files, path.Dir(c.name)); leadsOut(err) {
			errs.Addf(source.Pos{File: c.shown}, "is in a folder that a link leads out of %q; nothing is written there", filepath.ToSlash(c.dir))
			continue
		}
		old, err := files.Open(c.name)
		if err != nil {
			continue // the file does not exist yet, or writing reports the error
		}
		c.state = stateReplaced
		if sameRuns(runs, c, old) {
			c.state = stateSame
		}
		_ = old.Close()
		if _, mistakes := trace.Read(files, []string{c.name}, 0); len(mistakes) > 0 && c.state == stateReplaced {
			errs.Addf(source.Pos{File: c.shown}, "is not a cassette, so that it is not replaced; move it away (%s)", mistakes[0].Msg)
		}
	}
	return errs
}

func sameRuns(runs *imports.Collection, c *cassette, old io.Reader) bool {
	comparing := &comparingWriter{expected: old}
	return runs.Write(comparing, c.header, c.part) == nil && comparing.isAtEnd()
}

// comparingWriter is a writer that compares the written bytes with those of a reader.
type comparingWriter struct {
	expected io.Reader
	buffer   []byte
}

var errDiffers = errors.New("differs")

func (c *comparingWriter) Write(text []byte) (int, error) {
	c.buffer = slices.Grow(c.buffer[:0], len(text))[:len(text)]
	if _, err := io.ReadFull(c.expected, c.buffer); err != nil || !bytes.Equal(c.buffer, text) {
		return 0, errDiffers
	}
	return len(text), nil
}

func (c *comparingWriter) isAtEnd() bool {
	n, err := c.expected.Read(make([]byte, 1))
	return n == 0 && err == io.EOF
}

// writeCassettes writes each cassette whose file differs. A file is replaced as a whole.
func (in *importing) writeCassettes(runs *imports.Collection, out *imported) error {
	if in.flags.dry {
		return nil
	}
	for _, c := range out.cassettes {
		if c.state == stateSame {
			continue
		}
		if err := os.MkdirAll(c.dir, 0o777); err != nil {
			return fmt.Errorf("make folder %q: %w", c.dir, reason(err))
		}
		err := saveInWorkspace(c.dir, c.name, func(w io.Writer) error { return runs.Write(w, c.header, c.part) })
		if err != nil {
			return fmt.Errorf("write cassette %q: %w", c.shown, err)
		}
	}
	return nil
}

// firstCassettes returns the first cassette of each group, and how many each group has.
func (out *imported) firstCassettes() (first []*cassette, parts map[*imports.Group]int) {
	parts = map[*imports.Group]int{}
	for _, c := range out.cassettes {
		if parts[c.group]++; parts[c.group] == 1 {
			first = append(first, c)
		}
	}
	return first, parts
}

// leftOvers lists the surplus files of an earlier import in which a group had more parts, because a glob would still find them.
// With suites it lists none, because the cassette of a case has only one file.
func (in *importing) leftOvers(out *imported) (names []string) {
	if len(in.suites) > 0 {
		return nil
	}
	first, parts := out.firstCassettes()
	for _, c := range first {
		for _, name := range c.partsFrom(parts[c.group]) {
			names = append(names, path.Join(path.Dir(c.shown), name))
		}
	}
	return names
}

// partsFrom lists the existing files that have the name, prompt and model of a part of this cassette's group. The number of the
// part is first or more, counted from 0.
func (c *cassette) partsFrom(first int) (names []string) {
	files, err := openWorkspace(c.dir)
	if err != nil || c.header.PromptSHA256 == "" {
		return nil
	}
	folder := path.Dir(c.name)
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil // the folder does not exist in a dry run
	}
	stem := strings.TrimSuffix(path.Base(c.name), ".json")
	var parts []int
	for _, entry := range entries {
		n := partOf(entry.Name(), stem)
		if n < first {
			continue
		}
		tr, errs := trace.Read(files, []string{path.Join(folder, entry.Name())}, 0)
		if len(errs) == 0 && tr.PromptSHA256 == c.header.PromptSHA256 && tr.Model == c.header.Model {
			parts = append(parts, n)
		}
	}
	slices.Sort(parts)
	for _, n := range parts {
		names = append(names, suggest.PartName(stem, n)+".json")
	}
	return names
}

// partOf returns the part number in a file's name, counted from 0; -1 if the name has none.
func partOf(file, stem string) int {
	number := strings.TrimSuffix(strings.TrimPrefix(file, stem+"-"), ".json")
	n, err := strconv.Atoi(number)
	if err != nil || n < 2 || suggest.PartName(stem, n-1)+".json" != file {
		return -1
	}
	return n - 1
}
