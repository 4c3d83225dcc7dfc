package compare

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

// rules lists the rules that the head no longer applies to a catalog of the base as the base did, wherever it says so. A
// case that judges the catalog may have listed one already.
func (c *comparer) rules() {
	var f follower
	for i := range c.head.Cases {
		if judged := c.head.Cases[i].Base; judged != nil {
			f.renames = append(f.renames, judged.Renames...)
			f.servers = append(f.servers, judged.Servers...)
		}
	}
	for _, pair := range pairCatalogs(c.before, c.after) {
		pair.base = f.catalog(pair.base)
		if pair.base.Rules == nil || pair.head.Rules == nil {
			continue // a report of a version without them
		}
		for _, w := range pair.weakenings() {
			listed := func(known report.Weakening) bool {
				return known.Kind == w.Kind && strings.Contains(known.Key, ".rules.") && slices.Contains(pair.head.JudgedBy, known.Case)
			}
			if !slices.ContainsFunc(c.out.Weakened, listed) {
				c.out.Weakened = append(c.out.Weakened, w)
			}
		}
	}
}

// catalogPair is a catalog on both sides.
type catalogPair struct{ base, head *report.Catalog }

// pairCatalogs pairs catalogs by path and name, then by path, then those that share a tool: files can be moved.
func pairCatalogs(before, after []report.Catalog) []catalogPair {
	var pairs []catalogPair
	taken := map[*report.Catalog]bool{}
	for _, same := range []func(b, h *report.Catalog) bool{
		func(b, h *report.Catalog) bool { return b.Path == h.Path && b.Name == h.Name },
		func(b, h *report.Catalog) bool { return b.Path == h.Path },
		func(b, h *report.Catalog) bool { return catalogPair{b, h}.shared() > 0 },
	} {
		for i := range after {
			for j := range before {
				p := catalogPair{&before[j], &after[i]}
				if !taken[p.base] && !taken[p.head] && same(p.base, p.head) {
					taken[p.base], taken[p.head] = true, true
					pairs = append(pairs, p)
				}
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b catalogPair) int {
		return cmp.Or(cmp.Compare(a.head.Path, b.head.Path), cmp.Compare(a.head.Name, b.head.Name))
	})
	return pairs
}

// ruleOn is a rule on one tool, or on all of a catalog.
type ruleOn struct {
	rule string
	tool report.Optional
}

// weakenings returns the rules that are applied more mildly: those switched off as one, those ignored for some tools as
// one, and each that is less severe.
func (p catalogPair) weakenings() []report.Weakening {
	var keys []ruleOn
	for _, r := range slices.Concat(p.base.Rules, p.head.Rules) {
		keys = append(keys, ruleOn{r.Rule, r.Tool})
	}
	slices.SortStableFunc(keys, func(a, b ruleOn) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.tool, b.tool))
	})
	var list []report.Weakening
	before, after := severitiesOf(p.base), severitiesOf(p.head)
	off := map[string]bool{}
	for _, key := range slices.Compact(keys) {
		base, head := before.of(key), after.of(key)
		if severityRank(head) <= severityRank(base) {
			continue
		}
		w := p.weakening(report.SeverityLowered, `rules.severity["`+key.rule+`"]`)
		w.Base, w.Head = report.Optional(base), report.Optional(head)
		if key.tool != "" {
			w.Key += " of " + string(key.tool)
		}
		if head == report.RuleOff {
			w.Kind, w.Key = report.RuleDisabled, "rules.disable"
			if key.tool != "" {
				w.Kind, w.Key = report.RuleIgnored, "rules.ignore"
			}
			w.Base, w.Head = rulesOff(p.base, key.tool != ""), rulesOff(p.head, key.tool != "")
			if off[w.Key] {
				continue
			}
			off[w.Key] = true
		}
		list = append(list, w)
	}
	return list
}

// weakening returns one of the catalog, at the first place in the head that says how its rules are applied.
func (p catalogPair) weakening(kind, key string) report.Weakening {
	w := report.Weakening{Kind: kind, Case: p.head.Path, Suite: p.head.Path, Name: p.head.Name, Key: key}
	if len(p.head.Rules) > 0 && p.head.Rules[0].Line > 0 {
		w.Suite, w.Line = p.head.Rules[0].Path, p.head.Rules[0].Line
	}
	return w
}

// severities are those of rules that are not applied as they are.
type severities map[ruleOn]string

func severitiesOf(c *report.Catalog) severities {
	s := severities{}
	for _, r := range c.Rules {
		s[ruleOn{r.Rule, r.Tool}] = r.Severity
	}
	return s
}

// of returns the severity that a rule has on a tool: as the suites say, else its own.
func (s severities) of(key ruleOn) string {
	if rule, ok := lint.Find(key.rule); ok {
		return cmp.Or(s[key], s[ruleOn{key.rule, ""}], rule.Severity.String())
	}
	return cmp.Or(s[key], s[ruleOn{key.rule, ""}], report.RuleOff)
}

// rulesOff lists what is switched off: rules, or rules on single tools.
func rulesOff(c *report.Catalog, onTools bool) report.Optional {
	list := []string{}
	for _, r := range c.Rules {
		if r.Severity == report.RuleOff && (r.Tool != "") == onTools {
			list = append(list, strings.TrimSpace(r.Rule+" "+string(r.Tool)))
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "" // unreachable: texts can be encoded
	}
	return report.Optional(text)
}
