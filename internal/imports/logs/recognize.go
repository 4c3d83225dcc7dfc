package logs

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// recognize returns the format of a log, judged by the keys of its first objects; see [trace.FormatOf].
func (l *log) recognize(formats Formats) (*Format, *source.Error) {
	head, _ := l.from.Peek(headSize)
	found := formats.formatOfHead(head)
	if f := formats.Find(found); f != nil {
		return f, nil
	}
	pos := source.Start(l.name, head)
	if found != "" {
		return nil, &source.Error{Pos: pos, Msg: fmt.Sprintf("looks like %s, which cannot be imported", found)}
	}
	return nil, &source.Error{Pos: pos, Msg: "is of no format that is known; name it with --from or format:, one of " + strings.Join(formats.Names(), ", ")}
}

// archiveError returns an error if the file is a zip archive, as Inspect's binary logs are; otherwise nil.
func (l *log) archiveError() *source.Error {
	if head, _ := l.from.Peek(4); string(head) != "PK\x03\x04" {
		return nil
	}
	return &source.Error{
		Pos: source.Pos{File: l.name, Line: 1, Col: 1},
		Msg: "is a zip file; a binary log of Inspect (.eval) becomes JSON with: inspect log dump FILE.eval > FILE.json",
	}
}

// formatOfHead returns the name of the format of a file that begins with head; "" if it is unknown. The head may be cut off anywhere.
func (f Formats) formatOfHead(head []byte) string {
	const maxValues = 50 // the first records of a session may lack the keys that distinguish formats
	dec := jsontext.NewDecoder(bytes.NewReader(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for dec.PeekKind() == '[' && dec.StackDepth() < 2 { // a list of conversations is a list of lists
		_, _ = dec.ReadToken()
	}
	for range maxValues {
		found, complete := f.formatOfValue(dec, 0)
		if found != "" {
			return chooseFormat(found, head)
		}
		if !complete {
			return ""
		}
	}
	return ""
}

// formatOfValue returns the format of the next value, judged by its keys, or by the keys of an object that it wraps. complete is
// false if the value is cut off.
func (f Formats) formatOfValue(dec *jsontext.Decoder, depth int) (format string, complete bool) {
	const deepest = 4
	kind := dec.PeekKind()
	isInnerList := kind == '[' && depth > 0
	if kind != '{' && !isInnerList || depth == deepest {
		return "", dec.SkipValue() == nil
	}
	_, _ = dec.ReadToken()
	if kind == '[' {
		for dec.PeekKind() == '{' || dec.PeekKind() == '"' {
			found, complete := f.formatOfValue(dec, depth+1)
			if format = cmp.Or(format, found); !complete {
				return format, false
			}
		}
	} else if format, complete = f.formatOfObject(dec, depth); !complete {
		return format, false
	}
	_, err := dec.ReadToken()
	return format, err == nil
}

// formatOfObject returns the format of an object by its keys, or of an object that it wraps. complete is false if the text is cut
// off.
func (f Formats) formatOfObject(dec *jsontext.Decoder, depth int) (format string, complete bool) {
	var keys []string
	var outputIsList bool
	var inside string
	complete = true
	for complete && dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			break
		}
		name := key.String()
		keys = append(keys, name)
		if name == "output" && dec.PeekKind() == '[' {
			outputIsList = true
		}
		if name != "data" && !f.wraps(name) {
			complete = dec.SkipValue() == nil
			continue
		}
		var found string
		found, complete = f.formatOfValue(dec, depth+1)
		inside = cmp.Or(inside, found)
	}
	return cmp.Or(trace.FormatOf(keys, outputIsList), inside), complete && dec.PeekKind() == '}'
}

func (f Formats) wraps(key string) bool {
	return slices.ContainsFunc(f, func(one *Format) bool { return one.Wraps != nil && one.Wraps(key) })
}

// Patterns that distinguish the two formats of chats in the head of a file. They do not match inside texts, where quotation
// marks are escaped.
var (
	openaiMark = regexp.MustCompile(`"tool_calls"\s*:\s*\[\s*\{|"tool_call_id"\s*:\s*"|` +
		`"choices"\s*:\s*\[\s*\{\s*"(?:index|message|delta|finish_reason|logprobs|text)"\s*:`)
	anthropicMark = regexp.MustCompile(`"type"\s*:\s*"(?:tool_use|tool_result|mcp_tool_use|server_tool_use|message_start)"|` +
		`"input_schema"\s*:\s*\{|"stop_reason"\s*:\s*"(?:end_turn|max_tokens|stop_sequence|tool_use|pause_turn|refusal)"`)
)

// chooseFormat decides between formats that share keys. OpenAI's marks are checked first: servers that use its format add keys
// of their own, such as the "stop_reason" of vLLM, and some programs keep Anthropic's blocks beside "tool_calls".
func chooseFormat(format string, head []byte) string {
	if format != trace.FormatChat {
		return format
	}
	if !openaiMark.Match(head) && anthropicMark.Match(head) {
		return "anthropic"
	}
	return "openai"
}
