package check

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// problemsOf returns the mistakes in err; none if err is nil.
func problemsOf(err error) []report.Problem { return judge.Each(source.ErrorsOf(err), problemAt) }

func problemAt(e *source.Error) report.Problem {
	return report.Problem{Path: e.Pos.File, Line: e.Pos.Line, Col: e.Pos.Col, Message: e.Msg}
}
