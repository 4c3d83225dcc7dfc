package gates

import (
	"cmp"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Rules is a rules block, with which a suite changes the description rules.
type Rules struct {
	Config lint.Config
	Pos    source.Pos   // position of the block; zero if there is none
	Places []source.Pos // positions of the entries of Config.Ignore
}

// Ruler is a Measurer that applies the description rules with the changes of its block.
type Ruler interface {
	Rules() (Rules, []IgnoreUse)
}

// ruleKeys document a rules block.
var ruleKeys = []judge.Key{
	{Name: "disable", Type: judge.TypeTexts, Doc: "Rules to leave out."},
	{Name: "severity", Type: judge.TypeSeverities, Doc: "The new severity by rule: `warning` or `critical`."},
	{Name: "ignore", Type: judge.TypeMaps, Doc: "Findings to leave out. An entry that matches no finding is a mistake, or only a warning if its tool still exists.", Keys: []judge.Key{
		{Name: "rule", Type: judge.TypeText, Required: true, Doc: "The rule of the finding."},
		{Name: "tool", Type: judge.TypeText, Required: true, Doc: "The tool of the finding."},
		{Name: "reason", Type: judge.TypeText, Required: true, Doc: "Why the finding is accepted."},
	}},
}

// ReadRules reads the key rules of m, which is an entry of tool_quality or the suite's defaults. clients are the clients that the
// tests of the suite name. Mistakes are reported at their places in the suite.
func ReadRules(m *yamlread.Map, clients []string) Rules {
	r := Rules{Config: lint.Config{Clients: clients}}
	if block := m.Map("rules"); block != nil {
		r.Pos = m.KeyPos("rules")
		r.Config.Disable = readDisabled(block)
		r.Config.Severity = readSeverities(block)
		for _, entry := range block.Maps("ignore") {
			r.readIgnore(entry)
		}
		block.Done()
	}
	return r
}

func readDisabled(block *yamlread.Map) map[string]bool {
	disabled := map[string]bool{}
	for _, id := range block.Strs("disable") {
		switch {
		case !knownRule(block, id):
		case disabled[id.Value]:
			block.Errorf(id.Pos, "rule %q is disabled twice", id.Value)
		}
		disabled[id.Value] = true
	}
	return disabled
}

func readSeverities(block *yamlread.Map) map[string]lint.Severity {
	severities := map[string]lint.Severity{}
	for _, entry := range block.Map("severity").Entries() {
		word, ok := entry.Value.Str()
		if !knownRule(block, entry.Key) || !ok {
			continue
		}
		severity, ok := lint.ParseSeverity(word.Value)
		if !ok {
			block.Errorf(word.Pos, "the severity of %s must be warning or critical, found %q", entry.Key.Value, judge.Clip(word.Value))
		}
		severities[entry.Key.Value] = severity
	}
	return severities
}

func (r *Rules) readIgnore(entry *yamlread.Map) {
	rule, tool, reason := entry.Str("rule"), entry.Str("tool"), entry.Str("reason")
	entry.Done()
	if reason.Value != "" && strings.TrimSpace(reason.Value) == "" {
		entry.Errorf(reason.Pos, `"reason" must say why the finding may stand, found %q`, judge.Clip(reason.Value))
	}
	if rule.Value != "" && knownRule(entry, rule) && r.Config.Disable[rule.Value] {
		entry.Errorf(rule.Pos, "rule %q is disabled, so there is nothing to ignore", rule.Value)
	}
	r.Config.Ignore = append(r.Config.Ignore, lint.Ignore{Rule: rule.Value, Tool: tool.Value, Reason: reason.Value})
	r.Places = append(r.Places, tool.Pos)
}

func knownRule(m *yamlread.Map, id yamlread.Str) bool {
	if _, ok := lint.Find(id.Value); ok {
		return true
	}
	ids := lint.IDs()
	hint := cmp.Or(source.DidYouMean(id.Value, ids), ", expected one of "+strings.Join(ids, ", "))
	m.Errorf(id.Pos, "unknown rule %q%s", judge.Clip(id.Value), hint)
	return false
}

// IgnoreUse is an ignore entry and its effect on one catalog.
type IgnoreUse struct {
	lint.Ignore
	Pos       source.Pos // position of the tool in the entry
	KnownTool bool       // the catalog has the tool
	Used      bool       // the entry suppresses a finding
}

// Uses returns the effect of each ignore entry on a catalog. If cat is nil, every entry counts as used.
func (r Rules) Uses(cat *catalog.Catalog) []IgnoreUse {
	if len(r.Config.Ignore) == 0 {
		return nil
	}
	uses := make([]IgnoreUse, len(r.Config.Ignore))
	for i, ignore := range r.Config.Ignore {
		uses[i] = IgnoreUse{ignore, r.Places[i], true, true}
	}
	if cat == nil {
		return uses
	}
	res := lint.Check(cat, r.Config)
	for _, unused := range res.UnusedIgnores {
		uses[unused.Index].Used, uses[unused.Index].KnownTool = false, unused.KnownTool
	}
	return uses
}
