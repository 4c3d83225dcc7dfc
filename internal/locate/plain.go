package locate

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Marks in a plain text, which descriptions do not have.
const (
	hole      = 0    // a value that the code inserts
	comma     = 1    // the next string of a list
	paragraph = '\n' // an empty line
)

// plain is a text in the form in which it is compared. White space is one blank, and an empty line ends a paragraph. Quotes and
// backslashes are left out, because languages write them in many ways. Characters of two UTF-16 units are left out for the same
// reason.
type plain struct {
	text   []byte
	breaks int  // line breaks in the pending white space
	blank  bool // white space is pending
}

func (w *plain) rune(r rune) {
	switch {
	case unicode.IsSpace(r):
		w.blank = true
		if r == '\n' {
			w.breaks++
		}
		return
	case r == '"' || r == '\'' || r == '`' || r == '\\' || r > 0xFFFF || r == utf8.RuneError || !unicode.IsGraphic(r):
		return
	}
	w.flush()
	w.text = utf8.AppendRune(w.text, r)
}

// flush writes the pending white space before other text.
func (w *plain) flush() {
	if w.blank && len(w.text) > 0 && !isBlank(w.text[len(w.text)-1]) {
		mark := byte(' ')
		if w.breaks > 1 {
			mark = paragraph
		}
		w.text = append(w.text, mark)
	}
	w.blank, w.breaks = false, 0
}

func (w *plain) mark(mark byte) {
	w.flush()
	w.text = append(w.text, mark)
}

func isBlank(c byte) bool { return c == ' ' || c == paragraph }

func (w *plain) lines(text []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		w.rune(r)
		text = text[size:]
	}
}

// plainText returns the plain form of a description, with blanks for paragraphs.
func plainText(description string) []byte {
	var w plain
	w.lines([]byte(description))
	return bytes.ReplaceAll(w.text, []byte{paragraph}, []byte(" "))
}
