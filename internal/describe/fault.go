package describe

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/fault"
)

// faults describes the faults of a test. Their kind decides which keys they have.
func faults() *jsonschema.Schema {
	s := object(
		key{name: "kind", doc: "How the call fails.", of: choice(fault.Names()...), required: true},
		key{name: "server", doc: "The server whose calls it hits; required where the test has several.", of: line()},
		key{name: "tool", doc: "The tool whose calls it hits; without it, every tool of the server.", of: line()},
		key{name: "times", doc: "How many calls of a run it hits.", of: wholeNumber(1), byDefault: 1},
		key{name: "delay", doc: "How long it waits, such as `5s`, for kinds that wait.", of: duration()},
	)
	s.AllOf = []*jsonschema.Schema{
		ofKinds(func(k fault.Kind) bool { return k.Times == fault.Never }, without("times")),
		ofKinds(func(k fault.Kind) bool { return k.Times == fault.Required }, &jsonschema.Schema{Required: []string{"times"}}),
		ofKinds(func(k fault.Kind) bool { return !k.Waits }, without("delay")),
	}
	list := listOf(s)
	list.MaxItems = jsonschema.Ptr(100)
	return list
}

func without(key string) *jsonschema.Schema {
	return &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{key: noValue()}}
}

func ofKinds(some func(fault.Kind) bool, then *jsonschema.Schema) *jsonschema.Schema {
	kinds := &jsonschema.Schema{}
	for _, k := range fault.Kinds {
		if some(k) {
			kinds.Enum = append(kinds.Enum, k.Name)
		}
	}
	isOne := &jsonschema.Schema{Required: []string{"kind"}, Properties: map[string]*jsonschema.Schema{"kind": kinds}}
	return &jsonschema.Schema{If: isOne, Then: then}
}

func recordedFaults() *jsonschema.Schema {
	return listOf(open(
		key{name: "server", doc: "The server whose calls it hit.", of: optionalText()},
		key{name: "tool", doc: "The tool whose calls it hit; none for every tool.", of: optionalText()},
		key{name: "kind", doc: "How the calls failed.", of: text(), required: true},
		key{name: "times", doc: "How many calls of a run it hit.", of: count()},
		key{name: "delay_ms", doc: "How long it waited, in milliseconds.", of: count()},
	))
}
