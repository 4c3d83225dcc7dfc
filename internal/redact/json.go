package redact

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON returns a JSON value without the secrets in its strings and names. White space, the order of keys and all parts
// without a secret are unchanged, byte for byte. If a key has the name of a secret, its string is a secret, and so is
// every string in its list; numbers, booleans and null are not, and an object has keys of its own. Invalid JSON is
// redacted as text.
func (r *Redactor) JSON(value jsontext.Value) jsontext.Value {
	if !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return jsontext.Value(r.Text(string(value)))
	}
	w := walk{redactor: r, src: string(value), stack: []frame{{}}}
	w.redactAll()
	if w.out == nil {
		return value
	}
	return append(w.out, w.src[w.copied:]...)
}

// frame is an object or a list that is being read.
type frame struct {
	isObject   bool
	hasName    bool   // a name was read: the next string is its value
	isSecret   bool   // the next value belongs to a key with a secret's name, or to a list under such a key
	name       string // name of the object's last key
	listsNames bool   // lists in the object hold names of properties of a schema, which are not secret

	isArgument bool // the next item of the list is the argument of a flag with the name of a secret
}

// walk is one pass over a valid JSON value.
type walk struct {
	redactor *Redactor
	src      string
	out      []byte
	copied   int // the length of the part of src that is in out; out is nil while nothing has changed
	stack    []frame
}

// redactAll goes through the text, and keeps track of the object or list around each string.
func (w *walk) redactAll() {
	for i := 0; i < len(w.src); i++ {
		top := &w.stack[len(w.stack)-1]
		switch w.src[i] {
		case '{':
			w.stack = append(w.stack, frame{isObject: true, listsNames: listsNames(top.name)})
		case '[':
			w.stack = append(w.stack, frame{isSecret: top.isSecret && !top.listsNames})
		case '}', ']':
			w.stack = w.stack[:len(w.stack)-1]
		case ':':
			top.hasName = true
		case ',':
			if top.isObject {
				top.hasName, top.isSecret = false, false
			}
		case '"':
			end := stringEnd(w.src, i)
			w.redactString(i, end)
			i = end - 1
		}
	}
}

func listsNames(name string) bool { return name == "dependentRequired" || name == "dependencies" }

func stringEnd(src string, at int) int {
	for at++; src[at] != '"'; at++ {
		if src[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// redactString redacts a string: the whole of it if its key names a secret, otherwise what looks like one.
func (w *walk) redactString(start, end int) {
	plain := w.src[start+1 : end-1]
	if strings.IndexByte(plain, '\\') >= 0 {
		unquoted, _ := jsontext.AppendUnquote(nil, w.src[start:end]) // the only possible error is invalid UTF-8
		plain = string(unquoted)
	}
	top := &w.stack[len(w.stack)-1]
	redacted := plain
	switch {
	case top.isObject && !top.hasName:
		top.name, top.isSecret = plain, w.redactor.rules.isSecretName(plain)
		redacted = w.redactor.Text(plain)
	case plain != "" && (top.isSecret || top.isArgument):
		redacted = w.redactor.placeholderOf(plain)
	default:
		redacted = w.redactor.Text(plain)
	}
	if !top.isObject {
		top.noteFlag(plain, w.redactor.rules)
	}
	if redacted == plain {
		return
	}
	w.out = append(w.out, w.src[w.copied:start]...)
	w.out, _ = jsontext.AppendQuote(w.out, redacted) // the only possible error is invalid UTF-8
	w.copied = end
}

// noteFlag notes whether an item of a list is a flag with a secret's name, such as --api-key. Then the next item is its argument,
// which is secret.
func (f *frame) noteFlag(item string, rules *Rules) {
	name, isFlag := strings.CutPrefix(item, "--")
	f.isArgument = isFlag && rules.isSecretName(name)
}
