package change

import "github.com/org/mcp-gates/internal/schema"

// keyword is a keyword of JSON Schema that can refuse values. Keywords that are not in the map keywords refuse nothing.
type keyword struct {
	about       types   // types of the values that the keyword constrains
	since, last dialect // the first and the last draft that have the keyword; 0 for no limit
	sign        int     // for a bound: 1 if a greater bound is narrower, -1 if a smaller one is; 0 for any other keyword
	words       string  // for a bound: the format of the message about a narrower bound
	Breaks, May string  // documentation: the changes that break callers, and the changes that may break callers
}

func (k *keyword) in(d dialect) bool { return d >= k.since && (k.last == 0 || d <= k.last) }

const (
	added   = "is added"
	differs = "differs"
)

// keywords are the keywords of drafts 4 to 2020-12 that refuse values.
var keywords = map[string]*keyword{
	"type":  {about: anyType, Breaks: "loses a type, from a list, from branches, or by `not`"},
	"enum":  {about: anyType, Breaks: "is added, or loses a value"},
	"const": {about: anyType, since: draft6, Breaks: "is added or differs"},

	"minimum":          {about: isNumber, sign: 1, words: "must be at least %s now", Breaks: "is added or raised"},
	"exclusiveMinimum": {about: isNumber, sign: 1, words: "must be more than %s now", Breaks: "is added or raised"},
	"maximum":          {about: isNumber, sign: -1, words: "must be at most %s now", Breaks: "is added or lowered"},
	"exclusiveMaximum": {about: isNumber, sign: -1, words: "must be less than %s now", Breaks: "is added or lowered"},
	"multipleOf":       {about: isNumber, Breaks: "is added, or no longer divides the old number"},

	"minLength":     {about: isString, sign: 1, words: "must have %s or more characters now", Breaks: "is added or raised"},
	"maxLength":     {about: isString, sign: -1, words: "must have at most %s characters now", Breaks: "is added or lowered"},
	"pattern":       {about: isString, Breaks: added, May: differs},
	"format":        {about: isString, May: "is added or differs"},
	"minItems":      {about: isArray, sign: 1, words: "must have %s or more items now", Breaks: "is added or raised"},
	"maxItems":      {about: isArray, sign: -1, words: "must have at most %s items now", Breaks: "is added or lowered"},
	"uniqueItems":   {about: isArray, Breaks: added},
	"contains":      {about: isArray, since: draft6, Breaks: added, May: differs},
	"minContains":   {about: isArray, since: draft2019, May: "is raised"},
	"maxContains":   {about: isArray, since: draft2019, Breaks: added, May: differs},
	"minProperties": {about: isObject, sign: 1, words: "must have %s or more members now", Breaks: "is added or raised"},
	"maxProperties": {about: isObject, sign: -1, words: "must have at most %s members now", Breaks: "is added or lowered"},

	"items":            {about: isArray, Breaks: "accepts fewer values"},
	"prefixItems":      {about: isArray, since: draft2020, Breaks: "accepts fewer values"},
	"additionalItems":  {about: isArray, last: draft2019, Breaks: "accepts fewer values"},
	"unevaluatedItems": {about: isArray, since: draft2019, May: "is added or differs"},

	"properties":            {about: isObject, Breaks: "loses an argument, or has an argument that is now `false` or accepts fewer values", May: "has a new argument that accepts fewer values than the old schema explicitly allowed for other arguments"},
	"patternProperties":     {about: isObject, Breaks: "accepts fewer values", May: "gains a pattern"},
	"additionalProperties":  {about: isObject, Breaks: "accepts fewer values, and the old schema has the keyword or names no argument of an inner object"},
	"unevaluatedProperties": {about: isObject, since: draft2019, May: "is added or differs, and applies to some arguments"},
	"required":              {about: isObject, Breaks: "lists another argument"},
	"propertyNames":         {about: isObject, since: draft6, Breaks: "refuses a name of the old schema, or is added where other names are allowed", May: differs},
	"dependentRequired":     {about: isObject, since: draft2019, Breaks: "makes an argument of the old schema require another argument"},
	"dependentSchemas":      {about: isObject, since: draft2019, Breaks: "is added for an argument of the old schema", May: differs},
	"dependencies":          {about: isObject, Breaks: "as for `dependentRequired` and `dependentSchemas`", May: "as for `dependentRequired` and `dependentSchemas`"}, // validators support it in later drafts, too

	"allOf": {about: anyType, Breaks: "has a member whose keywords break callers"},
	"anyOf": {about: anyType, Breaks: "is added, or accepts fewer values in the only branch that fits a value", May: "has several branches that fit a value, and none accepts all old values"},
	"oneOf": {about: anyType, Breaks: "as for `anyOf`", May: "as for `anyOf`, or has two branches that may accept the same value"},
	"not":   {about: anyType, Breaks: added, May: differs},
	"if":    {about: anyType, since: draft7, Breaks: "is added with `then` or `else`", May: differs},
	"then":  {about: anyType, since: draft7, May: "is added to an old `if`, or differs (see `if`)"},
	"else":  {about: anyType, since: draft7, May: "is added to an old `if`, or differs (see `if`)"},

	"$ref":          {about: anyType, Breaks: "refers to a schema that accepts fewer values", May: "now refers to another document, or to nothing"},
	"$dynamicRef":   {about: anyType, since: draft2020, May: "is added or differs"},
	"$recursiveRef": {about: anyType, since: draft2019, last: draft2019, May: "is added or differs"},
}

// goal is a keyword of the newer schema that is checked: base must accept no value that the keyword refuses.
type goal struct {
	base, head *set         // all old and all new schemas for the value
	node       *schema.Node // the schema of head that has the keyword
	key        string
	value      *schema.Node
	at         *place
}

// checkKeyword notes the values that a keyword refuses now. Keywords such as type, properties and items are compared elsewhere.
func (w *narrowing) checkKeyword(g goal) {
	switch g.key {
	case "enum", "const":
		w.addBreak(ValueDropped, g.at, "takes only "+shortList(texts(listedValues(g.head.doc, g.node)))+" now")
	case "multipleOf":
		w.checkMultipleOf(g)
	case "pattern":
		w.checkPattern(g)
	case "format":
		w.checkFormat(g)
	case "uniqueItems":
		w.checkUniqueItems(g)
	case "contains", "minContains", "maxContains":
		w.checkContains(g)
	case "propertyNames":
		w.checkPropertyNames(g)
	case "dependentRequired", "dependentSchemas", "dependencies":
		w.checkDependencies(g)
	case "anyOf", "oneOf":
		w.checkBranches(g)
	case "not":
		w.checkNot(g)
	case "if":
		w.checkCondition(g)
	case "$ref", "$dynamicRef", "$recursiveRef":
		w.checkReference(g)
	default:
		if keywords[g.key].sign != 0 {
			w.checkBound(g)
		}
	}
}
