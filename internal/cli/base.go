package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// basis is the base of a comparison, or the reason why there is no base.
type basis struct {
	report         *report.Report // nil when there is nothing to compare with
	about          report.Base
	noneReason     string // why there is no base, to follow "no baseline: "
	lacksRequested bool   // the base lacks the requested suites or cases; noneReason then says which
	broken         error  // why the base could not be read
	isSaved        bool   // the base is a saved report, which has settings to compare but no suites that could judge
	unsureReason   string // why a saved report does not suffice to find all weakenings; "" if it suffices

	affected      *check.Affected // the suites that the change touches; nil if they were not asked for, or are unknown
	unknownReason error           // why affected is not known; nil otherwise

	snapshots []report.Refusal // refusals of the servers that were asked for their tools; empty if none was asked

	noRevision bool              // broken is set because no revision has the name that the user gave
	files      fs.FS             // files of the base commit, even if it has no suite; nil for a saved report
	suites     *check.BaseSuites // suites of the base commit; nil for a saved report, which has figures but no gates
	close      func() error      // closes files; nil if nothing must be closed
}

// compare adds the comparison with the base to the report head. files and o are the files and options that head was made with.
func (b *basis) compare(head *report.Report, files fs.FS, o *check.Options, redact func(string) string) {
	if b.report == nil {
		return
	}
	var unsure []string
	if b.isSaved {
		unsure = b.removeUnselected(head, o)
	}
	stands := func(path string) bool { return catalog.Files{FS: files, Name: path}.Stand() }
	c := compare.Reports(b.report, head, compare.Options{Redact: redact, Stands: stands})
	c.Base.Ref, c.Base.SHA = b.about.Ref, b.about.SHA
	c.Base.Saved(string(b.about.File), b.report.Tool, head.Tool)
	head.Baseline = c
	if b.isSaved && b.report.Chosen != nil {
		unsure = append(unsure, partialDoubts(b.report.Chosen, head, o)...)
	}
	if len(unsure) > 0 {
		b.unsureReason = fmt.Sprintf("the saved report %q %s", string(b.about.File), strings.Join(unsure, "; it "))
		head.Warn(b.unsureReason)
	}
}

// removeUnselected removes from a saved report the cases that this run's options leave out. unsure lists the reasons why the report
// does not suffice for that, each worded to follow the report's name.
func (b *basis) removeUnselected(head *report.Report, o *check.Options) (unsure []string) {
	isSameSelection := b.report.Chosen != nil && o.SelectsAs(b.report.Chosen)
	var leftByTag, leftByHead []string
	if head.Chosen != nil && !isSameSelection {
		leftByHead = head.Chosen.Left
	}
	kept := slices.DeleteFunc(slices.Clone(b.report.Cases), func(c report.Case) bool {
		if !o.SelectsID(c.ID) {
			return true
		}
		isLeft := slices.Contains(leftByHead, c.ID)
		if isLeft {
			leftByTag = append(leftByTag, c.ID)
		}
		return isLeft
	})
	if len(leftByTag) > 0 {
		unsure = append(unsure, "does not say which tags its cases have, and this run leaves out "+quoted(leftByTag)+" by their tags")
	}
	if len(kept) == 0 && len(b.report.Cases) > 0 && len(leftByTag) == 0 {
		unsure = append(unsure, "has none of the cases that this run selects")
	}
	if len(kept) < len(b.report.Cases) {
		b.report.Cases = kept
		b.report.Conclude()
	}
	return unsure
}

// partialDoubts returns the reasons why a saved report may lack cases that this run has, each worded to follow the report's name.
// The last reason lists the cases of head that the report lacks.
func partialDoubts(chosen *report.Chosen, head *report.Report, o *check.Options) (unsure []string) {
	asWritten := func(text string) string { return text }
	hasLeftSuites := len(chosen.Suites) > 0
	hasLeftCases := chosen.By != "" || !hasLeftSuites
	if hasLeftCases && !o.SelectsAs(chosen) {
		unsure = append(unsure, chosen.LeftCases(asWritten))
	}
	if hasLeftSuites && !chosen.Names(o.Suites) {
		unsure = append(unsure, chosen.LeftSuites(asWritten))
	}
	var casesWithoutBase []string
	for _, p := range head.Baseline.Cases {
		if p.New {
			casesWithoutBase = append(casesWithoutBase, p.ID)
		}
	}
	if last := len(unsure) - 1; last >= 0 && len(casesWithoutBase) > 0 {
		unsure[last] += ": " + quoted(casesWithoutBase) + " had nothing to be compared with"
	}
	return unsure
}

// quoted lists the ids of cases in quotes, only the first ones if there are many.
func quoted(ids []string) string {
	const shown = 5
	list := lists.Map(ids[:min(len(ids), shown)], strconv.Quote)
	if more := len(ids) - shown; more > 0 {
		list = append(list, judge.CountOf(more, "more case"))
	}
	return strings.Join(list, ", ")
}

// missingFilesReason returns a sentence about the files of the base that could not be read; "" if all of them were read.
func (b *basis) missingFilesReason() string {
	tree, isTree := b.files.(*baseline.Tree)
	if !isTree || tree.Lacking() == "" {
		return ""
	}
	return "the base could not be read in full: " + tree.Lacking()
}

// noBaseReason returns the reason why there is no base to compare with; "" if there is a base.
func (b *basis) noBaseReason() string {
	switch {
	case b.report != nil:
		return ""
	case b.broken != nil:
		return "the base could not be read: " + b.broken.Error()
	}
	return b.noneReason
}

// noSuitesReason returns the reason why the base has no suites; "" if it has some.
func (b *basis) noSuitesReason() string {
	switch {
	case b.suites != nil:
		return ""
	case b.isSaved:
		return "a saved report holds no descriptions"
	}
	return b.noBaseReason()
}

// suitesFrom returns the commit whose suites judge in addition to the head's; "" if there are none.
func (b *basis) suitesFrom() string {
	if b.suites == nil {
		return ""
	}
	return string(b.about.SHA)
}

// evaluate judges the files of a commit by the commit's own suites. If only the suites that the change touches are to be checked,
// head holds the files of the change; otherwise head is nil.
func (b *basis) evaluate(ctx context.Context, files, head fs.FS, tree *baseline.Tree, o check.Options) {
	if head != nil {
		b.affected, b.unknownReason = baseline.FindAffected(head, tree, o)
		o.Affected = b.affected
	}
	b.noteOutcome(baseline.Evaluate(ctx, files, o))
}

// allSuitesReason returns the reason why all suites are checked although --affected was given; "" if the affected suites are known.
func (b *basis) allSuitesReason() string {
	switch {
	case b.affected != nil:
		return ""
	case b.noBaseReason() != "":
		return b.noBaseReason()
	case b.unknownReason != nil:
		return b.unknownReason.Error()
	}
	return "a saved report does not say which files the change touches"
}

func (b *basis) noteOutcome(r *report.Report, suites *check.BaseSuites, err error) {
	var nothing *baseline.NoBaseline
	switch {
	case err == nil:
		b.report, b.suites = r, suites
	case errors.As(err, &nothing):
		b.noneReason, b.lacksRequested = nothing.Reason, nothing.Selected
	default:
		b.broken = err
	}
}

// hasSettings reports whether a saved report holds the settings of each case, which are compared to find weakenings.
func (b *basis) hasSettings() bool {
	return !slices.ContainsFunc(b.report.Cases, func(c report.Case) bool { return len(c.Settings) == 0 })
}

// unknownBreaksReason returns the reason why it is unknown which changes break callers of the base's tools; "" if it is known.
func (b *basis) unknownBreaksReason(head *report.Report) string {
	switch {
	case b.broken != nil:
		return b.noBaseReason()
	case b.missingFilesReason() != "":
		return b.missingFilesReason()
	case head.Baseline != nil && head.Baseline.Undescribed:
		return fmt.Sprintf("the saved report %q does not hold descriptions and schemas of tools", string(b.about.File))
	case head.Baseline != nil && len(head.Baseline.Breaking) == 0:
		return listBreaks(report.NotCompared(head.Baseline.MayBreak))
	}
	return ""
}

// breakingRefusal returns the refusal by fail-on-breaking; the zero refusal if it refuses nothing. unknown is the result of
// unknownBreaksReason.
func breakingRefusal(head *report.Report, unknown string) report.Refusal {
	if unknown != "" {
		return report.Refusal{Demand: report.FailOnBreaking, Exit: report.ExitWorld, Title: "unknown breaking changes",
			Message: "It is not known whether the change breaks callers, which fail-on-breaking asks for: " + unknown}
	}
	if head.Baseline == nil || len(head.Baseline.Breaking) == 0 {
		return report.Refusal{}
	}
	return report.Refusal{Demand: report.FailOnBreaking, Exit: report.ExitFail, Title: judge.CountOf(len(head.Baseline.Breaking), "breaking change"),
		Message: "The change breaks callers, which fail-on-breaking does not allow: " + listBreaks(head.Baseline.Breaking)}
}

// listBreaks lists the first changes that break callers.
func listBreaks(all []report.Breaking) string {
	const shown = 5
	var list []string
	for _, b := range all {
		if b.Tool == "" { // the message names the server
			list = append(list, b.Message)
			continue
		}
		place := b.Server + "." + b.Tool
		if b.Argument != "" {
			place += ", argument " + string(b.Argument)
		}
		list = append(list, place+": "+b.Message)
	}
	return strings.Join(firstOf(list, shown), "; ")
}

// serversGoneNotice returns a sentence about the servers that are not compared; "" if all are.
func serversGoneNotice(head *report.Report) string {
	if head.Baseline == nil || len(head.Baseline.ServersGone) == 0 {
		return ""
	}
	return "No snapshot has a tool of these servers any more, which does not count as breaking: " +
		strings.Join(head.Baseline.ServersGone, ", ")
}

// loadSavedReport returns a basis with the saved report that open opens. refuse returns an error if the report must not be used as
// a base. name is the path for messages.
func loadSavedReport(name string, open func() (*os.File, error), refuse func(io.Reader) error) basis {
	b := basis{isSaved: true}
	b.about.File = report.Optional(name)
	file, err := open()
	if err != nil {
		b.broken = fmt.Errorf("read baseline: %w", err)
		return b
	}
	defer file.Close()
	r, err := baseline.Read(file, name)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = refuse(file)
	}
	b.noteOutcome(r, nil, err)
	return b
}

// isFile reports whether name exists and is not a folder.
func isFile(stat func(string) (fs.FileInfo, error), name string) bool {
	info, err := stat(name)
	return err == nil && !info.IsDir()
}

// readLocalBase evaluates the baseline that the user names: a revision of the workspace's repository, or a saved report if no
// revision has that name.
func (p *program) readLocalBase(ctx context.Context, workspace, name string, head fs.FS, o check.Options) (basis, error) {
	if name, ok := strings.CutPrefix(name, baseline.FilePrefix); ok {
		b := p.readLocalReport(ctx, name)
		return b, b.broken
	}
	b, err := p.readLocalCommit(ctx, workspace, name, head, o)
	none := errors.Is(err, baseline.ErrNoRevision) || errors.Is(err, baseline.ErrNoRepository)
	switch {
	case err == nil:
		return b, b.broken
	case none && isFile(os.Stat, name):
		b := p.readLocalReport(ctx, name)
		return b, b.broken
	case none:
		err = fmt.Errorf("no such file, and %w", err)
	case isFile(os.Stat, name):
		err = fmt.Errorf("%w; for the file of that name write %q", err, baseline.FilePrefix+name)
	}
	return basis{}, fmt.Errorf("--baseline %q: %w", name, err)
}

// readLocalReport loads a saved report. A report that HEAD tracks must be unchanged since HEAD.
func (p *program) readLocalReport(ctx context.Context, name string) basis {
	open := func() (*os.File, error) { return os.Open(name) }
	return loadSavedReport(name, open, func(saved io.Reader) error {
		// The report may be outside the workspace, so the repository is that of the report's folder.
		repository, err := baseline.Open(baseline.Place{Dir: filepath.Dir(name)})
		if errors.Is(err, baseline.ErrNoRepository) {
			return nil
		}
		if err != nil {
			return err
		}
		files, err := repository.HeadFiles(ctx)
		if errors.Is(err, baseline.ErrNoRevision) {
			return nil // nothing is committed yet
		}
		if err != nil {
			return err
		}
		defer files.Close()
		tree := func() (*baseline.Tree, error) { return files.Tree, nil }
		return baseline.CheckSaved(saved, filepath.Base(name), []*baseline.Tree{files.Tree}, tree, "HEAD")
	})
}

// readLocalCommit evaluates a commit of the workspace's repository. The error is the reason why there is no commit to evaluate.
func (p *program) readLocalCommit(ctx context.Context, workspace, name string, head fs.FS, o check.Options) (basis, error) {
	place := baseline.Place{Dir: workspace}
	repository, err := baseline.Open(place)
	if err != nil {
		return basis{}, err
	}
	commit, err := repository.Resolve(ctx, name)
	if err != nil {
		return basis{}, err
	}
	files, err := repository.Files(ctx, commit.SHA)
	if err != nil {
		return basis{}, err
	}
	submodules := baseline.OpenSubmodules(ctx, files.Tree, place)
	b := basis{files: files.Tree, close: func() error { return errors.Join(submodules.Close(), files.Close()) }}
	b.about.Ref, b.about.SHA = report.Optional(commit.Ref), report.Optional(commit.SHA)
	b.evaluate(ctx, files, head, files.Tree, o)
	return b, nil
}
