package frame

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxMessage is the greatest size of a message, in bytes. internal/mcpclient has the same bound for a server's
// messages.
const MaxMessage = 16 << 20

// Frame is a JSON-RPC message. Its parts are as written.
type Frame struct {
	Raw jsontext.Value `json:"-"` // the whole message

	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

// HasID reports whether the message has an id that is not null.
func (f *Frame) HasID() bool { return len(f.ID) > 0 && f.ID.Kind() != 'n' }

// IsRequest reports whether the message requires an answer.
func (f *Frame) IsRequest() bool { return f.Method != "" && f.HasID() }

// IsResponse reports whether the message is an answer, with a result or an error.
func (f *Frame) IsResponse() bool { return f.Method == "" && (len(f.Result) > 0 || len(f.Error) > 0) }

// Lax are the options for messages of other programs, which are passed on without correction.
func Lax() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

var errNoMessage = errors.New("is not a JSON-RPC message")

// IsBatch reports whether a text is a list of messages instead of a single message.
func IsBatch(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) }

// ReadAll reads a message, or a batch of messages, which only one version of the protocol has.
func ReadAll(raw []byte) ([]*Frame, error) {
	value := jsontext.Value(bytes.TrimSpace(raw))
	if !IsBatch(value) {
		f, err := Read(value)
		return []*Frame{f}, err
	}
	var batch []jsontext.Value
	if err := json.Unmarshal(value, &batch, Lax()); err != nil || len(batch) == 0 {
		return nil, errNoMessage
	}
	frames := make([]*Frame, len(batch))
	for i, one := range batch {
		var err error
		if frames[i], err = Read(one); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// Read reads one message.
func Read(value jsontext.Value) (*Frame, error) {
	f := &Frame{Raw: value}
	if err := json.Unmarshal(value, f, Lax()); err != nil || f.Method == "" && !f.IsResponse() {
		return nil, errNoMessage
	}
	return f, nil
}

// Key returns an id or a token as a key of a map. Equal values have the same key in any spelling.
func Key(id jsontext.Value) string {
	if id.Kind() != '"' {
		return string(id)
	}
	text, _ := jsontext.AppendUnquote([]byte{'"'}, id) // the only possible error is invalid UTF-8
	return string(text)
}

// Line returns a message without line breaks, as required on standard input and output.
func Line(raw jsontext.Value) jsontext.Value {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	text, err := jsontext.AppendFormat(nil, raw, Lax(), jsontext.PreserveRawStrings(true))
	if err != nil {
		return jsontext.Value(bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" ")))
	}
	return text
}

// At returns the value at a path of keys, and its start; nil if there is none.
func At(raw jsontext.Value, path ...string) (value jsontext.Value, start int) {
	for _, name := range path {
		inner, from := Member(raw, name)
		if inner == nil {
			return nil, 0
		}
		raw, start = inner, start+from
	}
	return raw, start
}

// Member returns the value of a key of an object, and its start; nil if the object lacks the key. Of repeated keys the
// last counts, as in most readers.
func Member(raw jsontext.Value, name string) (found jsontext.Value, start int) {
	ok := EachMember(raw, func(key string, offset int, value jsontext.Value) {
		if key == name {
			found, start = value, offset
		}
	})
	if !ok {
		return nil, 0
	}
	return found, start
}

// EachMember calls do for the members of an object, in order, with each value and its start in raw. It reports whether
// raw is an object that could be read to its end.
func EachMember(raw jsontext.Value, do func(name string, at int, value jsontext.Value)) bool {
	d := jsontext.NewDecoder(bytes.NewReader(raw), Lax())
	if open, err := d.ReadToken(); err != nil || open.Kind() != '{' {
		return false
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return false
		}
		end := int(d.InputOffset())
		do(name, end-len(value), raw[end-len(value):end])
	}
	return true
}

// Replaced returns raw with another value at a path of keys; raw itself if there is no value at the path.
func Replaced(raw, value jsontext.Value, path ...string) jsontext.Value {
	old, start := At(raw, path...)
	if old == nil {
		return raw
	}
	out := make(jsontext.Value, 0, len(raw)-len(old)+len(value))
	out = append(append(out, raw[:start]...), value...)
	return append(out, raw[start+len(old):]...)
}

// Text returns the value of a JSON string; "" for any other value.
func Text(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	plain, _ := jsontext.AppendUnquote(nil, value)
	return string(plain)
}

// Quoted returns a text as JSON.
func Quoted(text string) jsontext.Value {
	value, _ := jsontext.AppendQuote(nil, text)
	return value
}

// The codes of JSON-RPC errors in answers of this program, from https://www.jsonrpc.org/specification#error_object.
const (
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInternal       = -32603
	CodeTimeout        = -32001 // code of RequestTimeout in the official SDKs
)

// Refusal returns the answer to a request with an error.
func Refusal(id jsontext.Value, code int, message string) jsontext.Value {
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	out := append(jsontext.Value(`{"jsonrpc":"2.0","id":`), id...)
	out = append(strconv.AppendInt(append(out, `,"error":{"code":`...), int64(code), 10), `,"message":`...)
	return append(append(out, Quoted(message)...), `}}`...)
}

// Success returns the answer to a request with a result.
func Success(id, result jsontext.Value) jsontext.Value {
	out := append(jsontext.Value(`{"jsonrpc":"2.0","id":`), id...)
	return append(append(append(out, `,"result":`...), result...), '}')
}
