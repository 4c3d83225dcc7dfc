package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/schema"
)

var undocumentedArgument = &Rule{
	ID: "DESC-006", Severity: Warning, Smell: Underspecified, Reads: Schemas,
	Title: "a required argument has no description",
	Why: `An agent must fill a required argument, but knows only the argument's name. A required argument that no schema declares is
reported, too. If the argument refers to a local schema, the description of that schema counts.`,
	Bad: `{"name": "get_weather", "description": "Gets the weather of a city.",
  "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}`,
	Good: `{"name": "get_weather", "description": "Gets the weather of a city.", "inputSchema": {"type": "object",
  "properties": {"city": {"type": "string", "description": "Name of the city"}}, "required": ["city"]}}`,
	Source:      "mcptest, description quality",
	Fix:         "describe every required argument where it is declared (.describe() in Zod, Field(description=…) in Pydantic)",
	Recommended: true,
	Scored:      true,
	Trial:       Trial{Found: 190, Judged: 100, Right: 99},
	Check: func(v *View, report Report) {
		undeclared := setOfNames(v.undeclared(v.input))
		for _, name := range v.input.Required() {
			switch i := v.argumentIndex(name); {
			case i < 0 && !undeclared[name]:
				// A branch or a reference may declare the property; this rule does not read those.
			case i < 0:
				report(Note{
					Path:       []string{name},
					Message:    fmt.Sprintf("the required argument %s is not declared in properties", quoted(name)),
					Suggestion: "add to properties: " + JSONText(name) + `: {"type": "string", "description": "` + suggestedDescription(name) + `"}`,
				})
			case v.arguments[i].text == "":
				report(Note{
					Path:       []string{name},
					Message:    fmt.Sprintf("the required argument %s has no description", quoted(name)),
					Suggestion: `add to ` + JSONText(name) + `: "description": "` + suggestedDescription(name) + `"`,
					Doubtful:   v.explainsArgument(name),
				})
			}
		}
	},
}

// explainsArgument reports whether the description of the tool explains an argument, or contains all words of its name.
func (v *View) explainsArgument(name string) bool {
	if english.Covers(name, v.vocabulary()) {
		return true
	}
	return len(v.Text)*len(v.arguments) <= maxSearched && english.Documents(v.Text, name)
}

func (v *View) argumentIndex(name string) int {
	if properties := v.input.Get("properties"); properties.IsObject() {
		if i, ok := properties.Find(name); ok {
			return i
		}
	}
	return -1
}

func suggestedDescription(name string) string {
	quotedText := JSONText(Shortened(capitalized(strings.Join(english.NameWords(name), " "))))
	return strings.Trim(quotedText, `"`) + ": …"
}

var unmentionedEnum = &Rule{
	ID: "DESC-007", Severity: Warning, Smell: Underspecified, Reads: Schemas,
	Title: "an argument with an enum has a description that mentions none of its values",
	Why: `The description has to say what the values mean. A value is mentioned if it is a whole word of the description, in any letter case.
A value that is not a string is compared by its JSON text. The enum of an array's items counts as an enum of the array.
Other rules report a missing description and an empty enum.`,
	Bad: `{"name": "list_issues", "description": "Lists the issues of a repository.", "inputSchema": {"type": "object",
  "properties": {"state": {"type": "string", "enum": ["open", "closed"], "description": "Filter by state"}}}}`,
	Good: `{"name": "list_issues", "description": "Lists the issues of a repository.", "inputSchema": {"type": "object",
  "properties": {"state": {"type": "string", "enum": ["open", "closed"],
    "description": "State to filter by: open issues still need work, closed ones are done"}}}}`,
	Source:      "mcptest, description quality",
	Fix:         "say what the values mean; describe shared arguments (state, sort, method) in one place",
	Recommended: true,
	Trial:       Trial{Found: 59, Judged: 59, Right: 58},
	Check: func(v *View, report Report) {
		for _, a := range v.arguments {
			values := enumOf(a.schema)
			if a.text == "" || len(values) == 0 || mentionsAny(a.text, values) {
				continue
			}
			report(Note{
				Path: []string{a.name},
				Message: fmt.Sprintf("the description of %s, %s, mentions none of the values %s",
					quoted(a.name), quoted(a.text), quotedList(values)),
				Suggestion: "add what each value does: " + JSONText(oneOfSentence(values)),
				Doubtful:   len(values) > maxExplainedValues || v.explainsValues(a.text, values),
			})
		}
	},
}

// maxExplainedValues is the number of values above which values need no explanation, such as names of countries.
const maxExplainedValues = 10

// selfEvident are values that need no explanation.
var selfEvident = setOfNames([]string{"asc", "desc", "ascending", "descending"})

// explainsValues reports whether the description of the tool or of the argument has the words of one of the values, or whether
// the values need no explanation.
func (v *View) explainsValues(text string, values []string) bool {
	own := english.NewVocabulary(text)
	evident := true
	for _, value := range values {
		if english.Covers(value, own, v.vocabulary()) {
			return true
		}
		evident = evident && selfEvident[strings.ToLower(value)]
	}
	return evident
}

// enumOf returns the values of the enum of a schema or of its items, in the spelling of a description. It leaves out
// objects, lists and the empty string, because a description cannot mention them.
func enumOf(node *schema.Node) []string {
	enum := node.Get("enum").List()
	if enum == nil {
		enum = node.Get("items").Get("enum").List()
	}
	var values []string
	for _, value := range enum {
		if s := value.Spelled(); s != "" {
			values = append(values, s)
		}
	}
	return values
}

// maxSearched bounds the search for values in a description, in bytes compared.
const maxSearched = 1 << 26

// mentionsAny reports whether text contains one of the values as a whole word, ignoring case. If the search would take
// too long, it returns true, because a flaw that cannot be shown is not reported.
func mentionsAny(text string, values []string) bool {
	text = strings.ToLower(text)
	if len(text)*len(values) > maxSearched {
		return true
	}
	return slices.ContainsFunc(values, func(value string) bool { return mentions(text, strings.ToLower(value)) })
}

// mentions reports whether text contains value without a part of a word right before or after it.
func mentions(text, value string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return false
		}
		found := english.Span{Start: at + i, End: at + i + len(value)}
		if english.StandsAlone(text, found) {
			return true
		}
		at = found.Start + 1
	}
}

func oneOfSentence(values []string) string {
	const limit = 5
	parts := lists.Map(values[:min(len(values), limit)], func(value string) string { return Shortened(value) + " (…)" })
	if len(values) > limit {
		parts = append(parts, "…")
	}
	return "One of " + strings.Join(parts, ", ")
}

var argumentOutgrowsTool = &Rule{
	ID: "DESC-008", Severity: Warning, Smell: Verbose, Reads: Schemas,
	Title: "an argument's description is longer than the tool's",
	Why: `An agent picks the tool by the tool's description. If an argument's description has more characters, the facts that decide the
pick are missing or in the wrong place.`,
	Bad: `{"name": "search", "description": "Searches the product catalog.", "inputSchema": {"type": "object", "properties":
  {"query": {"type": "string", "description": "Words to look for in the names and texts of products that are in stock"}}}}`,
	Good: `{"name": "search", "description": "Searches names and texts of products in stock.", "inputSchema":
  {"type": "object", "properties": {"query": {"type": "string", "description": "Words to look for"}}}}`,
	Source: "mcptest, description quality",
	Fix:    "say more in the description of the tool: what it does, and when to use it",
	Trial:  Trial{Found: 526, Judged: 100, Right: 28},
	Check: func(v *View, report Report) {
		for _, a := range v.arguments {
			if a.width > v.Width {
				report(Note{
					Path: []string{a.name},
					Message: fmt.Sprintf("the description of %s, %s, has %s, the tool's own has %d",
						quoted(a.name), quoted(a.text), characters(a.text), v.Width),
					Suggestion: balanceAdvice(v),
				})
			}
		}
	},
}

func balanceAdvice(v *View) string {
	if v.Chars == 0 {
		return describeAdvice(v)
	}
	return fmt.Sprintf("say in the tool's description what the tool does and when to use it, or cut this one to at most %d characters",
		v.Width)
}
