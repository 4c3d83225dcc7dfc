package check

import (
	"fmt"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// problemsOf returns the mistakes in err; none if err is nil.
func problemsOf(err error) []report.Problem { return lists.Map(source.ErrorsOf(err), problemAt) }

func problemAt(e *source.Error) report.Problem {
	return report.Problem{Path: e.Pos.File, Line: e.Pos.Line, Col: e.Pos.Col, Message: e.Msg}
}

// sharedWarning is a warning that several cases can share: a recording differs from today's suite or tools, or a part of logs is
// not in the runs.
type sharedWarning struct {
	pos           source.Pos
	message, name string // name is the name of the case
}

func (w sharedWarning) problem() report.Problem {
	return problemAt(&source.Error{Pos: w.pos, Msg: fmt.Sprintf("%q: %s", w.name, w.message)})
}

// sharedWarnings returns the warnings about recordings and logs. Equal warnings for several cases of a suite become one.
func sharedWarnings(outcomes []outcome) (list []report.Problem) {
	type cause struct{ suite, message string }
	var groups [][]sharedWarning
	at := map[cause]int{}
	for i := range outcomes {
		for _, w := range outcomes[i].shared {
			same := lists.ElementFor(&groups, at, cause{outcomes[i].Suite, w.message}, nil)
			*same = append(*same, w)
		}
	}
	for _, same := range groups {
		p := same[0].problem()
		if more := len(same) - 1; more > 0 {
			p.Message = fmt.Sprintf("%q and %d more: %s", same[0].name, more, same[0].message)
		}
		list = append(list, p)
	}
	return list
}
