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
	text  []byte
	at    int
	ready bool // the text before is not a value, so a slash begins a regular expression
	spent int  // bytes that were read without finding an end
}

// maxSpent bounds the bytes of a file that are read without finding an end: otherwise a file with many beginnings and
// no ends would be read once for each beginning.
const maxSpent = 8 << 20

func (l *lexer) run() {
	for l.at < len(l.text) && l.spent <= maxSpent {
		switch {
		case l.passComment():
		case l.quotes != "" && l.passString():
			l.ready = false
			l.list[len(l.list)-1].next = l.joint()
		case l.at == len(l.text):
		case l.regexps && l.text[l.at] == '/' && l.ready:
			l.passRegexp()
		default:
			l.code()
		}
	}
}

// code passes a word, or a character outside strings and comments.
func (l *lexer) code() {
	c := l.text[l.at]
	if !isWordByte(c) {
		if !isSpace(c) {
			l.ready = bytes.IndexByte([]byte(")]}"), c) < 0
		}
		l.at++
		return
	}
	start := l.at
	for l.at < len(l.text) && isWordByte(l.text[l.at]) {
		l.at++
	}
	l.ready = string(l.text[start:l.at]) == "return"
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isWordByte(c byte) bool { return isNameLetter(c) || c == '_' || c == '$' }

func (l *lexer) has(word string) bool {
	return word != "" && len(l.text)-l.at >= len(word) && string(l.text[l.at:l.at+len(word)]) == word
}

// passComment passes a comment, and keeps it. Comments on consecutive lines count as one. It returns false elsewhere.
func (l *lexer) passComment() bool {
	end := l.commentEnd(l.at)
	if end < 0 {
		return false
	}
	start := l.at
	l.at = end
	for { // comments on consecutive lines are one comment
		next := l.at
		for next < len(l.text) && (l.text[next] == ' ' || l.text[next] == '\t') {
			next++
		}
		if next == len(l.text) || l.text[next] != '\n' {
			break
		}
		for next < len(l.text) && isSpace(l.text[next]) && bytes.Count(l.text[l.at:next+1], []byte("\n")) < 2 {
			next++
		}
		end := l.commentEnd(next)
		if end < 0 || isSpace(l.text[next]) {
			break
		}
		l.at = end
	}
	body := l.text[start:l.at]
	isDoc := bytes.HasPrefix(body, []byte("///")) || bytes.HasPrefix(body, []byte("//!")) || bytes.HasPrefix(body, []byte("/**"))
	l.add(piece{start: start, end: l.at, isComment: true, isDoc: isDoc}, func(w *plain) { writeComment(w, body) })
	return true
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
		w.lines(bytes.TrimLeft(line, " \t/*#!-"))
		if len(bytes.Trim(line, " \t/*#!-\r\n")) == 0 {
			w.rune('\n')
		}
	}
}

// passRegexp passes a regular expression, whose quotes begin no string.
func (l *lexer) passRegexp() {
	inClass := false
	for at := l.at + 1; at < len(l.text) && l.text[at] != '\n'; at++ {
		switch c := l.text[at]; {
		case c == '\\':
			at++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			l.at, l.ready = at+1, false
			return
		}
		l.spent++
	}
	l.at++
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

// joint returns how the string that ends here is linked to the next string, such as by an operator, and moves to that string.
func (l *lexer) joint() joint {
	next := apart
	for range maxPieces {
		at := l.skipSpace(l.at)
		inner := at
		for inner < len(l.text) && l.text[inner] == ')' {
			inner = l.skipSpace(inner + 1)
		}
		if l.isOperator(inner) {
			at = l.skipSpace(inner + len(l.joins))
			for at < len(l.text) && l.text[at] == '(' {
				at = l.skipSpace(at + 1)
			}
			if l.stringAt(at) {
				l.at = at
				return max(next, joined)
			}
			end := l.value(at)
			if end == at {
				return next
			}
			next, l.at = filled, end
			continue
		}
		switch {
		case next == filled:
			return open
		case at < len(l.text) && l.text[at] == ',' && l.stringAt(l.skipSpace(at+1)):
			l.at = l.skipSpace(at + 1)
			return listed
		case at > l.at && l.stringAt(at):
			l.at = at
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
	after := rest[len(l.joins)]
	return l.joins != "+" && l.joins != "." || after != '+' && after != '=' && after != '.'
}

func (l *lexer) stringAt(at int) bool {
	if at >= len(l.text) {
		return false
	}
	probe := *l
	probe.at = at
	_, ok := probe.opening()
	return ok
}

// maxValue bounds a value between strings, in bytes.
const maxValue = 2 << 10

// value returns the end of a value: a name, with its calls and selectors; at if there is no value.
func (l *lexer) value(at int) int {
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
	l.spent += at - start
	return start
}
