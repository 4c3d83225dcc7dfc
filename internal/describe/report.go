package describe

import (
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// resultDef is the name of the definition of a gate's result.
const resultDef = "gate"

// reports describes a JSON report, made from the types that are written. Unknown keys are allowed, because later versions may add
// keys and readers skip unknown keys.
func reports() *jsonschema.Schema {
	s := closedReport()
	each(s, func(one *jsonschema.Schema) {
		if one.Properties != nil {
			one.AdditionalProperties = nil
		}
	})
	document(s, "`docs/report.md` says what each key means.")
	return s
}

// closedReport describes a report with only the keys of this version.
func closedReport() *jsonschema.Schema {
	s := typed(reflect.TypeFor[report.Report](), ref(resultDef))
	s.Title = "A report of mcp-gates"
	row := s.Properties["cases"].Items.Properties["rows"].Items
	row.Required = slices.DeleteFunc(row.Required, func(key string) bool { // present only if tool_selection judges the run
		return slices.Contains(typed(reflect.TypeFor[report.RowSelection](), nil).PropertyOrder, key)
	})
	s.Properties["report"] = &jsonschema.Schema{Enum: []any{report.Version}, Description: "The version of the contract."}
	s.Defs = map[string]*jsonschema.Schema{resultDef: result()}
	return s
}

func typed(t reflect.Type, result *jsonschema.Schema) *jsonschema.Schema {
	options := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[report.Optional](): optionalText(),
		reflect.TypeFor[report.Count]():    {Types: []string{"integer", "null"}},
		reflect.TypeFor[judge.Value]():     {Types: []string{"number", "string"}},
		reflect.TypeFor[judge.Verdict]():   choice(string(judge.Pass), string(judge.Fail), string(judge.Error), string(judge.Skipped)),
		reflect.TypeFor[judge.Result]():    result,
		reflect.TypeFor[int8]():            {Type: "integer", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(100.0)}, // a percentage
	}}
	s, err := jsonschema.ForType(t, options)
	if err != nil {
		return anyValue() // unreachable: a test makes the schemas of all these types
	}
	fullLists(s)
	return s
}

// fullLists removes null from the types of lists: a report has an empty list instead.
func fullLists(s *jsonschema.Schema) {
	each(s, func(one *jsonschema.Schema) {
		if one.Items != nil {
			one.Type, one.Types = "array", nil
		}
	})
}

func each(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	f(s)
	each(s.Items, f)
	each(s.AdditionalProperties, f)
	for _, inner := range []map[string]*jsonschema.Schema{s.Properties, s.Defs} {
		for _, one := range inner {
			each(one, f)
		}
	}
}

// result describes the result of a gate. Its keys are those of all gates, and one for each kind of note.
func result() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: noValue(), Properties: map[string]*jsonschema.Schema{}}
	for _, p := range judge.ResultKeys() {
		s.Properties[p.Name] = resultKey(p)
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if !p.Optional {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

func resultKey(k judge.ResultKey) *jsonschema.Schema {
	if k.Type != nil {
		return typed(k.Type, anyValue())
	}
	note := &jsonschema.Schema{Type: "object", AdditionalProperties: noValue(), Properties: map[string]*jsonschema.Schema{}}
	for _, field := range k.Fields {
		note.Properties[field.Key] = typed(reflect.TypeOf(field.At(&judge.Note{})).Elem(), anyValue())
		note.PropertyOrder = append(note.PropertyOrder, field.Key)
		if !field.Optional {
			note.Required = append(note.Required, field.Key)
		}
	}
	return listOf(note)
}
