package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// suites lists what the suites redact no more and may spend more. That bears on no verdict, so that it is only shown.
func (c *comparer) suites() {
	before, after := suiteSettings(c.base.SuiteSettings), suiteSettings(c.head.SuiteSettings)
	pairs := c.suitePairs()
	for _, file := range slices.Sorted(maps.Keys(pairs)) {
		was, is := before[pairs[file]], after[file]
		keys := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			s := settingChange{base: was[key], head: is[key]}
			if kind := suiteKind(key, s); kind != "" {
				w := report.Weakening{
					Kind: kind, Case: file, Suite: file, Name: file, Key: key, Base: s.base.text(), Head: s.head.text(), Line: 1, ToldOnly: true,
				}
				if !s.removed() {
					w.Line = s.head[0].Line
				}
				c.out.Weakened = append(c.out.Weakened, w)
			}
		}
	}
}

// suitePairs returns the base's suite for each of the head's that has a case of it: the one at its path, else that of its first case.
func (c *comparer) suitePairs() map[string]string {
	pairs := map[string]string{}
	for i, was := range c.partner {
		if was == nil {
			continue
		}
		file := c.head.Cases[i].Suite
		if pairs[file] == "" || was.Suite == file {
			pairs[file] = was.Suite
		}
	}
	return pairs
}

// suiteSettings returns the settings of suites by their paths and keys.
func suiteSettings(list []report.SuiteSetting) map[string]map[string]setting {
	bySuite := map[string]map[string]setting{}
	for _, s := range list {
		if bySuite[s.Suite] == nil {
			bySuite[s.Suite] = map[string]setting{}
		}
		bySuite[s.Suite][s.Key] = append(bySuite[s.Suite][s.Key], report.Setting{Key: s.Key, Value: s.Value, Line: s.Line})
	}
	return bySuite
}

// suiteKind returns how the setting of a suite became milder; "" when it did not.
func suiteKind(key string, s settingChange) string {
	switch {
	case key == "redact.allow":
		return when(len(beyond(s.head.set(), s.base.set())) > 0, report.RedactedNoMore)
	case strings.HasPrefix(key, "redact."):
		return when(len(beyond(s.base.set(), s.head.set())) > 0, report.RedactedNoMore)
	case strings.HasPrefix(key, "budget."):
		return bound(1, report.MaySpendMore, report.MaySpendMore)(s)
	}
	return ""
}
