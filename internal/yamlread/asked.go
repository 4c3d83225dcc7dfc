package yamlread

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// askedKeys are the keys of a map that were asked for.
type askedKeys struct {
	own    bool            // all keys of the map itself were asked for
	bits   []uint64        // a bit for each key, by its number: a set of keys for each map took half the memory of a suite
	passed map[string]bool // see Map.Pass
}

// keyNumbers numbers the keys that are asked for, from 0. Readers ask the many maps of a file for the same few keys.
type keyNumbers map[string]int

func (numbers keyNumbers) numberOf(key string) int {
	number, have := numbers[key]
	if !have {
		number = len(numbers)
		numbers[key] = number
	}
	return number
}

func (a *askedKeys) add(number int) {
	for len(a.bits) <= number/64 {
		a.bits = append(a.bits, 0)
	}
	a.bits[number/64] |= 1 << (number % 64)
}

func (a *askedKeys) has(number int) bool {
	return number/64 < len(a.bits) && a.bits[number/64]&(1<<(number%64)) != 0
}

// ask marks key as asked for. If all own keys are asked for, it does nothing: numbering all keys that the user made up would be
// slow, because a file can have very many of them, and Done examines all numbers.
func (m *Map) ask(key string) {
	if !m.asked.own && m.isVisible(key) {
		m.asked.add(m.doc.numbers.numberOf(key))
	}
}

func (m *Map) isAsked(key string) bool {
	number, have := m.doc.numbers[key]
	return have && m.asked.has(number)
}

func (m *Map) listAsked() []string {
	var keys []string
	for key, number := range m.doc.numbers {
		if m.asked.has(number) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// Misplaced gives Done advice on a key that belongs elsewhere, but that users are likely to write here.
func (m *Map) Misplaced(key, advice string) {
	if !m.HasOwn(key) {
		return
	}
	if m.misplaced == nil {
		m.misplaced = map[string]string{}
	}
	m.misplaced[key] = advice
}

// extension is the prefix of keys that belong to the author of the file or to other programs. [Map.Done] ignores them.
const extension = "x-"

// schemaKey is the document's key for the JSON Schema that editors use.
const schemaKey = "$schema"

// mayHave reports whether m may have key even if it was not asked for.
func (m *Map) mayHave(key string) bool {
	return m.asked.passed[key] || strings.HasPrefix(key, extension) || key == schemaKey && m.node == m.doc.root
}

// Done reports every key that was not asked for, with the nearest key that was. It ignores keys that begin with x-, and $schema
// at the top of the file.
func (m *Map) Done() {
	if m == nil || m.asked.own {
		return
	}
	var known []string
	for _, e := range m.node.entries {
		if !m.isAsked(e.key) && !m.mayHave(e.key) {
			if known == nil {
				known = m.listAsked()
			}
			said := expectedKeys(e.key, known)
			if advice := m.misplaced[e.key]; advice != "" {
				said = "; " + advice
			}
			m.doc.errs.Addf(m.doc.pos(e.keyAt), "unknown key %q%s", shorten(e.key), said)
		}
	}
}

// expectedKeys returns the end of a message about an unknown key: the closest known key, otherwise all known keys.
func expectedKeys(key string, known []string) string {
	if len(known) == 0 {
		return ", expected no keys"
	}
	if hint := source.DidYouMean(shorten(key), known); hint != "" {
		return hint
	}
	return ", expected one of " + strings.Join(known, ", ")
}

// Pass makes Done ignore a key that was read or reported elsewhere. The key does not become a suggestion for other keys.
func (m *Map) Pass(key string) {
	if m.asked.passed == nil {
		m.asked.passed = map[string]bool{}
	}
	m.asked.passed[key] = true
}
