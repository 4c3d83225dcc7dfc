package locate

import "bytes"

// maxPieces bounds the strings that are joined for one text, and maxJoined its size in bytes.
const (
	maxPieces = 400
	maxJoined = maxDescription
)

// joint is what stands behind a string, before the next one.
type joint int

const (
	apart  joint = iota // something else
	joined              // what joins both to one text
	filled              // likewise, with a value in between
	open                // a value that is joined, and then something else
	listed              // a comma
)

// piece is a string, or a comment.
type piece struct {
	start, end int  // in the file, with its quotes
	from, to   int  // in pieces.plain
	blankFirst bool // white space stands before its first character, and
	blankLast  bool // behind its last one
	next       joint
	follows    bool // a value is joined before it
	isComment  bool
	isDoc      bool // it is a comment of documentation
}

// pieces are the strings and comments of a file, in their order.
type pieces struct {
	text  []byte
	list  []piece
	plain []byte
}

func (p *pieces) add(one piece, write func(*plain)) {
	w := plain{}
	write(&w)
	one.from, one.blankLast = len(p.plain), w.blank
	p.plain = append(p.plain, w.text...)
	one.to = len(p.plain)
	first := bytes.TrimLeft(p.text[one.start:one.end], "\"'`")
	one.blankFirst = len(first) > 0 && (first[0] == ' ' || first[0] == '\t' || first[0] == '\n' || first[0] == '\r' || bytes.HasPrefix(first, []byte(`\n`)))
	p.list = append(p.list, one)
}

// begins reports whether a text begins with a piece. If not, another piece is joined before it.
func (p *pieces) begins(i int) bool {
	return i == 0 || p.list[i-1].next != joined && p.list[i-1].next != filled
}

// from returns the text that begins with a piece, up to size bytes or a few more; whole reports whether that is all.
func (p *pieces) from(i, size int) (text []byte, whole bool) {
	for count := 0; ; count++ {
		one := &p.list[i]
		text = append(text, p.plain[one.from:one.to]...)
		last := i == len(p.list)-1
		switch {
		case one.next == open:
			return append(text, hole), true
		case last || one.next == apart:
			return text, true
		case len(text) >= size || count == maxPieces:
			return text, false
		}
		next := &p.list[i+1]
		switch {
		case one.next == filled:
			text = append(text, hole)
		case one.next == listed:
			text = append(text, comma)
		case (one.blankLast || next.blankFirst) && len(text) > 0 && !isBlank(text[len(text)-1]):
			text = append(text, ' ')
		}
		i++
	}
}

func (p *pieces) holds(offset int) bool {
	for i := range p.list {
		if p.list[i].start <= offset && offset < p.list[i].end {
			return true
		}
	}
	return false
}
