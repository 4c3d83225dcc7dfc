package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/thorough"
)

// encoder spells a text in another way. Where there is a choice, dice make it.
type encoder struct {
	name   string
	encode func(text string, dice *rand.Rand) string
}

// encoders are the spellings that docs/redaction.md lists. An encoder that escapes characters escapes all of them ("every") or some.
var encoders = []encoder{
	{"named entities", named},
	{"decimal entities, every", chars(always, func(c rune, _ *rand.Rand) string { return fmt.Sprintf("&#%d;", c) })},
	{"decimal entities", chars(some, func(c rune, dice *rand.Rand) string { return fmt.Sprintf("&#%0*d;", dice.IntN(9), c) })},
	{"hexadecimal entities", chars(some, func(c rune, dice *rand.Rand) string {
		return "&#" + anyCase(fmt.Sprintf("x%0*x;", dice.IntN(9), c), dice)
	})},
	{"query", func(text string, _ *rand.Rand) string { return url.QueryEscape(text) }},
	{"path", func(text string, _ *rand.Rand) string { return url.PathEscape(text) }},
	{"percent, every", eachByte(always, percent)},
	{"percent", eachByte(some, percent)},
	{"percent twice", func(text string, dice *rand.Rand) string {
		return strings.ReplaceAll(eachByte(some, percent)(text, dice), "%", "%25")
	}},
	{"JSON", func(text string, _ *rand.Rand) string { return jsonText(text) }},
	{"JSON twice", func(text string, _ *rand.Rand) string { return jsonText(jsonText(text)) }},
	{"JSON with slashes", func(text string, _ *rand.Rand) string { return strings.ReplaceAll(jsonText(text), "/", `\/`) }},
	{"unicode escapes, every", chars(always, unicodeEscape)},
	{"unicode escapes", chars(some, unicodeEscape)},
	{"unicode escapes in JSON", func(text string, dice *rand.Rand) string {
		return jsonText(chars(some, unicodeEscape)(text, dice))
	}},
	{`\xNN`, eachByte(some, func(c byte, dice *rand.Rand) string { return `\x` + anyCase(fmt.Sprintf("%02x", c), dice) })},
	{`\u{…}`, chars(some, func(c rune, dice *rand.Rand) string { return `\u{` + anyCase(fmt.Sprintf("%x", c), dice) + "}" })},
	{"Go", func(text string, _ *rand.Rand) string {
		quoted := fmt.Sprintf("%+q", text)
		return quoted[1 : len(quoted)-1]
	}},
	{"base64", encodedSearch(base64.StdEncoding)},
	{"base64 without padding", encodedSearch(base64.RawStdEncoding)},
	{"base64 for URLs", encodedSearch(base64.URLEncoding)},
	{"base64 for URLs without padding", encodedSearch(base64.RawURLEncoding)},
	{"base64 in lines", func(text string, dice *rand.Rand) string {
		return wrapped(encodedSearch(base64.StdEncoding)(text, dice), dice, "\n")
	}},
	{"base64 in CRLF lines", func(text string, dice *rand.Rand) string {
		return wrapped(encodedSearch(base64.StdEncoding)(text, dice), dice, "\r\n")
	}},
	{"base64 in lines in JSON", func(text string, dice *rand.Rand) string {
		return jsonText(wrapped(encodedSearch(base64.StdEncoding)(text, dice), dice, "\n"))
	}},
	{"base64 in lines in JSON in JSON", func(text string, dice *rand.Rand) string {
		return jsonText(jsonText(wrapped(encodedSearch(base64.StdEncoding)(text, dice), dice, "\r\n")))
	}},
	{"base64, percent-encoded", func(text string, dice *rand.Rand) string {
		return url.QueryEscape(encodedSearch(base64.StdEncoding)(text, dice))
	}},
	{"hexadecimal", func(text string, _ *rand.Rand) string { return hex.EncodeToString([]byte(text)) }},
	{"capital hexadecimal", func(text string, _ *rand.Rand) string { return strings.ToUpper(hex.EncodeToString([]byte(text))) }},
}

// chooser returns which characters an encoder escapes: those that it must, and some others.
type chooser func(dice *rand.Rand) func(rune) bool

func always(*rand.Rand) func(rune) bool { return func(rune) bool { return true } }

// some chooses what begins an escape, which each encoder must, and half of the others.
func some(dice *rand.Rand) func(rune) bool {
	seed := dice.Uint32()
	return func(c rune) bool { return strings.ContainsRune(`\%&`, c) || (seed^uint32(c)*2654435761)>>16%2 == 0 }
}

func percent(c byte, dice *rand.Rand) string { return "%" + anyCase(fmt.Sprintf("%02x", c), dice) }

// chars returns what escapes those characters of a text that are chosen.
func chars(choose chooser, escape func(rune, *rand.Rand) string) func(string, *rand.Rand) string {
	return func(text string, dice *rand.Rand) string {
		var b strings.Builder
		chosen := choose(dice)
		for _, c := range text {
			if chosen(c) {
				b.WriteString(escape(c, dice))
				continue
			}
			b.WriteRune(c)
		}
		return b.String()
	}
}

// eachByte is chars for bytes.
func eachByte(choose chooser, escape func(byte, *rand.Rand) string) func(string, *rand.Rand) string {
	return func(text string, dice *rand.Rand) string {
		var b strings.Builder
		chosen := choose(dice)
		for i := range len(text) {
			if text[i] >= 0x80 || chosen(rune(text[i])) {
				b.WriteString(escape(text[i], dice))
				continue
			}
			b.WriteByte(text[i])
		}
		return b.String()
	}
}

func named(text string, _ *rand.Rand) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;", "/", "&sol;", "+", "&plus;", "=", "&equals;",
		"%", "&percnt;", "_", "&lowbar;", "ü", "&uuml;").Replace(text)
}

func unicodeEscape(c rune, dice *rand.Rand) string {
	if high, low := utf16.EncodeRune(c); c > 0xffff {
		return unicodeEscape(high, dice) + unicodeEscape(low, dice)
	}
	return `\u` + anyCase(fmt.Sprintf("%04x", c), dice)
}

func anyCase(text string, dice *rand.Rand) string {
	if dice.IntN(2) == 0 {
		return strings.ToUpper(text)
	}
	return text
}

// encodedSearch encodes a text with something before and behind it, so that it begins anywhere in a group.
func encodedSearch(encoding *base64.Encoding) func(string, *rand.Rand) string {
	return func(text string, dice *rand.Rand) string {
		return encoding.EncodeToString([]byte("user:"[dice.IntN(6):] + text + "more"[dice.IntN(5):]))
	}
}

func wrapped(text string, dice *rand.Rand, lineBreak string) string {
	width := 1 + dice.IntN(76)
	var lines []string
	for ; len(text) > width; text = text[width:] {
		lines = append(lines, text[:width])
	}
	return strings.Join(append(lines, text), lineBreak)
}

var encodedValues = []string{
	"plainvalue99", `quo"te\and\nmore`, "line\nbreak\ttab", "a/b+c=d&e<f>g", "ünï→😀code", `\\server\share`, "%41%42&amp;%456-tail", "+49 30 123456", "'single' & \"double\"",
	"correct horse battery", "8letters", "Zm9vYmFyYmF6cXV4", "0123456789abcdef0123", "a_b-c_d-e/f+g=", `C:\new\table\x41`,
}

// Each spelling of a value, and each spelling of each spelling, is found whole.
func TestEncoders(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for v, value := range encodedValues {
		for i, inner := range encoders {
			checkEncoded(t, value, inner.name, inner.encode(value, dice))
			for j, outer := range encoders {
				if (v+i+j)%3 > 0 && !thorough.Asked() {
					continue // other values try it
				}
				checkEncoded(t, value, inner.name+" in "+outer.name, outer.encode(inner.encode(value, dice), dice))
			}
		}
	}
}

// checkEncoded checks that hardly anything of a spelling stays: at most what was encoded beside the value, "user:" and "more",
// and what its last line holds of padding.
func checkEncoded(t *testing.T, value, how, spelled string) {
	t.Helper()
	rules := rulesOf(t, redact.Config{Values: []string{value}})
	got := rules.File().Text("(" + spelled + ")")
	if left := outside(got) - len("()"); !strings.Contains(got, "[REDACTED:env:1]") || left > 24 && left > len(spelled)/2 {
		t.Errorf("%q as %s, %q: got %q", value, how, spelled, got)
	}
	if again := rules.File().Text(got); again != got {
		t.Errorf("%q as %s, %q: redacted again, %q becomes %q", value, how, spelled, got, again)
	}
}

// FuzzEncoders checks any value in at most two random spellings.
func FuzzEncoders(f *testing.F) {
	for i, value := range encodedValues {
		f.Add(value, uint64(i))
	}
	f.Fuzz(func(t *testing.T, value string, seed uint64) {
		value = strings.Map(func(c rune) rune {
			if c == utf8.RuneError || unicode.IsControl(c) && c != '\n' && c != '\t' {
				return -1
			}
			return c
		}, value)
		// Without what may be an escape of its own, the value must be long enough for Base64.
		value = strings.TrimSpace(value)
		if len(regexp.MustCompile(`[\\%&].{0,5}`).ReplaceAllString(value, "")) < 8 || len(value) > 1000 {
			t.Skip()
		}
		dice := rand.New(rand.NewPCG(seed, 3))
		spelled, how := value, ""
		for range dice.IntN(3) {
			e := encoders[dice.IntN(len(encoders))]
			spelled, how = e.encode(spelled, dice), how+", "+e.name
		}
		checkEncoded(t, value, how, spelled)
	})
}
