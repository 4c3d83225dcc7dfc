package redact

import (
	"slices"
	"strings"
)

// maxAnchor is the greatest length of an anchor, the part of a value that is searched for first.
const maxAnchor = 16

// minEncoded is the length of the shortest value that is searched for in Base64 and in hexadecimal digits: most of the
// decoded text is noise, in which a value must not occur by chance.
const minEncoded = 8

func (r *Rules) addValues(secrets []string) {
	for i := range secrets {
		secrets[i] = strings.TrimSpace(secrets[i]) // texts show values without surrounding blanks
	}
	slices.Sort(secrets)
	for _, secret := range slices.Compact(secrets) {
		if len(secret) < MinValue {
			continue
		}
		for _, form := range searchedForms(secret) {
			r.addForm(form, secret)
		}
	}
}

// minCased is the length of the shortest value that is also searched for in capital and in small letters: a shorter
// value could be an ordinary word.
const minCased = 8

// searchedForms returns the forms of a secret that are searched for: as it is, and without its own escapes, which may be resolved
// together with the escapes around them. Each is also searched for without a backslash at the end, which escapes the next
// character. A long secret is also searched for in capital and in small letters.
func searchedForms(secret string) []string {
	var list []string
	for _, form := range []string{secret, fullyUnescaped(secret)} {
		list = append(list, form, strings.TrimRight(form, `\`))
	}
	if len(secret) >= minCased {
		list = append(list, strings.ToUpper(secret), strings.ToLower(secret))
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(form string) bool { return len(form) < MinValue })
}

// addForm adds a form of a secret to the search of the text and of its layers.
func (r *Rules) addForm(form, secret string) {
	if r.known == nil {
		r.known = &Rules{}
		r.known.addShapes(All[:1])
		r.coded.valueBytes = *blankBytes
		for c := byte(' '); c < 0x7f; c++ {
			r.coded.valueBytes[c] = true
		}
	}
	for _, c := range []byte(form) {
		r.coded.valueBytes[c] = true
	}
	if n := len(form); n >= minEncoded && (n < r.coded.minValue || r.coded.minValue == 0) {
		r.coded.minValue = n
	}
	anchor := form[:min(len(form), maxAnchor)]
	if blank := strings.IndexFunc(anchor, isBlank); blank > 0 {
		anchor = anchor[:blank]
	}
	match := func(s *scan, at, _ int) {
		if end, ok := matchWords(s.text, at, form); ok {
			s.addSpan(at, end, secret)
		}
	}
	r.addProbe(probe{anchor: anchor, rule: r.ruleByID(envID), match: match})
	r.pieces = append(r.pieces, piece{form, secret})
	r.known.addProbe(probe{anchor: anchor, rule: r.known.ruleByID(envID), match: match})
}

func isBlank(c rune) bool { return c < 0x80 && blankBytes[c] }

// matchWords returns the end of the value at a place, and reports whether the value is there. Any blanks may separate
// its words, because texts are wrapped, or a plus sign may replace each blank, as in a query.
func matchWords(text string, at int, value string) (end int, ok bool) {
	if strings.HasPrefix(text[at:], value) {
		return at + len(value), true
	}
	for {
		word := strings.IndexFunc(value, isBlank)
		if word < 0 {
			return at + len(value), strings.HasPrefix(text[at:], value)
		}
		if !strings.HasPrefix(text[at:], value[:word]) {
			return 0, false
		}
		at, value = at+word, value[word:]
		blanks := endOfRun(value, 0, blankBytes)
		end := at
		for end < len(text) && end-at < maxExamined && (blankBytes[text[end]] || text[end] == '+' && end-at < blanks) {
			end++
		}
		if end == at {
			return 0, false
		}
		at, value = end, value[blanks:]
	}
}
