package check

import (
	"fmt"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// checkShared notes cassettes that cases of several suites name; within one suite the suite's reader does. A default
// name is a mistake: nobody chose to share it, and recording one case would overwrite the other's runs. Where both suites
// spell the name out, they may well judge the same runs, so that a warning is enough.
func (c *checker) checkShared(suites []*suite.Suite, r *report.Report) {
	first := map[string]selectedCase{}
	for _, s := range suites {
		for _, one := range s.Cases {
			for _, path := range one.Cassettes {
				other, taken := first[path]
				switch {
				case !taken:
					first[path] = selectedCase{suite: s, Case: one}
				case other.suite != s:
					noteShared(path, one, other.Case, r)
				}
			}
		}
	}
}

func noteShared(path string, one, other *suite.Case, r *report.Report) {
	at := source.Pos{File: other.CassettePos.File, Line: other.CassettePos.Line}
	message := fmt.Sprintf("cassette %q is also that of %q at %s", path, other.Name, at)
	list := &r.Warnings
	if one.DefaultCassette || other.DefaultCassette {
		message += ", expected one for each case"
		list = &r.Problems
	}
	*list = append(*list, problemAt(&source.Error{Pos: one.CassettePos, Msg: message}))
}
