package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// splitRevision splits REV:FILE. A file of the whole name comes first; ok is false when there is one, or no revision.
func splitRevision(arg string) (rev, name string, ok bool) {
	rev, name, ok = strings.Cut(arg, ":")
	const drive = 1 // C:\catalog.json
	if !ok || len(rev) <= drive || name == "" || isFile(os.Stat, arg) {
		return "", "", false
	}
	return rev, name, true
}

// revisionFile reads a file as it is in a revision, which is resolved as --baseline is. The name is relative to the current
// folder. The error is [fs.ErrNotExist] where the revision does not have the file.
func (p *program) revisionFile(ctx context.Context, rev, name string, limit int64) ([]byte, error) {
	dir, file := ".", path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		dir, file = filepath.Dir(name), filepath.Base(name)
	}
	repository, err := baseline.Open(ctx, baseline.Place{Dir: dir, Getenv: p.getenv})
	if err != nil {
		return nil, err
	}
	commit, err := repository.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	files, err := repository.Files(ctx, commit.SHA)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	if _, err := fs.Stat(files, file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("is not in %s: %w", rev, fs.ErrNotExist)
	}
	return source.ReadFile(files, file, limit)
}

// revisionCatalog reads the catalog in a file as it is in a revision.
func (p *program) revisionCatalog(ctx context.Context, rev, name string) (*catalog.Catalog, source.Errors) {
	shown := rev + ":" + filepath.ToSlash(name)
	data, err := p.revisionFile(ctx, rev, name, source.MaxCatalog)
	if err != nil {
		return nil, source.Errors{{Pos: source.Pos{File: shown}, Msg: asMistake(err).Msg}}
	}
	return catalog.Read(shown, data)
}
