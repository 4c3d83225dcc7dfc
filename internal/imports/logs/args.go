package logs

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// readArgs returns the state of a call's arguments, and the arguments as an object without white space. The object is nil
// unless the state is [trace.ArgsObject].
func readArgs(a Args) (trace.ArgsState, jsontext.Value) {
	if a.Absent {
		return trace.ArgsUnknown, nil
	}
	raw := a.Object
	if raw == nil {
		raw = jsontext.Value(strings.TrimSpace(a.Text))
	}
	isNull := raw.Kind() == 'n' && a.Text == ""
	if len(raw) == 0 || isNull {
		return trace.ArgsEmpty, nil
	}
	isQuoted := raw.Kind() == '"' && a.Object != nil
	if isQuoted {
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return trace.ArgsMalformed, nil
		}
		return readArgs(Args{Text: string(text)})
	}
	if raw.Kind() != '{' || !IsValid(raw) || isTooDeep(raw) {
		return trace.ArgsMalformed, nil
	}
	raw = repairUTF8(raw)
	if err := raw.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return trace.ArgsMalformed, nil
	}
	if string(raw) == "{}" {
		return trace.ArgsEmpty, nil
	}
	return trace.ArgsObject, bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}

// repairUTF8 returns a copy of value in which invalid characters, such as one half of a surrogate pair, are U+FFFD, because a
// cassette cannot hold them.
func repairUTF8(value jsontext.Value) jsontext.Value {
	repaired := value.Clone()
	if !repaired.IsValid(jsontext.AllowDuplicateNames(true)) {
		// Format fails only if the value is not JSON.
		_ = repaired.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(false))
	}
	return repaired
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

// Canonical returns a value without white space and with sorted members.
func Canonical(raw jsontext.Value) jsontext.Value {
	out := raw.Clone()
	if out.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return raw
	}
	return out
}
