package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/redact"
)

// callResult holds the fields of a tools/call result that this package reads. The SDK's types know only some kinds of
// content, and refuse a result with any other kind.
type callResult struct {
	Content           []content      `json:"content"`
	StructuredContent jsontext.Value `json:"structuredContent"`
	IsError           bool           `json:"isError"`
	ResultType        string         `json:"resultType"`
}

type content struct {
	Type     string    `json:"type"`
	Text     string    `json:"text"`
	MIMEType string    `json:"mimeType"`
	Data     string    `json:"data"` // in base64
	URI      string    `json:"uri"`
	Name     string    `json:"name"`
	Resource *resource `json:"resource"`
}

// resource is a resource embedded in the content.
type resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     string  `json:"blob"` // in base64
}

// ReadResult reads the result of tools/call like [Session.Call]. If rules is nil, secrets are recognized only by their
// form.
func ReadResult(raw jsontext.Value, rules *redact.Rules) (CallResult, error) {
	return readResult(json.RawMessage(raw), cutter{rules})
}

func readResult(raw json.RawMessage, cut cutter) (CallResult, error) {
	var result callResult
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return CallResult{}, &protocolError{"the result is not an object: " + cut.quoteStart(raw)}
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return CallResult{}, &protocolError{"the result is not one of tools/call: " + cut.oneLine(err.Error())}
	}
	if result.ResultType == "input_required" {
		return CallResult{Text: "the server asks for input, which this client does not give", IsError: true}, nil
	}
	return CallResult{Text: result.text(cut), IsError: result.IsError}, nil
}

// text returns the blocks of content, separated by line breaks. A block that is not text is named by its type. If there
// is no content, it returns the structured content.
func (r *callResult) text(cut cutter) string {
	if len(r.Content) == 0 {
		value := r.StructuredContent
		if len(value) == 0 || value.Kind() == 'n' {
			return ""
		}
		value.Compact() // cannot fail, because the value was just read
		return cut.resultText(string(value), 0)
	}
	var text strings.Builder
	cutBytes := 0 // number of bytes that are not kept
	for i := range r.Content {
		block := r.Content[i].text(cut)
		if i > 0 {
			block = "\n" + block
		}
		keep := max(0, min(len(block), maxResultText+maxLooked-text.Len()))
		text.WriteString(block[:keep])
		cutBytes += len(block) - keep
	}
	return cut.resultText(text.String(), cutBytes)
}

func (c *content) text(cut cutter) string {
	switch c.Type {
	case "text":
		return c.Text
	case "image", "audio":
		return fmt.Sprintf("[%s %s, %d bytes]", c.Type, cut.oneLine(c.MIMEType), decodedLen(c.Data))
	case "resource_link":
		return fmt.Sprintf("[resource link %s]", cut.oneLine(strings.TrimSpace(c.URI+" "+c.Name)))
	case "resource":
		return c.Resource.text(cut)
	}
	return fmt.Sprintf("[%s]", cut.oneLine(strings.TrimSpace("content "+c.Type)))
}

func (r *resource) text(cut cutter) string {
	switch {
	case r == nil:
		return "[resource]"
	case r.Text != nil:
		return *r.Text
	}
	return fmt.Sprintf("[resource %s, %d bytes]", cut.oneLine(strings.TrimSpace(r.URI+" "+r.MIMEType)), decodedLen(r.Blob))
}

func decodedLen(data string) int {
	return len(strings.TrimRight(data, "=")) * 3 / 4
}
