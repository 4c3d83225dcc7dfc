package weaken

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// sides holds all settings of a case, or of a whole suite, in base and head.
type sides struct {
	before, after map[string]setting
	classes       map[string]classChange // see classChanges
	of            *report.Case           // the head's case; nil for a suite
	live          bool
}

// change is the setting of one key in base and head.
type change struct {
	*sides
	key        string
	base, head setting
}

// changes returns the settings that base or head has, by key.
func (s *sides) changes() []change {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(s.before)), maps.Keys(s.after))
	slices.Sort(keys)
	return lists.Map(slices.Compact(keys), func(key string) change { return change{s, key, s.before[key], s.after[key]} })
}

// kind returns the kind of weakening of the change; "" if it weakens nothing.
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
		switch r.weaker(c) {
		case yes:
			return r.words
		case unknown:
			return report.SettingChanged
		}
	}
	return ""
}

// isOfMissingGate reports whether the key belongs to a gate that only base or only head has. Such a change is reported once, for
// the gate.
func (c change) isOfMissingGate() bool {
	gate, _, inGate := strings.Cut(shapeOf(c.key), ".")
	hasBefore, hasAfter := len(c.before[gate]) > 0, len(c.after[gate]) > 0
	return inGate && isGate(gate) && hasBefore != hasAfter
}

func (s *sides) expects(gate *judge.Gate, target string) bool {
	return len(s.after[gate.Name+"."+judge.ExpectKey+"."+target]) > 0
}

const cassetteKey = "cassette"

// keepsEvidence reports whether the head's case still has all recordings of the base's case. A recording may have another path, and
// the head may have additional recordings.
func keepsEvidence(base, head *report.Case) bool {
	identities := func(c *report.Case) []string {
		list := lists.Map(c.Recordings, func(r report.Recording) string { return cmp.Or(string(r.SHA256), "path "+r.Path) })
		slices.Sort(list)
		return list
	}
	was, is := identities(base), identities(head)
	return slices.Equal(was, is) || len(was) > 0 && len(surplus(was, is)) == 0
}
