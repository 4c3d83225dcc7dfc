package locate

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Marks in a plain text, none of which a description has.
const (
	hole      = 0    // a value that the code inserts
	comma     = 1    // the next string of a list
	paragraph = '\n' // an empty line
)

// plain is a text as it is compared: each white space is one blank, an empty line a paragraph. Quotes and backslashes are left out,
// because languages write them in many ways, and so is what takes two units in UTF-16.
type plain struct {
	text   []byte
	breaks int  // line breaks in the white space that is not written yet
	blank  bool // there is white space that is not written yet
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

// flush writes white space that stands before something else.
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

// plainText returns a description as it is compared. Its paragraphs are blanks.
func plainText(description string) []byte {
	var w plain
	w.lines([]byte(description))
	return bytes.ReplaceAll(w.text, []byte{paragraph}, []byte(" "))
}
