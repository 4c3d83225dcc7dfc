package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// qualityFigures collects the figures of one catalog.
type qualityFigures struct {
	cat    *catalog.Catalog
	tokens []int64 // tokens of each tool, in the order of the catalog; nil if they were not counted
	res    lint.Result
	config lint.Config
	m      judge.Measurement
}

func (f *qualityFigures) set(target string, v judge.Value, detail string) {
	f.m.Values[target], f.m.Detail[target] = v, detail
}

func score(n int) judge.Value { return judge.Ratio(int64(n), lint.Whole, judge.Score) }

func (f *qualityFigures) addScores() {
	if !f.res.HasScores {
		f.m.Absent[minScoreTarget], f.m.Absent[meanScoreTarget] = noSchemas, noSchemas
		return
	}
	worst := slices.Index(f.res.Scores, f.res.Min)
	f.set(minScoreTarget, score(f.res.Min), f.toolWithPlace(worst))
	f.set(meanScoreTarget, score(f.res.Mean), "over "+judge.CountOf(len(f.cat.Tools), "tool"))
}

func (f *qualityFigures) toolWithPlace(i int) string {
	t := f.cat.Tools[i]
	return "`" + t.Name + "`" + placeText(t.Pos)
}

func placeText(pos source.Pos) string {
	if pos.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", pos.File, pos.Line)
}

func (f *qualityFigures) addCounts() {
	c := f.res.Counts
	f.m.Counts = map[string]int{
		"tools":    len(f.cat.Tools),
		"critical": c.Critical, "warning": c.Warning,
		"schema_critical": c.SchemaCritical, "schema_warning": c.SchemaWarning,
		"conformance_critical": c.ConformanceCritical, "conformance_warning": c.ConformanceWarning,
	}
	for _, count := range []struct {
		target   string
		n        int
		family   string
		severity lint.Severity
	}{
		{criticalTarget, c.Critical, "DESC-", lint.Critical},
		{warningTarget, c.Warning, "DESC-", lint.Warning},
		{schemaCriticalTarget, c.SchemaCritical, "SCH-", lint.Critical},
		{schemaWarningTarget, c.SchemaWarning, "SCH-", lint.Warning},
		{conformCriticalTarget, c.ConformanceCritical, "MCP-", lint.Critical},
		{conformWarningTarget, c.ConformanceWarning, "MCP-", lint.Warning},
	} {
		f.addCount(count.target, count.n, func(finding *lint.Finding) bool {
			return finding.Severity == count.severity && strings.HasPrefix(finding.Rule, count.family)
		})
	}
	if f.cat.SchemasUnknown() == len(f.cat.Tools) { // the rules for schemas were not applied
		delete(f.m.Counts, "schema_critical")
		delete(f.m.Counts, "schema_warning")
	}
}

// addCount sets a count of findings: n is their number, and selects reports whether a finding is one of them. The figure is
// absent if a rule that can make such findings is not applied to all tools.
func (f *qualityFigures) addCount(target string, n int, selects func(*lint.Finding) bool) {
	notApplied := f.config.NotApplied(f.cat, func(rule *lint.Rule, severity lint.Severity) bool {
		return selects(&lint.Finding{Rule: rule.ID, Severity: severity})
	})
	if len(notApplied) > 0 {
		f.m.Absent[target] = lint.WhyNotCounted(notApplied)
		return
	}
	f.set(target, judge.Int(n, judge.Number), f.listFindings(n, selects))
}

// noSchemas is the reason why a figure that needs schemas is absent.
const noSchemas = "it is of schemas, too, and the catalog is a manifest, which has none; a snapshot of the server has them"

func (f *qualityFigures) addSmells() {
	for _, smell := range lint.Smells {
		n := f.res.Smells[smell]
		f.addCount(smellPrefix+smell, n, func(finding *lint.Finding) bool {
			rule, ok := lint.Find(finding.Rule)
			return ok && rule.Smell == smell
		})
	}
	total := f.res.SmellTotal()
	f.addCount(smellTotalTarget, total, func(finding *lint.Finding) bool {
		rule, ok := lint.Find(finding.Rule)
		return ok && rule.Smell != ""
	})
}

// listFindings returns a text with the first three of the n findings that selects accepts, and the number of the rest.
func (f *qualityFigures) listFindings(n int, selects func(*lint.Finding) bool) string {
	const most = 3
	var named []string
	for i := range f.res.Findings {
		if len(named) == most {
			break
		}
		if finding := &f.res.Findings[i]; selects(finding) {
			named = append(named, fmt.Sprintf("%s `%s`%s", finding.Rule, finding.Tool.Name, placeText(finding.Pos)))
		}
	}
	if more := n - len(named); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(named, ", ")
}

// addSizes adds the figures on surface tokens.
func (f *qualityFigures) addSizes(surface trace.Count) {
	if f.cat.SchemasUnknown() > 0 {
		f.m.Absent[catalogTokensTarget], f.m.Absent[biggestToolTokenTarget] = noSchemas, noSchemas
		return
	}
	detail := ""
	if len(f.tokens) == 0 {
		f.m.Absent[biggestToolTokenTarget] = notCounted
	} else {
		most := slices.Max(f.tokens)
		where := f.toolWithPlace(slices.Index(f.tokens, most))
		f.set(biggestToolTokenTarget, judge.Ratio(most, 1, judge.Tokens), where)
		detail = fmt.Sprintf("the biggest is %s with %d", where, most)
	}
	if surface.Known {
		f.set(catalogTokensTarget, judge.Ratio(surface.N, 1, judge.Tokens), detail)
	}
}

const notCounted = "the tokens of the tools were not counted"

// addTool adds a figure of the tool called name. If a server lists the tool several times, the worst figure counts.
func (f *qualityFigures) addTool(target, name string) {
	found := f.indexesOf(name)
	_, isScore := toolScoreTarget.Param(target)
	ids := f.ids(found)
	switch {
	case len(found) == 0:
		f.m.Absent[target] = f.noTool(name)
	case slices.ContainsFunc(found, func(i int) bool { return f.cat.Tools[i].SchemaUnknown }):
		f.m.Absent[target] = noSchemas
	case len(ids) > 1:
		f.m.Absent[target] = fmt.Sprintf("tool %q is on several servers, expected %q or %q", judge.Clip(name), judge.Clip(ids[0]), judge.Clip(ids[1]))
	case isScore:
		i := slices.MinFunc(found, func(i, j int) int { return cmp.Compare(f.res.Scores[i], f.res.Scores[j]) })
		f.set(target, score(f.res.Scores[i]), strings.TrimSpace(placeText(f.cat.Tools[i].Pos)))
	case len(f.tokens) == len(f.cat.Tools):
		i := slices.MaxFunc(found, func(i, j int) int { return cmp.Compare(f.tokens[i], f.tokens[j]) })
		f.set(target, judge.Ratio(f.tokens[i], 1, judge.Tokens), strings.TrimSpace(placeText(f.cat.Tools[i].Pos)))
	default:
		f.m.Absent[target] = notCounted
	}
}

// indexesOf returns the indexes of the tools whose id (server.name) equals name, otherwise those of the tools whose bare name
// equals it.
func (f *qualityFigures) indexesOf(name string) []int {
	var byID, byName []int
	for i, t := range f.cat.Tools {
		if t.Ref().ID() == name {
			byID = append(byID, i)
		}
		if t.Name == name {
			byName = append(byName, i)
		}
	}
	if len(byID) > 0 {
		return byID
	}
	return byName
}

func (f *qualityFigures) ids(tools []int) []string {
	ids := lists.Map(tools, func(i int) string { return f.cat.Tools[i].Ref().ID() })
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (f *qualityFigures) noTool(name string) string {
	if f.cat.Hides(name) {
		return fmt.Sprintf("tool %q is hidden from models by its _meta.ui.visibility, and has no figures", judge.Clip(name))
	}
	names := lists.Map(f.cat.Tools, func(t *catalog.Tool) string { return t.Name })
	return fmt.Sprintf("the catalog has no tool %q%s", judge.Clip(name), source.DidYouMean(judge.Clip(name), names))
}
