package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// Evaluate checks the suites of a base commit with the options of the head's check. It replays recordings even if the
// head was run live, because nobody has reviewed the base's servers today, and live runs would make recordings of their
// own. Suites that the base does not have are skipped. A [*NoBaseline] means that the base has none of the suites, or
// no case that the options select; an [*Unreadable] means that its files could not be read. The returned suites read
// from base as long as they are used.
func Evaluate(ctx context.Context, base fs.FS, o check.Options) (*report.Report, *check.BaseSuites, error) {
	found, err := suitesOf(base, o.Suites)
	if err != nil {
		return nil, nil, err
	}
	o.Suites, o.Progress, o.Live, o.Getenv, o.Shard, o.Merge = found, nil, nil, nil, nil, nil
	r, suites := check.RunBase(ctx, base, o)
	if err := cmp.Or(ctx.Err(), treeError(base)); err != nil {
		return nil, nil, err
	}
	if reason, empty := nothingChecked(r); empty {
		return nil, nil, &NoBaseline{Reason: "in the base, " + reason, Selected: true}
	}
	return r, suites, nil
}

// suitesOf returns the suites of a commit with the given names, sorted. Unknown names are skipped, because these suites
// were added later.
func suitesOf(base fs.FS, names []string) ([]string, error) {
	selected := len(names) > 0
	if !selected {
		names = []string{"."}
	}
	var found []string
	var missing error
	for _, name := range names {
		some, err := suite.Find(base, []string{name})
		if errors.Is(err, suite.ErrUnsearched) {
			return nil, unreadable(err, "suites of the base")
		}
		found = append(found, some...)
		missing = cmp.Or(missing, err)
	}
	if err := treeError(base); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &NoBaseline{Reason: "the base has no suite: " + missing.Error(), Selected: selected}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// treeError returns the reason why the files of a commit could not be read; nil for other file systems.
func treeError(fsys fs.FS) error {
	if tree, ok := fsys.(interface{ Err() error }); ok {
		return tree.Err()
	}
	return nil
}

// nothingChecked returns the reason why a report has no case, unless the reason is a mistake in a file.
func nothingChecked(r *report.Report) (string, bool) {
	if len(r.Cases) > 0 || len(r.Problems) != 1 || r.Problems[0].Path != "" {
		return "", false
	}
	return r.Problems[0].Message, true
}

// maxReport is the greatest size of a saved report, in bytes.
const maxReport = 256 << 20

// Read reads a report that was saved as JSON from file; name is the file's name.
func Read(file fs.File, name string) (*report.Report, error) {
	about, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read baseline: %w", err)
	case !about.Mode().IsRegular():
		return nil, fmt.Errorf("read baseline %q: is not a regular file", name)
	case about.Size() > maxReport:
		return nil, fmt.Errorf("read baseline %q: is %d bytes long, at most %d are read", name, about.Size(), maxReport)
	}
	r, err := report.Read(io.LimitReader(file, maxReport))
	if err != nil {
		return nil, fmt.Errorf("read baseline %q: %w", name, err)
	}
	if why := r.OfOneRun(); why != "" {
		return nil, fmt.Errorf("read baseline %q: %s", name, why)
	}
	if r.Shard != nil {
		return nil, fmt.Errorf("read baseline %q: is %s of a check, expected the report that the shards were merged into", name, r.Shard)
	}
	return r, nil
}
