// Package redact takes secrets out of everything that is written: cassettes, reports, comments and log lines.
//
// [Rules] define what a secret is: known values ([Config.Values]), values under keys with the name of a secret, the
// user's patterns, and the shapes of [All]. A [Redactor] replaces secrets in one output file by placeholders such as
// [REDACTED:github:2]. The number stands for the secret: the same secret has the same placeholder throughout the file,
// whichever rule found it, and numbers count secrets in the order of their first occurrence. A hash would be the same
// in all files, but a weak secret can be guessed from its hash.
//
// Text is searched once, byte by byte. It is compared with a rule only at an anchor of the rule, such as a prefix or an equals
// sign. The work is linear in the length of the text, for every text. Redacting twice changes nothing.
//
// To add a shape: a row in All with a function that looks at one place, examples in examples_test.go, and
// go test ./internal/redact -update for the table in docs/redaction.md.
package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Config defines the secrets besides the shapes of [All]. Its empty texts are ignored.
type Config struct {
	// Values are secrets themselves, such as values of environment variables. Values of less than MinValue bytes are
	// ignored: they would be found in words and numbers everywhere.
	Values []string

	// Keys are additional names of keys whose values are secret. They are compared like the built-in names: pin stands for
	// "pin", "PIN" and "card-pin", but not for "shipping".
	Keys []string

	// Patterns are regular expressions (RE2) that find secrets. If a pattern has groups, the secret is the first group
	// that matched.
	Patterns []string

	// Allow lists texts that are never secret, and names of keys whose values are not secret.
	Allow []string
}

// MinValue is the length in bytes of the shortest value that is searched for.
const MinValue = 4

// Rules define what a secret is. They may be used by several goroutines. Nil rules are the shapes and keys of [All] alone.
type Rules struct {
	dispatch
	known       *Rules // the rules that search for values in layers; nil if no values are known
	coded       encodedSearch
	pieces      []piece
	keys        []string // normal names
	patterns    []*regexp.Regexp
	allow       []string
	allowedKeys []string // normal names
	config      Config   // the configuration without Patterns
}

// shapesOnly are the rules of an empty [Config].
var shapesOnly = newRules(Config{})

// New returns the rules of All and of c, which it copies. The error names a pattern that is not a regular expression.
func New(c Config) (*Rules, error) {
	r := newRules(c)
	for _, p := range c.Patterns {
		if p == "" {
			continue
		}
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("redaction pattern %q must be a regular expression: %w", p, err)
		}
		r.patterns = append(r.patterns, re)
	}
	return r, nil
}

func newRules(c Config) *Rules {
	r := &Rules{config: Config{Values: slices.Clone(c.Values), Keys: slices.Clone(c.Keys), Allow: slices.Clone(c.Allow)}}
	for _, key := range c.Keys {
		if name := normalName(key); name != "" {
			r.keys = append(r.keys, name)
		}
	}
	for _, text := range c.Allow {
		if text != "" {
			r.allow = append(r.allow, text)
			r.allowedKeys = append(r.allowedKeys, normalName(text))
		}
	}
	r.addShapes(All)
	r.addValues(slices.DeleteFunc(slices.Clone(c.Values), func(v string) bool { return slices.Contains(c.Allow, v) }))
	return r
}

func (r *Rules) orShapes() *Rules {
	if r == nil {
		return shapesOnly
	}
	return r
}

// File returns a redactor for one output file. Its placeholders are numbered from 1.
func (r *Rules) File() *Redactor {
	return &Redactor{rules: r.orShapes(), placeholders: map[string]string{}, taken: map[int]bool{}}
}

// Including returns rules with additional secret values, like those of [Config.Values]. It costs as much as [New].
func (r *Rules) Including(values ...string) *Rules {
	r = r.orShapes()
	c := r.config
	c.Values = slices.Concat(c.Values, values)
	all := newRules(c)
	all.patterns = r.patterns
	return all
}

// Redactor replaces secrets in the texts of one output file. The numbers depend on the order of the calls. Only one
// goroutine may use a Redactor at a time.
type Redactor struct {
	rules        *Rules
	placeholders map[string]string // placeholder of each secret
	taken        map[int]bool      // numbers of earlier redactions that occur in the file
	last         int
	scan         scan // reused, because there are many short texts
}

// Change replaces the rules of the redactor. Secrets that it has already replaced keep their placeholders.
func (r *Redactor) Change(rules *Rules) { r.rules = rules.orShapes() }

// maxRounds bounds the searches of one text. A placeholder can uncover a secret that was in the middle of a word, so a text is
// searched until nothing is found. In practice the second search finds nothing.
const maxRounds = 8

// Text returns the text without the secrets in it.
func (r *Redactor) Text(text string) string { return r.search(text, false) }

// Advice returns a text about keys, such as advice on a schema, without its secrets. The words after the name of a key
// are not the value of that key: add to "formToken": "maxLength": 200.
func (r *Redactor) Advice(text string) string { return r.search(text, true) }

func (r *Redactor) search(text string, keyless bool) string {
	for range maxRounds {
		s := &r.scan
		*s = scan{rules: r.rules, text: text, keyless: keyless, spans: s.spans[:0]}
		found := s.findSecrets()
		for _, n := range s.numbers {
			r.taken[n] = true
		}
		if len(found) == 0 {
			return text
		}
		text = r.replace(text, found)
	}
	return text
}

// placeholderOf returns the placeholder of a value that is secret because of its key. The name of a scheme before the secret
// stays.
func (r *Redactor) placeholderOf(value string) string {
	secret := afterScheme(value)
	if isPlaceholder(secret) || slices.Contains(r.rules.allow, value) || slices.Contains(r.rules.allow, secret) {
		return value
	}
	return value[:len(value)-len(secret)] + r.placeholder(keyID, secret)
}

func (r *Redactor) replace(text string, found []span) string {
	out := make([]byte, 0, len(text))
	at := 0
	for _, f := range found {
		out = append(out, text[at:f.start]...)
		out = append(out, r.placeholder(f.rule, f.secret)...)
		at = f.end
	}
	return string(append(out, text[at:]...))
}

func (r *Redactor) placeholder(rule, secret string) string {
	if p, ok := r.placeholders[secret]; ok {
		return p
	}
	r.last++
	for r.taken[r.last] {
		r.last++
	}
	p := placeholderStart + rule + ":" + strconv.Itoa(r.last) + "]"
	r.placeholders[secret] = p
	return p
}

// Finding is a secret in a text: the bytes Start to End, found by the rule with the id Rule.
type Finding struct {
	Rule       string
	Start, End int
}

// Find returns the secrets in a text, in order and without overlap. Placeholders are not secrets.
func (r *Rules) Find(text string) []Finding {
	s := scan{rules: r.orShapes(), text: text}
	var list []Finding
	for _, f := range s.findSecrets() {
		list = append(list, Finding{f.rule, f.start, f.end})
	}
	return list
}
