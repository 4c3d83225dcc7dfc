package judge

import (
	"fmt"
	"strings"
)

// DocsMarkdown returns the generated part of docs/gates.md: every gate of the table with its keys, targets and defaults, then the
// targets of a test's own expect: and the matchers.
func DocsMarkdown(table []*Gate) string {
	var b strings.Builder
	documented := map[*Key]string{}
	for _, g := range table {
		g.document(&b, documented)
	}
	documentRunTargets(&b)
	documentMatchers(&b)
	return b.String()
}

// document writes the section of a gate. The map holds where the keys of maps are documented already.
func (g *Gate) document(b *strings.Builder, documented map[*Key]string) {
	title, prose, _ := strings.Cut(g.Doc, "\n\n")
	// The anchor is the gate's name, so that links to it survive another title.
	fmt.Fprintf(b, "<a id=\"%s\"></a>\n\n## `%s`: %s\n\n%s\n\n", g.Name, g.Name, title, strings.TrimSpace(prose))
	b.WriteString("| key | value | |\n|---|---|---|\n")
	g.documentKeys(b, "", g.Keys, documented)
	b.WriteString("\n| target | unit | |\n|---|---|---|\n")
	for _, t := range g.Targets {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", t.Name, t.Unit, cell(t.Doc))
	}
	b.WriteString("\n" + g.defaultText() + "\n\n")
}

// plainExpect documents an expect: that each gate has; the common rules at the top of the page have it once.
const plainExpect = "Expectations on the figures below."

func (g *Gate) documentKeys(b *strings.Builder, prefix string, keys []Key, documented map[*Key]string) {
	for _, key := range keys {
		if key.Doc == plainExpect {
			continue
		}
		kind := key.Type
		if key.Required {
			kind += ", required"
		}
		name := prefix + key.Name
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, cell(kind), cell(key.Doc))
		if len(key.Keys) == 0 {
			continue
		}
		if key.Type == TypeClasses || key.Type == TypeMaps || key.Type == TypePatterns || key.Type == TypeSteps || key.Type == TypeMutations {
			name += "[]"
		}
		if where, ok := documented[&key.Keys[0]]; ok {
			fmt.Fprintf(b, "| `%s.…` | | The same keys as %s. |\n", name, where)
			continue
		}
		documented[&key.Keys[0]] = fmt.Sprintf("`%s` of [`%s`](#%s)", name, g.Name, g.Name)
		g.documentKeys(b, name+".", key.Keys, documented)
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
		"`message:` beside the target says what to print on failure. `when_absent: skip` skips the expectation where the figure is absent. " +
		"Within braces, put a target with brackets between quotes.\n\n" +
		"Figures in percent are compared with numbers from 0 to 100; operators and `exact` also take the sign: `80%` is 80. " +
		"A number above 0 and up to 1 is a mistake where such a figure must reach it (`>=`, `>`, `==`, `exact`, and " +
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
