package change

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// Part is one difference between the old and the new tool.
type Part struct {
	Aspect   Aspect
	Argument string // such as a.b[].c; "" for an aspect of the tool as a whole
	Keyword  string // keyword of JSON Schema, for the aspect [Keyword]
	Base     string // the old value, shortened; "" if there was none, or if it is not shown
	Head     string // the new value, shortened; "" if there is none, or if it is not shown

	// Gains and Loses are the first few members that were added to or removed from a list, shortened; nil if the value is
	// not a list.
	Gains, Loses []string

	// Diff is the change of a description, word by word; nil if the text was rewritten, or differs only in white space.
	Diff []lexical.DiffPart
}

// Aspect is the subject of a part.
type Aspect string

// The aspects of a tool and of an argument.
const (
	Description   Aspect = "description" // description of the tool or of an argument
	ArgumentAdded Aspect = "argument added"
	ArgumentGone  Aspect = "argument removed"
	Requirement   Aspect = "required" // Base and Head are "required" or "optional"
	Type          Aspect = "type"
	Values        Aspect = "enum"
	Default       Aspect = "default"
	Keyword       Aspect = "keyword"     // any other keyword of JSON Schema, in an argument or the input schema itself
	InputSchema   Aspect = "inputSchema" // any other difference of input schemas
	OutputSchema  Aspect = "outputSchema"
	Annotations   Aspect = "annotations"
	Title         Aspect = "title"
	Icons         Aspect = "icons"
	Execution     Aspect = "execution" // for example, whether a call may be a task
	Meta          Aspect = "_meta"
)

// maxParts bounds the number of parts of one tool that are shown. It applies to the description and the arguments together.
const maxParts = 50

// Parts returns the differences of a tool: the description first, then the arguments in the order of the schemas. Texts
// are redacted before they are compared or cut.
func (p Pair) Parts(redact func(string) string) []Part {
	var parts []Part
	if p.Old.Description != p.New.Description {
		parts = append(parts, descriptionPart("", redact(p.Old.Description), redact(p.New.Description)))
	}
	differ := p.Fields()
	if slices.Contains(differ, string(InputSchema)) {
		arguments := p.argumentParts(redact)
		if len(arguments) == 0 {
			arguments = []Part{{Aspect: InputSchema}}
		}
		parts = append(parts, arguments...)
	}
	parts = parts[:min(len(parts), maxParts)]
	for _, field := range fields {
		isListed := field.aspect == InputSchema // above, by its arguments
		if !isListed && slices.Contains(differ, string(field.aspect)) {
			part := Part{Aspect: field.aspect}
			if field.shown {
				part.Base, part.Head = shownText(field.value(p.Old), redact), shownText(field.value(p.New), redact)
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// shownText returns a value as shortened canonical JSON. A string is returned without its quotes, and no value as "".
func shownText(value jsontext.Value, redact func(string) string) string {
	text := canonicalText(value)
	if n := schema.Decode(value); n.IsString() {
		text = n.Text
	}
	return lint.Shortened(redact(text))
}

func descriptionPart(argument, old, now string) Part {
	part := Part{Aspect: Description, Argument: argument, Base: lint.Shortened(old), Head: lint.Shortened(now)}
	part.Diff, _ = lexical.WordDiff(old, now)
	return part
}

func (p Pair) argumentParts(redact func(string) string) []Part {
	ids := inputIDs{}
	before, after := newInputs(p.Old, ids), newInputs(p.New, ids)
	w := newNarrowing(p.Old.Input(), p.New.Input())
	var parts []Part
	for _, id := range before.order {
		old, now := before.byID[id], after.byID[id]
		switch {
		case now != nil:
			parts = append(parts, old.parts(w, now, redact)...)
		case after.isComplete(old.parent) && old.isArgument():
			parts = append(parts, Part{Aspect: ArgumentGone, Argument: lint.ArgumentName(old.path), Base: old.requirement()})
		}
	}
	for _, id := range after.order {
		now := after.byID[id]
		if before.byID[id] == nil && before.isComplete(now.parent) && now.isArgument() {
			parts = append(parts, Part{Aspect: ArgumentAdded, Argument: lint.ArgumentName(now.path), Head: now.requirement()})
		}
	}
	return parts
}

func (in *input) requirement() string {
	if in.required {
		return "required"
	}
	return "optional"
}

// parts returns the differences between an argument and now, the same argument in the new schema.
func (in *input) parts(w *narrowing, now *input, redact func(string) string) []Part {
	if len(now.path) == 0 {
		isTyped := false // the input schema itself always has the type object
		return in.keywordParts(now, redact, isTyped)
	}
	name := lint.ArgumentName(now.path)
	var parts []Part
	isTyped := false
	for _, aspect := range []struct {
		is        Aspect
		base, now string
	}{
		{Requirement, in.requirement(), now.requirement()},
		{Type, in.types(w, w.base), now.types(w, w.head)},
		{Values, listText(in.values(w.base)), listText(now.values(w.head))},
		{Default, in.text("default"), now.text("default")},
	} {
		if aspect.base != aspect.now {
			part := Part{Aspect: aspect.is, Argument: name, Base: lint.Shortened(redact(aspect.base)), Head: lint.Shortened(redact(aspect.now))}
			if aspect.is == Values && aspect.base != "" && aspect.now != "" {
				part.setMembers(in.values(w.base), now.values(w.head), redact)
			}
			isTyped = isTyped || aspect.is == Type || aspect.is == Values
			parts = append(parts, part)
		}
	}
	parts = append(parts, in.keywordParts(now, redact, isTyped)...)
	if old, new := in.description(), now.description(); old != new {
		parts = append(parts, descriptionPart(name, redact(old), redact(new)))
	}
	return parts
}

// coveredKeywords are not compared under the aspect [Keyword]: other aspects cover them, or they neither refuse nor describe
// values.
var coveredKeywords = []string{
	"type", "enum", "const", "default", "description", "properties", "required",
	"$ref", "$defs", "definitions", "$schema", "$id", "$anchor", "$comment",
}

// branchKeywords are the keywords that combine several schemas. Types and values of an argument can come from them, too.
var branchKeywords = []string{"allOf", "anyOf", "oneOf", "not"}

// keywordParts returns the differences in the keywords that no other aspect covers, sorted. isTyped means that the argument has
// a part about its types or values. Keywords of branches are left out then, because types and values can come from them.
func (in *input) keywordParts(now *input, redact func(string) string, isTyped bool) (parts []Part) {
	if was, is := in.requiredAlone(), now.requiredAlone(); !slices.Equal(was, is) {
		part := Part{Aspect: Keyword, Argument: lint.ArgumentName(now.path), Keyword: "required", Base: lint.Shortened(redact(listText(was))), Head: lint.Shortened(redact(listText(is)))}
		part.setMembers(was, is, redact)
		parts = append(parts, part)
	}
	for _, key := range sortedDistinct(slices.Concat(in.keys(), now.keys())) {
		was, is := in.keyword(key), now.keyword(key)
		hasOwnParts := key == "items" && was.IsObject() && is.IsObject()
		isCovered := hasOwnParts || slices.Contains(coveredKeywords, key) || isTyped && slices.Contains(branchKeywords, key)
		if isCovered {
			continue
		}
		base, head := in.text(key), now.text(key)
		if base == head {
			continue
		}
		part := Part{Aspect: Keyword, Argument: lint.ArgumentName(now.path), Keyword: key, Base: lint.Shortened(redact(base)), Head: lint.Shortened(redact(head))}
		if was.IsList() && is.IsList() {
			part.setMembers(texts(was.Items), texts(is.Items), redact)
		}
		if part.Base == part.Head {
			part.Base, part.Head = "", "" // they differ only after the shown beginning
		}
		parts = append(parts, part)
	}
	return parts
}

// requiredAlone returns the names, sorted, that a schema requires but does not declare as properties; nil for none. Whether a
// declared name is required is a part of its argument.
func (in *input) requiredAlone() (names []string) {
	for _, s := range in.schemas {
		for _, name := range s.Required() {
			if s.Get("properties").Get(name) == nil {
				names = append(names, lint.JSONText(name))
			}
		}
	}
	return sortedDistinct(names)
}

// keys returns the keywords of a schema and of the schemas to which it refers.
func (in *input) keys() (keys []string) {
	for _, s := range in.schemas {
		if s.IsObject() {
			keys = append(keys, s.Keys...)
		}
	}
	return keys
}

// maxMembers bounds the number of members of a list that a part shows.
const maxMembers = 5

func (p *Part) setMembers(was, is []string, redact func(string) string) {
	only := func(list, other []string) (names []string) {
		for _, one := range list {
			if !slices.Contains(other, one) && len(names) < maxMembers {
				names = append(names, lint.Shortened(redact(one)))
			}
		}
		return names
	}
	p.Gains, p.Loses = only(is, was), only(was, is)
}

// listText returns a list of values as text; "" if values is nil.
func listText(values []string) string {
	if values == nil {
		return ""
	}
	return "[" + strings.Join(values, ", ") + "]"
}

// text returns the value of a keyword as canonical JSON, from the argument's first schema with the keyword; "" if none has it.
func (in *input) text(keyword string) string {
	if n := in.keyword(keyword); n != nil {
		return valueText(n)
	}
	return ""
}

func (in *input) description() string {
	if n := in.keyword("description"); n.IsString() {
		return n.Text
	}
	return ""
}

func (in *input) keyword(name string) *schema.Node {
	for _, s := range in.schemas {
		if n := s.Get(name); n != nil {
			return n
		}
	}
	return nil
}
