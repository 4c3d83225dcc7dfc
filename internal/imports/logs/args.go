package logs

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// arguments returns the state of a call's arguments, and the object without white space. The object is nil unless the state is
// [trace.ArgsObject].
func arguments(a Args) (trace.ArgsState, jsontext.Value) {
	if a.Absent {
		return trace.ArgsUnknown, nil
	}
	raw := a.Object
	if raw == nil {
		raw = jsontext.Value(strings.TrimSpace(a.Text))
	}
	if len(raw) == 0 || raw.Kind() == 'n' && a.Text == "" {
		return trace.ArgsEmpty, nil
	}
	if raw.Kind() == '"' && a.Object != nil {
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return trace.ArgsMalformed, nil
		}
		return arguments(Args{Text: string(text)})
	}
	if raw.Kind() != '{' || !IsValid(raw) || isTooDeep(raw) {
		return trace.ArgsMalformed, nil
	}
	raw = readable(raw)
	if err := raw.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return trace.ArgsMalformed, nil
	}
	if string(raw) == "{}" {
		return trace.ArgsEmpty, nil
	}
	return trace.ArgsObject, bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}

// readable returns a copy of valid JSON that a cassette may hold: invalid characters in its texts, such as one half of a
// surrogate pair, become U+FFFD.
func readable(value jsontext.Value) jsontext.Value {
	value = value.Clone()
	if !value.IsValid(jsontext.AllowDuplicateNames(true)) {
		_ = value.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(false)) // it is JSON
	}
	return value
}

// argsDepth is the depth at which a cassette nests the arguments of a call.
const argsDepth = 5

func isTooDeep(value jsontext.Value) bool {
	depth := 0
	dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if _, err := dec.ReadToken(); err != nil {
			return false
		}
		if depth = dec.StackDepth(); depth > source.MaxDepth-argsDepth {
			return true
		}
	}
}

// callKey is equal for calls of the same tool with equal arguments.
type callKey struct {
	ref  catalog.Ref
	args string // arguments in the form of [Canonical]
}

func keyOf(ref catalog.Ref, object jsontext.Value) callKey {
	return callKey{ref, string(Canonical(object))}
}

// Canonical returns a value without white space and with sorted members.
func Canonical(raw jsontext.Value) jsontext.Value {
	out := raw.Clone()
	if out.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return raw
	}
	return out
}
