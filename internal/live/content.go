package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxResultText bounds what is kept of a result's text, in bytes.
const maxResultText = 1 << 20

// callResult is the result of tools/call, as far as it is read. The types of the SDK know some kinds of content, and
// refuse a result with another one.
type callResult struct {
	Content           []content      `json:"content"`
	StructuredContent jsontext.Value `json:"structuredContent"`
	IsError           bool           `json:"isError"`
	ResultType        string         `json:"resultType"`
}

// content is a block of content.
type content struct {
	Type     string    `json:"type"`
	Text     string    `json:"text"`
	MIMEType string    `json:"mimeType"`
	Data     string    `json:"data"` // in base64
	URI      string    `json:"uri"`
	Name     string    `json:"name"`
	Resource *resource `json:"resource"`
}

// resource is a resource that stands in the content itself.
type resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     string  `json:"blob"` // in base64
}

// readResult reads the result of tools/call.
func readResult(raw json.RawMessage) (CallResult, error) {
	var result callResult
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '{' {
		return CallResult{}, &protocolError{"the result is not an object: " + quoteStart(raw)}
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return CallResult{}, &protocolError{"the result is not one of tools/call: " + oneLine(err.Error())}
	}
	if result.ResultType == "input_required" {
		return CallResult{Text: "the server asks for input, which this client does not give", IsError: true}, nil
	}
	return CallResult{Text: result.text(), IsError: result.IsError}, nil
}

// text returns the blocks of content, a line between them; what is no text is noted by its type. A result without
// content is its structured content.
func (r *callResult) text() string {
	if len(r.Content) == 0 {
		value := r.StructuredContent
		if len(value) == 0 || value.Kind() == 'n' {
			return ""
		}
		value.Compact() // cannot fail: it was just read
		return cutText(string(value))
	}
	var text strings.Builder
	left := 0 // bytes that are not kept
	for i := range r.Content {
		block := r.Content[i].text()
		if i > 0 {
			block = "\n" + block
		}
		keep := max(0, min(len(block), maxResultText+utf8.UTFMax-text.Len()))
		text.WriteString(block[:keep])
		left += len(block) - keep
	}
	return cutMore(text.String(), left)
}

func (c *content) text() string {
	switch c.Type {
	case "text":
		return c.Text
	case "image", "audio":
		return fmt.Sprintf("[%s %s, %d bytes]", c.Type, oneLine(c.MIMEType), decodedLen(c.Data))
	case "resource_link":
		return fmt.Sprintf("[resource link %s]", oneLine(strings.TrimSpace(c.URI+" "+c.Name)))
	case "resource":
		return c.Resource.text()
	}
	return fmt.Sprintf("[%s]", oneLine(strings.TrimSpace("content "+c.Type)))
}

func (r *resource) text() string {
	switch {
	case r == nil:
		return "[resource]"
	case r.Text != nil:
		return *r.Text
	}
	return fmt.Sprintf("[resource %s, %d bytes]", oneLine(strings.TrimSpace(r.URI+" "+r.MIMEType)), decodedLen(r.Blob))
}

// decodedLen returns how many bytes a text in base64 stands for.
func decodedLen(data string) int {
	return len(strings.TrimRight(data, "=")) * 3 / 4
}

// oneLine returns the beginning of a text, in one line.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if start, isCut := cutWords(text, maxQuoted); isCut {
		return start + "…"
	}
	return text
}

// cutWords returns the first words of a text, of at most so many characters in all, and whether there are more. A part of
// a word is kept only where it is the first: that of a secret would not be told for one.
func cutWords(text string, most int) (start string, isCut bool) {
	runes := []rune(text[:min(len(text), utf8.UTFMax*(most+1))])
	if len(runes) <= most {
		return text, false
	}
	start = string(runes[:most])
	if !unicode.IsSpace(runes[most]) {
		if at := strings.LastIndexFunc(start, unicode.IsSpace); at > 0 {
			start = start[:at]
		}
	}
	return strings.TrimRightFunc(start, unicode.IsSpace), true
}

// cutText returns a text of at most [maxResultText] bytes and a note of what is cut.
func cutText(text string) string { return cutMore(text, 0) }

// cutMore cuts a text of which left more bytes are gone already.
func cutMore(text string, left int) string {
	if len(text) <= maxResultText {
		return text
	}
	at := maxResultText
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	// As in cutWords, though not where there are no words, as in data.
	const longestWord = 4 << 10
	before := text[at-longestWord : at]
	if end := strings.LastIndexFunc(before, unicode.IsSpace); end >= 0 {
		at -= len(strings.TrimLeftFunc(before[end:], unicode.IsSpace))
	}
	return fmt.Sprintf("%s\n[%d more bytes are cut]", text[:at], len(text)-at+left)
}
