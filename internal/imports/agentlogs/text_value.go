package agentlogs

import "github.com/org/mcp-gates/internal/imports/logs"

// textValue is content in the form that [logs.Text] returns.
type textValue string

// UnmarshalJSON reads the content.
func (t *textValue) UnmarshalJSON(raw []byte) error {
	*t = textValue(logs.Text(raw))
	return nil
}
