package imports

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// recognize returns the format of a log by the keys of its first objects; see [trace.FormatOf].
func (l *log) recognize() (*Format, *source.Error) {
	head, _ := l.from.Peek(peeked)
	found := formatOf(head)
	if f := Find(found); f != nil {
		return f, nil
	}
	pos := source.Start(l.name, head)
	if found != "" {
		return nil, &source.Error{Pos: pos, Msg: fmt.Sprintf("looks like %s, which cannot be imported", found)}
	}
	return nil, &source.Error{Pos: pos, Msg: "is of no format that is known; name it with --from or format:, one of " + strings.Join(Names(), ", ")}
}

// formatOf returns the name of the format that a file begins with; "" when it is not known. The head may be cut anywhere.
func formatOf(head []byte) string {
	const most = 50 // the first records of a session may have little in them
	dec := jsontext.NewDecoder(bytes.NewReader(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	isList := dec.PeekKind() == '['
	for isList && dec.PeekKind() == '[' && dec.StackDepth() < 2 { // a list of conversations is a list of lists
		_, _ = dec.ReadToken()
	}
	for range most {
		keys, outputIsList, complete := keysOf(dec)
		if format := trace.FormatOf(keys, outputIsList); format != "" {
			return settle(format, head)
		}
		if !complete {
			return ""
		}
	}
	return ""
}

// keysOf reads the keys of the next object, also of one that is cut off.
func keysOf(dec *jsontext.Decoder) (keys []string, outputIsList, complete bool) {
	if dec.PeekKind() != '{' {
		_, err := dec.ReadValue()
		return nil, false, err == nil
	}
	_, _ = dec.ReadToken()
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return keys, outputIsList, false
		}
		name := key.String()
		keys = append(keys, name)
		if name == "output" {
			outputIsList = dec.PeekKind() == '['
		}
		if dec.SkipValue() != nil {
			return keys, outputIsList, false
		}
	}
	_, err := dec.ReadToken()
	return keys, outputIsList, err == nil
}

// settle decides between formats that have keys in common: blocks of these types are only Anthropic's.
func settle(format string, head []byte) string {
	if format != trace.FormatChat {
		return format
	}
	for _, mark := range []string{"tool_use", "tool_result", "input_schema", "mcp_tool_use", "server_tool_use"} {
		if bytes.Contains(head, []byte(`"`+mark+`"`)) {
			return "anthropic"
		}
	}
	return "openai"
}
