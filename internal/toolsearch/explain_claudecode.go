package toolsearch

import "strings"

// explain reads the texts of one tool, word by word, and does not use the prepared index, so that a test can compare
// the two.
func (c *claudeCode) explain(query string, tool int) []Earned {
	t := c.lower[tool]
	terms, _ := termsOf(firstWords(cutQuery(query)))
	var all []Earned
	for _, term := range terms {
		one := Earned{Term: term}
		var best nameMatch
		for _, name := range []struct{ what, text string }{{"server", t.server}, {"name", t.name}} {
			m, ok := matchName(name.text, term)
			if !ok {
				continue
			}
			best = nameMatch{best.isPart || m.isPart, best.inPart || m.inPart, best.isName || m.isName}
			one.Where = append(one.Where, m.String()+" "+name.what)
		}
		if len(one.Where) > 0 {
			one.Points = best.points()
		}
		if hasWord(t.hint, term) {
			one.Points += hintPoints
			one.Where = append(one.Where, "search hint")
		}
		if hasWord(t.description, term) {
			one.Points += descriptionPoints
			one.Where = append(one.Where, "description")
		}
		if one.Points > 0 {
			all = append(all, one)
		}
	}
	return all
}

func matchName(name, term string) (best nameMatch, found bool) {
	for from := 0; from+len(term) <= len(name); from++ {
		if strings.HasPrefix(name[from:], term) {
			best, found = best.withMatch(name, from, from+len(term)), true
		}
	}
	return best, found
}

// String returns words for the match, to be followed by the kind of the name.
func (m nameMatch) String() string {
	switch {
	case m.isName:
		return "the"
	case m.isPart:
		return "word of the"
	case m.inPart:
		return "part of a word of the"
	default:
		return "part of the"
	}
}
