package check

import (
	"errors"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// problemsOf returns the mistakes that err holds; none when it is nil.
func problemsOf(err error) []report.Problem {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var problems []report.Problem
		for _, one := range joined.Unwrap() {
			problems = append(problems, problemsOf(one)...)
		}
		return problems
	}
	var many source.Errors
	if errors.As(err, &many) {
		problems := make([]report.Problem, len(many))
		for i, one := range many {
			problems[i] = problemAt(one)
		}
		return problems
	}
	var one *source.Error
	if errors.As(err, &one) {
		return []report.Problem{problemAt(one)}
	}
	return []report.Problem{{Message: err.Error()}}
}

func problemAt(e *source.Error) report.Problem {
	return report.Problem{Path: e.Pos.File, Line: e.Pos.Line, Col: e.Pos.Col, Message: e.Msg}
}
