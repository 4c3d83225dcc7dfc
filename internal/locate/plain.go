package locate

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Bytes that stand for something else in a plain text. Descriptions do not contain them.
const (
	hole      = 0    // a value that the code inserts
	comma     = 1    // the next string of a list
	paragraph = '\n' // an empty line
)

// plain is a text in the form in which it is compared. White space is one blank, and an empty line ends a paragraph. Quotes,
// backslashes and characters of two UTF-16 units are left out, because languages write them in many ways.
type plain struct {
	text         []byte
	breaks       int  // line breaks in the pending white space
	pendingBlank bool // white space is pending
}

func (w *plain) writeRune(r rune) {
	switch {
	case unicode.IsSpace(r):
		w.pendingBlank = true
		if r == '\n' {
			w.breaks++
		}
		return
	case r == '"' || r == '\'' || r == '`' || r == '\\' || r > 0xFFFF || r == utf8.RuneError || !unicode.IsGraphic(r):
		return
	}
	w.writeBlank()
	w.text = utf8.AppendRune(w.text, r)
}

// writeBlank writes the pending white space before other text.
func (w *plain) writeBlank() {
	if w.pendingBlank && len(w.text) > 0 && !isBlank(w.text[len(w.text)-1]) {
		mark := byte(' ')
		if w.breaks > 1 {
			mark = paragraph
		}
		w.text = append(w.text, mark)
	}
	w.pendingBlank, w.breaks = false, 0
}

func (w *plain) writeMark(mark byte) {
	w.writeBlank()
	w.text = append(w.text, mark)
}

func isBlank(c byte) bool { return c == ' ' || c == paragraph }

func (w *plain) writeText(text []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		w.writeRune(r)
		text = text[size:]
	}
}

// plainText returns the plain form of a description, with blanks for paragraphs.
func plainText(description string) []byte {
	var w plain
	w.writeText([]byte(description))
	return bytes.ReplaceAll(w.text, []byte{paragraph}, []byte(" "))
}
