package redact

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// opensString reports whether a string opens at a place. In a string inside a string, backslashes precede the quote.
func opensString(text string, at int) bool {
	limit := min(len(text), at+maxExamined)
	for at < limit && text[at] == '\\' {
		at++
	}
	return at < limit && isQuote(text[at])
}

// stringSpan is the place of a string's content in a text, and the place after the string.
type stringSpan struct {
	start, end, next int
	level            int // 0 for a plain string, 1 for a string inside it, …
}

// readString reads the string that opens at a place. A quote inside a plain string follows an odd number of
// backslashes; one level deeper, every quote has one more backslash, and every backslash is doubled.
func readString(text string, at int) stringSpan {
	slashes := 0
	for text[at] == '\\' {
		at++
		slashes++
	}
	q := stringSpan{start: at + 1, end: len(text), next: len(text)}
	for level := slashes; level > 0; level /= 2 {
		q.level++
	}
	mark := text[at]
	for i := q.start; i < len(text); i++ {
		if text[i] == '\n' {
			q.end, q.next = i, i
			break
		}
		if text[i] != mark {
			continue
		}
		before := slashesBefore(text, q.start, i)
		if before <= slashes || (before-slashes)%(2*(slashes+1)) == 0 {
			q.end, q.next = i-min(before, slashes), i+1
			break
		}
	}
	return q
}

func slashesBefore(text string, start, at int) int {
	n := 0
	for at-n > start && text[at-n-1] == '\\' {
		n++
	}
	return n
}

// addString adds the content of the string at a place if it has at least the given number of bytes, and returns the string. After
// the name of a scheme ("Bearer …"), only the credential is secret, so that it is recognized elsewhere.
func (s *scan) addString(at, least int) stringSpan {
	q := readString(s.text, at)
	value := s.text[q.start:q.end]
	secret := afterScheme(value)
	if len(value) < least || isPlaceholder(secret) || isFiller(value) || isReference(secret) {
		return q
	}
	s.addAndSkip(q.end-len(secret), q.end, unescape(secret, q.level+1))
	return q
}

func (s *scan) addList(at int) {
	for {
		at = skipSpace(s.text, at, true)
		if at == len(s.text) || !opensString(s.text, at) {
			return
		}
		at = skipSpace(s.text, s.addString(at, 1).next, true)
		if at == len(s.text) || s.text[at] != ',' {
			return
		}
		at++
	}
}

func unescape(text string, times int) string {
	for ; times > 0 && strings.IndexByte(text, '\\') >= 0; times-- {
		plain, err := jsontext.AppendUnquote(nil, `"`+text+`"`)
		if err != nil {
			break
		}
		text = string(plain)
	}
	return text
}

// schemes are the names of authorization schemes that precede a credential.
var schemes = []string{"bearer", "basic", "token", "apikey", "api-key"}

func afterScheme(value string) string {
	for _, scheme := range schemes {
		if len(value) > len(scheme) && value[len(scheme)] == ' ' && strings.EqualFold(value[:len(scheme)], scheme) {
			if rest := strings.TrimLeft(value[len(scheme):], " "); rest != "" {
				return rest
			}
		}
	}
	return value
}

// addAssigned adds the value of KEY=value. If blanks surround the sign, the text may be code or prose, and its value
// must look like a secret.
func (s *scan) addAssigned(key namedKey, at int, spaced bool) {
	at, schemed := s.skipScheme(at)
	end := valueEnd(s.text, at)
	value := s.text[at:end]
	switch {
	case value == "" || isPlaceholder(value) || isFiller(value) || isReference(value) || isNumber(value):
	case spaced && !schemed && !looksSecret(value):
	case strings.EqualFold(value, key.name): // token=token
	case len(value) <= maxExamined && end < len(s.text) && (s.text[end] == '(' || s.text[end] == '['): // token=read(…)
	default:
		s.addAndSkip(at, end, value)
	}
}

// addStated adds the value of "key: value" in a header, in YAML or in prose. The value must look like a secret, or be
// the only word in the rest of the line.
func (s *scan) addStated(key namedKey, at int) {
	if hasSuffixFold(key.name, "cookie") || hasSuffixFold(key.name, "authorization") {
		if s.addHeader(at) {
			return
		}
	}
	at, schemed := s.skipScheme(at)
	end := valueEnd(s.text, at)
	value := s.text[at:end]
	switch {
	case value == "" || isPlaceholder(value) || isFiller(value) || isReference(value) || isPath(value) || isNumber(value):
	case looksSecret(value), endsLine(s.text, end) && (len(value) >= 8 || schemed):
		s.addAndSkip(at, end, value)
	}
}

// addHeader adds the rest of the line if it is the value of a cookie or authorization header. This covers pairs with equals
// signs, also after a scheme such as Digest, which is not followed by a single credential.
func (s *scan) addHeader(at int) bool {
	if _, schemed := s.skipScheme(at); schemed {
		return false
	}
	start := s.text[at:min(len(s.text), at+maxExamined)]
	sign := strings.IndexByte(start, '=')
	if sign < 0 || strings.Count(start[:sign], " ") > 1 || lineEnd(start, 0) < sign {
		return false
	}
	line := strings.TrimRight(s.text[at:lineEnd(s.text, at)], " ")
	s.addAndSkip(at, at+len(line), line)
	return true
}

func lineEnd(text string, at int) int {
	for at < len(text) && text[at] >= ' ' && strings.IndexByte("\"'`\\", text[at]) < 0 {
		at++
	}
	return at
}

func (s *scan) skipScheme(at int) (int, bool) {
	window := s.text[at:min(len(s.text), at+32)]
	if rest := afterScheme(window); rest != window {
		return at + len(window) - len(rest), true
	}
	return at, false
}

// valueEnds are the characters that end a value without quotes, besides blanks and control characters.
var valueEnds = bytesOf("\"'`,;&|<>(){}[]\\")

// valueEnd returns the end of the value without quotes that begins at a place. A placeholder may be a part of the value; a period
// at its end is not.
func valueEnd(text string, at int) int {
	end := at
	for end < len(text) && text[end] > ' ' {
		if after, _, ok := placeholderAt(text, end); ok {
			end = after
			continue
		}
		if valueEnds[text[end]] {
			break
		}
		end++
	}
	for end > at && strings.IndexByte(".:!?", text[end-1]) >= 0 {
		end--
	}
	return end
}

func endsLine(text string, at int) bool {
	return at == len(text) || strings.IndexByte("\r\n\\\"'`", text[at]) >= 0
}
