package weaken

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// The directions below are about how the rules on descriptions are applied.

// moreIgnored is the direction of an added ignored finding. Changes of reasons do not count.
func moreIgnored(c change) answer {
	for _, side := range []*setting{&c.base, &c.head} {
		*side = slices.Clone(*side)
		for i, one := range *side {
			var entries []map[string]any
			if json.Unmarshal([]byte(one.Value), &entries) != nil {
				return unknown
			}
			for _, entry := range entries {
				delete(entry, "reason")
			}
			(*side)[i].Value = judge.CompactJSON(entries)
		}
	}
	return more(c)
}

func milder(c change) answer {
	base, head, ok := c.severities()
	if !ok {
		return unknown
	}
	return answerIf(head < base)
}

// outOfWarnings is the direction of a raised severity of a rule, if warnings are bounded: the findings of the rule no longer count
// as warnings.
func outOfWarnings(c change) answer {
	base, head, _ := c.severities()
	return answerIf(head > base && c.boundsWarnings())
}

// severities returns the severity of the rule in base and head; ok is false if there is no such rule.
func (c change) severities() (base, head lint.Severity, ok bool) {
	rule, ok := lint.Find(nameIn(c.key))
	if !ok {
		return 0, 0, false
	}
	of := func(given setting) lint.Severity {
		if len(given) == 0 {
			return rule.Severity
		}
		return severity(given[0].Value)
	}
	return of(c.base), of(c.head), true
}

// severity returns the severity with this name, or the least severity for an unknown name.
func severity(word string) lint.Severity {
	s, _ := lint.ParseSeverity(word)
	return s
}

func (s *sides) boundsWarnings() bool {
	for key := range s.before {
		if strings.HasPrefix(key, gates.ToolQuality.Name+"."+judge.ExpectKey) && strings.Contains(key, "warning") {
			return true
		}
	}
	return false
}

// Rules returns the rules that the head applies to a catalog more mildly than the base. before and after are the catalogs of
// base and head that can be compared. known are weakenings that were already reported, by a case that judges the catalog; they
// are not repeated.
func Rules(before, after []report.Catalog, head []report.Case, known []report.Weakening) (list []report.Weakening) {
	var f follower
	for i := range head {
		if judged := head[i].Base; judged != nil {
			f.renames = append(f.renames, judged.Renames...)
			f.servers = append(f.servers, judged.Servers...)
		}
	}
	for _, pair := range report.PairCatalogs(before, after) {
		if pair.Base.Rules == nil || pair.Head.Rules == nil {
			continue // the report is of a version without rules
		}
		isKnown := func(w report.Weakening) bool {
			return slices.ContainsFunc(known, func(one report.Weakening) bool {
				return one.Kind == w.Kind && strings.Contains(one.Key, ".rules.") && slices.Contains(pair.Head.JudgedBy, one.Case)
			})
		}
		list = append(list, slices.DeleteFunc(milderRules(f.withNewNames(pair.Base), pair.Head), isKnown)...)
	}
	return list
}

// ruleOn is a rule on one tool, or on all tools of a catalog.
type ruleOn struct {
	rule string
	tool report.Optional
}

// milderRules returns a weakening for all rules that are switched off, one for all rules that are ignored for single tools, and
// one for each rule with a lower severity.
func milderRules(was, is *report.Catalog) (list []report.Weakening) {
	keys := lists.Map(slices.Concat(was.Rules, is.Rules), func(r report.ChangedRule) ruleOn { return ruleOn{r.Rule, r.Tool} })
	lists.SortStable(keys, func(a, b *ruleOn) int { return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.tool, b.tool)) })
	before, after := severitiesOf(was), severitiesOf(is)
	reported := map[string]bool{} // rules.disable and rules.ignore are reported once for all rules
	for _, key := range slices.Compact(keys) {
		base, head := before.of(key), after.of(key)
		isMilder := severity(head) < severity(base)
		if !isMilder {
			continue
		}
		w := report.Weakening{Kind: report.SeverityLowered, Case: is.Path, Suite: is.Path, Name: is.Name, Key: `rules.severity["` + key.rule + `"]`,
			Base: report.Optional(base), Head: report.Optional(head)}
		if len(is.Rules) > 0 && is.Rules[0].Line > 0 { // the first place in the head that configures rules
			w.Suite, w.Line = is.Rules[0].Path, is.Rules[0].Line
		}
		if key.tool != "" {
			w.Key += " of " + string(key.tool)
		}
		if head == report.RuleOff {
			w.Kind, w.Key = report.RuleDisabled, "rules.disable"
			if key.tool != "" {
				w.Kind, w.Key = report.RuleIgnored, "rules.ignore"
			}
			w.Base, w.Head = rulesOff(was, key.tool != ""), rulesOff(is, key.tool != "")
			if reported[w.Key] {
				continue
			}
			reported[w.Key] = true
		}
		list = append(list, w)
	}
	return list
}

// severities holds the severities of rules that a suite configures.
type severities map[ruleOn]string

func severitiesOf(c *report.Catalog) severities {
	s := severities{}
	for _, r := range c.Rules {
		s[ruleOn{r.Rule, r.Tool}] = r.Severity
	}
	return s
}

// of returns the severity of a rule on a tool: the configured one, otherwise the rule's default.
func (s severities) of(key ruleOn) string {
	if rule, ok := lint.Find(key.rule); ok {
		return cmp.Or(s[key], s[ruleOn{key.rule, ""}], rule.Severity.String())
	}
	return cmp.Or(s[key], s[ruleOn{key.rule, ""}], report.RuleOff)
}

// rulesOff lists the rules that are switched off, or with onTools the rules that are ignored for single tools.
func rulesOff(c *report.Catalog, onTools bool) report.Optional {
	list := []string{}
	for _, r := range c.Rules {
		if r.Severity == report.RuleOff && (r.Tool != "") == onTools {
			list = append(list, strings.TrimSpace(r.Rule+" "+string(r.Tool)))
		}
	}
	text, _ := json.Marshal(list) // texts can be encoded
	return report.Optional(text)
}
