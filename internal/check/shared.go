package check

import (
	"fmt"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// checkShared notes default cassettes that cases of several suites have; within one suite the suite's reader does. Nobody
// chose to share them, and recording one case would overwrite the other's runs. A cassette that a suite names may be judged by
// several cases.
func (c *checker) checkShared(suites []*suite.Suite, r *report.Report) {
	first := map[string]selectedCase{}
	for _, s := range suites {
		for _, one := range s.Cases {
			if !one.DefaultCassette {
				continue
			}
			path := one.Cassettes[0]
			other, taken := first[path]
			switch {
			case !taken:
				first[path] = selectedCase{suite: s, Case: one}
			case other.suite != s:
				at := source.Pos{File: other.CassettePos.File, Line: other.CassettePos.Line}
				message := fmt.Sprintf("cassette %q is also that of %q at %s, expected one for each case", path, other.Name, at)
				r.Problems = append(r.Problems, problemAt(&source.Error{Pos: one.CassettePos, Msg: message}))
			}
		}
	}
}
