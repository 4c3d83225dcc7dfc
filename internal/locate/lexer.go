package locate

import (
	"bytes"
	"strings"
)

// lexer finds the strings and comments of a file. It leaves out what it cannot read, such as a string that does not end
// on its line.
type lexer struct {
	*pieces
	*syntax
	text         []byte
	pos          int
	allowsRegexp bool // the text before is not a value, so a slash begins a regular expression
	wasted       int  // bytes that were read without finding an end
}

// maxWasted bounds the bytes of a file that are read without finding an end: otherwise a file with many beginnings and
// no ends would be read once for each beginning.
const maxWasted = 8 << 20

func (l *lexer) run() {
	for l.pos < len(l.text) && l.wasted <= maxWasted {
		switch {
		case l.passComment():
		case l.quotes != "" && l.passString():
			l.allowsRegexp = false
			l.list[len(l.list)-1].next = l.readJoint()
		case l.pos == len(l.text):
		case l.regexps && l.text[l.pos] == '/' && l.allowsRegexp:
			l.passRegexp()
		default:
			l.passCode()
		}
	}
}

// passCode passes a word, or a character outside strings and comments.
func (l *lexer) passCode() {
	c := l.text[l.pos]
	if !isWordByte(c) {
		if !isSpace(c) {
			l.allowsRegexp = bytes.IndexByte([]byte(")]}"), c) < 0
		}
		l.pos++
		return
	}
	start := l.pos
	for l.pos < len(l.text) && isWordByte(l.text[l.pos]) {
		l.pos++
	}
	l.allowsRegexp = string(l.text[start:l.pos]) == "return"
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isWordByte(c byte) bool { return isNameLetter(c) || c == '_' || c == '$' }

func (l *lexer) hasPrefix(word string) bool {
	return word != "" && len(l.text)-l.pos >= len(word) && string(l.text[l.pos:l.pos+len(word)]) == word
}

// passComment passes a comment, and keeps it as a piece. Comments on consecutive lines count as one comment. It returns false if no
// comment begins at the position.
func (l *lexer) passComment() bool {
	end := l.commentEnd(l.pos)
	if end < 0 {
		return false
	}
	start := l.pos
	for end >= 0 {
		l.pos = end
		end = l.nextLineCommentEnd()
	}
	body := l.text[start:l.pos]
	isDoc := bytes.HasPrefix(body, []byte("///")) || bytes.HasPrefix(body, []byte("//!")) || bytes.HasPrefix(body, []byte("/**"))
	l.add(piece{start: start, end: l.pos, isComment: true, isDoc: isDoc}, func(w *plain) { writeComment(w, body) })
	return true
}

// nextLineCommentEnd returns the end of the comment that begins the next line; -1 if the line is empty or begins otherwise, or if
// anything else follows on this line.
func (l *lexer) nextLineCommentEnd() int {
	next := l.pos
	for next < len(l.text) && (l.text[next] == ' ' || l.text[next] == '\t') {
		next++
	}
	if next == len(l.text) || l.text[next] != '\n' {
		return -1
	}
	for next < len(l.text) && isSpace(l.text[next]) && bytes.Count(l.text[l.pos:next+1], []byte("\n")) < 2 {
		next++
	}
	if next < len(l.text) && isSpace(l.text[next]) {
		return -1
	}
	return l.commentEnd(next)
}

// commentEnd returns the end of the comment that begins at an offset; -1 if none begins there.
func (l *lexer) commentEnd(at int) int {
	rest := l.text[at:]
	for _, mark := range l.line {
		if bytes.HasPrefix(rest, []byte(mark)) {
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				return at + end
			}
			return len(l.text)
		}
	}
	if l.block[0] == "" || !bytes.HasPrefix(rest, []byte(l.block[0])) {
		return -1
	}
	if end := bytes.Index(rest[len(l.block[0]):], []byte(l.block[1])); end >= 0 {
		return at + len(l.block[0]) + end + len(l.block[1])
	}
	return len(l.text)
}

func writeComment(w *plain, body []byte) {
	body = bytes.TrimSuffix(body, []byte("*/"))
	for line := range bytes.Lines(body) {
		w.writeText(bytes.TrimLeft(line, " \t/*#!-"))
		if len(bytes.Trim(line, " \t/*#!-\r\n")) == 0 {
			w.writeRune('\n')
		}
	}
}

// passRegexp passes a regular expression, because quotes in it begin no string. If it does not end on its line, only the slash is
// passed.
func (l *lexer) passRegexp() {
	inClass := false
	for at := l.pos + 1; at < len(l.text) && l.text[at] != '\n'; at++ {
		switch c := l.text[at]; {
		case c == '\\':
			at++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			l.pos, l.allowsRegexp = at+1, false
			return
		}
		l.wasted++
	}
	l.pos++
}

func (l *lexer) skipSpace(at int) int {
	for at < len(l.text) {
		switch end := l.commentEnd(at); {
		case isSpace(l.text[at]):
			at++
		case l.text[at] == '\\' && at+1 < len(l.text) && (l.text[at+1] == '\n' || l.text[at+1] == '\r'): // the string continues on the next line
			at++
		case end >= 0:
			at = end
		default:
			return at
		}
	}
	return at
}

// readJoint returns how the string that ends at the position is linked to the next string, such as by an operator. If the strings
// are linked, it moves to the next string.
func (l *lexer) readJoint() joint {
	next := apart
	for range maxPieces {
		at := l.skipSpace(l.pos)
		inner := at
		for inner < len(l.text) && l.text[inner] == ')' {
			inner = l.skipSpace(inner + 1)
		}
		if l.isOperator(inner) {
			at = l.skipSpace(inner + len(l.joins))
			for at < len(l.text) && l.text[at] == '(' {
				at = l.skipSpace(at + 1)
			}
			if l.beginsString(at) {
				l.pos = at
				return max(next, joined)
			}
			end := l.valueEnd(at)
			if end == at {
				return next
			}
			next, l.pos = filled, end
			continue
		}
		switch {
		case next == filled:
			return endsInValue
		case at < len(l.text) && l.text[at] == ',' && l.beginsString(l.skipSpace(at+1)):
			l.pos = l.skipSpace(at + 1)
			return listed
		case at > l.pos && l.beginsString(at):
			l.pos = at
			return joined
		}
		return apart
	}
	return apart
}

func (l *lexer) isOperator(at int) bool {
	rest := l.text[at:]
	if l.joins == "" || !bytes.HasPrefix(rest, []byte(l.joins)) || len(rest) == len(l.joins) {
		return false
	}
	mayBeLonger := l.joins == "+" || l.joins == "." // such as ++, += and ...
	after := rest[len(l.joins)]
	isLonger := after == '+' || after == '=' || after == '.'
	return !mayBeLonger || !isLonger
}

func (l *lexer) beginsString(at int) bool {
	if at >= len(l.text) {
		return false
	}
	probe := *l
	probe.pos = at
	_, ok := probe.readOpening()
	return ok
}

// maxValue bounds a value between strings, in bytes.
const maxValue = 2 << 10

// valueEnd returns the end of the value that begins at an offset: a name, with its calls and selectors. It returns the offset if
// there is no value or the value is too long.
func (l *lexer) valueEnd(at int) int {
	start, depth := at, 0
	for at < len(l.text) && at-start < maxValue {
		switch c := l.text[at]; {
		case strings.IndexByte("([{", c) >= 0 && (depth > 0 || at > start):
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth == 0 {
				return at
			}
			depth--
		case depth > 0 || isWordByte(c) || c == '.' && l.joins != "." || c == ':' || c == '?' || c == '!':
		default:
			return at
		}
		at++
	}
	l.wasted += at - start
	return start
}
