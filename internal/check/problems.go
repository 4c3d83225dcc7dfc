package check

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// problemsOf returns the mistakes in err; none if err is nil.
func problemsOf(err error) (list []report.Problem) {
	for _, one := range source.ErrorsOf(err) {
		list = append(list, problemAt(one))
	}
	return list
}

func problemAt(e *source.Error) report.Problem {
	return report.Problem{Path: e.Pos.File, Line: e.Pos.Line, Col: e.Pos.Col, Message: e.Msg}
}
