package locate

import (
	"bytes"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// lostDescriptions returns the descriptions that the head lacks, and the kept descriptions whose tool has another name now, in
// the order of the tools.
func (c *comparison) lostDescriptions(tools []*catalog.Tool) ([]Lost, error) {
	siteOf, order := map[*catalog.Tool]*site{}, map[*catalog.Tool]int{}
	for _, one := range c.index.all {
		for _, tool := range one.tools {
			siteOf[tool] = c.sites[one]
		}
	}
	var list []Lost
	var kept []Lost
	for i, tool := range tools {
		order[tool] = i
		switch p := siteOf[tool]; {
		case p == nil:
		case !p.isKept:
			list = append(list, Lost{Tool: tool, Was: p.pos})
		case c.changed[p.pos.File]:
			kept = append(kept, Lost{Tool: tool, Was: p.pos, Now: p.keptAt, Name: true})
		}
	}
	if err := c.findReplacements(list); err != nil {
		return nil, err
	}
	renamed, err := c.renamed(kept)
	list = append(list, renamed...)
	lists.SortStable(list, func(a, b *Lost) int { return order[a.Tool] - order[b.Tool] })
	return list, err
}

// renamed returns the entries of list whose tool's name is gone: the base's file with the description has the name as a word, and
// no word in the head contains the name in any spelling.
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
	for _, exactly := range []bool{true, false} { // the cheaper exact comparison first, because most names are unchanged
		for _, name := range c.headNames {
			if len(list) == 0 {
				return nil, nil
			}
			text, ok := c.head.read(name)
			if !ok {
				continue
			}
			folded := map[string]bool{}
			eachWord(text, func(word []byte) { folded[fold(string(word))] = true })
			c.index.work += len(text) + len(folded)*len(list)
			if c.index.work > maxWork {
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
	text  string // its first string, if it is a list of strings
	words map[string]bool
}

// findReplacements sets, for each lost description, the place in the head that replaces it: the text with the most words in
// common, otherwise the first text after the tool's name, otherwise the line of the name, or the line of the old description.
func (c *comparison) findReplacements(list []Lost) error {
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
		c.index.work += len(found) * (len(words) + keySize)
		if c.index.work > maxWork {
			return ErrTooMuch
		}
		one.Now = mostAlike(found, words, one.Was.File)
		if one.Now == (source.Pos{}) {
			one.Now = c.nearName(one, found)
		}
	}
	return nil
}

// mostAlike returns the place of the candidate with the most words in common, preferably in file; the zero Pos if no candidate is
// alike: see minLikeness.
func mostAlike(found []candidate, words map[string]bool, file string) source.Pos {
	best, most := source.Pos{}, 0
	for _, other := range found {
		score := likeness(words, other.words)
		isNearer := score == most && other.pos.File == file && best.File != file
		if score >= minLikeness && (score > most || isNearer) {
			best, most = other.pos, score
		}
	}
	return best
}

// candidates returns the texts in changed files that can be the new version of a lost description.
func (c *comparison) candidates() ([]candidate, error) {
	c.head.size = 0 // the changed files are read another time
	var list []candidate
	for _, name := range c.headNames {
		if c.unchanged[name] {
			continue
		}
		err := c.head.visitPieces(name, func(p *pieces) error {
			otherDescriptions := map[int]bool{} // pieces that are other descriptions
			noteOther := func(_ *plainDescription, _ extent, at *piece) { otherDescriptions[at.start] = true }
			err := c.index.find(p, noteOther)
			lines := lineCounter{text: p.text, line: 1}
			for i := range p.list {
				one := &p.list[i]
				isInCode := weigh(name, one, matchesWhole) > commented
				if !p.beginsText(i) || otherDescriptions[one.start] || !isInCode {
					continue
				}
				text, _ := p.textFrom(i, maxLetters)
				first := firstString(string(text))
				pos := source.Pos{File: name, Line: lines.at(one.start)}
				list = append(list, candidate{pos: pos, text: first, words: wordsOf([]byte(first))})
				c.index.work += len(text)
				if c.index.work > maxWork {
					return ErrTooMuch
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// nearName returns the place of the first text after the tool's name, otherwise the place of the name, otherwise the line of the
// old description. It looks for the name in the description's file, and in all files if that file is gone. If no file has the
// name then, it returns the zero Pos.
func (c *comparison) nearName(one *Lost, found []candidate) source.Pos {
	isGone := !c.changed[one.Was.File]
	for i, other := range found {
		isSearched := isGone || other.pos.File == one.Was.File
		if !isSearched || other.text != one.Tool.Name {
			continue
		}
		for _, next := range found[i+1:] {
			isNear := next.pos.File == other.pos.File && next.pos.Line <= other.pos.Line+maxDistance
			if isNear && len(next.words) > 1 {
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

// firstString returns the text up to the second string of a list.
func firstString(text string) string {
	for i := range len(text) {
		if text[i] == comma {
			return text[:i]
		}
	}
	return text
}

// minLikeness is the least likeness, in percent, at which a text counts as the replacement of another text.
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
