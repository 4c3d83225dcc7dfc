package locate

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxString bounds the length in bytes of a string that may hold line breaks.
const maxString = 64 << 10

// opening is the beginning of a string, which decides how the string ends.
type opening struct {
	size  int // bytes of the beginning
	end   string
	long  bool   // the string may hold line breaks
	raw   bool   // a backslash is an ordinary character
	twice bool   // two quotes mean one quote
	holes string // text that begins an inserted value
	names bool   // a dollar before a letter also begins an inserted value
}

// readOpening returns how a string at the current place begins; ok is false if there is none.
func (l *lexer) readOpening() (o opening, ok bool) {
	at := l.pos
	o.holes, o.names = l.holes, l.dollars
	if l.prefixes {
		for at < len(l.text) && at-l.pos < 2 && strings.IndexByte("fFrRbBuU", l.text[at]) >= 0 {
			o.raw = o.raw || l.text[at] == 'r' || l.text[at] == 'R'
			if l.text[at] == 'f' || l.text[at] == 'F' {
				o.holes = "{"
			}
			at++
		}
	}
	if l.syntax == &rust || l.syntax == &typed {
		if o, ok := l.readSpecialOpening(); ok {
			return o, true
		}
	}
	if at >= len(l.text) || strings.IndexByte(l.quotes, l.text[at]) < 0 {
		return o, false
	}
	quote := l.text[at]
	o.size, o.end = at-l.pos+1, string(quote)
	o.long = strings.IndexByte(l.long, quote) >= 0
	o.raw = o.raw || strings.IndexByte(l.raw, quote) >= 0
	if l.syntax == &script && quote != '`' {
		o.holes = ""
	}
	if three := strings.Repeat(o.end, 3); l.triple && bytes.HasPrefix(l.text[at:], []byte(three)) {
		o.size, o.end, o.long = o.size+2, three, true
	}
	return o, true
}

// readSpecialOpening returns the opening of a string of the form r#"…"# in Rust, or @"…" and $"…" in C#.
func (l *lexer) readSpecialOpening() (o opening, ok bool) {
	rest := l.text[l.pos:min(len(l.text), l.pos+16)]
	if l.syntax == &rust {
		at := 0
		if at < len(rest) && rest[at] == 'b' {
			at++
		}
		if at == len(rest) || rest[at] != 'r' {
			return o, false
		}
		marks := 0
		for at++; at < len(rest) && rest[at] == '#'; at++ {
			marks++
		}
		ok = at < len(rest) && rest[at] == '"'
		return opening{size: at + 1, end: `"` + strings.Repeat("#", marks), long: true, raw: true}, ok
	}
	at := 0
	for ; at < len(rest) && (rest[at] == '@' || rest[at] == '$'); at++ {
		if rest[at] == '@' {
			o.raw, o.long, o.twice = true, true, true
		} else {
			o.holes = "{"
		}
	}
	if at == 0 || at == len(rest) || rest[at] != '"' {
		return o, false
	}
	o.size, o.end = at+1, `"`
	if bytes.HasPrefix(rest[at:], []byte(`"""`)) {
		o.size, o.end, o.long, o.raw, o.twice = at+3, `"""`, true, true, false
	}
	return o, true
}

// passString passes a string, and keeps it as a piece. It also passes a here-document, and a character in single quotes.
func (l *lexer) passString() bool {
	if l.characters && l.text[l.pos] == '\'' {
		return l.passCharacter()
	}
	if l.here != "" && l.hasPrefix(l.here) {
		return l.passDocument()
	}
	o, ok := l.readOpening()
	if !ok {
		return false
	}
	start := l.pos
	end, isString := l.findEnd(o)
	if !isString {
		return false
	}
	body := l.text[start+o.size : end]
	l.pos = end + len(o.end)
	l.add(piece{start: start, end: l.pos, followsValue: l.followsValue(start)}, func(w *plain) { w.writeString(body, o) })
	return true
}

func (l *lexer) followsValue(at int) bool {
	return l.joins != "" && bytes.HasSuffix(bytes.TrimRight(l.text[max(0, at-maxGap):at], " \t\r\n("), []byte(l.joins))
}

// passCharacter passes a character in single quotes. It returns false, because a character is not a piece.
func (l *lexer) passCharacter() bool {
	const longest = 12
	rest := l.text[l.pos+1 : min(len(l.text), l.pos+longest)]
	if len(rest) == 0 {
		return false
	}
	_, size := utf8.DecodeRune(rest)
	if rest[0] == '\\' {
		size = 2
	}
	end := bytes.IndexByte(rest[min(size, len(rest)):], '\'')
	if end == 0 || end > 0 && rest[0] == '\\' {
		l.pos += size + end + 1 // the caller passes the last quote
	}
	return false
}

// findEnd returns the place where a string ends; ok is false if it does not end.
func (l *lexer) findEnd(o opening) (at int, ok bool) {
	for at = l.pos + o.size; at < len(l.text) && at-l.pos < maxString; {
		switch rest := l.text[at:]; {
		case rest[0] == '\\' && !o.raw && !strings.HasPrefix(o.holes, `\`):
			at += 2
		case o.holes != "" && bytes.HasPrefix(rest, []byte(o.holes)) && !isDoubledMark(rest, o.holes):
			size := insertionSize(rest, o.holes)
			if at += size; size == len(o.holes) {
				l.wasted += min(len(rest), maxValue)
			}
		case rest[0] == '\\' && !o.raw:
			at += 2
		case o.twice && bytes.HasPrefix(rest, []byte(`""`)):
			at += 2
		case bytes.HasPrefix(rest, []byte(o.end)):
			return at, true
		case rest[0] == '\n' && !o.long:
			l.wasted += at - l.pos
			return 0, false
		default:
			at++
		}
	}
	l.wasted += at - l.pos
	return 0, false
}

func isDoubledMark(text []byte, holes string) bool {
	return holes == "{" && bytes.HasPrefix(text, []byte("{{"))
}

// insertionSize returns the length in bytes of the inserted value at the beginning of text. If the value does not end, it returns
// the length of the mark that begins the value.
func insertionSize(text []byte, holes string) int {
	depth, quote := 1, byte(0)
	for at := len(holes); at < len(text) && at < maxValue; at++ {
		switch c := text[at]; {
		case quote != 0:
			if c == '\\' {
				at++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{' || c == '(':
			depth++
		case c == '}' || c == ')':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return len(holes)
}

func (w *plain) writeString(body []byte, o opening) {
	for at := 0; at < len(body); {
		switch rest := body[at:]; {
		case rest[0] == '\\' && !o.raw && !(o.holes != "" && bytes.HasPrefix(rest, []byte(o.holes))):
			at += w.writeEscape(rest)
		case isDoubledMark(rest, o.holes) && o.holes != "":
			w.writeRune('{')
			at += 2
		case o.holes == "{" && bytes.HasPrefix(rest, []byte("}}")):
			w.writeRune('}')
			at += 2
		case o.holes != "" && bytes.HasPrefix(rest, []byte(o.holes)):
			w.writeMark(hole)
			at += insertionSize(rest, o.holes)
		case o.names && rest[0] == '$' && len(rest) > 1 && isLetter(rest[1]):
			w.writeMark(hole)
			for at++; at < len(body) && isWordByte(body[at]); at++ {
			}
		default:
			r, size := utf8.DecodeRune(rest)
			w.writeRune(r)
			at += size
		}
	}
}

func (w *plain) writeEscape(text []byte) int {
	if len(text) < 2 {
		return len(text)
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[1]]
	switch c := text[1]; {
	case c == 'n' || c == 'r':
		w.writeRune('\n')
		return 2
	case c == 't' || c == '\n' || c == '\r':
		w.pendingBlank = w.pendingBlank || c == 't'
		return 2
	case digits > 0:
		return w.writeNumber(text, digits)
	}
	_, size := utf8.DecodeRune(text[1:])
	w.writeText(text[1 : 1+size])
	return 1 + size
}

// writeNumber writes the character of an escape with a number, given as digits or in braces.
func (w *plain) writeNumber(text []byte, digits int) int {
	start, end := 2, 2+digits
	if len(text) > 2 && text[2] == '{' {
		start, end = 3, 3+max(0, bytes.IndexByte(text[3:min(len(text), 12)], '}'))
	}
	if end > len(text) {
		return 2
	}
	value, err := strconv.ParseUint(string(text[start:end]), 16, 32)
	if err != nil {
		return 2
	}
	if value < utf8.MaxRune {
		w.writeRune(rune(value))
	}
	return end + start - 2 // includes the closing brace
}

// passDocument passes a here-document of Ruby or PHP, and keeps it as a piece. The document ends at a line that begins with its
// word.
func (l *lexer) passDocument() bool {
	start := l.pos
	rest := l.text[start+len(l.here):]
	head := bytes.TrimLeft(rest[:min(len(rest), 3)], "~- \"'")
	at := start + len(l.here) + min(len(rest), 3) - len(head)
	word := at
	for word < len(l.text) && isWordByte(l.text[word]) {
		word++
	}
	line := bytes.IndexByte(l.text[word:], '\n')
	if word == at || line < 0 || l.text[at] < 'A' || l.text[at] > 'Z' {
		l.pos += len(l.here)
		return false
	}
	name := l.text[at:word]
	for from, end := word+line+1, 0; from < len(l.text) && from-start < maxString; from = end {
		end = len(l.text)
		if size := bytes.IndexByte(l.text[from:], '\n'); size >= 0 {
			end = from + size + 1
		}
		if first := bytes.TrimLeft(l.text[from:end], " \t"); bytes.HasPrefix(first, name) {
			body := l.text[word+line+1 : from]
			l.pos = from + bytes.Index(l.text[from:end], name) + len(name)
			l.add(piece{start: start, end: l.pos}, func(w *plain) { w.writeString(body, opening{holes: l.holes}) })
			return true
		}
		l.wasted += end - from
	}
	l.pos += len(l.here)
	return false
}
