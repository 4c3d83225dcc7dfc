package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/source"
)

// older returns each catalog as it was in what --new-from names, a file or a revision; nil where the revision does not have it.
// Without --new-from there are none.
func (l *linter) older(ctx context.Context, files []string, catalogs int) ([]*catalog.Catalog, source.Errors) {
	named := l.newFrom
	if named == "" {
		return nil, nil
	}
	old := make([]*catalog.Catalog, catalogs)
	_, _, isRevisionFile := splitRevision(named)
	if named == "-" || isRevisionFile || isFile(os.Stat, named) {
		if catalogs != 1 {
			return nil, source.Errors{{Msg: fmt.Sprintf("--new-from %q is one catalog, and there are %d to compare with it; name a revision", named, catalogs)}}
		}
		cat, errs := l.readCatalog(ctx, named)
		old[0] = cat
		return old, errs
	}
	if catalogs > len(files) {
		return nil, source.Errors{{Msg: fmt.Sprintf("--new-from %q is a revision, and the tools of a command are in no file; name a catalog", named)}}
	}
	var errs source.Errors
	for i, file := range files {
		cat, problems := l.olderFile(ctx, file)
		old[i] = cat
		errs = append(errs, problems...)
	}
	return old, errs
}

// olderFile returns a catalog file as it was in the revision of --new-from; nil where the revision does not have it.
func (l *linter) olderFile(ctx context.Context, file string) (*catalog.Catalog, source.Errors) {
	if _, name, ok := splitRevision(file); ok {
		file = name
	}
	data, err := l.revisionFile(ctx, l.newFrom, file, source.MaxCatalog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, source.Errors{{Pos: source.Pos{File: file}, Msg: fmt.Sprintf("--new-from %q: %s", l.newFrom, asMistake(err).Msg)}}
	}
	return catalog.Read(l.newFrom+":"+file, data)
}

// onlyNew leaves the findings that the older catalog does not have.
func (l *linter) onlyNew(old, now *catalog.Catalog, res lint.Result) lint.Result {
	before := change.Side{Catalog: old, Result: lint.Check(old, l.config)}
	res.Findings = change.Compare(before, change.Side{Catalog: now, Result: res}).New
	return res
}
