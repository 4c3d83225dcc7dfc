package lint

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/lint/english"
)

// Limits of DESC-001 and DESC-002 in characters.
const (
	shortest = 20
	longest  = 500
)

var tooShort = &Rule{
	ID: "DESC-001", Severity: Critical, Smell: Underspecified, Reads: Texts,
	Title: "the description is missing or under 20 characters",
	Why: `Without a description, or with one that says too little, an agent chooses a tool by its name, or not at all. In DESC-001, DESC-002 and DESC-008, a Chinese,
Japanese or Korean character counts as two.`,
	Bad:    `{"name": "get_weather", "description": "Weather"}`,
	Good:   `{"name": "get_weather", "description": "Gets the weather of a city. Returns degrees and wind as JSON."}`,
	Source: "mcptest, description quality; Hasan et al., arXiv:2602.14878",
	Fix:    "write what each tool does, what it works on, and what it returns",
	Scored: true,
	Trial:  Trial{Found: 51, Judged: 51, Right: 51},
	Check: func(v *View, report Report) {
		switch {
		case v.Chars == 0:
			report(Note{Message: "has no description", Suggestion: describeAdvice(v)})
		case v.Width < shortest:
			report(Note{
				Message: fmt.Sprintf("the description %s has %s, at least %d are expected",
					quoted(v.Text), characters(v.Text), shortest),
				Suggestion: describeAdvice(v),
			})
		}
	},
}

func describeAdvice(v *View) string {
	start := capitalized(strings.Join(english.NameWords(v.Tool.Name), " "))
	return "say what it does, to what, and what comes back: " +
		JSONText(Shortened(strings.TrimSpace(start+" …"))+" for …. Returns … as ….")
}

var tooLong = &Rule{
	ID: "DESC-002", Severity: Warning, Smell: Verbose, Reads: Texts,
	Title: "the description is over 500 characters",
	Why: `Every description is read, and paid for, in every conversation. Types, enums and limits belong in the input schema, which
enforces them.`,
	Bad: `{"name": "find_order", "description": "Finds an order by its number of eight digits. Returns JSON with ` +
		"number,status,currency,created_at,updated_at,shipped_at,delivered_at,cancelled_at,customer.id,customer.name," +
		"customer.email,customer.phone,customer.language,billing.street,billing.city,billing.postal_code,billing.country," +
		"shipping.street,shipping.city,shipping.postal_code,shipping.country,items[].sku,items[].name,items[].quantity," +
		"items[].unit_price,items[].discount,items[].tax,payment.method,payment.status,payment.reference,refunds[].amount," +
		`refunds[].reason"}`,
	Good: `{"name": "find_order", "description": "Finds an order by its number and returns it as JSON.",
  "inputSchema": {"type": "object", "properties": {"number": {"type": "string", "pattern": "^[0-9]{8}$"}}}}`,
	Source: "mcptest, description quality; Hasan et al., arXiv:2602.14878",
	Fix:    "keep the purpose, the choice of the tool and the result; move the rest to the arguments and the schema",
	Scored: true,
	Trial:  Trial{Found: 123, Judged: 100, Right: 76},
	Check: func(v *View, report Report) {
		if v.Width > longest {
			report(Note{
				Message:    fmt.Sprintf("the description %s has %s, at most %d are expected", quoted(v.Text), characters(v.Text), longest),
				Suggestion: shortenAdvice(v.Text),
			})
		}
	},
}

func shortenAdvice(text string) string {
	const advice = "move what is about one argument into its description, and what a type, enum or limit can say into the schema"
	end := lastSentence(text, longest)
	if end == 0 {
		return advice
	}
	kept := strings.TrimSpace(text[:end])
	words := strings.Fields(kept)
	tail := strings.Join(words[max(0, len(words)-5):], " ")
	return fmt.Sprintf("end after %s (%s), and %s", quoted("… "+tail), characters(kept), advice)
}

// lastSentence returns the end of the last sentence or line within the first limit characters of text, or 0.
func lastSentence(text string, limit int) int {
	end, chars := 0, 0
	previous := ' '
	for i, r := range text {
		if unicode.IsSpace(r) && (strings.ContainsRune(".!?。", previous) || r == '\n') {
			end = i
		}
		if chars += runeWidth(r); chars > limit {
			break
		}
		previous = r
	}
	return end
}

var repeatsName = &Rule{
	ID: "DESC-003", Severity: Critical, Smell: Uninformative, Reads: Texts,
	Title: "the description merely repeats the name",
	Why: `An agent already knows the name. The comparison ignores letter case, white space, the characters _ - . / and camelCase
boundaries: "Get weather." repeats get_weather and getWeather.`,
	Bad:    `{"name": "get_weather_forecast", "description": "Get weather forecast."}`,
	Good:   `{"name": "get_weather_forecast", "description": "Gets the weather of the next five days for a city, as JSON."}`,
	Source: "mcptest, description quality",
	Fix:    "add to the name: what the tool works on, its limits, and what it returns",
	Scored: true,
	Trial:  Trial{Found: 2, Judged: 2, Right: 2},
	Check: func(v *View, report Report) {
		if v.repeatsName() {
			report(Note{
				Message:    fmt.Sprintf("the description %s says no more than the name", quoted(v.Text)),
				Suggestion: describeAdvice(v),
			})
		}
	},
}

// repeatsName reports whether the description equals the name, apart from case, separators, white space and periods. An
// empty description does not.
func (v *View) repeatsName() bool {
	if v.Text == "" {
		return false
	}
	text, name := v.Text, v.Tool.Name
	for {
		a, afterA := nextBare(text)
		b, afterB := nextBare(name)
		if a == "" || b == "" || !strings.EqualFold(a, b) {
			return a == b
		}
		text, name = afterA, afterB
	}
}

// nextBare returns the first character of s that DESC-003 does not ignore, "" at the end, and the text after it.
func nextBare(s string) (char, after string) {
	for i, r := range s {
		if !strings.ContainsRune("_-./", r) && !unicode.IsSpace(r) {
			_, size := utf8.DecodeRuneInString(s[i:])
			return s[i : i+size], s[i+size:]
		}
	}
	return "", ""
}

var noVerb = &Rule{
	ID: "DESC-004", Severity: Warning, Smell: Uninformative, Reads: Texts,
	Title: "no common verb says what the tool does",
	Why: `Without a verb, "order details" may be read, written or checked. Any form of a verb counts, anywhere in the description, except
be, have, do and modal verbs. A word that is also a common noun ("order", "tag") counts only at the beginning of a sentence or
after words such as "to". A verb with one wrong letter counts only as the first word. The rule skips descriptions that DESC-001
or DESC-003 reports, and languages other than English.`,
	Bad:         `{"name": "order_details", "description": "The items of an order and its customer."}`,
	Good:        `{"name": "order_details", "description": "Retrieves an order with its items and its customer."}`,
	Source:      "mcptest, description quality",
	Fix:         "begin every description with a verb",
	Recommended: true,
	Trial:       Trial{Found: 17, Judged: 17, Right: 17},
	Check: func(v *View, report Report) {
		hasOtherFinding := v.Width < shortest || v.repeatsName()
		if hasOtherFinding || english.HasVerb(v.Text) || english.IsForeign(v.Text) || english.BeginsMisspelt(v.Text) {
			return
		}
		report(Note{
			Message:    "the description " + quoted(v.Text) + " has no common verb",
			Suggestion: `begin with what the tool does, such as "Returns …", "Searches …", "Creates …" or "Deletes …"`,
		})
	},
}
