package judge

import (
	"math/big"
	"regexp"

	"github.com/org/mcp-gates/internal/yamlread"
)

// The spelling of durations, as of those of servers: numbers with a unit, which add up. The length is bounded because the
// arithmetic is exact.
var (
	durationText = regexp.MustCompile(`^([0-9]{1,9}(\.[0-9]{1,9})?(h|ms|m|s)){1,4}$`)
	durationPart = regexp.MustCompile(`([0-9.]+)(h|ms|m|s)`)
)

// unitMilliseconds are the milliseconds of each unit.
var unitMilliseconds = map[string]int64{"h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}

// ReadDuration reads the duration of a key, such as 90s or 1m30s, in milliseconds, which may be a fraction.
func ReadDuration(m *yamlread.Map, key string) (*big.Rat, bool) {
	v, ok := m.Value(key)
	if !ok {
		return nil, false
	}
	ms, ok := milliseconds(v)
	if !ok || ms.Sign() == 0 {
		v.Errorf("%q must be a duration such as 90s, 1m30s or 500ms, found %s", key, v.Describe())
		return nil, false
	}
	return ms, true
}

// milliseconds returns the duration that a value is; it reports nothing.
func milliseconds(v yamlread.Value) (*big.Rat, bool) {
	if v.Kind() != yamlread.TextKind || !durationText.MatchString(v.Text()) {
		return nil, false
	}
	sum := new(big.Rat)
	for _, part := range durationPart.FindAllStringSubmatch(v.Text(), -1) {
		n, ok := parseDecimal(part[1])
		if !ok {
			return nil, false
		}
		sum.Add(sum, n.Mul(n, new(big.Rat).SetInt64(unitMilliseconds[part[2]])))
	}
	return sum, true
}
