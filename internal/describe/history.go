package describe

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/report/trend"
)

// historyDocs documents the keys of a line.
var historyDocs = map[string]string{
	"repository": "Name of the repository.",
	"commit":     "Full hash of the commit.",
	"date":       "When it was committed, in UTC.",
	"suite":      "Path of the suite, under its name of the newest commit.",
	"case":       "Id of the case; null for a figure of a catalog.",
	"model":      "Model of the case.",
	"catalog":    "Path of the catalog that the figure is of; null for a case.",
	"gate":       "Gate that measured the figure; null for one that is counted without a gate.",
	"target":     "Name of the figure; null in a line that has none.",
	"value":      "The figure: percentages from 0 to 100, scores and fractions from 0 to 1; null where there is no target.",
	"unit":       "What the figure counts.",
	"runs":       "Runs of the case that were scored; null for a catalog.",
	"verdict":    "Verdict of the case: pass, fail, error or skipped.",
	"matcher":    "What the suite holds the figure against, such as >= 80.",
	"holds":      "Whether the figure is within the matcher; null without one.",
	"reason":     "Why there is no figure: of a case that is an error, or of a commit or file that could not be evaluated.",
	"recorded":   "Date of the oldest commit of the history since which the case has the recordings that it has; null without recordings.",
}

// historyLine describes a line of a history, made from the type that is written.
func historyLine() *jsonschema.Schema {
	s := typed(reflect.TypeFor[trend.Line](), noValue())
	s.Title = "A line of the history of mcp-gates"
	for key, doc := range historyDocs {
		s.Properties[key].Description = doc
	}
	s.Properties["value"] = &jsonschema.Schema{Types: []string{"number", "null"}, Description: historyDocs["value"]}
	s.Properties["date"].Pattern = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`
	return s
}
