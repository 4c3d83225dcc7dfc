package redact

import "strings"

const (
	dashes   = "-----"
	pemBegin = dashes + "BEGIN "
)

var (
	// labelBytes are the characters of "RSA PRIVATE KEY".
	labelBytes = bytesOf(capitals + numerals + " ")
	// pemBytes are the characters of a block; old keys hold lines such as "Proc-Type: 4,ENCRYPTED".
	pemBytes = bytesOf(lowers + capitals + numerals + "+/=:,-. \t\r\n\\")
)

// matchPEM finds a block from its first line to its last. If the last line is missing, the block ends with the lines of
// Base64.
func matchPEM(s *scan, at, body int) {
	if !strings.HasPrefix(s.text[at:], pemBegin) {
		matchPEMEnd(s, at)
		return
	}
	label := endOfRun(s.text, body, labelBytes)
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
	s.addAndSkip(at, last, content)
}

// matchPEMEnd finds the end of a block whose beginning is missing, with the lines of Base64 before it.
func matchPEMEnd(s *scan, at int) {
	from := s.skippedTo[s.rule.order] // no text is read twice
	last, closed := pemEnd(s.text, at)
	s.skip(last)
	if !closed {
		return
	}
	start, isLong := at, false
	for {
		line := lineBefore(s.text, from, start)
		isLine := len(s.text[line:start]) >= minLine
		if line == start || !isLine && start != at { // a short line must be the last one
			break
		}
		start, isLong = line, isLong || isLine
	}
	if isLong {
		s.addAndSkip(start, last, plainPEM(s.text[start:at]))
	}
}

// lineBefore returns the start of the run of Base64 that ends before a place, perhaps with white space after the run. It does not
// look at the text before from.
func lineBefore(text string, from, at int) int {
	end := at
	for end > from {
		switch {
		case strings.IndexByte(" \t\r\n\\", text[end-1]) >= 0:
			end--
			continue
		case end-2 >= from && text[end-2] == '\\' && strings.IndexByte("nrt", text[end-1]) >= 0:
			end -= 2
			continue
		}
		break
	}
	line := end
	for line > from && base64Bytes[text[line-1]] {
		line--
	}
	if line > from && line < end && text[line-1] == '\\' {
		line++ // the letter ends an escape
	}
	if line == end {
		return at
	}
	return line
}

func pemEnd(text string, at int) (int, bool) {
	const begin = dashes + "END "
	if !strings.HasPrefix(text[at:], begin) {
		return 0, false
	}
	label := endOfRun(text, at+len(begin), labelBytes)
	return label + len(dashes), strings.HasPrefix(text[label:], dashes)
}

// minLine is the length of the shortest text that counts as a line of Base64 if a part of the block is missing.
const minLine = 16

// base64Lines returns the end of the lines of Base64 that follow a place.
func base64Lines(text string, at int) int {
	end := at
	for {
		start := skipBreaks(text, at)
		at = endOfRun(text, start, base64Bytes)
		if at-start < minLine {
			return end
		}
		end = at
	}
}

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

// plainPEM returns the content of a block without line breaks, however they are written.
func plainPEM(body string) string { return pemBreaks.Replace(body) }
