package weaken

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

// Directions of how the rules on descriptions are applied.

// moreIgnored is the direction of an additional ignored finding, whatever the reason.
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

// outOfWarnings is a rule that a suite makes more severe: its findings are not among those that bounds on warnings count any more.
func outOfWarnings(c change) answer {
	base, head, _ := c.severities()
	return answerIf(head > base && c.boundsWarnings())
}

// severities returns those that a rule has on both sides; not ok where there is no such rule.
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

// severity returns the one of a word; the least for any other.
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

// Rules returns the rules that the head no longer applies to a catalog of the base as the base did, wherever it says so: before and after
// are the catalogs that can be compared. A case that judges the catalog may have listed one already, which is known.
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
		list = append(list, slices.DeleteFunc(milderRules(f.catalog(pair.Base), pair.Head), isKnown)...)
	}
	return list
}

// ruleOn is a rule on one tool, or on all of a catalog.
type ruleOn struct {
	rule string
	tool report.Optional
}

// milderRules returns the rules that are applied more mildly: those switched off as one, those ignored for some tools as
// one, and each that is less severe.
func milderRules(was, is *report.Catalog) (list []report.Weakening) {
	var keys []ruleOn
	for _, r := range slices.Concat(was.Rules, is.Rules) {
		keys = append(keys, ruleOn{r.Rule, r.Tool})
	}
	sort.SliceStable(keys, func(i, j int) bool {
		a, b := &keys[i], &keys[j]
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.tool, b.tool)) < 0
	})
	before, after := severitiesOf(was), severitiesOf(is)
	off := map[string]bool{}
	for _, key := range slices.Compact(keys) {
		base, head := before.of(key), after.of(key)
		if severity(head) >= severity(base) {
			continue
		}
		w := report.Weakening{Kind: report.SeverityLowered, Case: is.Path, Suite: is.Path, Name: is.Name, Key: `rules.severity["` + key.rule + `"]`,
			Base: report.Optional(base), Head: report.Optional(head)}
		if len(is.Rules) > 0 && is.Rules[0].Line > 0 { // the first place in the head that says how its rules are applied
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
			if off[w.Key] {
				continue
			}
			off[w.Key] = true
		}
		list = append(list, w)
	}
	return list
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
