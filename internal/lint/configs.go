package lint

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// Configs is how several suites adapt the rules to one catalog: what one of them reports is a finding, at the worst
// severity that any of these gives it.
type Configs []Config

// Adaptation is a rule that is not applied as it is: to all tools of a catalog, or to one that differs from the others.
type Adaptation struct {
	Rule     *Rule
	Tool     *catalog.Tool // nil for all
	Severity Severity      // of its findings; Pass when none is reported
}

// Adaptations returns the rules that are not applied to a catalog as they are, in the order of Rules and then of the tools.
func (c Configs) Adaptations(cat *catalog.Catalog) []Adaptation {
	ignored := make([]map[Ignore]bool, len(c)) // without reasons
	for i, cfg := range c {
		ignored[i] = map[Ignore]bool{}
		for _, e := range cfg.Ignore {
			ignored[i][Ignore{Rule: e.Rule, Tool: e.Tool}] = true
		}
	}
	var list []Adaptation
	for _, rule := range Rules {
		usual := c.worst(rule, nil)
		if usual != rule.Severity {
			list = append(list, Adaptation{rule, nil, usual})
		}
		if !c.ignores(rule) {
			continue
		}
		for _, t := range cat.Tools {
			ignores := func(i int) bool {
				return ignored[i][Ignore{Rule: rule.ID, Tool: t.Name}] || ignored[i][Ignore{Rule: rule.ID, Tool: t.Ref().ID()}]
			}
			if severity := c.worst(rule, ignores); severity != usual {
				list = append(list, Adaptation{rule, t, severity})
			}
		}
	}
	return list
}

// worst returns the worst severity that findings of a rule have, but for the configurations, by position, that ignore
// them; Pass when none reports them.
func (c Configs) worst(rule *Rule, ignores func(i int) bool) Severity {
	worst := Pass
	for i, cfg := range c {
		if ignores == nil || !ignores(i) {
			worst = max(worst, cfg.severity(rule))
		}
	}
	return worst
}

// ignores reports whether findings of the rule are ignored for some tool.
func (c Configs) ignores(rule *Rule) bool {
	return slices.ContainsFunc(c, func(cfg Config) bool {
		return slices.ContainsFunc(cfg.Ignore, func(e Ignore) bool { return e.Rule == rule.ID })
	})
}

// ignores drops findings and remembers which entries were of use.
type ignores struct {
	entries []Ignore
	used    []bool
	byRule  map[string][]int // indexes of entries
}

func newIgnores(entries []Ignore) ignores {
	g := ignores{entries, make([]bool, len(entries)), make(map[string][]int)}
	for i, e := range entries {
		g.byRule[e.Rule] = append(g.byRule[e.Rule], i)
	}
	return g
}

// drop reports whether an entry ignores the rule's findings about the tool. Every entry that does counts as used, so
// that of two equal ones neither is called useless because of the other.
func (g ignores) drop(rule string, t *catalog.Tool) bool {
	dropped := false
	for _, i := range g.byRule[rule] {
		if g.entries[i].names(t) {
			g.used[i], dropped = true, true
		}
	}
	return dropped
}

func (e Ignore) names(t *catalog.Tool) bool { return e.Tool == t.Name || e.Tool == t.Ref().ID() }

func (g ignores) unused(tools []*catalog.Tool) []UnusedIgnore {
	var unused []UnusedIgnore
	for i, e := range g.entries {
		if g.used[i] {
			continue
		}
		known := false
		for _, t := range tools {
			known = known || e.names(t)
		}
		unused = append(unused, UnusedIgnore{i, known})
	}
	return unused
}
