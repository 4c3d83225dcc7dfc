package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// executes returns the files whose suites say what live runs execute; nil for those that are checked. forgive says that a base
// that does not exist, such as that of a first push, leaves nobody else's commands to run.
func (l *liveRun) executes(base *basis, forgive bool) (fs.FS, error) {
	if l.flags.from != annotate.LiveFromBase {
		return nil, nil
	}
	if base.files != nil {
		return base.files, nil
	}
	if forgive && base.broken == nil && base.none != "" {
		return nil, nil
	}
	return nil, worldError{fmt.Errorf("live-from: base needs a base commit whose suites say what is run: %s", cmp.Or(base.why(), "the baseline is a saved report"))}
}

// runAs has a suite run what the suite of the same name in files has run; nil files leave it as it is.
func runAs(s *suite.Suite, files fs.FS) source.Errors {
	if files == nil {
		return nil
	}
	if _, err := fs.Stat(files, s.File); errors.Is(err, fs.ErrNotExist) {
		return s.RunAs(nil)
	}
	base, errs := suite.NewLoader(files).Load(s.File)
	if len(errs) > 0 {
		var one source.Errors
		one.Addf(source.Pos{File: s.File, Line: 1, Col: 1}, "the base's suite cannot be read, and only what it has is run (live-from: base): %s", errs[0])
		return one
	}
	return s.RunAs(base)
}
