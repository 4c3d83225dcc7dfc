package lint

// Preset is a choice of rules whose findings are shown. Counts, scores and gates are of all rules.
type Preset string

// The presets. Recommended holds the critical rules, and those that are right at least 95 times of 100 and whose findings
// change what an agent reads.
const (
	PresetRecommended Preset = "recommended"
	PresetAll         Preset = "all"
)

// Presets lists the presets, the default first.
var Presets = []Preset{PresetRecommended, PresetAll}

func (p Preset) has(rule *Rule) bool {
	return p != PresetRecommended || rule.Recommended || rule.Severity == Critical
}

// Holds reports whether the rule with the id is in the preset: of such a rule only doubtful findings are not shown.
func (p Preset) Holds(id string) bool {
	rule, ok := Find(id)
	return ok && p.has(rule)
}

// Shows reports whether the preset shows a finding of the rule with the id. It shows every critical one, also of a rule that a
// suite made critical, and each tool's statement that it has no finding. Recommended shows no doubtful one.
func (p Preset) Shows(id string, critical, doubtful bool) bool {
	rule, ok := Find(id)
	return critical || !ok || p == PresetAll || p.has(rule) && !doubtful
}

// Annotates reports whether a finding of the rule with the id is worth an annotation: one of each DESC rule, and of the others
// those that the preset recommended shows.
func Annotates(id string, critical, doubtful bool) bool {
	rule, ok := Find(id)
	return ok && rule.family() == "DESC" || PresetRecommended.Shows(id, critical, doubtful)
}
