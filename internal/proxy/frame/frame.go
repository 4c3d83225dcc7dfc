package proxy

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxMessage bounds one message, in bytes. It is the bound that [mcpclient] has for a server's.
const maxMessage = 16 << 20

// frame is a JSON-RPC message. Its parts are as they were written.
type frame struct {
	raw jsontext.Value

	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

func (f *frame) hasID() bool      { return len(f.ID) > 0 && f.ID.Kind() != 'n' }
func (f *frame) isRequest() bool  { return f.Method != "" && f.hasID() }
func (f *frame) isResponse() bool { return f.Method == "" && (len(f.Result) > 0 || len(f.Error) > 0) }

// lax are the options for messages of strangers, who are not corrected here: what passes is not ours.
func lax() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

var errNoMessage = errors.New("is not a JSON-RPC message")

// readFrames reads a message, or a batch of them, which one version of the protocol has.
func readFrames(raw []byte) ([]*frame, error) {
	value := jsontext.Value(bytes.TrimSpace(raw))
	if len(value) == 0 || value[0] != '[' {
		f, err := readFrame(value)
		return []*frame{f}, err
	}
	var batch []jsontext.Value
	if err := json.Unmarshal(value, &batch, lax()); err != nil || len(batch) == 0 {
		return nil, errNoMessage
	}
	frames := make([]*frame, len(batch))
	for i, one := range batch {
		var err error
		if frames[i], err = readFrame(one); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// readFrame reads one message.
func readFrame(value jsontext.Value) (*frame, error) {
	f := &frame{raw: value}
	if err := json.Unmarshal(value, f, lax()); err != nil || f.Method == "" && !f.isResponse() {
		return nil, errNoMessage
	}
	return f, nil
}

// key returns an id or a token as a key of a map: the same for the same value, however it is spelled.
func key(id jsontext.Value) string {
	if id.Kind() != '"' {
		return string(id)
	}
	text, _ := jsontext.AppendUnquote([]byte{'"'}, id) // an error can only mean invalid UTF-8
	return string(text)
}

// line returns a message without line breaks, as standard input and output need it.
func line(raw jsontext.Value) jsontext.Value {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	text, err := jsontext.AppendFormat(nil, raw, lax(), jsontext.PreserveRawStrings(true))
	if err != nil {
		return jsontext.Value(bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" ")))
	}
	return text
}

// at returns the value at a path of keys, and where it begins; nil where nothing is.
func at(raw jsontext.Value, path ...string) (value jsontext.Value, start int) {
	for _, name := range path {
		inner, from := member(raw, name)
		if inner == nil {
			return nil, 0
		}
		raw, start = inner, start+from
	}
	return raw, start
}

// member returns the value of a key of an object, and where it begins; nil where the object lacks it. The last of several
// holds, as for most readers.
func member(raw jsontext.Value, name string) (found jsontext.Value, start int) {
	d := jsontext.NewDecoder(bytes.NewReader(raw), lax())
	if d.PeekKind() != '{' {
		return nil, 0
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, 0
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, 0
		}
		isIt := token.String() == name
		value, err := d.ReadValue()
		if err != nil {
			return nil, 0
		}
		if end := int(d.InputOffset()); isIt {
			found, start = raw[end-len(value):end], end-len(value)
		}
	}
	return found, start
}

// replaced returns raw with another value at a path of keys; raw itself when nothing is there.
func replaced(raw, value jsontext.Value, path ...string) jsontext.Value {
	old, start := at(raw, path...)
	if old == nil {
		return raw
	}
	out := make(jsontext.Value, 0, len(raw)-len(old)+len(value))
	out = append(append(out, raw[:start]...), value...)
	return append(out, raw[start+len(old):]...)
}

// text returns the value of a JSON string; "" for any other.
func text(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	plain, _ := jsontext.AppendUnquote(nil, value)
	return string(plain)
}

// quoted returns a text as JSON.
func quoted(text string) jsontext.Value {
	value, _ := jsontext.AppendQuote(nil, text)
	return value
}

// The codes of JSON-RPC errors that are answered here.
const (
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInternal       = -32603
)

// refusal returns the answer to a request with an error.
func refusal(id jsontext.Value, code int, message string) jsontext.Value {
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	out := append(jsontext.Value(`{"jsonrpc":"2.0","id":`), id...)
	out = append(strconv.AppendInt(append(out, `,"error":{"code":`...), int64(code), 10), `,"message":`...)
	return append(append(out, quoted(message)...), `}}`...)
}

// success returns the answer to a request with a result.
func success(id, result jsontext.Value) jsontext.Value {
	out := append(jsontext.Value(`{"jsonrpc":"2.0","id":`), id...)
	return append(append(append(out, `,"result":`...), result...), '}')
}
