package tell

import (
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Unknown returns lines on what is unknown in a catalog that is a manifest or has one among its files. For any other catalog, m is
// nil, and so is the result. tools is the number of the catalog's tools.
func Unknown(m *report.Manifest, tools int) []Line {
	if m == nil {
		return nil
	}
	var lines []Line
	if m.SchemasUnknown > 0 {
		lines = append(lines, say(schemaless(m, tools), ": judged by name and description alone; tokens, scores and rules on schemas are absent"))
	}
	return append(lines, unlisted(m)...)
}

// schemaless returns a line with the number of tools without a schema, and their place.
func schemaless(m *report.Manifest, tools int) Line {
	line := say(judge.CountOf(m.SchemasUnknown, "tool"))
	if m.SchemasUnknown < tools {
		line = say(count(m.SchemasUnknown), " of ", judge.CountOf(tools, "tool"))
	}
	line = say(line, " without a schema, from a manifest (", name(m.Key))
	if m.Version != "" {
		line = say(line, " ", prose(string(m.Version)))
	}
	return say(line, ")")
}

// unlisted returns lines on tools of the server that the catalog may not list; nil if the catalog lists all.
func unlisted(m *report.Manifest) []Line {
	if !m.Generated {
		return nil
	}
	return []Line{say("the list may be incomplete: the server makes more tools when it runs, by ", name("tools_generated"))}
}

// NotCompared returns lines on the differences that cannot be found because a catalog is a manifest; nil if neither catalog is one.
func NotCompared(d *report.LintDiff) []Line {
	var lines []Line
	for _, side := range []*report.DiffSide{&d.Old, &d.New} {
		if side.Manifest == nil {
			continue
		}
		at := say(name(side.Path), ": ")
		if side.Manifest.SchemasUnknown > 0 {
			lines = append(lines, say(at, schemaless(side.Manifest, side.Tools), ": compared by name and description alone, and what breaks callers in arguments is not known"))
		}
		for _, more := range unlisted(side.Manifest) {
			lines = append(lines, say(at, more))
		}
	}
	return lines
}
