package locate

import (
	"bytes"

	"github.com/org/mcp-gates/internal/catalog"
)

// how ranks the ways in which a text of the source matches a description.
type how int

const (
	not   how = iota
	begun     // the description is the first paragraph, or the first strings of a list
	all       // the description is the whole text
)

const (
	keySize = 8  // number of bytes by which descriptions are looked up
	minSaid = 10 // a shorter description, in bytes, is not looked for; neither is one without a blank
)

// said is a description in the form in which texts are compared with it.
type said struct {
	plain []byte
	tools []*catalog.Tool
}

// index finds descriptions by the beginnings of texts.
type index struct {
	byKey map[string][]*said
	byEnd map[string][]*said // by their last bytes, for texts that begin with an inserted value
	all   []*said
	work  int
}

// newIndex returns an index of the tools' descriptions. A short description is left out, because it could occur by chance.
func newIndex(tools []*catalog.Tool) *index {
	x := &index{byKey: map[string][]*said{}, byEnd: map[string][]*said{}}
	known := map[string]*said{}
	for _, tool := range tools {
		if len(tool.Description) > maxDescription {
			continue
		}
		text := plainText(tool.Description)
		if len(text) < minSaid || bytes.IndexByte(text, ' ') < 0 {
			continue
		}
		one := known[string(text)]
		if one == nil {
			one = &said{plain: text}
			known[string(text)] = one
			key, end := string(text[:keySize]), string(text[len(text)-keySize:])
			x.byKey[key], x.byEnd[end], x.all = append(x.byKey[key], one), append(x.byEnd[end], one), append(x.all, one)
		}
		one.tools = append(one.tools, tool)
	}
	return x
}

// find calls is with each description that a text of a file matches. A text with inserted values matches if all its
// parts between them fit.
func (x *index) find(p *pieces, is func(one *said, h how, at *piece)) error {
	for i := range p.list {
		if !p.begins(i) {
			continue
		}
		text, whole, candidates := x.lookUp(p, i)
		for _, one := range candidates {
			if x.work += len(one.plain) + keySize; x.work > maxWork {
				return ErrTooMuch
			}
			if h := howSaid(text, one.plain, whole); h > not {
				is(one, h, &p.list[i])
			}
		}
	}
	return nil
}

// lookUp returns the text that begins with piece i, and the descriptions that can be equal to it.
func (x *index) lookUp(p *pieces, i int) (text []byte, whole bool, candidates []*said) {
	text, whole = p.from(i, keySize)
	if p.list[i].follows || len(text) > 0 && text[0] == hole {
		text, whole = p.from(i, maxJoined)
		if len(text) < keySize || !whole {
			return nil, false, nil
		}
		return append([]byte{hole}, bytes.TrimPrefix(text, []byte{hole})...), true, x.byEnd[spaced(text[len(text)-keySize:])]
	}
	if len(text) < keySize {
		return nil, false, nil
	}
	candidates = x.byKey[spaced(text[:keySize])]
	if len(candidates) > 0 && !whole {
		text, whole = p.from(i, maxJoined)
	}
	return text, whole, candidates
}

func spaced(text []byte) string {
	return string(bytes.ReplaceAll(text, []byte{paragraph}, []byte(" ")))
}

// howSaid returns how a text matches a description. whole is false if the text continues.
func howSaid(text, description []byte, whole bool) how {
	sure := 0 // bytes that were compared, without inserted values
	at, isList := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == hole:
			return saysRest(text[i:], description, at, sure)
		case at == len(description) && c == comma && !isList:
			return all
		case at == len(description):
			if c == comma || c == paragraph {
				return begun
			}
			return not
		case c == comma:
			isList = true
			at, i = pastBlank(text, description, at, i)
		case c == description[at] || c == paragraph && description[at] == ' ':
			at++
			sure++
		default:
			return not
		}
	}
	if at == len(description) && whole {
		return all
	}
	return not
}

// pastBlank skips the white space that code puts between the strings of a list. It returns the index of the next byte
// to compare in the description, and of the last byte skipped in the text.
func pastBlank(text, description []byte, at, i int) (next, last int) {
	if description[at] == ' ' && (i == 0 || !isBlank(text[i-1])) {
		at++
	}
	for i+1 < len(text) && isBlank(text[i+1]) {
		i++
	}
	return at, i
}

// saysRest compares the parts of a text after inserted values; the last part must end the description. At least a third
// of the description must be in the text.
func saysRest(text, description []byte, at, sure int) how {
	parts := bytes.Split(bytes.ReplaceAll(text, []byte{paragraph}, []byte(" ")), []byte{hole})[1:]
	last := len(parts) - 1
	for i, part := range parts {
		if c := bytes.IndexByte(part, comma); c >= 0 {
			part, last = part[:c], i
		}
		found := bytes.Index(description[at:], part)
		if i == last {
			found = len(description) - at - len(part)
			if found < 0 || !bytes.HasSuffix(description, part) {
				return not
			}
		}
		if found < 0 {
			return not
		}
		at += found + len(part)
		sure += len(part)
		if i == last {
			break
		}
	}
	switch {
	case at != len(description) || sure < minText || 3*sure < len(description):
		return not
	case len(parts[last]) == 0 && sure == len(description): // a value is inserted after the whole description
		return begun
	}
	return all
}
