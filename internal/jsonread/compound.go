package jsonread

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
)

// Object calls member with each key of the next value, which must be an object. what is the value's name in messages. If member
// does not read the key's value, the value is skipped. Object reports whether it read an object to its end.
func (r *Reader) Object(what string, member func(key string)) bool {
	return r.readCompound('{', what, "an object", func() {
		if key, ok := r.readKey(); ok {
			r.readOrSkip(func() { member(key) })
		}
	})
}

// maxFields bounds the keys of one object that are checked for repeats. No format here has more keys.
const maxFields = 24

// Fields reads an object like Object. A key whose value field reads must not be repeated; the values of other keys are skipped.
func (r *Reader) Fields(what string, field func(key string)) bool {
	var room [maxFields]string
	seen := room[:0]
	return r.readCompound('{', what, "an object", func() {
		key, ok := r.readKey()
		offset := r.keyOffset
		if !ok || r.readOrSkip(func() { field(key) }) {
			return
		}
		if slices.Contains(seen, key) {
			r.Mistakef(offset, "duplicate key %q", key)
			return
		}
		if len(seen) < maxFields {
			seen = append(seen, key)
		}
	})
}

// Array calls item for each item of the next value, which must be an array. what is the value's name in messages. If item does
// not read the item, the item is skipped. Array reports whether it read an array to its end.
func (r *Reader) Array(what string, item func(i int)) bool {
	i := 0
	return r.readCompound('[', what, "a list", func() {
		r.readOrSkip(func() { item(i) })
		i++
	})
}

// readOrSkip calls read, and skips the next value if read has read nothing. It reports whether it skipped the value.
func (r *Reader) readOrSkip(read func()) (skipped bool) {
	before := r.dec.InputOffset()
	read()
	if r.ended || r.dec.InputOffset() != before {
		return false
	}
	r.Skip()
	return true
}

func (r *Reader) readCompound(open jsontext.Kind, what, expected string, each func()) bool {
	if !r.expect(open, what, expected) || !r.openCompound() {
		return false
	}
	for r.More() {
		each()
	}
	r.readToken()
	return !r.ended
}

func (r *Reader) openCompound() bool {
	if r.dec.StackDepth() >= source.MaxDepth {
		r.reportTooDeep(r.Offset())
		return false
	}
	r.readToken()
	return !r.ended
}

func (r *Reader) readKey() (key string, ok bool) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		r.endWith(err)
		return "", false
	}
	r.keyOffset = r.here() - int64(len(raw))
	return r.intern(raw), true
}

// KeyOffset returns the byte offset of the key that was read last.
func (r *Reader) KeyOffset() int64 { return r.keyOffset }

// Skip reads over the next value without keeping it.
func (r *Reader) Skip() {
	base := r.dec.StackDepth()
	for !r.ended {
		r.readToken()
		now := r.dec.StackDepth()
		if now > source.MaxDepth {
			r.reportTooDeep(r.here() - 1)
			return
		}
		if now <= base {
			return
		}
	}
}

// SkipMembers reads over the next value, which must be an object or array, and reports whether it has any members.
func (r *Reader) SkipMembers() bool {
	if !r.openCompound() {
		return false
	}
	found := r.More()
	for r.More() {
		r.Skip()
	}
	r.readToken()
	return found
}
