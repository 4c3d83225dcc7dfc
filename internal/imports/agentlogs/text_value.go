package agentlogs

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// textValue is content as [logs.Text] reads it. A text, which can be long, is read in one go.
type textValue string

// UnmarshalJSONFrom reads the content.
func (t *textValue) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		raw, err := dec.ReadValue()
		*t = textValue(logs.Text(raw))
		return err
	}
	token, err := dec.ReadToken()
	if err == nil {
		*t = textValue(strings.ToValidUTF8(token.String(), "\uFFFD"))
	}
	return err
}
