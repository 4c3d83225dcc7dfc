package cli

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/history"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/tokens"
)

// ancestors returns a commit and its ancestors.
func ancestors(objects *baseline.History, hash string) (map[string]bool, error) {
	const allParents, goOn = true, true
	all := map[string]bool{}
	_, err := objects.Log(hash, allParents, func(c baseline.Logged) bool {
		all[c.Hash] = true
		return goOn
	})
	return all, err
}

var plainDecimal = regexp.MustCompile(`^\d+(\.\d+)?$`)

// findDrops writes the commits in which a figure moved by --drop or more.
func (b *bisection) findDrops(id string) error {
	least, ok := new(big.Rat).SetString(b.f.drop)
	if !ok || !plainDecimal.MatchString(b.f.drop) || least.Sign() <= 0 {
		return fmt.Errorf("--drop must be a decimal number above 0, found %q", b.f.drop)
	}
	h, err := b.history()
	if err != nil {
		return err
	}
	var found []trend.Step
	hasFigure := false
	for _, s := range h.Series() {
		if s.Case != id || s.Target != b.f.target {
			continue
		}
		hasFigure = true
		for _, step := range s.Steps() {
			moved := new(big.Rat).Sub(step.To.Figure.Rat, step.From.Figure.Rat)
			if moved.Abs(moved).Cmp(least) >= 0 {
				found = append(found, step)
			}
		}
	}
	switch {
	case !hasFigure:
		return fmt.Errorf("--target: %q has no figure %q in these commits: %s", id, b.f.target, h.Headline())
	case len(found) == 0:
		return b.writeNone(fmt.Sprintf("%s of %q moved by %s or more in none of these commits: %s", b.f.target, id, b.f.drop, h.Headline()))
	}
	for _, step := range found {
		if err := b.showCommit(h.Points[step.Point], trend.Change(step.From, step.To), nil, len(found) == 1); err != nil {
			return err
		}
	}
	return nil
}

// listToolChanges writes the commits that changed a tool, newest first, each with the name that the tool had then.
func (b *bisection) listToolChanges() error {
	server, tool, ok := strings.Cut(b.f.tool, ".")
	if !ok || server == "" || tool == "" {
		return fmt.Errorf("--tool must be SERVER.TOOL, found %q", b.f.tool)
	}
	if err := b.limitToServer(server); err != nil {
		return err
	}
	h, err := b.history()
	if err != nil {
		return err
	}
	ref := catalog.Ref{Server: server, Name: tool}
	found, hasTool, err := b.writeChanges(ref, h)
	switch {
	case err != nil:
		return err
	case found == 0 && !hasTool:
		return fmt.Errorf("--tool: no catalog of server %q has the tool %q in these commits: %s", server, tool, h.Headline())
	case found == 0:
		return b.writeNone(fmt.Sprintf("%s changed in none of these commits: %s", b.f.tool, h.Headline()))
	case h.IsCut:
		return b.write("\nthis clone is shallow: `git fetch --unshallow` brings older commits\n")
	}
	return nil
}

// writeChanges writes the commits that changed a tool, newest first, and returns their number. hasTool reports whether the newest
// commit has the tool. Commits that could not be evaluated are skipped.
func (b *bisection) writeChanges(ref catalog.Ref, h *trend.History) (found int, hasTool bool, err error) {
	points := slices.DeleteFunc(slices.Clone(h.Points), func(p *trend.Point) bool { return p.Gap != "" || len(p.Problems) > 0 })
	if len(points) == 0 {
		return 0, false, nil
	}
	now, err := b.toolsAt(points[len(points)-1], ref.Server)
	if err != nil {
		return 0, false, worldError{err}
	}
	hasTool = toolNamed(now, ref) != nil
	for i, p := range slices.Backward(points) {
		before := &catalog.Catalog{}
		switch {
		case i > 0:
			if before, err = b.toolsAt(points[i-1], ref.Server); err != nil {
				return found, hasTool, worldError{err}
			}
		case p.IsBase || h.IsCut || p != h.Points[0]: // its parent is not known
			return found, hasTool, nil
		}
		diff, earlier := differenceOf(ref, before, now)
		now = before
		if diff == nil {
			continue
		}
		if err := b.showTool(p, diff); err != nil {
			return found, hasTool, err
		}
		found++
		ref = earlier
	}
	return found, hasTool, nil
}

// limitToServer limits the history to the catalogs of a server: those that --catalog names, otherwise those that the suites of the
// newest commit name.
func (b *bisection) limitToServer(server string) error {
	if len(b.options.Catalogs) == 0 {
		files, err := b.objects.FilesOf(b.options.Head)
		if err != nil {
			return worldError{err}
		}
		for _, one := range check.Run(b.context, files, b.options.Check).Servers {
			if one.Name == server && one.Catalog != "" {
				b.options.Catalogs = append(b.options.Catalogs, history.NamedCatalog{Server: server, Path: one.Catalog})
			}
		}
	}
	if len(b.options.Catalogs) == 0 {
		return fmt.Errorf("--tool: no suite of commit %.10s gives the server %q a catalog; name it with --catalog %s=PATH", b.options.Head, server, server)
	}
	sort.SliceStable(b.options.Catalogs, func(i, j int) bool {
		a, c := &b.options.Catalogs[i], &b.options.Catalogs[j]
		return strings.Compare(a.Path, c.Path) < 0
	})
	b.options.Catalogs, b.options.Suites = slices.Compact(b.options.Catalogs), false
	return nil
}

// toolsAt returns the tools of all catalogs of a commit. Tools without a server get the name in server.
func (b *bisection) toolsAt(p *trend.Point, server string) (*catalog.Catalog, error) {
	if len(p.Catalogs) == 0 {
		return &catalog.Catalog{}, nil
	}
	files, err := b.objects.FilesOf(p.SHA)
	if err != nil {
		return nil, err
	}
	var all []*catalog.Catalog
	for _, one := range p.Catalogs {
		cat, err := (catalog.Files{FS: files, Name: one.Then}).Read()
		if err != nil {
			return nil, err
		}
		all = append(all, cat.Named(server))
	}
	merged := cmp.Or(catalog.Merge(all...), &catalog.Catalog{})
	merged.File = p.Short()
	return merged, nil
}

// differenceOf returns the difference of a tool between two commits, and the tool's name in the earlier commit. The difference is
// nil if both commits have the same tool.
func differenceOf(ref catalog.Ref, before, now *catalog.Catalog) (*report.LintDiff, catalog.Ref) {
	earlier := ref
	if toolNamed(before, ref) == nil {
		for _, moved := range change.Compare(change.Side{Catalog: before}, change.Side{Catalog: now}).Renamed {
			if moved.New.Ref() == ref {
				earlier = moved.Old.Ref()
			}
		}
	}
	beforeTool, nowTool := catalogOfTool(before, earlier), catalogOfTool(now, ref)
	diff := report.NewLintDiff(thisBuild(), report.FailNever, change.Side{Catalog: beforeTool}, change.Side{Catalog: nowTool}, tokens.Counter{}.Tool)
	differences := len(diff.Added) + len(diff.Removed) + len(diff.Renamed) + len(diff.Changed) + len(diff.NowHidden)
	if differences == 0 {
		return nil, ref
	}
	return diff, earlier
}

func toolNamed(cat *catalog.Catalog, ref catalog.Ref) *catalog.Tool {
	for _, t := range cat.Tools {
		if t.Ref() == ref {
			return t
		}
	}
	return nil
}

func catalogOfTool(cat *catalog.Catalog, ref catalog.Ref) *catalog.Catalog {
	one := &catalog.Catalog{File: cat.File}
	if t := toolNamed(cat, ref); t != nil {
		one.Tools = []*catalog.Tool{t}
	}
	return one
}

func (b *bisection) showTool(p *trend.Point, diff *report.LintDiff) error {
	if err := b.write(fmt.Sprintf("%s %s %s\n  %s\n", p.SHA, p.Day(), report.Safe(p.Author), report.Safe(p.Subject))); err != nil {
		return err
	}
	return writeError(text.Changes(b.stdout, diff, text.Options{Color: b.colors(b.stdout)}))
}
