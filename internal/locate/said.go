package locate

import (
	"bytes"

	"github.com/org/mcp-gates/internal/catalog"
)

// extent ranks the ways in which a text of the source matches a description.
type extent int

const (
	noMatch      extent = iota
	matchesStart        // the description is the first paragraph, or the first strings of a list
	matchesWhole        // the description is the whole text
)

const (
	keySize        = 8  // number of bytes by which descriptions are looked up
	minDescription = 10 // least length of a description that is looked for, in bytes; it must also have a blank
)

// plainDescription is a description in the form in which texts are compared with it.
type plainDescription struct {
	plain []byte
	tools []*catalog.Tool
}

// index finds descriptions by the beginnings of texts.
type index struct {
	byKey map[string][]*plainDescription
	byEnd map[string][]*plainDescription // descriptions by their last bytes, for texts that begin with an inserted value
	all   []*plainDescription
	work  int
}

// newIndex returns an index of the tools' descriptions. A short description is left out, because it could occur by chance.
func newIndex(tools []*catalog.Tool) *index {
	x := &index{byKey: map[string][]*plainDescription{}, byEnd: map[string][]*plainDescription{}}
	known := map[string]*plainDescription{}
	for _, tool := range tools {
		if len(tool.Description) > maxDescription {
			continue
		}
		text := plainText(tool.Description)
		if len(text) < minDescription || bytes.IndexByte(text, ' ') < 0 {
			continue
		}
		one := known[string(text)]
		if one == nil {
			one = &plainDescription{plain: text}
			known[string(text)] = one
			key, end := string(text[:keySize]), string(text[len(text)-keySize:])
			x.byKey[key], x.byEnd[end], x.all = append(x.byKey[key], one), append(x.byEnd[end], one), append(x.all, one)
		}
		one.tools = append(one.tools, tool)
	}
	return x
}

// find calls visit with each description that a text of a file matches. A text with inserted values matches if the parts between
// the values do.
func (x *index) find(p *pieces, visit func(one *plainDescription, h extent, at *piece)) error {
	for i := range p.list {
		if !p.beginsText(i) {
			continue
		}
		text, whole, candidates := x.lookUp(p, i)
		for _, one := range candidates {
			x.work += len(one.plain) + keySize
			if x.work > maxWork {
				return ErrTooMuch
			}
			if h := compareText(text, one.plain, whole); h > noMatch {
				visit(one, h, &p.list[i])
			}
		}
	}
	return nil
}

// lookUp returns the text that begins with piece i, and the descriptions that can be equal to it.
func (x *index) lookUp(p *pieces, i int) (text []byte, whole bool, candidates []*plainDescription) {
	text, whole = p.textFrom(i, keySize)
	if p.list[i].followsValue || len(text) > 0 && text[0] == hole {
		text, whole = p.textFrom(i, maxJoined)
		if len(text) < keySize || !whole {
			return nil, false, nil
		}
		return append([]byte{hole}, bytes.TrimPrefix(text, []byte{hole})...), true, x.byEnd[withoutParagraphs(text[len(text)-keySize:])]
	}
	if len(text) < keySize {
		return nil, false, nil
	}
	candidates = x.byKey[withoutParagraphs(text[:keySize])]
	if len(candidates) > 0 && !whole {
		text, whole = p.textFrom(i, maxJoined)
	}
	return text, whole, candidates
}

func withoutParagraphs(text []byte) string {
	return string(bytes.ReplaceAll(text, []byte{paragraph}, []byte(" ")))
}

// compareText returns how a text matches a description. whole is false if the text continues.
func compareText(text, description []byte, whole bool) extent {
	sure := 0 // number of bytes that were compared, without inserted values
	at, isList := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == hole:
			return compareParts(text[i:], description, at, sure)
		case at == len(description) && c == comma && !isList:
			return matchesWhole
		case at == len(description):
			if c == comma || c == paragraph {
				return matchesStart
			}
			return noMatch
		case c == comma:
			isList = true
			at, i = pastBlank(text, description, at, i)
		case c == description[at] || c == paragraph && description[at] == ' ':
			at++
			sure++
		default:
			return noMatch
		}
	}
	if at == len(description) && whole {
		return matchesWhole
	}
	return noMatch
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

// compareParts compares the rest of a text, from its first inserted value on, with the rest of the description, from at on. The
// last part must end the description, and at least a third of the description must be in the text. sure is the number of bytes
// that are known to be equal.
func compareParts(text, description []byte, at, sure int) extent {
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
				return noMatch
			}
		}
		if found < 0 {
			return noMatch
		}
		at += found + len(part)
		sure += len(part)
		if i == last {
			break
		}
	}
	switch {
	case at != len(description) || sure < minText || 3*sure < len(description):
		return noMatch
	case len(parts[last]) == 0 && sure == len(description): // a value is inserted after the whole description
		return matchesStart
	}
	return matchesWhole
}
