package annotation

import (
	"cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// addWeakened adds an item for each case that passes only by the change's own suite. If fail-on-weakened refuses the change, the
// other counted weakenings also get items.
func (c *collector) addWeakened() {
	if c.report.Baseline == nil {
		return
	}
	level := c.levelOf(report.FailOnWeakened)
	for _, w := range c.report.Baseline.WeakenedCases() {
		isCounted := level == Failure && !w.ToldOnly && w.Line > 0 // a removed case has no line
		if w.Kind != report.InEffect && !isCounted {
			continue
		}
		message := []string{tell.Weakening(&w.Weakening).Text()}
		for i := range w.Settings[:min(len(w.Settings), maxSettings)] {
			message = append(message, tell.Setting(&w.Settings[i]).Text())
		}
		item := Item{Rule: Weakened, Path: w.Path(), Line: w.Line, Level: level, Title: "weakened: " + caseName(w.Name, w.Model), Message: lines(message...)}
		identity := []string{w.Suite, w.Name, string(w.Model)}
		if w.Kind != report.InEffect {
			item.Detail, identity = w.Kind, append(identity, w.Key)
		}
		c.add(weakened, item, identity...)
	}
}

// maxSettings bounds the number of changed settings in one annotation.
const maxSettings = 8

// addBreaking adds the changes that break callers, at the given level, and those that may break callers. Each is at the line of its
// tool. It leaves out the tools of removed catalogs, which have no line.
func (c *collector) addBreaking(level Level) {
	if c.report.Baseline == nil {
		return
	}
	for _, b := range c.report.Baseline.Breaking {
		c.addBreak(&b, level, "breaks callers: ")
	}
	for _, b := range c.report.Baseline.MayBreak {
		c.addBreak(&b, Notice, "may break callers: ")
	}
}

func (c *collector) addBreak(b *report.Breaking, level Level, title string) {
	if b.Line == 0 {
		return
	}
	message := b.Message // names the tool if b has no argument
	if b.Argument != "" {
		message = tell.Broken(*b).Text()
	}
	c.add(breaking, Item{
		Rule: BreaksCallers, Path: b.Path, Line: b.Line, Level: level, Title: title + cmp.Or(b.Tool, b.Server), Message: lines(message),
		Tool: c.brokenTool(b), Detail: b.Message,
	}, string(b.Kind), b.Server, b.Tool, string(b.Argument))
}

// brokenTool returns the tool of the head that a breaking change is about; nil for a removed tool.
func (c *collector) brokenTool(b *report.Breaking) *catalog.Tool {
	name := b.Tool
	switch b.Kind {
	case change.ToolRemoved:
		return nil
	case change.ToolRenamed:
		for _, t := range c.report.Baseline.Tools {
			if t.Kind == report.Renamed && t.Server == b.Server && string(t.Was) == b.Tool && t.Path == b.Path {
				name = t.Name
			}
		}
	}
	return c.tools[toolKey{b.Path, b.Server, name}]
}

func toolAndArgument(tool string, argument report.Optional) string {
	if argument == "" {
		return tool
	}
	return tool + ", argument " + string(argument)
}
