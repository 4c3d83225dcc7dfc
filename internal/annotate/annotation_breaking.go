package annotate

import (
	"github.com/org/mcp-gates/internal/report"
)

// addBreaking notes what breaks callers, each change at the line of its tool. strict makes them failures. A tool of a
// catalog that is gone has no line to stand at.
func (c *collector) addBreaking(strict bool) {
	if c.report.Baseline == nil {
		return
	}
	level := Warning
	if strict {
		level = Failure
	}
	for _, b := range c.report.Baseline.Breaking {
		if b.Line == 0 {
			continue
		}
		message := b.Message // which names the tool where there is no argument
		if b.Argument != "" {
			message = toolAndArgument(b.Tool, b.Argument) + ": " + message
		}
		c.add(breaking, Annotation{
			Path: b.Path, Line: b.Line, Level: level, Title: "breaks callers: " + b.Tool, Message: lines(message),
		}, string(b.Kind), b.Server, b.Tool, string(b.Argument), b.Message)
	}
}

// toolAndArgument names a tool, or an argument of it.
func toolAndArgument(tool string, argument report.Optional) string {
	if argument == "" {
		return tool
	}
	return tool + ", argument " + string(argument)
}
