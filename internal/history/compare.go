package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/tokens"
)

// Compare checks the commits with the biggest steps, each with its parent as the base, and adds the comparisons to the history.
func Compare(ctx context.Context, repository *baseline.History, o Options, h *trend.History) error {
	h.Compared = map[string]trend.Comparison{}
	_, turns := h.Moved()
	for _, turn := range turns[:min(len(turns), trend.MostCompared)] {
		p := h.Points[turn.Point]
		r, err := Against(ctx, repository, o, p) // no report on an error
		one := trend.Comparison{Report: r}
		if err != nil {
			one.Why = err.Error()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		h.Compared[p.SHA] = one
	}
	return nil
}

// ErrNoParent means that a commit is the first one, so that it has no parent to be compared with.
var ErrNoParent = errors.New(trend.NoParent)

// Against checks a commit with its first parent as the base.
func Against(ctx context.Context, repository *baseline.History, o Options, p *trend.Point) (*report.Report, error) {
	var line []baseline.Logged
	_, err := repository.Log(p.SHA, false, func(c baseline.Logged) bool {
		line = append(line, c)
		return len(line) < 2
	})
	if err != nil {
		return nil, err
	}
	if len(line) < 2 {
		return nil, ErrNoParent
	}
	now, err := repository.Files(line[0].Commit)
	if err != nil {
		return nil, err
	}
	was, err := repository.Files(line[1].Commit)
	if err != nil {
		return nil, err
	}
	r, err := compareCommits(ctx, now, was, o, names(p.Names))
	if err != nil {
		return nil, err
	}
	r.Baseline.Base.SHA = report.Optional(line[1].Hash)
	return r, nil
}

// compareCommits returns the report of a commit's files, compared with those of its base. moved maps the names of the commit's
// files to their names in the youngest commit.
func compareCommits(ctx context.Context, now, was *baseline.Tree, o Options, moved names) (*report.Report, error) {
	before := moved
	if changes, err := baseline.Changed(was, now); err == nil {
		before = moved.namesBefore(changes)
	}
	head, base := &report.Report{}, &report.Report{}
	if o.Suites {
		if err := evaluateBoth(ctx, now, was, o.Check, [2]names{moved, before}, head, base); err != nil {
			return nil, err
		}
	}
	for _, named := range o.Catalogs {
		if err := addAlone(head, now, named, moved.nameThen(named.Path)); err != nil {
			return nil, err
		}
		if err := addAlone(base, was, named, before.nameThen(named.Path)); err != nil {
			return nil, fmt.Errorf("the parent: %w", err)
		}
	}
	stands := func(path string) bool { return catalog.Files{FS: now, Name: path}.Stand() }
	head.Baseline = compare.Reports(base, head, compare.Options{Stands: stands})
	return head, nil
}

// evaluateBoth evaluates the suites of a commit and those of its base. The base's suites also judge the commit's files.
func evaluateBoth(ctx context.Context, now, was *baseline.Tree, o check.Options, moved [2]names, head, base *report.Report) error {
	named := o.Suites
	o.Recall, o.Settings, o.Digests, o.FewTimelines, o.Suites, o.Only = nil, true, true, true, nil, moved[0].idsThen(o.Only)
	for _, name := range named {
		o.Suites = append(o.Suites, moved[1].nameThen(name))
	}
	found, suites, err := baseline.Evaluate(ctx, was, o)
	var nothing *baseline.NoBaseline
	switch {
	case err == nil:
		*base, o.BaseSuites = *found, suites
	case !errors.As(err, &nothing):
		return err
	}
	if o.Suites, err = suitesIn(now, named, moved[0]); err != nil {
		return err
	}
	if len(o.Suites) > 0 {
		*head = *check.Run(ctx, now, o)
	}
	return ctx.Err()
}

// addAlone adds a catalog that no suite names to a report. It adds nothing if the commit does not have the catalog.
func addAlone(r *report.Report, files *baseline.Tree, named NamedCatalog, path string) error {
	from := catalog.Files{FS: files, Name: path}
	if !from.Stand() {
		return nil
	}
	cat, err := from.Read()
	if err != nil {
		return err
	}
	cat = cat.Named(named.Server)
	found := report.NewCatalog(cmp.Or(named.Server, path), path, cat, lint.Check(cat))
	found.Tokenize(tokens.Counter{}.Tool)
	r.Catalogs = append(r.Catalogs, found)
	return nil
}
