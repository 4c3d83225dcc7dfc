package judge

import (
	"fmt"
	"strings"
)

// DocsMarkdown returns the generated part of docs/gates.md: every gate of the table with its keys, targets and defaults, then the
// targets of a test's own expect: and the matchers.
func DocsMarkdown(table []*Gate) string {
	var b strings.Builder
	for _, g := range table {
		g.document(&b)
	}
	documentRunTargets(&b)
	documentMatchers(&b)
	return b.String()
}

func (g *Gate) document(b *strings.Builder) {
	title, prose, _ := strings.Cut(g.Doc, "\n\n")
	// The anchor is the gate's name, so that links to it survive another title.
	fmt.Fprintf(b, "<a id=\"%s\"></a>\n\n## `%s`: %s\n\n%s\n\n", g.Name, g.Name, title, strings.TrimSpace(prose))
	b.WriteString("| key | value | |\n|---|---|---|\n")
	documentKeys(b, "", g.Keys)
	b.WriteString("\n| target | unit | |\n|---|---|---|\n")
	for _, t := range g.Targets {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", t.Name, t.Unit, cell(t.Doc))
	}
	b.WriteString("\n" + g.defaultText() + "\n\n")
}

func documentKeys(b *strings.Builder, prefix string, keys []Key) {
	for _, key := range keys {
		kind := key.Type
		if key.Required {
			kind += ", required"
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, key.Name, cell(kind), cell(key.Doc))
		inner := prefix + key.Name + "."
		if key.Type == TypeClasses || key.Type == TypeMaps || key.Type == TypePatterns || key.Type == TypeSteps || key.Type == TypeMutations {
			inner = prefix + key.Name + "[]."
		}
		documentKeys(b, inner, key.Keys)
	}
}

func (g *Gate) defaultText() string {
	if len(g.Default) == 0 {
		return "Nothing is expected of the figures by default."
	}
	parts := make([]string, len(g.Default))
	for i, floor := range g.Default {
		parts[i] = fmt.Sprintf("`%s %s`", floor.Target, floor.Bound)
	}
	return "Expected when `expect:` is missing or empty: " + strings.Join(parts, ", ") + "."
}

func documentRunTargets(b *strings.Builder) {
	b.WriteString("## `expect`: what a single run must show\n\n" +
		"A test's own `expect:` is judged on each run: a list of expectations, or a map of `assertions:` (that list) and the limits below.\n\n" +
		"| target | value | |\n|---|---|---|\n")
	for _, t := range runTargets {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", t.name, t.of, cell(t.doc))
	}
	b.WriteString("\nPositions count from 0. A value that the run lacks fails the assertion.\n\n| limit | value | |\n|---|---|---|\n")
	for _, t := range runLimits {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", t.name, TypeWhole, cell(t.doc))
	}
	b.WriteString("\n")
}

func documentMatchers(b *strings.Builder) {
	b.WriteString("## Expectations and matchers\n\n" +
		"Both spellings mean the same:\n\n" +
		"```yaml\nexpect:\n  - tool_selection.f1: {\">=\": 80}\n  - target: tool_selection.f1\n    matcher: {schema: {minimum: 80}}\n```\n\n" +
		"Beside the target, `message:` says what to print on failure, and `when_absent: skip` makes an absent figure skipped instead of failed. " +
		"YAML wants quotes around a target with brackets where it stands within braces.\n\n" +
		"Figures in percent are compared with numbers from 0 to 100, which operators and `exact` also take with their sign: `80%` is 80. " +
		"Because 0.8 would be 0.8 %, a number above 0 and up to 1 is a mistake where such a figure must reach it (`>=`, `>`, `==`, `exact`, and " +
		"`minimum`, `exclusiveMinimum` and `const` in a `schema`): write 80, or `0.8%`. Figures from 0 to 1 take no `%`.\n\n" +
		"| matcher | holds for |\n|---|---|\n")
	fmt.Fprintf(b, "| `%s` | %s |\n", strings.Join(operatorNames, "`, `"), operatorsDoc)
	for _, m := range namedMatchers {
		fmt.Fprintf(b, "| `%s` | %s |\n", m.name, cell(m.doc))
	}
}

// cell returns text that stays within one cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
}

// String returns the unit as the documentation names it.
func (u Unit) String() string {
	switch u {
	case Percent:
		return "percent"
	case Number:
		return "count"
	case Tokens:
		return "tokens"
	case Score:
		return "0 to 1"
	case Fraction:
		return "0 to 1"
	case Dollars:
		return "dollars"
	case TokensPerCorrect:
		return "tokens each"
	case DollarsPerCorrect:
		return "dollars each"
	}
	return "unknown"
}
