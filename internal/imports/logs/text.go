package logs

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// part is a part of a message's content, or a block of a tool's result, in the forms of OpenAI, Anthropic, Gemini and MCP.
type part struct {
	Type     string `json:"type"`
	Text     Either `json:"text"`
	Refusal  Either `json:"refusal"`   // OpenAI's key for the text of a refusal
	Tool     Either `json:"tool_name"` // name of a tool that a search returned
	MIMEType string `json:"mimeType"`
}

// Text returns the text of content: a text, a list of parts, or one part. Parts are joined by line breaks; a part that is not
// text becomes its type in brackets. Any other content becomes its JSON text.
func Text(content jsontext.Value) string {
	switch content.Kind() {
	case '"':
		return Unquote(content)
	case '[':
		return partsText(content)
	case '{':
		return PartText(content)
	case 'n', 0:
		return ""
	}
	return CompactText(content)
}

// partsText returns the text of a list of parts. The decoder works on the list itself, without a copy.
func partsText(list jsontext.Value) string {
	dec := jsontext.NewDecoder(bytes.NewBuffer(list), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, _ = dec.ReadToken()
	var texts []string
	for dec.PeekKind() != ']' {
		one, err := dec.ReadValue()
		if err != nil {
			return ""
		}
		texts = append(texts, PartText(one))
	}
	return strings.Join(texts, "\n")
}

// PartText returns the text of one part.
func PartText(raw jsontext.Value) string {
	if raw.Kind() == '"' {
		return Unquote(raw)
	}
	var p part
	if raw.Kind() != '{' || json.Unmarshal(raw, &p, Lenient) != nil {
		return CompactText(raw)
	}
	switch {
	case p.Text.given && p.Text.Other == nil:
		return p.Text.text
	case p.Refusal.given && p.Refusal.Other == nil:
		return p.Refusal.text
	case p.Type == referenceType && p.Tool.given && p.Tool.Other == nil:
		return p.Tool.text
	case p.Type == "":
		return CompactText(raw)
	}
	return fmt.Sprintf("[%s]", OneWord(strings.TrimSpace(p.Type+" "+p.MIMEType)))
}

// OneWord returns a name from a log, shortened and on one line.
func OneWord(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	const most = 60
	if len(name) > most {
		return strings.ToValidUTF8(name[:most], "") + "…"
	}
	return name
}

// Unquote returns the text of a JSON string, with U+FFFD for invalid UTF-8; "" for other values.
func Unquote(raw jsontext.Value) string {
	if len(raw) > 1 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(string(raw[1:len(raw)-1]), "\uFFFD")
	}
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
	if err != nil && len(text) == 0 {
		return ""
	}
	return string(text) // invalid UTF-8 was replaced
}

// CompactText returns a value as JSON text without white space.
func CompactText(raw jsontext.Value) string {
	raw = raw.Clone()
	if raw.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	return string(raw)
}
