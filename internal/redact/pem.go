package redact

import "strings"

const dashes = "-----"

var (
	// labelBytes are those of "RSA PRIVATE KEY".
	labelBytes = bytesOf(capitals + numerals + " ")
	// pemBytes are those of a block: "Proc-Type: 4,ENCRYPTED" stands in old keys.
	pemBytes = bytesOf(lowers + capitals + numerals + "+/=:,-. \t\r\n\\")
)

// matchPEM finds a block from its first line to its last. Of one that is cut off, it takes the lines of Base64.
func matchPEM(s *scan, at, body int) {
	label := run(s.text, body, labelBytes)
	s.skip(label)
	if label == body || !strings.HasPrefix(s.text[label:], dashes) {
		return
	}
	first := label + len(dashes)
	end := first
	for end < len(s.text) && pemBytes[s.text[end]] && !(s.text[end] == '-' && strings.HasPrefix(s.text[end:], dashes)) {
		end++
	}
	s.skip(end)
	last, closed := pemEnd(s.text, end)
	if !closed {
		last = base64Lines(s.text[:end], first)
	}
	content := plainPEM(s.text[first:min(end, last)])
	if longestWord(content) == 0 {
		return
	}
	s.add(at, last, content)
}

// pemEnd returns where the last line ends that begins at a place, and whether one does.
func pemEnd(text string, at int) (int, bool) {
	const begin = dashes + "END "
	if !strings.HasPrefix(text[at:], begin) {
		return 0, false
	}
	label := run(text, at+len(begin), labelBytes)
	return label + len(dashes), strings.HasPrefix(text[label:], dashes)
}

// leastLine is the length of the shortest line of Base64 that is taken for one where a block has no end.
const leastLine = 16

// base64Lines returns the end of the last line of Base64 of those that follow a place.
func base64Lines(text string, at int) int {
	end := at
	for {
		start := skipBreaks(text, at)
		at = run(text, start, base64Bytes)
		if at-start < leastLine {
			return end
		}
		end = at
	}
}

// skipBreaks returns the end of the white space at a place, escaped or not.
func skipBreaks(text string, at int) int {
	for at < len(text) {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\':
			at++
		case (c == 'n' || c == 'r' || c == 't') && text[at-1] == '\\':
			at++
		default:
			return at
		}
	}
	return at
}

var pemBreaks = strings.NewReplacer(`\n`, "", `\r`, "", `\t`, "", `\`, "", "\n", "", "\r", "", "\t", "", " ", "")

// plainPEM returns what a block holds without the breaks of its lines, however they are written.
func plainPEM(body string) string { return pemBreaks.Replace(body) }
