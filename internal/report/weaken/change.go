package weaken

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// sides is all settings of a case, or of a suite as a whole, on both sides.
type sides struct {
	before, after map[string]setting
	classes       map[string]classChange // see classChanges
	of            *report.Case           // of the head
	live          bool
}

// change is one key on both sides.
type change struct {
	*sides
	key        string
	base, head setting
}

// changes returns the settings that either side has, by key.
func (s *sides) changes() (list []change) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(s.before)), maps.Keys(s.after))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		list = append(list, change{s, key, s.before[key], s.after[key]})
	}
	return list
}

// kind returns the kind of weakening that the change is; "" when it is none.
func (c change) kind() string {
	if slices.Equal(c.base.values(), c.head.values()) {
		return ""
	}
	key := keyOf(shapeOf(c.key))
	switch {
	case c.reordered() && !slices.Contains(ordered, key):
		return ""
	case key == "":
		return report.SettingChanged
	}
	for _, r := range table {
		if r.key != key {
			continue
		}
		if is := r.weaker(c); is == yes {
			return r.words
		} else if is == unknown {
			return report.SettingChanged
		}
	}
	return ""
}

// ofMissingGate reports whether the key belongs to a gate that only one side has: that is reported once, at the gate.
func (c change) ofMissingGate() bool {
	gate, _, inGate := strings.Cut(shapeOf(c.key), ".")
	return inGate && isGate(gate) && (len(c.before[gate]) > 0) != (len(c.after[gate]) > 0)
}

func (s *sides) expects(gate *judge.Gate, target string) bool {
	return len(s.after[gate.Name+"."+judge.ExpectKey+"."+target]) > 0
}

const cassetteKey = "cassette"

// keepsEvidence reports whether a case has all recordings that it had, wherever they stand. Others beside them take nothing away.
func keepsEvidence(base, head *report.Case) bool {
	marks := func(c *report.Case) []string {
		var list []string
		for _, r := range c.Recordings {
			list = append(list, cmp.Or(string(r.SHA256), "path "+r.Path))
		}
		slices.Sort(list)
		return list
	}
	was, is := marks(base), marks(head)
	return slices.Equal(was, is) || len(was) > 0 && len(surplus(was, is)) == 0
}
