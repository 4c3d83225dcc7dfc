package jsonread

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
)

// expect reports whether the next value is of the given kind. It notes any other value as a mistake and skips it.
func (r *Reader) expect(kind jsontext.Kind, what, expected string) bool {
	got := r.Kind()
	if got == kind {
		return true
	}
	if got == 0 {
		r.reportMissing()
		return false
	}
	offset := r.Offset()
	// A hostile file can have millions of mistakes.
	if r.notes.isFull() {
		r.notes.countMore(offset, 1)
		r.Skip()
		return false
	}
	if found := r.describeNext(); !r.ended {
		r.Mistakef(offset, "%s must be %s, found %s", what, expected, found)
	}
	return false
}

func (r *Reader) reportMissing() {
	if r.failed {
		return
	}
	r.failed = true
	r.Mistakef(r.here(), "is empty, expected a JSON value")
}

// describeNext reads the next value and returns its description for messages.
func (r *Reader) describeNext() string {
	switch r.Kind() {
	case '{':
		r.Skip()
		return "an object"
	case '[':
		r.Skip()
		return "a list"
	}
	return clip(string(r.readValue()))
}

func clip(s string) string { return source.Shorten(s, 60) }

// String returns the next value, which must be a string. what is the value's name in messages.
func (r *Reader) String(what string) (string, bool) {
	if !r.expect('"', what, "text") {
		return "", false
	}
	return unquote(r.readValue()), !r.ended
}

// Word does what String does for recurring texts such as names: equal short texts share their memory.
func (r *Reader) Word(what string) (string, bool) {
	if !r.expect('"', what, "text") {
		return "", false
	}
	return r.intern(r.readValue()), !r.ended
}

// Int returns the next value, which must be a whole number of 0 or more, written only with digits. Messages call the value by
// the text of what.
func (r *Reader) Int(what string) (int64, bool) {
	const expected = "a whole number of 0 or more"
	offset := r.Offset()
	if !r.expect('0', what, expected) {
		return 0, false
	}
	raw := string(r.readValue())
	n, err := strconv.ParseInt(raw, 10, 64)
	if r.ended {
		return 0, false
	}
	if err != nil || n < 0 {
		r.Mistakef(offset, "%s must be %s, found %s", what, expected, clip(raw))
		return 0, false
	}
	return n, true
}

// Number returns the next value, which must be a number, in its written form. what is the value's name in messages.
func (r *Reader) Number(what string) (string, bool) {
	if !r.expect('0', what, "a number") {
		return "", false
	}
	return string(r.readValue()), !r.ended
}

// Bool returns the next value, which must be true or false. what is the value's name in messages.
func (r *Reader) Bool(what string) (value, ok bool) {
	const expected = "true or false"
	if value = r.Kind() == 't'; !value && !r.expect('f', what, expected) {
		return false, false
	}
	r.readToken()
	return value, !r.ended
}

// Null consumes the next value if it is null, and reports whether it was.
func (r *Reader) Null() bool {
	if r.Kind() != 'n' {
		return false
	}
	r.readToken()
	return !r.ended
}

// Raw returns a copy of the next value in its written form, or nil after a syntax error.
func (r *Reader) Raw() jsontext.Value { return r.readWholeValue().Clone() }

// Compact returns a copy of the next value without white space, or nil after a syntax error.
func (r *Reader) Compact() jsontext.Value {
	value := r.readWholeValue()
	if value == nil {
		return nil
	}
	// This cannot fail, because the value was read as JSON.
	r.scratch, _ = jsontext.AppendFormat(r.scratch[:0], value, jsontext.AllowDuplicateNames(true),
		jsontext.PreserveRawStrings(true))
	return jsontext.Value(r.scratch).Clone()
}

// readWholeValue reads the next value, and ends reading if it is nested too deep. The value is valid until the next read.
func (r *Reader) readWholeValue() jsontext.Value {
	offset := r.Offset()
	value := r.readValue()
	if at, deep := tooDeepAt(value, source.MaxDepth-r.dec.StackDepth()); deep {
		r.reportTooDeep(offset + int64(at))
		return nil
	}
	return value
}

// readValue reads the next value; it is valid until the next read.
func (r *Reader) readValue() jsontext.Value {
	if r.ended {
		return nil
	}
	value, err := r.dec.ReadValue()
	if err != nil {
		r.endWith(err)
		return nil
	}
	return value
}

// Valid reports whether text is one JSON value that a Reader accepts.
func Valid(text []byte) bool {
	_, deep := tooDeepAt(text, source.MaxDepth)
	return !deep && jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true))
}

// tooDeepAt returns the position at which the objects and arrays of value are nested more than limit deep, if they are.
func tooDeepAt(value []byte, limit int) (at int, deep bool) {
	depth, quoted := 0, false
	for i := 0; i < len(value); i++ {
		switch b := value[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			if depth++; depth > limit {
				return i, true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return 0, false
}

// Bounds on the number of shared texts and on the bytes of each, so that a hostile file cannot fill the memory.
const (
	maxInterned = 1 << 14
	maxShort    = 64
)

// intern returns the text of a JSON string. Short texts are shared.
func (r *Reader) intern(raw jsontext.Value) string {
	if len(raw) > maxShort {
		return unquote(raw)
	}
	if s, ok := r.interned[string(raw)]; ok {
		return s
	}
	s := unquote(raw)
	if r.interned == nil {
		r.interned = map[string]string{}
	}
	if len(r.interned) < maxInterned {
		r.interned[string(raw)] = s
	}
	return s
}

func unquote(raw jsontext.Value) string {
	b, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "" // raw is empty because nothing was read: the decoder accepts only valid strings
	}
	return string(b)
}
