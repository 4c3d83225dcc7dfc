package redact

import "strings"

// maxExamined is the length in bytes of the part of a long text that decides whether the text is a secret.
const maxExamined = 256

// looksOpaque reports whether a text does not look like words: it has 8 characters or more with a digit among them, or 16
// letters and digits in a row. The prefixes alone are not enough: sk- begins words, and npm_ begins names of variables.
func looksOpaque(text string) bool {
	text = text[:min(len(text), maxExamined)]
	return len(text) >= 8 && hasDigit(text) || longestWord(text) >= 16
}

// prefixed returns a matcher that finds a prefix at the start of a word, and the characters of chars after it.
func prefixed(chars *charset) matcher {
	return func(s *scan, at, body int) {
		if !startsWord(s.text, at) || !looksOpaque(headOf(s.text, body, chars)) {
			return
		}
		end := endOfRun(s.text, body, chars)
		if chars == alnumBytes && end < len(s.text) && s.text[end] == '_' {
			s.skip(end) // npm_package1_version: the text continues as a name
			return
		}
		for end > body && (s.text[end-1] == '.' || s.text[end-1] == '-') {
			end--
		}
		s.addAndSkip(at, end, s.text[at:end])
	}
}

// headOf returns the characters of a set from a place on, but no more of them than a decision needs.
func headOf(text string, at int, set *charset) string {
	return text[at:endOfRun(text[:min(len(text), at+maxExamined)], at, set)]
}

// matchJWT finds three or more parts of Base64 with periods between them. The first part is the beginning of a JSON object. The
// last part can be empty: the token then has no signature.
func matchJWT(s *scan, at, _ int) {
	if !startsWord(s.text, at) {
		return
	}
	first := endOfRun(s.text, at, nameBytes)
	s.skip(first) // a text that begins further on in this part has no more parts than this text
	if first-at < 8 || first == len(s.text) || s.text[first] != '.' {
		return
	}
	second := endOfRun(s.text, first+1, nameBytes)
	if second-first < 5 || second == len(s.text) || s.text[second] != '.' {
		return
	}
	end := endOfRun(s.text, second+1, dottedBytes)
	for end > second+1 && s.text[end-1] == '.' {
		end--
	}
	if end == second+1 && !strings.HasPrefix(s.text[first+1:], "eyJ") {
		return // two parts at the end of a sentence
	}
	s.addAndSkip(at, end, s.text[at:end])
}

func matchBearer(s *scan, at, body int) {
	if !startsWord(s.text, at) {
		return
	}
	start := body
	for start < len(s.text) && start-body < 8 && strings.IndexByte(" \t+", s.text[start]) >= 0 {
		start++
	}
	if strings.HasPrefix(s.text[body:], "%20") {
		start += len("%20")
	}
	if start == body {
		return
	}
	credential := headOf(s.text, start, bearerBytes)
	if !looksSecret(credential) && !s.isAlone(at, start, credential) {
		return
	}
	end := endOfRun(s.text, start, bearerBytes)
	for end > start+1 && s.text[end-1] == '.' {
		end--
	}
	s.addAndSkip(start, end, s.text[start:end])
}

// isAlone reports whether "Bearer" and its credential are a whole text, or a whole string in a text. Such a credential may look
// like a word.
func (s *scan) isAlone(at, start int, credential string) bool {
	end := start + len(credential)
	isOpened := at == 0 || isQuote(s.text[at-1])
	isClosed := end == len(s.text) || isQuote(s.text[end]) || s.text[end] == '\\'
	return isOpened && isClosed && len(credential) >= 4 && !isFiller(credential)
}

// userinfoEnds are the characters that user information cannot hold. Some programs write a backslash before a slash in JSON.
const userinfoEnds = "/?#\\\"'`<> \t\r\n"

// maxUserinfo is the greatest length of the text that is read between :// and @.
const maxUserinfo = 1024

// matchUserinfo finds the text before the @ of a URL. The whole text is one secret, because the user's name can be the
// token.
func matchUserinfo(s *scan, at, _ int) {
	start, ok := afterSlashes(s.text, at+1)
	if !ok {
		return
	}
	rest := s.text[start:min(len(s.text), start+maxUserinfo)]
	if stop := strings.IndexAny(rest, userinfoEnds); stop >= 0 {
		rest = rest[:stop]
	}
	info := rest[:max(0, strings.LastIndexByte(rest, '@'))]
	if info == "" || info == "git" || isPlaceholder(info) || isReference(info) {
		return
	}
	s.addAndSkip(start, start+len(info), info)
}

func afterSlashes(text string, at int) (int, bool) {
	for range 2 {
		for skipped := 0; at < len(text) && text[at] == '\\' && skipped < 8; skipped++ {
			at++
		}
		if at == len(text) || text[at] != '/' {
			return 0, false
		}
		at++
	}
	return at, true
}
