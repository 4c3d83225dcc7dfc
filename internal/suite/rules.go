package suite

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/source"
)

// ruleUse collects the description rules that apply to the suite's catalogs, and the use of each entry of an ignore:. An entry
// under defaults: applies to several catalogs and must be used for at least one of them.
type ruleUse struct {
	byPath  map[string][]AppliedRules
	ignores map[source.Pos]*ignoreUse
	order   []source.Pos
}

type ignoreUse struct {
	gates.IgnoreUse
	catalogs []*catalog.Catalog
}

// useRules notes that rules apply to a catalog; cat is nil if it is unknown. The report shows the findings of all entries for
// one catalog together.
func (r *reader) useRules(cat *catalog.Catalog, rules AppliedRules, uses []gates.IgnoreUse) {
	if cat != nil {
		r.rules.byPath[cat.File] = append(r.rules.byPath[cat.File], rules)
	}
	for _, use := range uses {
		known := r.rules.ignores[use.Pos]
		if known == nil {
			known = &ignoreUse{IgnoreUse: use}
			r.rules.ignores[use.Pos] = known
			r.rules.order = append(r.rules.order, use.Pos)
		}
		known.Used = known.Used || use.Used
		known.KnownTool = known.KnownTool || use.KnownTool
		if cat != nil {
			known.catalogs = append(known.catalogs, cat)
		}
	}
}

// applyRules sets the rules of every catalog of the suite, and reports ignore: entries that are not used.
func (r *reader) applyRules() {
	inherited := gates.ReadRules(r.defaults, r.clients())
	r.suite.Rules = inherited
	for _, c := range r.suite.Catalogs {
		if r.rules.byPath[c.Path] == nil {
			cat := c.Tools()
			r.useRules(cat, AppliedRules{Rules: inherited}, inherited.Uses(cat))
		}
		c.Rules = r.rules.byPath[c.Path]
	}
	for _, pos := range r.rules.order {
		r.checkIgnore(r.rules.ignores[pos])
	}
}

func (r *reader) checkIgnore(use *ignoreUse) {
	switch {
	case use.Tool == "": // a missing tool was already reported
	case !use.KnownTool:
		r.errs.Addf(use.Pos, "tool %q is not in %s, so there is nothing to ignore%s", clip(use.Tool), use.files(), r.hint(use.Tool, use.names()))
	case !use.Used:
		r.warnf(use.Pos, "%s finds nothing about %q any more; take the entry out of \"ignore\"", use.Rule, clip(use.Tool))
	}
}

func (u *ignoreUse) files() string {
	if len(u.catalogs) == 1 {
		return u.catalogs[0].File
	}
	return "any catalog"
}

func (u *ignoreUse) names() []string {
	var names []string
	for _, cat := range u.catalogs {
		for _, t := range cat.Tools {
			names = append(names, t.Name)
		}
	}
	return names
}
