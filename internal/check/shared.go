package check

import (
	"fmt"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// checkShared notes cassettes that cases of several suites name; within one suite the suite's reader does. Where the
// name is a default one, nobody chose to share it, and recording one case would overwrite the other's runs: a mistake.
// Where both suites spell it out, they may well judge the same runs, which is only worth a look.
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
	if one.DefaultCassette || other.DefaultCassette {
		message += ", expected one for each case"
		r.Problems = append(r.Problems, problemAt(&source.Error{Pos: one.CassettePos, Msg: message}))
		return
	}
	r.Warnings = append(r.Warnings, problemAt(&source.Error{Pos: one.CassettePos, Msg: message}))
}
