package redact

import "strings"

// namedKey is the name of a key in a text, and whether the name is quoted.
type namedKey struct {
	name   string
	quoted bool
}

// matchKey finds the value of a key with the name of a secret: after = or :, or after a flag.
func matchKey(s *scan, at, body int) {
	if s.keyless {
		return
	}
	if s.text[at] == '-' {
		s.matchFlag(at, body)
		return
	}
	key, ok := s.keyBefore(at)
	if !ok {
		return
	}
	arrow := s.text[at] == '=' && strings.HasPrefix(s.text[body:], ">")
	if arrow {
		body++
	}
	i := skipSpace(s.text, body, key.quoted)
	switch {
	case i == len(s.text):
	case opensString(s.text, i):
		s.addString(i, minStringLength(key.quoted || s.text[at] == '='))
	case arrow:
	case key.quoted && s.text[i] == '[':
		s.addList(i + 1)
	case key.quoted: // the value is a number, null or an object
	case s.text[at] == '=':
		s.addAssigned(key, i, i > body || s.text[at-1] == ' ')
	default:
		s.addStated(key, i)
	}
}

// minStringLength returns the length of the shortest string that counts as a value. In prose, the text after a colon can
// belong to a parser's complaint: unexpected token: "}".
func minStringLength(certain bool) int {
	if certain {
		return 1
	}
	return 4
}

// keyBefore returns the key before an equals sign or a colon, if its name is that of a secret.
func (s *scan) keyBefore(at int) (namedKey, bool) {
	end := at
	for end > 0 && at-end < 8 && (s.text[end-1] == ' ' || s.text[end-1] == '\t' || s.text[end-1] == ':') {
		end--
	}
	var key namedKey
	if end > 0 && isQuote(s.text[end-1]) {
		key.quoted = true
		end--
		for end > 0 && at-end < maxExamined && s.text[end-1] == '\\' {
			end--
		}
	}
	if !s.rules.mayEndSecret(s.text, end) || !isSeparator(s.text, at) {
		return namedKey{}, false
	}
	key.name = s.text[nameStart(s.text, end):end]
	return key, s.rules.isSecretName(key.name)
}

// isSeparator reports whether an = or : separates a key from a value, and is not part of ==, !=, ::, :// or += .
func isSeparator(text string, at int) bool {
	before, after := byte(' '), byte(' ')
	if at > 0 {
		before = text[at-1]
	}
	if at+1 < len(text) {
		after = text[at+1]
	}
	if text[at] == ':' {
		return before != ':' && strings.IndexByte(":/=", after) < 0
	}
	return strings.IndexByte("=!<>+-*|&~", before) < 0 && after != '='
}

// nameStart returns the start of the name that ends at a place. A name may have a blank before its last part "key": "API key".
func nameStart(text string, end int) int {
	first := max(0, end-maxName)
	start := end
	for start > first && nameBytes[text[start-1]] {
		start--
	}
	if strings.EqualFold(text[start:end], "key") && start > first && text[start-1] == ' ' {
		start--
		for start > first && nameBytes[text[start-1]] {
			start--
		}
	}
	return start
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// skipSpace returns the end of the blanks at a place. Line ends count as blanks if the key is quoted.
func skipSpace(text string, at int, quoted bool) int {
	limit := min(len(text), at+maxExamined)
	for at < limit {
		switch c := text[at]; {
		case c == ' ' || c == '\t':
		case quoted && (c == '\n' || c == '\r'):
		default:
			return at
		}
		at++
	}
	return at
}

// matchFlag finds the argument of a flag such as --api-key, after a blank or as the next string of a list.
func (s *scan) matchFlag(at, body int) {
	if at > 0 && s.text[at-1] == '-' || !startsWord(s.text, at) {
		return
	}
	end := endOfRun(s.text[:min(len(s.text), body+maxName)], body, nameBytes)
	if end == body || end == len(s.text) || !s.rules.isSecretName(s.text[body:end]) {
		return
	}
	if s.text[end] == ' ' {
		s.addArgument(end + 1)
		return
	}
	if i, ok := nextString(s.text, end); ok {
		s.addString(i, 1)
	}
}

// nextString returns the start of the next string of a list, after a comma. The string before it ends at the given place.
func nextString(text string, at int) (int, bool) {
	limit := min(len(text), at+maxExamined)
	for at < limit && text[at] == '\\' {
		at++
	}
	if at == limit || !isQuote(text[at]) {
		return 0, false
	}
	at = skipSpace(text, at+1, false)
	if at >= limit || text[at] != ',' {
		return 0, false
	}
	for at++; at < limit && strings.IndexByte(" \t\r\n", text[at]) >= 0; at++ {
	}
	return at, opensString(text, at)
}

func (s *scan) addArgument(at int) {
	if opensString(s.text, at) {
		s.addString(at, 1)
		return
	}
	end := valueEnd(s.text, at)
	if value := s.text[at:end]; looksSecret(value) && !isReference(value) && value[0] != '-' {
		s.addAndSkip(at, end, value)
	}
}
