package gates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/judge"
)

// Shorter texts and numbers are not compared, because they can be equal by chance.
const (
	leastCharacters = 3
	leastDigits     = 4
)

// supply holds the values that results contain.
type supply struct {
	work    *judge.Work
	leaves  map[string]bool // set of texts, and of numbers as they are written
	all     []string        // the elements of leaves
	size    int             // size of all leaves, in bytes
	numbers map[string]bool // numbers, by value
	cut     []int           // the calls whose result was cut in the recording
}

func newSupply(work *judge.Work) *supply {
	return &supply{work: work, leaves: map[string]bool{}, numbers: map[string]bool{}}
}

// cutMarks are the marks that programs leave where they cut a text. The marks in cutEnds count only at the end of a text.
var (
	cutMarks = []string{"…[+", "[truncated", "(truncated", "<truncated"}
	cutEnds  = []string{"…", "..."}
)

func isCut(result string) bool {
	end := strings.TrimRight(result, " \t\r\n\"'])}")
	return slices.ContainsFunc(cutMarks, func(mark string) bool { return strings.Contains(result, mark) }) ||
		slices.ContainsFunc(cutEnds, func(mark string) bool { return strings.HasSuffix(end, mark) })
}

// addResult adds the values in the result of a call; if path is not nil, it adds only the values to which path leads. call is the
// number of the call, counted from 1.
func (s *supply) addResult(result string, path *judge.ArgPath, call int) {
	if isCut(result) {
		s.cut = append(s.cut, call)
	}
	for _, document := range documentsOf(result) {
		values := []any{document}
		if path != nil {
			values = path.All(document)
		}
		for _, value := range values {
			everyLeaf(value, s.addLeaf)
		}
	}
}

func (s *supply) addLeaf(leaf any) {
	text, ok := recognisable(leaf)
	if !ok || s.leaves[text] {
		return
	}
	if number, isNumber := leaf.(json.Number); isNumber {
		s.numbers[judge.CanonicalJSON(jsontext.Value(number))] = true
	}
	s.leaves[text] = true
	s.all, s.size = append(s.all, text), s.size+len(text)
}

// recognisable returns the text of a leaf that is a text or a number, and whether the text is long enough to be recognised.
func recognisable(leaf any) (text string, ok bool) {
	switch v := leaf.(type) {
	case string:
		return v, utf8.RuneCountInString(v) >= leastCharacters
	case json.Number:
		digits := 0
		for _, r := range v.String() {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		return v.String(), digits >= leastDigits
	}
	return "", false
}

// missingValue returns the first value in an argument that no result supplies, as JSON; "" if there is none. In a list or an
// object, it skips values that cannot be recognised. If no other value is left, it returns the whole list or object.
func (s *supply) missingValue(value any) string {
	missing, compared := "", 0
	everyLeaf(value, func(leaf any) {
		if _, ok := recognisable(leaf); !ok && leaf != value {
			return
		}
		compared++
		if missing == "" && !s.supplies(leaf) {
			missing = judge.CompactJSON(leaf)
		}
	})
	if compared == 0 {
		return judge.CompactJSON(value)
	}
	return missing
}

// supplies reports whether a leaf of the results equals the value, or one of the two contains the other as a whole word.
func (s *supply) supplies(value any) bool {
	if number, ok := value.(json.Number); ok && s.numbers[judge.CanonicalJSON(jsontext.Value(number))] {
		return true
	}
	text, isLong := recognisable(value)
	if s.leaves[text] && isLong {
		return true
	}
	if !s.work.Spend(s.size + len(s.all)*len(text)) {
		return false
	}
	_, isText := value.(string)
	return slices.ContainsFunc(s.all, func(leaf string) bool {
		return isText && holdsWord(text, leaf) || isLong && holdsWord(leaf, text)
	})
}

// isWord reports whether a character can be part of a word.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// holdsWord reports whether a text contains a word that is not part of a longer word.
func holdsWord(text, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		start := from + at
		// At an end of the text, the rune is utf8.RuneError, which is not part of a word.
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[start+len(word):])
		continuesBefore, continuesAfter := isWord(before) && isWord(first), isWord(last) && isWord(after)
		if !continuesBefore && !continuesAfter {
			return true
		}
		from = start + 1
	}
}

func (s *supply) cutNote() string {
	switch len(s.cut) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" (the recording cut the result of call %d)", s.cut[0])
	}
	return fmt.Sprintf(" (the recording cut the results of %d calls, the first call %d)", len(s.cut), s.cut[0])
}

// documentsOf returns the values in a result. If the result is an object of the protocol, the values are its structured content and
// its texts. Otherwise the only value is the result itself, decoded if it is JSON.
func documentsOf(result string) []any {
	value := decoded(result)
	object, _ := value.(map[string]any)
	structured, hasStructured := object["structuredContent"]
	content, hasContent := object["content"].([]any)
	if !hasStructured && !hasContent {
		return []any{value}
	}
	var documents []any
	if structured != nil {
		documents = append(documents, structured)
	}
	for _, block := range content {
		part, _ := block.(map[string]any)
		if text, ok := part["text"].(string); ok {
			documents = append(documents, decoded(text))
		}
	}
	return documents
}

func decoded(text string) any {
	if jsonread.Valid([]byte(text)) {
		if value, ok := judge.DecodeJSON(jsontext.Value(text)); ok {
			return value
		}
	}
	return text
}
