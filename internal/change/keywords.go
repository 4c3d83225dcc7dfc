package change

import "github.com/org/mcp-gates/internal/schema"

// keyword is a keyword of JSON Schema that can refuse values. Keywords that are not listed describe values or belong to
// the server, and refuse nothing.
type keyword struct {
	about       types   // types of the values that the keyword constrains
	since, last dialect // the first and the last draft that have the keyword; 0 for no limit
	sign        int     // for a bound: 1 if a greater bound is narrower, -1 if a smaller one is; 0 for any other keyword
	words       string  // for a bound: the format of the message that it is narrower now
	Breaks, May string  // documentation of the changes that break callers, and of those that may break them
}

func (k *keyword) in(d dialect) bool { return d >= k.since && (k.last == 0 || d <= k.last) }

const (
	added   = "added"
	another = "another one"
)

// keywords are the keywords of drafts 4 to 2020-12 that refuse values.
var keywords = map[string]*keyword{
	"type":  {about: anyType, Breaks: "a type less, in a list, in branches, or by `not`"},
	"enum":  {about: anyType, Breaks: "added, or a value less"},
	"const": {about: anyType, since: draft6, Breaks: "added, or another value"},

	"minimum":          {about: isNumber, sign: 1, words: "must be at least %s now", Breaks: "added or raised"},
	"exclusiveMinimum": {about: isNumber, sign: 1, words: "must be more than %s now", Breaks: "added or raised"},
	"maximum":          {about: isNumber, sign: -1, words: "must be at most %s now", Breaks: "added or lowered"},
	"exclusiveMaximum": {about: isNumber, sign: -1, words: "must be less than %s now", Breaks: "added or lowered"},
	"multipleOf":       {about: isNumber, Breaks: "added, or not a divisor of the old one"},

	"minLength":     {about: isString, sign: 1, words: "must have %s or more characters now", Breaks: "added or raised"},
	"maxLength":     {about: isString, sign: -1, words: "must have at most %s characters now", Breaks: "added or lowered"},
	"pattern":       {about: isString, Breaks: added, May: another},
	"format":        {about: isString, May: "added, or another one"},
	"minItems":      {about: isArray, sign: 1, words: "must have %s or more items now", Breaks: "added or raised"},
	"maxItems":      {about: isArray, sign: -1, words: "must have at most %s items now", Breaks: "added or lowered"},
	"uniqueItems":   {about: isArray, Breaks: added},
	"contains":      {about: isArray, since: draft6, Breaks: added, May: another},
	"minContains":   {about: isArray, since: draft2019, May: "raised"},
	"maxContains":   {about: isArray, since: draft2019, Breaks: added, May: another},
	"minProperties": {about: isObject, sign: 1, words: "must have %s or more members now", Breaks: "added or raised"},
	"maxProperties": {about: isObject, sign: -1, words: "must have at most %s members now", Breaks: "added or lowered"},

	"items":            {about: isArray, Breaks: "takes less"},
	"prefixItems":      {about: isArray, since: draft2020, Breaks: "takes less"},
	"additionalItems":  {about: isArray, last: draft2019, Breaks: "takes less"},
	"unevaluatedItems": {about: isArray, since: draft2019, May: "added, or another one"},

	"properties":            {about: isObject, Breaks: "an argument is gone, `false`, or takes less", May: "a new argument takes less than others did, where others are allowed in so many words"},
	"patternProperties":     {about: isObject, Breaks: "takes less", May: "a pattern more"},
	"additionalProperties":  {about: isObject, Breaks: "takes less, where the old schema has it, or names no argument of an inner object"},
	"unevaluatedProperties": {about: isObject, since: draft2019, May: "added, or another one, where something is left to it"},
	"required":              {about: isObject, Breaks: "an argument more"},
	"propertyNames":         {about: isObject, since: draft6, Breaks: "refuses a name of the old schema, or is added where others are allowed", May: another},
	"dependentRequired":     {about: isObject, since: draft2019, Breaks: "an argument more, for one that the old schema has"},
	"dependentSchemas":      {about: isObject, since: draft2019, Breaks: "added, for an argument that the old schema has", May: another},
	"dependencies":          {about: isObject, Breaks: "as `dependentRequired` and `dependentSchemas`", May: "as `dependentRequired` and `dependentSchemas`"}, // validators keep it in later drafts

	"allOf": {about: anyType, Breaks: "a member takes less, as if it stood beside it"},
	"anyOf": {about: anyType, Breaks: "added, or the one branch left for a value takes less", May: "several branches are left, and none takes all"},
	"oneOf": {about: anyType, Breaks: "as `anyOf`", May: "as `anyOf`, and where two branches may take one value"},
	"not":   {about: anyType, Breaks: "added", May: another},
	"if":    {about: anyType, since: draft7, Breaks: "added with `then` or `else`", May: another},
	"then":  {about: anyType, since: draft7, May: "with `if`"},
	"else":  {about: anyType, since: draft7, May: "with `if`"},

	"$ref":          {about: anyType, Breaks: "leads to what takes less", May: "leads out of the schema, or nowhere, and did not"},
	"$dynamicRef":   {about: anyType, since: draft2020, May: "added, or another one"},
	"$recursiveRef": {about: anyType, since: draft2019, last: draft2019, May: "added, or another one"},
}

// goal is a keyword of the newer schema. The older schemas of the value must not accept a value that the keyword refuses.
type goal struct {
	base, head *set         // all schemas for the value, before and now
	node       *schema.Node // the schema of head that has the keyword
	key        string
	value      *schema.Node
	at         *place
}

// checkKeyword notes the values that a keyword refuses now. It does nothing for keywords that are compared elsewhere, for the
// types, the object or the list as a whole.
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
