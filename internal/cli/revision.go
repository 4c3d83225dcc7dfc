package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/source"
)

// splitRevision splits REV:FILE. ok is false if there is a file with the whole name and no such revision.
func splitRevision(ctx context.Context, arg string) (rev, name string, ok bool) {
	rev, name, ok = strings.Cut(arg, ":")
	isDrive := runtime.GOOS == "windows" && len(rev) == 1 // C:\catalog.json
	if !ok || rev == "" || name == "" || isDrive {
		return "", "", false
	}
	if isFile(os.Stat, arg) && !isRevision(ctx, rev, name) {
		return "", "", false
	}
	return rev, name, true
}

// isRevision reports whether the file's repository has, or may have, a revision named rev. A change can add a file with any name,
// and such a file must not replace the base of the comparison.
func isRevision(ctx context.Context, rev, file string) bool {
	dir, _ := fromFolder(file)
	repository, err := baseline.Open(baseline.Place{Dir: dir})
	if err == nil {
		_, err = repository.Named(ctx, rev)
	}
	return !errors.Is(err, baseline.ErrNoRevision) && !errors.Is(err, baseline.ErrNoRepository)
}

// fromFolder returns the folder from which a file is searched in a revision, and the name of the file from there. The folder is
// the current one, or that of the file if the file is not below the current one.
func fromFolder(name string) (dir, file string) {
	file = path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return filepath.Dir(name), filepath.Base(name)
	}
	return ".", file
}

// resolver finds the commit that a user names: [baseline.Repository.Named] or [baseline.Repository.Resolve].
type resolver func(*baseline.Repository, context.Context, string) (baseline.Commit, error)

// revisionCatalog reads the catalog in a file of a revision, or in the files of a folder or a glob. The name is relative to the
// current folder. The error is [fs.ErrNotExist] if the revision has no such file, and source.Errors for mistakes in the files.
func (p *program) revisionCatalog(ctx context.Context, resolve resolver, rev, name string) (*catalog.Catalog, error) {
	dir, file := fromFolder(name)
	repository, err := baseline.Open(baseline.Place{Dir: dir})
	if err != nil {
		return nil, err
	}
	commit, err := resolve(repository, ctx, rev)
	if err != nil {
		return nil, err
	}
	files, err := repository.Files(ctx, commit.SHA)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	here := catalog.Files{FS: files, Name: file, Shown: func(one string) string {
		if one == file {
			one = filepath.ToSlash(name)
		}
		return rev + ":" + one
	}}
	if !here.Stand() {
		return nil, fmt.Errorf("is not in %s: %w", rev, fs.ErrNotExist)
	}
	return here.Read()
}

func (p *program) readRevision(ctx context.Context, rev, name string) (*catalog.Catalog, source.Errors) {
	cat, err := p.revisionCatalog(ctx, (*baseline.Repository).Named, rev, name)
	return withMistakes(cat, err, rev+":"+filepath.ToSlash(name))
}

// olderCatalogs returns, for each catalog, the older one that --new-from names by a file or a revision; nil if the revision lacks
// the file. Without --new-from, there are no older catalogs.
func (l *linter) olderCatalogs(ctx context.Context, files []string, catalogs int) ([]*catalog.Catalog, source.Errors) {
	named := l.newFrom
	if named == "" {
		return nil, nil
	}
	_, _, isRevisionFile := splitRevision(ctx, named)
	isLocalFile := func() bool { return isFile(os.Stat, named) && !isRevision(ctx, named, ".") }
	isCatalog := named == "-" || isRevisionFile || isLocalFile()
	if isCatalog {
		if catalogs != 1 {
			return nil, source.Errors{{Msg: fmt.Sprintf("--new-from %q is one catalog, and there are %d to compare with it; name a revision", named, catalogs)}}
		}
		cat, errs := l.readCatalog(ctx, named)
		return []*catalog.Catalog{cat}, errs
	}
	if catalogs > len(files) {
		return nil, source.Errors{{Msg: fmt.Sprintf("--new-from %q is a revision, and the tools of a command are in no file; name a catalog", named)}}
	}
	return readEach(files, func(file string) (*catalog.Catalog, source.Errors) { return l.olderFile(ctx, file) })
}

// olderFile returns a catalog file from the revision of --new-from; nil if the revision lacks the file. If --new-from names a
// branch, the revision is the commit where HEAD left the branch.
func (l *linter) olderFile(ctx context.Context, file string) (*catalog.Catalog, source.Errors) {
	if _, name, ok := splitRevision(ctx, file); ok {
		file = name
	}
	cat, err := l.revisionCatalog(ctx, (*baseline.Repository).Resolve, l.newFrom, file)
	var inFiles source.Errors
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil && !errors.As(err, &inFiles):
		return nil, source.Errors{{Pos: source.Pos{File: file}, Msg: fmt.Sprintf("--new-from %q: %s", l.newFrom, source.ErrorsOf(err)[0].Msg)}}
	}
	return cat, inFiles
}

// onlyNew keeps only the findings that the older catalog does not have.
func (l *linter) onlyNew(old, now *catalog.Catalog, res lint.Result) lint.Result {
	before := change.Side{Catalog: old, Result: lint.Check(old, l.config)}
	res.Findings = change.Compare(before, change.Side{Catalog: now, Result: res}).New
	return res
}
