package locate

import (
	"bytes"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// lostDescriptions returns the descriptions that the head lacks, and those with another name beside them.
func (c *comparison) lostDescriptions(tools []*catalog.Tool) ([]Lost, error) {
	at, order := map[*catalog.Tool]*site{}, map[*catalog.Tool]int{}
	for _, one := range c.index.all {
		for _, tool := range one.tools {
			at[tool] = c.sites[one]
		}
	}
	var list []Lost
	var standing []Lost
	for i, tool := range tools {
		order[tool] = i
		switch p := at[tool]; {
		case p == nil:
		case !p.stands:
			list = append(list, Lost{Tool: tool, Was: p.pos})
		case c.changed[p.pos.File]:
			standing = append(standing, Lost{Tool: tool, Was: p.pos, Now: p.now, Name: true})
		}
	}
	if err := c.findNow(list); err != nil {
		return nil, err
	}
	renamed, err := c.renamed(standing)
	list = append(list, renamed...)
	slices.SortStableFunc(list, func(a, b Lost) int { return order[a.Tool] - order[b.Tool] })
	return list, err
}

// renamed returns those tools whose names are gone: the base's file with the description has the name as a word, and no
// word in the head contains the name in any spelling.
func (c *comparison) renamed(list []Lost) ([]Lost, error) {
	had := map[string]map[string]bool{} // the words of each file of the base
	list = slices.DeleteFunc(list, func(one Lost) bool {
		name := one.Was.File
		if had[name] == nil {
			text, _ := c.base.read(name)
			had[name] = map[string]bool{}
			eachWord(text, func(word []byte) { had[name][string(word)] = true })
		}
		return len(fold(one.Tool.Name)) < 2 || !had[name][one.Tool.Name]
	})
	for _, exactly := range []bool{true, false} { // first the exact names, because most names are unchanged
		for _, name := range c.names {
			if len(list) == 0 {
				return nil, nil
			}
			text, ok := c.head.read(name)
			if !ok {
				continue
			}
			folded := map[string]bool{}
			eachWord(text, func(word []byte) { folded[fold(string(word))] = true })
			if c.index.work += len(text) + len(folded)*len(list); c.index.work > maxWork {
				return nil, ErrTooMuch
			}
			list = slices.DeleteFunc(list, func(one Lost) bool { return hasName(folded, fold(one.Tool.Name), exactly) })
		}
	}
	return list, nil
}

func hasName(folded map[string]bool, name string, exactly bool) bool {
	if folded[name] || exactly {
		return folded[name]
	}
	for word := range folded {
		if len(word) > len(name) && bytes.Contains([]byte(word), []byte(name)) {
			return true
		}
	}
	return false
}

func eachWord(text []byte, visit func(word []byte)) {
	for at := 0; at < len(text); {
		start := at
		for at < len(text) && isNamePart(text, at) {
			at++
		}
		if at > start && at-start <= maxName {
			visit(text[start:at])
		}
		if at == start {
			at++
		}
	}
}

// candidate is a text of the head that may have replaced a description.
type candidate struct {
	pos   source.Pos
	text  string // up to the next string of a list
	words map[string]bool
}

// findNow finds the places in the head that replace the descriptions: the text with the most words in common, otherwise
// the first text after the tool's name, otherwise the line of the name, or the line of the old description.
func (c *comparison) findNow(list []Lost) error {
	if len(list) == 0 {
		return nil
	}
	found, err := c.candidates()
	if err != nil {
		return err
	}
	for i := range list {
		one := &list[i]
		words := wordsOf(plainText(one.Tool.Description))
		if c.index.work += len(found) * (len(words) + keySize); c.index.work > maxWork {
			return ErrTooMuch
		}
		best, most := source.Pos{}, 0
		for _, other := range found {
			score := likeness(words, other.words)
			isNearer := score == most && other.pos.File == one.Was.File && best.File != one.Was.File
			if score >= minLikeness && (score > most || isNearer) {
				best, most = other.pos, score
			}
		}
		if one.Now = best; most == 0 {
			one.Now = c.nearName(one, found)
		}
	}
	return nil
}

// candidates returns the texts in changed files that can be the new version of a lost description.
func (c *comparison) candidates() ([]candidate, error) {
	c.head.size = 0
	var found []candidate
	for _, name := range c.names {
		if c.isSame[name] {
			continue
		}
		err := c.head.pieces(name, func(p *pieces) error {
			known := map[int]bool{} // pieces that are other descriptions
			is := func(_ *said, _ how, at *piece) { known[at.start] = true }
			err := c.index.find(p, is)
			lines := lineCounter{text: p.text, line: 1}
			for i := range p.list {
				one := &p.list[i]
				if !p.begins(i) || known[one.start] || weigh(name, one, all) <= commented {
					continue
				}
				text, _ := p.from(i, maxLetters)
				found = append(found, candidate{source.Pos{File: name, Line: lines.at(one.start)}, firstOf(string(text)), nil})
				last := &found[len(found)-1]
				last.words = wordsOf([]byte(last.text))
				if c.index.work += len(text); c.index.work > maxWork {
					return ErrTooMuch
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// nearName returns the place of the first text after the tool's name, in the description's file or, if that is gone, in
// any other; otherwise the place of the name, or the line of the old description. If the file is gone and no other has
// the name, it returns the zero Pos.
func (c *comparison) nearName(one *Lost, found []candidate) source.Pos {
	isGone := !c.changed[one.Was.File]
	for i, other := range found {
		if other.pos.File != one.Was.File && !isGone || other.text != one.Tool.Name {
			continue
		}
		for _, next := range found[i+1:] {
			if next.pos.File == other.pos.File && next.pos.Line <= other.pos.Line+maxDistance && len(next.words) > 1 {
				return next.pos
			}
		}
		return other.pos
	}
	if isGone {
		return source.Pos{}
	}
	text, _ := c.head.read(one.Was.File)
	return source.Pos{File: one.Was.File, Line: min(one.Was.Line, lineOf(text, max(0, len(text)-1)))}
}

// firstOf returns the first string of a list.
func firstOf(text string) string {
	for i := range len(text) {
		if text[i] == comma {
			return text[:i]
		}
	}
	return text
}

// minLikeness is the least likeness, in percent, of two texts one of which has replaced the other.
const minLikeness = 30

// likeness returns the share of the longer text's words that both texts have, in percent.
func likeness(a, b map[string]bool) int {
	if len(b) < 2 || len(a) == 0 {
		return 0
	}
	same := 0
	for word := range a {
		if b[word] {
			same++
		}
	}
	return 100 * same / max(len(a), len(b))
}

func wordsOf(text []byte) map[string]bool {
	set := map[string]bool{}
	isGap := func(r rune) bool { return onlyLetter(r) == 0 }
	for _, word := range bytes.FieldsFunc(bytes.ToLower(text), isGap) {
		set[string(word)] = true
	}
	return set
}

// lineCounter counts the lines before offsets, which must be in order.
type lineCounter struct {
	text         []byte
	offset, line int
}

func (l *lineCounter) at(offset int) int {
	l.line += bytes.Count(l.text[l.offset:offset], []byte("\n"))
	l.offset = offset
	return l.line
}
