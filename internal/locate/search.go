package locate

import (
	"bytes"
	"cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// search finds all descriptions in one pass over each file.
type search struct {
	patterns []*pattern
	windows  map[uint64][]*pattern
	filter   [filterSize / 64]uint64 // a bit for the hash of each window, which rules out most places
	names    names
	catalogs map[string]bool // the files that the tools come from
	work     int
}

// filterSize is the number of bits of the filter; it is a power of two.
const filterSize = 1 << 16

// slot returns the number of a window's bit in the filter. The factor is that of Fibonacci hashing.
func slot(window uint64) uint64 { return window * 0x9E3779B97F4A7C15 >> 48 }

func newSearch(tools []*catalog.Tool) *search {
	s := &search{windows: map[uint64][]*pattern{}, names: names{ids: map[string]int{}}, catalogs: map[string]bool{}}
	byDescription := map[string]*pattern{}
	for _, tool := range tools {
		if tool.Pos.File != "" {
			s.catalogs[tool.Pos.File] = true
		}
		p, ok := byDescription[tool.Description]
		if !ok {
			p = s.addPattern(tool.Description)
			byDescription[tool.Description] = p
		}
		if p != nil {
			p.tools = append(p.tools, &target{tool: tool, spellings: s.names.spellingsOf(tool)})
		}
	}
	return s
}

// addPattern adds the pattern of a description; it returns nil if the description is too short.
func (s *search) addPattern(description string) *pattern {
	p, ok := newPattern(description)
	if !ok {
		return nil
	}
	window := p.window()
	s.patterns = append(s.patterns, p)
	s.windows[window] = append(s.windows[window], p)
	s.filter[slot(window)/64] |= 1 << (slot(window) % 64)
	return p
}

func (s *search) places() map[*catalog.Tool]source.Pos {
	places := map[*catalog.Tool]source.Pos{}
	for _, p := range s.patterns {
		for _, t := range p.tools {
			if t.best.kind > 0 && !t.best.isAmbiguous {
				places[t.tool] = t.best.pos
			}
		}
	}
	return places
}

// hit is a match of a description in a file, before names are compared.
type hit struct {
	pattern    *pattern
	kind       kind
	letters    int
	start, end int
}

func (s *search) searchFile(name string, text []byte) error {
	hits, err := s.findHits(text)
	if err != nil || len(hits) == 0 {
		return err
	}
	return s.attribute(&matchedFile{name: name, text: text, rank: rankOf(name), lines: s.names.findLines(text, hits)}, hits)
}

// findHits returns the matches in a text, in order.
func (s *search) findHits(text []byte) ([]hit, error) {
	var hits []hit
	var window uint64
	var starts [windowSize]int // starts of the last letters: each is twice the offset, plus 1 if it follows a gap
	gap, count := 1, 0
	for at := 0; at < len(text); {
		letter, size := rune(classes[text[at]]), 1
		if letter <= inUnicode {
			if letter != inGap {
				letter, size = decode(text[at:])
			}
			if letter == 0 {
				gap = 1
				at += size
				continue
			}
		}
		starts[count%windowSize] = at<<1 | gap
		window = push(window, letter)
		count++
		gap = 0
		at += size
		if bit := slot(window); s.filter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		start := starts[count%windowSize] // start of the first letter in the window
		followsGap := start&1 == 1
		if followsGap && count >= windowSize {
			hits = s.appendMatches(hits, text, start>>1, s.windows[window])
			if s.work > maxWork {
				return nil, ErrTooMuch
			}
		}
	}
	return hits, nil
}

func (s *search) appendMatches(hits []hit, text []byte, start int, patterns []*pattern) []hit {
	if len(patterns) == 0 || !begins(text, start) {
		return hits
	}
	for _, p := range patterns {
		k, letters, end := p.match(text, start)
		s.work += end - start + windowSize
		if k > 0 {
			hits = append(hits, hit{p, k, letters, start, end})
		}
		if s.work > maxWork {
			break
		}
	}
	return hits
}

type matchedFile struct {
	name  string
	text  []byte
	rank  rank
	lines map[int][]int // for each spelling of a name, its lines in order

	offset, line int // line is the number of line breaks before offset
}

// lineAt returns the 1-based line of an offset, which must not be before the offset of the last call.
func (p *matchedFile) lineAt(offset int) int {
	p.line += bytes.Count(p.text[p.offset:offset], []byte("\n"))
	p.offset = offset
	return p.line + 1
}

func (s *search) attribute(p *matchedFile, hits []hit) error {
	for len(hits) > 0 {
		count := 1
		for count < len(hits) && hits[count].start == hits[0].start {
			count++
		}
		s.attributeAtStart(p, hits[:count])
		if s.work > maxWork {
			return ErrTooMuch
		}
		hits = hits[count:]
	}
	return nil
}

func (s *search) attributeAtStart(p *matchedFile, hits []hit) {
	lists.SortStable(hits, func(a, b *hit) int {
		return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(b.letters, a.letters))
	})
	line := p.lineAt(hits[0].start)
	var best *hit
	for i, h := range hits {
		if best != nil && (h.kind != best.kind || h.letters != best.letters) {
			return
		}
		if s.addToTools(p, h, line) {
			best = &hits[i]
		}
	}
}

// addToTools adds a match to each tool with its description whose name is near the match. It reports whether there is such a
// tool.
func (s *search) addToTools(p *matchedFile, h hit, line int) bool {
	given := false
	last := line + bytes.Count(p.text[h.start:h.end], []byte("\n"))
	for _, t := range h.pattern.tools {
		s.work += nameWork
		if isNear(p.lines, t.spellings, line, last) {
			t.best.add(found{kind: h.kind, rank: p.rank, pos: source.Pos{File: p.name, Line: line}})
			given = true
		}
	}
	return given
}
