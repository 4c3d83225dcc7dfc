package lint

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/schema"
)

var valuesInProse = &Rule{
	ID: "DESC-013", Severity: Warning, Smell: Underspecified, Reads: Schemas,
	Title: "an argument's description spells out a fixed set of values, and there is no enum",
	Why: "Prose is a hint; an enum is enforced. The rule reads arguments of type string or without a type. It finds these forms: " +
		"\"one of a, b or c\"; a label and a list (\"allowed (valid, possible, supported …) values: a, b\", \"options are:\" above a " +
		"list); a quoted list where the value would be (\"must be 'a' or 'b'\", \"Order ('a', 'b')\"); `a|b|c`; \"either a or b\", " +
		"which is doubtful. It skips examples (\"e.g.\", \"such as\", \"include\"), open lists (\"etc.\", \"or a number\"), lists that " +
		"allow several values (\"comma-separated\"), lists of other arguments' values (\"required for 'a' and 'b'\"), and refused " +
		"values (\"must not be 'a' or 'b'\").",
	Bad: `{"name": "set_status", "description": "Sets the status of a ticket.", "inputSchema": {"type": "object", "properties":
  {"status": {"type": "string", "description": "The new status, one of open, closed, or pending"}}}}`,
	Good: `{"name": "set_status", "description": "Sets the status of a ticket.", "inputSchema": {"type": "object", "properties":
  {"status": {"type": "string", "description": "The new status: open, closed or pending",
    "enum": ["open", "closed", "pending"]}}}}`,
	Source:      "mcptest, description quality",
	Fix:         "declare the values as an enum (z.enum in Zod, Literal in Pydantic)",
	Recommended: true,
	Trial:       Trial{Found: 26, Judged: 26, Right: 26},
	Check: func(v *View, report Report) {
		for _, a := range v.arguments {
			if !v.acceptsAnyText(a.schema) {
				continue
			}
			values, form := english.Values(a.text)
			if values == nil || v.namesArguments(values) {
				continue
			}
			report(Note{
				Path: []string{a.name},
				Message: fmt.Sprintf("the description of %s lists its values, %s, and there is no enum",
					quoted(a.name), quotedList(values)),
				Suggestion: `add "enum": ` + jsonList(values),
				Doubtful:   !formTrials[form].isPrecise(),
			})
		}
	},
}

// formTrials holds the share of correct findings of each form. Other descriptions than those of the catalogs were judged, too,
// because the catalogs have "must be 'a' or 'b'" only beside an enum. docs/rules/precision.md names them.
var formTrials = map[english.Form]Trial{
	english.Labelled:   {Found: 56, Judged: 51, Right: 51},
	english.OneOf:      {Found: 9, Judged: 7, Right: 7},
	english.Barred:     {Found: 6, Judged: 6, Right: 6},
	english.QuotedList: {Found: 27, Judged: 23, Right: 23},
	english.Either:     {Found: 13, Judged: 13, Right: 11},
}

func (v *View) acceptsAnyText(node *schema.Node) bool {
	for _, node = range node.Chain(v.input) {
		if node.Has("enum") || node.Has("const") {
			return false
		}
	}
	if node.Get("$ref").IsString() {
		return false // the reference leads to no schema
	}
	if node.Has("type") {
		return node.HasType("string")
	}
	return node.IsObject() && v.branchesAcceptAnyText(node)
}

// branchesAcceptAnyText reports whether a schema without a type accepts any text: it has no branches, or one of its
// branches is for strings and none lists values.
func (v *View) branchesAcceptAnyText(node *schema.Node) bool {
	branched, text := false, false
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		for _, branch := range node.Get(key).List() {
			if branch.Get("$ref").IsString() {
				branch = branch.Referred(v.input)
			}
			if branch.Has("enum") || branch.Has("const") {
				return false
			}
			branched = true
			text = text || branch.HasType("string")
		}
	}
	return text || !branched
}

// namesArguments reports whether a listed value is an argument of the tool: then the text is about arguments.
func (v *View) namesArguments(values []string) bool {
	return slices.ContainsFunc(values, func(value string) bool { return v.argumentIndex(value) >= 0 })
}
