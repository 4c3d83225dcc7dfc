package lint

import (
	"slices"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// Configs are the configurations of several suites for the same catalog: a flaw that any of them reports is a finding,
// at the worst severity that any of them gives it.
type Configs []Config

// Adaptation is a rule that differs from its default for all tools of a catalog, or for one tool.
type Adaptation struct {
	Rule     *Rule
	Tool     *catalog.Tool // nil for all
	Severity Severity      // severity of its findings; Pass if none are reported
}

// Adaptations returns the rules that differ from their defaults, in the order of Rules and then of the tools.
func (c Configs) Adaptations(cat *catalog.Catalog) []Adaptation {
	ignored := lists.Map(c, newIgnores)
	var list []Adaptation
	for _, rule := range Rules {
		usual := c.worst(rule, nil)
		if usual != rule.Severity {
			list = append(list, Adaptation{rule, nil, usual})
		}
		if !slices.ContainsFunc(ignored, func(g ignores) bool { return g.rules[rule.ID] }) {
			continue
		}
		for _, t := range cat.Tools {
			ignores := func(i int) bool { return ignored[i].ignoresFinding(rule.ID, t) }
			if severity := c.worst(rule, ignores); severity != usual {
				list = append(list, Adaptation{rule, t, severity})
			}
		}
	}
	return list
}

// worst returns the worst severity that a configuration gives to findings of a rule; Pass if no configuration reports the
// findings. It skips the configurations for whose index ignores returns true; a nil ignores skips none.
func (c Configs) worst(rule *Rule, ignores func(i int) bool) Severity {
	worst := Pass
	for i, cfg := range c {
		if ignores == nil || !ignores(i) {
			worst = max(worst, cfg.severity(rule))
		}
	}
	return worst
}

// clients returns the facts about the clients that any configuration names; about all clients if any configuration
// names none.
func (c Configs) clients() []*agents.Naming {
	named := map[string]bool{}
	for _, cfg := range c {
		if len(cfg.Clients) == 0 {
			return agents.Namings()
		}
		for _, name := range cfg.Clients {
			named[name] = true
		}
	}
	var list []*agents.Naming
	for _, p := range agents.Presets {
		if named[p.Name] {
			list = append(list, p.Names)
		}
	}
	return list
}

// ignores drops findings and remembers which entries dropped one.
type ignores struct {
	entries       []Ignore
	used          []bool
	rules         map[string]bool  // rules that have an entry
	byRuleAndTool map[Ignore][]int // indexes of entries, by entry without reason
}

func newIgnores(of Config) ignores {
	g := ignores{of.Ignore, make([]bool, len(of.Ignore)), make(map[string]bool), make(map[Ignore][]int)}
	for i, e := range of.Ignore {
		key := Ignore{Rule: e.Rule, Tool: e.Tool}
		g.rules[e.Rule], g.byRuleAndTool[key] = true, append(g.byRuleAndTool[key], i)
	}
	return g
}

// ignoresFinding reports whether an entry ignores the rule's findings about the tool. All such entries count as used, even equal
// ones.
func (g ignores) ignoresFinding(rule string, t *catalog.Tool) bool {
	if !g.rules[rule] {
		return false
	}
	entries := slices.Concat(g.byRuleAndTool[Ignore{Rule: rule, Tool: t.Name}], g.byRuleAndTool[Ignore{Rule: rule, Tool: t.Ref().ID()}])
	for _, i := range entries {
		g.used[i] = true
	}
	return len(entries) > 0
}

func (g ignores) unused(tools []*catalog.Tool) []UnusedIgnore {
	var unused []UnusedIgnore
	for i, e := range g.entries {
		if g.used[i] {
			continue
		}
		known := slices.ContainsFunc(tools, func(t *catalog.Tool) bool { return e.Tool == t.Name || e.Tool == t.Ref().ID() })
		unused = append(unused, UnusedIgnore{i, known})
	}
	return unused
}
