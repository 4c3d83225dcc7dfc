package english

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Claim is a statement that the author of a text has done something.
type Claim struct {
	Verb   string // the verb in its base form
	Clause Span   // from the first word of its clause to the end of the sentence
	Object Span   // the words that name the object of the action: after the verb, or before it in the passive
}

// ClaimVerbs are the verbs of claims.
type ClaimVerbs struct{ forms map[string]verbForm }

// NewClaimVerbs returns the claim verbs for verbs in their base form.
func NewClaimVerbs(verbs []string) ClaimVerbs { return ClaimVerbs{formsOf(verbs)} }

// Claims finds the statements in a text that its author has done what one of the verbs means. A claim is in the past or the
// perfect, and either active with I or we as its subject, or passive. A clause is not a claim if it is negated, in the future,
// conditional, a question or about someone else. A participle before a noun is not a claim, nor is text in quotes or code.
//
// Claims reads the first 64 KB of the text.
func (v ClaimVerbs) Claims(text string) []Claim {
	end := min(len(text), maxClaimText)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	text = text[:end]
	var claims []Claim
	for _, s := range sentencesOf(text) {
		claims = append(claims, s.claims(v.forms)...)
	}
	return claims
}

// maxClaimText is the greatest length in bytes of the text that is read: an answer can be as long as a recording, and
// the meaning of each word depends on the words near it.
const maxClaimText = 64 << 10

// verbForm is a form of a verb in the past.
type verbForm struct {
	verb             string
	past, participle bool
}

func formsOf(verbs []string) map[string]verbForm {
	forms := map[string]verbForm{}
	for _, verb := range verbs {
		past, participles := PastForms(strings.ToLower(verb))
		for _, form := range slices.Concat(past, participles) {
			forms[form] = verbForm{verb: verb, past: slices.Contains(past, form), participle: slices.Contains(participles, form)}
		}
	}
	return forms
}

// irregularForms returns the forms of the irregular verbs in verbs, by base form. They are computed at the first call.
var irregularForms = sync.OnceValue(func() map[string][]string {
	forms := map[string][]string{}
	for entry := range strings.FieldsSeq(verbs) {
		if base, list, irregular := strings.Cut(entry, "/"); irregular {
			forms[strings.TrimRight(base, "*+")] = strings.Split(list, "/")
		}
	}
	return forms
})

// PastForms returns the forms of a verb in the simple past, and its past participles: wrote and written.
func PastForms(verb string) (past, participles []string) {
	if list := irregularForms()[verb]; list != nil {
		return list[:1], list[len(list)-1:]
	}
	if len(verb) < 2 {
		return nil, nil
	}
	return pasts(verb), pasts(verb)
}

// sentence is a sentence of a text, in tokens.
type sentence struct {
	tokens   []token
	end      int // offset of the end in the text
	question bool
}

// token is a word, or a mark such as a comma.
type token struct {
	word string // the word in lower case; "" for quotes and code
	at   Span   // place in the text
	mark bool
}

// maxTokens bounds the number of tokens of a sentence, because each verb is compared with the words before it. A longer sentence is
// cut.
const maxTokens = 200

// sentencesOf splits a text into sentences. The lines of a list and the cells of a table are sentences of their own.
func sentencesOf(text string) []sentence {
	masked := mask(text)
	var all []sentence
	var s sentence
	flush := func(end int, question bool) {
		if len(s.tokens) > 0 {
			s.end, s.question = end, question
			all = append(all, s)
		}
		s = sentence{}
	}
	for at := 0; at < len(masked); {
		r, size := utf8.DecodeRuneInString(masked[at:])
		switch {
		case isTokenRune(r):
			end := tokenEnd(masked, at)
			s.tokens = append(s.tokens, token{word: spelled(masked[at:end]), at: Span{at, end}})
			if at = end; len(s.tokens) == maxTokens {
				flush(at, false)
			}
			continue
		case r == '\n' || r == '|' || endsSentenceAt(masked, at, r):
			flush(at, r == '?')
		case strings.ContainsRune(",:;()—–", r):
			s.tokens = append(s.tokens, token{word: string(r), at: Span{at, at + size}, mark: true})
		}
		at += size
	}
	flush(len(masked), false)
	return all
}

// endsSentenceAt reports whether a full stop or similar mark ends a sentence: those in 1.5 or report.pdf do not.
func endsSentenceAt(text string, at int, r rune) bool {
	if r != '.' && r != '!' && r != '?' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[at+1:])
	return !isTokenRune(next)
}

// isTokenRune reports whether r is a part of a token. A masked quotation is a token, too.
func isTokenRune(r rune) bool {
	return isWordRune(r) || r == maskByte || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// tokenEnd returns the end of the token that begins at start. Apostrophes, hyphens and full stops inside a token belong
// to it.
func tokenEnd(text string, start int) int {
	end := start
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isTokenRune(r) {
			next, _ := utf8.DecodeRuneInString(text[end+size:])
			if !strings.ContainsRune("'’-./", r) || !isTokenRune(next) {
				break
			}
		}
		end += size
	}
	return end
}

// maskByte replaces each byte of a quotation or of code. mask first removes it from the text, so it has no other
// meaning.
const maskByte = 0x1a

// spelled returns a token in the form for comparisons: in lower case, with straight apostrophes; "" if it is masked.
func spelled(word string) string {
	if strings.IndexByte(word, maskByte) >= 0 {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// mask returns a text of the same length without words in quotes and code, and without Markdown's stars.
func mask(text string) string {
	out := []byte(text)
	for i, b := range out {
		if b == '*' || b == maskByte {
			out[i] = ' '
		}
	}
	quoted := quoteFinder{text: text}
	for at := 0; at < len(out); {
		end := quoted.end(at)
		if end < 0 {
			at++
			continue
		}
		for ; at < end; at++ {
			if out[at] != '\n' {
				out[at] = maskByte
			}
		}
	}
	return string(out)
}

// quoteMarks are the marks around quotes and code.
var quoteMarks = [...]struct{ open, close string }{{"```", "```"}, {"`", "`"}, {"\"", "\""}, {"“", "”"}, {"«", "»"}}

// quoteFinder finds quotes and code in a text, from its beginning on.
type quoteFinder struct {
	text string
	open [len(quoteMarks)]int // by kind of mark: no opening mark before this offset is closed, so that no line is searched twice
}

// end returns the end of the quote or code that begins at a place; below 0 if none begins there. Only a block of code
// may span several lines; a block that is never closed extends to the end.
func (q *quoteFinder) end(at int) int {
	for kind, marks := range quoteMarks {
		inner, ok := strings.CutPrefix(q.text[at:], marks.open)
		if !ok {
			continue
		}
		if at < q.open[kind] {
			return -1
		}
		start, block := at+len(marks.open), kind == 0
		if n := strings.IndexByte(inner, '\n'); n >= 0 && !block {
			inner = inner[:n]
		}
		n := strings.Index(inner, marks.close)
		switch {
		case n >= 0:
			return start + n + len(marks.close)
		case block:
			return len(q.text)
		}
		q.open[kind] = start + len(inner)
		return -1
	}
	return -1
}

// Quoted calls found with each quote and piece of code in a text, and returns the text without them.
func Quoted(text string, found func(quoted string)) string {
	var rest strings.Builder
	quoted := quoteFinder{text: text}
	for at := 0; at < len(text); {
		end := quoted.end(at)
		if end < 0 {
			rest.WriteByte(text[at])
			at++
			continue
		}
		if inner := strings.Trim(text[at:end], "`\"“”«»"); inner != "" {
			found(inner)
		}
		rest.WriteByte(' ')
		at = end
	}
	return rest.String()
}
