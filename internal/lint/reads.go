package lint

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// NotApplied returns, in order, the ids of the rules that cannot be applied to some tool of the catalog because its
// schema is not known. It leaves out rules that the configuration disables, and rules for which counts returns false.
func (c Config) NotApplied(cat *catalog.Catalog, counts func(rule *Rule, severity Severity) bool) (ids []string) {
	if cat == nil || !slices.ContainsFunc(cat.Tools, func(t *catalog.Tool) bool { return t.SchemaUnknown }) {
		return nil
	}
	for _, rule := range Rules {
		if severity := c.severity(rule); rule.Reads == Schemas && severity != Pass && counts(rule, severity) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// maxNamedRules bounds the number of rules that a reason names. Further ones are counted.
const maxNamedRules = 3

// WhyNotCounted returns the reason why a figure is missing: it counts findings of rules that were not applied.
func WhyNotCounted(rules []string) string {
	named := lists.AndMore(rules[:min(len(rules), maxNamedRules)], len(rules))
	return "it counts findings of " + named + ", which need schemas, and the catalog is a manifest, which has none"
}
