package locate

import "bytes"

// wordReader reads the words near matches that may be names of tools.
type wordReader struct {
	names *names
	text  []byte
	at    int
	line  int           // line of the offset at, 1-based
	lines map[int][]int // numbers of the lines with a spelling, in order, by the spelling's number
}

// findLines returns, for each spelling, the lines near matches that contain it as a quoted text or an identifier, in order. The
// words of a match do not count: the description of a tool "search" may contain "search". hits must be in order.
func (n *names) findLines(text []byte, hits []hit) map[int][]int {
	r := &wordReader{names: n, text: text, line: 1, lines: map[int][]int{}}
	for i, h := range hits {
		if h.start > r.at {
			r.skipTo(r.at + linesBefore(text[r.at:h.start], maxDistance))
			r.readTo(h.start)
		}
		r.skipTo(h.end)
		next := len(text)
		if i+1 < len(hits) {
			next = max(r.at, hits[i+1].start)
		}
		r.readTo(r.at + linesAfter(text[r.at:next], maxDistance))
	}
	return r.lines
}

// linesBefore returns the start of the line that is count lines before the end of text; 0 if text has fewer lines.
func linesBefore(text []byte, count int) int {
	end := len(text)
	for ; count >= 0; count-- {
		if end = bytes.LastIndexByte(text[:end], '\n'); end < 0 {
			return 0
		}
	}
	return end + 1
}

// linesAfter returns the end of the line that is count lines after the beginning of text; the end of text if it has
// fewer lines.
func linesAfter(text []byte, count int) int {
	end := 0
	for ; count >= 0; count-- {
		at := bytes.IndexByte(text[end:], '\n')
		if at < 0 {
			return len(text)
		}
		end += at + 1
	}
	return end
}

func (r *wordReader) skipTo(offset int) {
	if offset > r.at {
		r.line += bytes.Count(r.text[r.at:offset], []byte("\n"))
		r.at = offset
	}
}

// readTo notes the names up to a place of the text, with their lines.
func (r *wordReader) readTo(end int) {
	for r.at < end {
		start := r.at
		for r.at < end && isNamePart(r.text, r.at) {
			r.at++
		}
		if r.at > start {
			r.noteWord(start)
			continue
		}
		if r.text[r.at] == '\n' {
			r.line++
		}
		r.at++
	}
}

// isNamePart reports whether text[at] is a part of a name: a letter, or a separator between two letters.
func isNamePart(text []byte, at int) bool {
	switch c := text[at]; c {
	case '_', '$':
		return true
	case '-', '.', '/', ':':
		return at > 0 && at+1 < len(text) && isNameLetter(text[at-1]) && isNameLetter(text[at+1])
	default:
		return isNameLetter(c)
	}
}

func isNameLetter(c byte) bool { return isLetter(c) || c >= 0x80 }

// noteWord notes the spellings of the word from start on: the whole word, each of its parts, and each part without its prefix.
func (r *wordReader) noteWord(start int) {
	word := r.text[start:r.at]
	if isPlain(word) && !r.isCode(start) {
		return
	}
	var whole, part [maxName]byte
	name, folded, first := whole[:0], part[:0], 0
	for i := 0; i <= len(word); i++ {
		switch {
		case i == len(word) || word[i] == '.' || word[i] == '/' || word[i] == ':':
			r.note(folded)
			r.note(folded[first:])
			folded, first = folded[:0], 0
		case len(name) == maxName:
		case first == 0 && (word[i] == '_' || word[i] == '-'):
			first = len(folded)
		default:
			name, folded = appendFolded(name, word[i]), appendFolded(folded, word[i])
		}
	}
	r.note(name)
}

func isPlain(word []byte) bool {
	for i, c := range word {
		if !('a' <= c && c <= 'z' || i == 0 && 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return true
}

// isCode reports whether the word from start on is quoted, or is an identifier that is called, assigned or selected.
func (r *wordReader) isCode(start int) bool {
	if start > 0 && bytes.IndexByte([]byte("\"'`.@"), r.text[start-1]) >= 0 {
		return true
	}
	after := bytes.TrimLeft(r.text[r.at:min(len(r.text), r.at+4)], " :")
	return len(after) > 0 && bytes.IndexByte([]byte("\"'`(={<"), after[0]) >= 0
}

// note notes a word, and the word without the parts that name its purpose or its action.
func (r *wordReader) note(folded []byte) {
	r.noteLine(folded)
	for _, purpose := range purposeWords {
		if rest, ok := bytes.CutSuffix(folded, []byte(purpose)); ok {
			r.note(rest)
			return
		}
	}
	for _, action := range actionWords {
		if rest, ok := bytes.CutPrefix(folded, []byte(action)); ok {
			r.noteLine(rest)
		}
	}
}

func (r *wordReader) noteLine(folded []byte) {
	id, ok := r.names.ids[string(folded)]
	if !ok {
		return
	}
	if known := r.lines[id]; len(known) == 0 || known[len(known)-1] != r.line {
		r.lines[id] = append(known, r.line)
	}
}
