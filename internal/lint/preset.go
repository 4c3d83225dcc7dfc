package lint

// Preset is a selection of rules whose findings are shown. Counts, scores and gates include all rules.
type Preset string

// The presets. Recommended holds the critical rules, and the rules whose findings are right in at least 95 of 100 cases
// and change the text that an agent reads.
const (
	PresetRecommended Preset = "recommended"
	PresetAll         Preset = "all"
)

// Presets lists the presets, the default first.
var Presets = []Preset{PresetRecommended, PresetAll}

func (p Preset) has(rule *Rule) bool {
	return p != PresetRecommended || rule.Recommended || rule.Severity == Critical
}

// Holds reports whether the rule with the id is in the preset. The preset shows all findings of its rules, except for doubtful
// findings.
func (p Preset) Holds(id string) bool {
	rule, ok := Find(id)
	return ok && p.has(rule)
}

// Shows reports whether the preset shows a finding of the rule with the id. It always shows critical findings, also of
// rules that a suite made critical, and the statement that a tool has no finding. Recommended does not show doubtful
// findings.
func (p Preset) Shows(id string, critical, doubtful bool) bool {
	rule, ok := Find(id)
	return critical || !ok || p == PresetAll || p.has(rule) && !doubtful
}

// Annotates reports whether a finding of the rule with the id is worth an annotation: all findings of DESC rules, and
// of other rules those that the preset recommended shows.
func Annotates(id string, critical, doubtful bool) bool {
	rule, ok := Find(id)
	return ok && rule.family() == "DESC" || PresetRecommended.Shows(id, critical, doubtful)
}
