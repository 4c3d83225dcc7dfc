package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
)

// NotApplied returns the ids of the rules that are not applied to some tool of the catalog, because its schema is not known, of those that
// the configuration applies and of which counts says that their findings count; in order.
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

// mostNamed bounds the rules that a reason names.
const mostNamed = 3

// WhyNotCounted says why a figure is absent that rules count which are not applied.
func WhyNotCounted(rules []string) string {
	named := strings.Join(rules[:min(len(rules), mostNamed)], ", ")
	if more := len(rules) - mostNamed; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return "it counts findings of " + named + ", which need schemas, and the catalog is a manifest, which has none"
}
