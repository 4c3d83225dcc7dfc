package locate

import "bytes"

// maxPieces bounds the number of strings that are joined to one text. maxJoined bounds the size of that text, in bytes. What
// exceeds a bound is left out.
const (
	maxPieces = 400
	maxJoined = maxDescription
)

// joint is the link between a string and the next string.
type joint int

const (
	apart       joint = iota // no link
	joined                   // an operator that joins both to one text
	filled                   // operators with a value between the strings
	endsInValue              // an operator and a value, and then something else
	listed                   // a comma
)

// piece is a string, or a comment.
type piece struct {
	start, end   int  // offsets in the file, with the quotes
	from, to     int  // offsets of its text in pieces.plain
	blankFirst   bool // white space precedes its first character
	blankLast    bool // white space follows its last character
	next         joint
	followsValue bool // a value is joined in front of it
	isComment    bool
	isDoc        bool // the piece is a documentation comment
}

// pieces are the strings and comments of a file, in order.
type pieces struct {
	text  []byte
	list  []piece
	plain []byte
}

func (p *pieces) add(one piece, write func(*plain)) {
	w := plain{}
	write(&w)
	one.from, one.blankLast = len(p.plain), w.pendingBlank
	p.plain = append(p.plain, w.text...)
	one.to = len(p.plain)
	first := bytes.TrimLeft(p.text[one.start:one.end], "\"'`")
	one.blankFirst = len(first) > 0 && (first[0] == ' ' || first[0] == '\t' || first[0] == '\n' || first[0] == '\r' || bytes.HasPrefix(first, []byte(`\n`)))
	p.list = append(p.list, one)
}

// beginsText reports whether a piece begins a text: no other piece is joined in front of it.
func (p *pieces) beginsText(i int) bool {
	return i == 0 || p.list[i-1].next != joined && p.list[i-1].next != filled
}

// textFrom returns the text that begins with piece i, up to about size bytes. whole reports whether this is the whole text.
func (p *pieces) textFrom(i, size int) (text []byte, whole bool) {
	for count := 0; ; count++ {
		one := &p.list[i]
		text = append(text, p.plain[one.from:one.to]...)
		last := i == len(p.list)-1
		switch {
		case one.next == endsInValue:
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

func (p *pieces) contains(offset int) bool {
	for i := range p.list {
		if p.list[i].start <= offset && offset < p.list[i].end {
			return true
		}
	}
	return false
}
