package yamlread

import "slices"

// askedKeys is which keys of a map were asked for. Thousands of maps are asked for the same few dozen keys, so that the
// document numbers these, and a set of them is a few bits.
type askedKeys struct {
	own  bool // all keys that the map itself has
	bits []uint64
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

// number returns the number of a key that is asked for.
func (d *document) number(key string) int {
	n, ok := d.numbers[key]
	if !ok {
		n = len(d.numbers)
		d.numbers[key] = n
	}
	return n
}

// wasAsked reports whether m was asked for a key.
func (m *Map) wasAsked(key string) bool {
	n, ok := m.doc.numbers[key]
	return ok && m.asked.has(n)
}

// known returns the keys that m was asked for, sorted.
func (m *Map) known() []string {
	var keys []string
	for key, n := range m.doc.numbers {
		if m.asked.has(n) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
