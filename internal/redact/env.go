package redact

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxLead bounds how much of a value the search goes by.
const maxLead = 8

// values has the search find secrets that are known.
func (r *Rules) values(secrets []string) {
	slices.Sort(secrets)
	env := r.rule(envID)
	for _, secret := range slices.Compact(secrets) {
		match := func(s *scan, at, _ int) {
			if end, ok := matchEscaped(s.text, at, secret); ok {
				s.note(at, end, secret)
			}
		}
		for _, anchor := range leads(secret) {
			r.add(probe{anchor: anchor, rule: env, match: match})
		}
		r.encoded(secret)
	}
}

// leads returns what a secret begins with where it stands: letters and digits, which nothing escapes, or else a character
// that may begin an escape.
func leads(secret string) []string {
	if n := run(secret[:min(len(secret), maxLead)], 0, alnumBytes); n > 0 {
		return []string{secret[:n]}
	}
	anchors := []string{secret[:1]}
	for _, c := range []string{`\`, "%", "&", "+"} {
		if c != secret[:1] {
			anchors = append(anchors, c)
		}
	}
	return anchors
}

// matchEscaped reports whether a value stands at a place, plain or with any of its characters escaped as in JSON, at
// whatever depth, in a URL or in HTML; and where it ends.
func matchEscaped(text string, at int, value string) (end int, ok bool) {
	for _, escaped := range []string{"", "%", "&", "%&"} {
		// A value may itself hold what looks like an escape; otherwise the first tells.
		if escaped != "" && !strings.ContainsAny(value, escaped) {
			continue
		}
		if end, ok := matchSpelled(text, at, value, escaped); ok {
			return end, true
		}
	}
	return 0, false
}

// matchSpelled is matchEscaped where the characters of escaped always begin an escape. Others of a text do where the
// value does not have them.
func matchSpelled(text string, at int, value, escaped string) (end int, ok bool) {
	for value != "" {
		if at >= len(text) {
			return 0, false
		}
		c := text[at]
		if c == '\\' && value[0] == '\\' {
			wanted, there := countSlashes(value), countSlashes(text[at:min(len(text), at+maxEscape*len(value))])
			if there < wanted {
				return 0, false
			}
			at, value = at+there, value[wanted:]
			continue
		}
		if c == value[0] && strings.IndexByte(escaped, c) < 0 {
			at, value = at+1, value[1:]
			continue
		}
		decoded, size := unescapeOne(text[at:min(len(text), at+maxEscape)])
		if decoded == "" || !strings.HasPrefix(value, decoded) {
			return 0, false
		}
		at, value = at+size, value[len(decoded):]
	}
	return at, true
}

func countSlashes(text string) int { return len(text) - len(strings.TrimLeft(text, `\`)) }

// maxEscape bounds the length of what one character is escaped as: a surrogate pair, some levels down.
const maxEscape = 80

// entities of HTML, without the ampersand.
var entities = []struct{ name, char string }{
	{"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"quot;", `"`}, {"apos;", "'"}, {"#34;", `"`}, {"#39;", "'"}, {"#x27;", "'"}, {"#43;", "+"},
}

// unescapeOne returns the character that an escape at the beginning of a text stands for, and the length of the escape;
// "" when none stands there.
func unescapeOne(text string) (char string, size int) {
	switch text[0] {
	case '+':
		return " ", 1
	case '%':
		if n, err := strconv.ParseUint(text[1:min(3, len(text))], 16, 8); err == nil && len(text) >= 3 {
			return string([]byte{byte(n)}), 3
		}
	case '&':
		for _, e := range entities {
			if strings.HasPrefix(text[1:], e.name) {
				return e.char, 1 + len(e.name)
			}
		}
	case '\\':
		return unescapeSlash(text)
	}
	return "", 0
}

func unescapeSlash(text string) (char string, size int) {
	slashes := countSlashes(text)
	if slashes == len(text) {
		return "", 0
	}
	c := text[slashes]
	if c == 'u' {
		return unescapeUnicode(text, slashes)
	}
	if i := strings.IndexByte("nrtbf", c); i >= 0 {
		return "\n\r\t\b\f"[i : i+1], slashes + 1
	}
	if c > ' ' && c < utf8.RuneSelf && !alnumBytes[c] {
		return text[slashes : slashes+1], slashes + 1
	}
	return "", 0
}

// unescapeUnicode reads \u00e9, and the two of a surrogate pair.
func unescapeUnicode(text string, slashes int) (char string, size int) {
	unit := slashes + len("u0000")
	if len(text) < unit {
		return "", 0
	}
	n, err := strconv.ParseUint(text[slashes+1:unit], 16, 16)
	if err != nil {
		return "", 0
	}
	if !utf16.IsSurrogate(rune(n)) {
		return string(rune(n)), unit
	}
	if len(text) < 2*unit || text[unit:unit+slashes+1] != text[:slashes+1] {
		return "", 0
	}
	low, err := strconv.ParseUint(text[unit+slashes+1:2*unit], 16, 16)
	if err != nil {
		return "", 0
	}
	return string(utf16.DecodeRune(rune(n), rune(low))), 2 * unit
}

// minEncoded is the length of the shortest value that is searched for in Base64: what it becomes must not occur by chance.
const minEncoded = 8

// encoded has the search find a secret in Base64, as a whole or as a part of what was encoded: there are three ways to
// begin in a group of four characters. Characters at the ends that hold bits of something else are not searched for, and
// all of the Base64 around it is taken.
func (r *Rules) encoded(secret string) {
	if len(secret) < minEncoded {
		return
	}
	var needles []string
	for before := range 3 {
		bytes := append(make([]byte, before, before+len(secret)), secret...)
		from, to := (before*8+5)/6, len(bytes)*8/6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			needles = append(needles, encoding.EncodeToString(bytes)[from:to])
		}
	}
	slices.Sort(needles)
	for _, needle := range slices.Compact(needles) {
		r.add(probe{anchor: needle, rule: r.rule(envID), match: func(s *scan, at, body int) {
			start := at
			for start > 0 && at-start < enough && base64Bytes[s.text[start-1]] {
				start--
			}
			end := run(s.text[:min(len(s.text), body+enough)], body, base64Bytes)
			s.note(start, end, secret)
		}})
	}
}
