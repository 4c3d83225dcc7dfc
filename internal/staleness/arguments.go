package staleness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/trace"
)

// lackedArgument is an argument that a tool has required only since the recording, and that recorded calls lack.
type lackedArgument struct {
	name        string
	lacking, of int // number of calls that lack the argument, and of all calls to the tool
}

func (s *Staleness) judgesArguments() bool {
	return s.Expect.Keep()&trace.KeepArgs != 0 || slices.ContainsFunc(s.Checks, func(check judge.Check) bool {
		keeper, isKeeper := check.Plan.Measurer.(judge.Keeper)
		readsArguments := isKeeper && keeper.Keep()&trace.KeepArgs != 0
		validates := func(e judge.Expectation) bool { return e.Target == gates.SchemaValid }
		return readsArguments || slices.ContainsFunc(check.Plan.Expect, validates)
	})
}

// lackedArguments returns the arguments that a changed tool now requires and that recorded calls to it lack.
func (s *Staleness) lackedArguments(t staleTool) (list []lackedArgument) {
	if t.kind != report.Changed || t.now == nil || s.Argued == nil {
		return nil
	}
	was, known := s.was.Lookup(t.Ref)
	if !known {
		return nil
	}
	required := slices.DeleteFunc(t.now.Input().Required(), func(name string) bool {
		return slices.Contains(was.Input().Required(), name)
	})
	for _, name := range required {
		if argument := s.countLacking(t.Ref, name); argument.lacking > 0 {
			list = append(list, argument)
		}
	}
	return list
}

func (s *Staleness) countLacking(tool catalog.Ref, argument string) lackedArgument {
	count := lackedArgument{name: argument}
	for _, run := range s.Argued() {
		for _, call := range run.Calls {
			if refs := s.known.Called(call.Tool.Ref); !slices.Contains(refs, tool) {
				continue
			}
			count.of++
			if has, known := hasArgument(&call, argument); known && !has {
				count.lacking++
			}
		}
	}
	return count
}

func hasArgument(call *trace.Call, name string) (has, known bool) {
	switch {
	case call.Args == trace.ArgsEmpty:
		return false, true
	case call.Args != trace.ArgsObject || call.Detail == nil:
		return false, false
	}
	args := schema.DecodeObject(call.Detail.Args)
	return args.Has(name), args != nil
}

// maxLackedArguments bounds the number of arguments that a message or a report names.
const maxLackedArguments = 5

// saysLacked describes the arguments that calls lack, such as "3 of 3 recorded calls lack `team`, required now".
func saysLacked(list []lackedArgument) string {
	says := func(one lackedArgument) string {
		return fmt.Sprintf("%d of %s lack `%s`, required now", one.lacking, judge.CountOf(one.of, "recorded call"), one.name)
	}
	more := judge.CountOf(len(list)-maxLackedArguments, "more argument")
	return strings.Join(lists.First(list, maxLackedArguments, says, more), "; ")
}

// lackingCalls returns differences for the tools in s.lacking: recorded calls to them lack arguments that are now required.
func (s *Staleness) lackingCalls() (list []Difference) {
	for _, t := range s.lacking {
		d := s.newDifference("`%s`: %s; %s", t.Name, saysLacked(t.lacks), Again(s.Case, s.Trace))
		list = append(list, d.causing(report.Affected))
	}
	return list
}
