package redact

import (
	"cmp"
	"slices"
)

// layer is a text that results from another text by resolving its escapes and encodings. The outermost layer is the
// searched text itself.
type layer struct {
	text        string
	outer       *layer                // nil for the outermost layer
	build       func(l *layer) []byte // makes this layer's text from the outer text
	isGuessed   bool                  // much of the text was decoded although it was never encoded
	includesRun bool                  // a secret found here includes all of the encoded text around it
	parts       []part                // parts in order; only made if a secret is found in the layer, because there can be many
	keepsParts  bool                  // parts are being noted
}

// innerLayer returns the layer that build makes inside l; nil if build makes none.
func (l *layer) innerLayer(build func(l *layer) []byte) *layer {
	inner := &layer{outer: l, build: build}
	text := build(inner)
	if text == nil {
		return nil
	}
	inner.text = string(text)
	return inner
}

// part gives the origin of a part of a layer's text. The part begins at offset at, and its origin begins at offset from of the
// outer text. Each unit bytes of the part stand for size bytes of the outer text.
type part struct {
	at, from   int
	unit, size uint8
}

func (l *layer) addPart(p part) {
	if !l.keepsParts {
		return
	}
	if n := len(l.parts); n > 0 {
		last := l.parts[n-1]
		units := (p.at - last.at) / int(last.unit)
		hasSameScale := last.unit == p.unit && last.size == p.size
		continues := last.at+units*int(last.unit) == p.at && last.from+units*int(last.size) == p.from
		if hasSameScale && continues {
			return
		}
	}
	l.parts = append(l.parts, p)
}

// outermostSpan returns the place in the outermost text of the bytes from start to end of a layer.
func (l *layer) outermostSpan(start, end int) (int, int) {
	for ; l.outer != nil; l = l.outer {
		if !l.keepsParts {
			l.keepsParts = true
			l.build(l)
		}
		start, end = l.outerStart(start), l.outerEnd(end)
		if l.includesRun {
			start, end = extendToRun(l.outer.text, start, end)
		}
	}
	return start, end
}

func (l *layer) outerStart(at int) int {
	p := l.partOf(at)
	return p.from + (at-p.at)/int(p.unit)*int(p.size)
}

func (l *layer) outerEnd(at int) int {
	p := l.partOf(at - 1)
	return p.from + (at-p.at+int(p.unit)-1)/int(p.unit)*int(p.size)
}

func (l *layer) partOf(at int) part {
	i, found := slices.BinarySearchFunc(l.parts, at, func(p part, at int) int { return cmp.Compare(p.at, at) })
	if !found {
		i--
	}
	return l.parts[i]
}

// extendToRun extends a secret to the whole encoded text around it, because the characters at its ends also hold bits of their
// neighbours, and the text before it may be a user's name. The last group of Base64 can be shorter than the others.
func extendToRun(text string, start, end int) (int, int) {
	end = endOfRun(text[:min(end, len(text))], start, runBytes)
	for least := max(0, start-maxExamined); start > least && sextetBytes[text[start-1]]; {
		start--
	}
	end = endOfRun(text[:min(len(text), end+maxExamined)], end, sextetBytes)
	for end < len(text) && text[end] == '=' {
		end++
	}
	return start, end
}
