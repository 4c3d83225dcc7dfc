package check

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// read reads the case's cassettes; nil when there is none or a mistake in one, which it then notes.
func (k *caseCheck) read() *trace.Trace {
	files := k.cassettes()
	if len(k.refused) > 0 {
		k.noteMissing()
		return nil
	}
	reader := k.readers.Get().(*trace.Reader)
	tr, errs := reader.Read(k.fsys, files, k.keep())
	k.readers.Put(reader)
	if len(errs) > 0 {
		k.noteMissing()
	}
	if len(k.refused) > 0 {
		return nil
	}
	k.out.Cassettes = files
	k.out.Recordings = k.recordings(files, tr)
	if len(errs) > 0 {
		k.mistakes(errs.Sorted())
		return nil
	}
	return tr
}

// mistakes notes what is wrong with the cassettes: the first as the case's error, and all as mistakes in their files.
func (k *caseCheck) mistakes(errs source.Errors) {
	k.out.problems = append(k.out.problems, problemsOf(errs)...)
	message := errs[0].Msg
	if more := len(errs) - 1; more > 0 {
		message += fmt.Sprintf(" (the first of %d mistakes)", more+1)
	}
	k.refused.Addf(errs[0].Pos, "%s", message)
}

// cassettes returns the files that the case's paths and globs stand for, sorted, each once.
func (k *caseCheck) cassettes() []string {
	var files []string
	for _, pattern := range k.Cassettes {
		files = append(files, k.expand(pattern)...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// expand returns the files that a path or a glob stands for, and notes when a glob stands for none.
func (k *caseCheck) expand(pattern string) []string {
	if !isGlob(pattern) {
		return []string{pattern}
	}
	if _, err := fs.Stat(k.fsys, pattern); err == nil {
		return []string{pattern} // names may hold brackets
	}
	files, err := doublestar.Glob(k.fsys, pattern, doublestar.WithFilesOnly())
	if err != nil {
		k.refused.Addf(k.CassettePos, "%q is not a valid glob", pattern)
		return nil
	}
	if len(files) == 0 {
		k.refused.Addf(k.CassettePos, "no cassette matches %q; %s, %s", pattern, putThere, nameOne)
	}
	return files
}

func isGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// noteMissing notes each path at which there is no cassette. Nobody asks before something went wrong: a check can have
// ten thousand paths.
func (k *caseCheck) noteMissing() {
	for _, path := range k.Cassettes {
		if isGlob(path) {
			continue
		}
		_, err := fs.Stat(k.fsys, path)
		if errors.Is(err, fs.ErrNotExist) {
			k.missing(path)
			continue
		}
		if err == nil {
			continue
		}
		if _, err := source.Open(k.fsys, path, source.MaxCassette); err != nil {
			k.refused.Addf(k.CassettePos, "cassette %q %s", path, problemsOf(err)[0].Message)
		}
	}
}

// What to do about a missing recording.
const (
	putThere = "put recorded runs there"
	makeOne  = `"mcp-gates run --record" makes one`
	nameOne  = `or name a recording under "cassette" (docs/cassettes.md says what one holds)`
)

// missing notes that there is no cassette at path.
func (k *caseCheck) missing(path string) {
	what := putThere
	if k.isRecordable() {
		what = makeOne
	}
	k.refused.Addf(k.CassettePos, "no cassette at %q; %s, %s", path, what, nameOne)
}

// keep returns the parts of the cassette that the case's gates and expectations read.
func (k *caseCheck) keep() trace.Keep {
	keep := k.Expect.Keep()
	for _, check := range k.Checks {
		keep |= check.Gate.Keep
		if keeper, ok := check.Plan.Measurer.(judge.Keeper); ok {
			keep |= keeper.Keep()
		}
	}
	if k.base != nil {
		keep |= (&caseCheck{selectedCase: k.base.selectedCase}).keep()
	}
	return keep
}

// needsTokens reports whether the case cannot be judged without counting tokens.
func needsTokens(c *suite.Case) bool {
	return c.Expect.NeedsTokens() ||
		slices.ContainsFunc(c.Checks, func(check judge.Check) bool { return check.Gate.Needs&judge.NeedTokens != 0 })
}

// complete adds what the recording lacks and the suite knows: the snapshots of the servers and the injected
// distractors, where no catalog was recorded; and token counts, where a gate needs them.
func (k *caseCheck) complete(tr *trace.Trace) {
	snapshots := k.snapshots()
	tr.Current = snapshots
	if tr.Catalog == nil && snapshots != nil {
		tr.Catalog = catalog.Merge(snapshots, &catalog.Catalog{Tools: k.injected(snapshots)})
	}
	if !slices.ContainsFunc(k.Checks, func(c judge.Check) bool { return c.Gate.Needs&judge.NeedTokens != 0 }) {
		return
	}
	if tr.Catalog != nil {
		tr.Surface = trace.Known(k.counts.surface(k.offered(tr)))
	}
	if snapshots != nil && k.allSnapshots() {
		tr.CurrentSurface = trace.Known(k.counts.surface(snapshots))
	}
}

// offered returns the tools that the runs to be judged were offered: a recording of a curve lists the distractors of its
// greatest point.
func (k *caseCheck) offered(tr *trace.Trace) *catalog.Catalog {
	distractors := k.distractors(&tr.Header)
	most := int64(0)
	for i := range tr.Runs {
		run := &tr.Runs[i]
		if run.Error != "" || !k.selects(run) {
			continue
		}
		if !run.Offered.Known {
			return tr.Catalog
		}
		most = max(most, run.Offered.N)
	}
	return tr.Catalog.Without(distractors[min(most, int64(len(distractors))):])
}

// snapshots returns the tools of the case's servers as they are today; nil when no server has a snapshot.
func (k *caseCheck) snapshots() *catalog.Catalog {
	cats := make([]*catalog.Catalog, len(k.Servers))
	for i, server := range k.Servers {
		cats[i] = server.Snapshot
	}
	return catalog.Merge(cats...)
}

// allSnapshots reports whether every server of the case has a snapshot.
func (k *caseCheck) allSnapshots() bool {
	return len(k.Servers) == len(k.ServerNames) && // others are not declared
		!slices.ContainsFunc(k.Servers, func(s *suite.Server) bool { return s.Snapshot == nil })
}

// injected returns the distractors that the case's gates add to real tools. That there are too few is for the gate to
// say.
func (k *caseCheck) injected(real *catalog.Catalog) []*catalog.Tool {
	var tools []*catalog.Tool
	for _, check := range k.Checks {
		injector, ok := check.Plan.Measurer.(judge.Injector)
		if !ok {
			continue
		}
		if added, err := injector.Inject(real.Tools); err == nil {
			tools = append(tools, added...)
		}
	}
	return tools
}
