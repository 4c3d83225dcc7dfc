package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Pages lists the pages of docs/gates that document gates, each under the question that its gates answer. A gate is on one of them.
var Pages = []Page{
	{"picks", "Which tools are picked?", []string{"equal_function_sets", "tool_selection", "distractors", "tool_search"}},
	{"steps", "In which order are tools called?", []string{"trajectory", "golden_path", "trajectory_axes"}},
	{"conduct", "How are tools called?", []string{"orchestration", "tool_edges", "stability", "recovery", "narrative"}},
	{"cost", "What do runs cost?", []string{"token_efficiency", "limits"}},
	{"descriptions", "Are tools described well?", []string{"tool_quality", "tool_bench", "findability"}},
}

// Page is a page of docs/gates.
type Page struct {
	Name     string
	Question string
	Gates    []string
}

// expectPage has the expectations, which are no gate's.
const expectPage = "expect"

// DocsPages returns the generated parts of documentation by their files in docs: the index of gates, each page of gates with
// their keys, targets and defaults, and the page of a test's own expect: and the matchers.
func DocsPages(table []*Gate) map[string]string {
	sections := map[string]string{}
	seen := documented{keys: map[*Key]string{}, docs: map[string]string{}}
	for _, g := range table {
		var b strings.Builder
		g.document(&b, seen)
		sections[g.Name] = b.String()
	}
	made := map[string]string{"gates.md": gateIndex(table)}
	for _, page := range Pages {
		var b strings.Builder
		for _, name := range page.Gates {
			b.WriteString(sections[name])
		}
		made[page.file()] = relink(b.String(), page.Name)
	}
	var b strings.Builder
	documentRunTargets(&b)
	documentMatchers(&b)
	made["gates/"+expectPage+".md"] = relink(b.String(), expectPage)
	return made
}

func (p Page) file() string { return "gates/" + p.Name + ".md" }

// gateIndex lists the gates by their questions. Each has the anchor that links to docs/gates.md have had from the first.
func gateIndex(table []*Gate) string {
	var b strings.Builder
	b.WriteString("| gate | asks |\n|---|---|\n")
	for _, page := range Pages {
		fmt.Fprintf(&b, "| **[%s](%s)** | |\n", page.Question, page.file())
		for _, name := range page.Gates {
			i := slices.IndexFunc(table, func(g *Gate) bool { return g.Name == name })
			fmt.Fprintf(&b, "| <a id=\"%s\"></a>[`%s`](%s#%s) | %s |\n", name, name, page.file(), name, table[i].question())
		}
	}
	return b.String()
}

// link matches the end of a Markdown link within docs.
var link = regexp.MustCompile(`\]\(([a-z/-]+\.md)?(#[^)]+)?\)`)

// relink has the links of a section lead from a page of docs/gates: those to an anchor alone to the page that has it, others one
// folder up.
func relink(section, from string) string {
	return link.ReplaceAllStringFunc(section, func(s string) string {
		target := strings.TrimSuffix(strings.TrimPrefix(s, "]("), ")")
		if anchor, ok := strings.CutPrefix(target, "#"); !ok {
			target = "../" + target
		} else if page := pageOf(anchor); page != from {
			target = page + ".md" + target
		}
		return "](" + target + ")"
	})
}

// pageOf returns the page of docs/gates that has an anchor.
func pageOf(anchor string) string {
	for _, page := range Pages {
		if slices.Contains(page.Gates, anchor) {
			return page.Name
		}
	}
	return expectPage
}

// documented holds where keys are documented already, so that the pages have each text once.
type documented struct {
	keys map[*Key]string   // of maps, by the first one
	docs map[string]string // of long texts
}

// longDoc is the length from which a text is not repeated for another key.
const longDoc = 80

// document writes the section of a gate.
func (g *Gate) document(b *strings.Builder, seen documented) {
	_, prose, _ := strings.Cut(g.Doc, "\n\n")
	// The heading is the gate's name alone, so that links to it survive another title.
	fmt.Fprintf(b, "## `%s`\n\n%s\n\n%s\n\n", g.Name, g.question(), strings.TrimSpace(prose))
	b.WriteString("| key | |\n|---|---|\n")
	g.documentKeys(b, "", g.Keys, seen)
	b.WriteString("\n| target | |\n|---|---|\n")
	documentTargets(b, g.Targets)
	b.WriteString("\n" + g.defaultText() + "\n\n")
}

// question returns what the gate asks, which its title ends with.
func (g *Gate) question() string {
	title, _, _ := strings.Cut(g.Doc, "\n")
	if _, after, ok := strings.Cut(title, ": "); ok {
		title = after
	}
	return capitalized(title) + "?"
}

// capitalized returns a text of ASCII letters with a capital.
func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// documentTargets writes a row for each target. Neighbours with the same text share a row.
func documentTargets(b *strings.Builder, targets []Target) {
	for len(targets) > 0 {
		doc := targets[0].Doc
		var names, units []string
		for len(targets) > 0 && targets[0].Doc == doc {
			names = append(names, "`"+targets[0].Name+"`")
			units = append(units, targets[0].Unit.String())
			targets = targets[1:]
		}
		slices.Sort(units)
		units = slices.Compact(units)
		if of, ok := strings.CutPrefix(doc, "Share of "); ok && units[0] == Percent.String() {
			doc = capitalized(of)
		}
		fmt.Fprintf(b, "| %s | *%s.* %s |\n", strings.Join(names, ", "), strings.Join(units, ", "), cell(doc))
	}
}

// plainExpect documents an expect: that each gate has; the common rules have it once.
const plainExpect = "Expectations on the figures below."

func (g *Gate) documentKeys(b *strings.Builder, prefix string, keys []Key, seen documented) {
	for _, key := range keys {
		if key.Doc == plainExpect {
			continue
		}
		kind := key.Type
		if key.Required {
			kind += ", required"
		}
		name := prefix + key.Name
		fmt.Fprintf(b, "| `%s` | *%s.* %s |\n", name, cell(kind), cell(seen.text(key.Doc, name, g.Name)))
		if len(key.Keys) == 0 {
			continue
		}
		if key.Type == TypeClasses || key.Type == TypeMaps || key.Type == TypeMapsOrFile || key.Type == TypeAutoMapsFile || key.Type == TypePatterns || key.Type == TypeSteps || key.Type == TypeMutations {
			name += "[]"
		}
		if where, ok := seen.keys[&key.Keys[0]]; ok {
			below := "`" + name + ".…`"
			if len(key.OfFile) > 0 {
				below += ", `" + prefix + key.Name + ".…`"
			}
			fmt.Fprintf(b, "| %s | The same keys as %s. |\n", below, where)
			continue
		}
		seen.keys[&key.Keys[0]] = place(name, g.Name)
		g.documentKeys(b, name+".", key.Keys, seen)
		g.documentKeys(b, prefix+key.Name+".", key.OfFile, seen)
	}
}

// place returns the name of a key, with a link to its gate.
func place(key, gate string) string { return fmt.Sprintf("`%s` of [`%s`](#%s)", key, gate, gate) }

// text returns the text of a key, or where the page has it already.
func (seen documented) text(doc, key, gate string) string {
	if where, ok := seen.docs[doc]; ok {
		return "The same as " + where + "."
	}
	if len(doc) >= longDoc {
		seen.docs[doc] = place(key, gate)
	}
	return doc
}

func (g *Gate) defaultText() string {
	if len(g.Default) == 0 {
		return "Default: nothing."
	}
	text := "Default: "
	for i, floor := range g.Default {
		switch {
		case floor.Unless != "":
			text += fmt.Sprintf("; where `%s` is absent, ", floor.Unless)
		case i > 0:
			text += ", "
		}
		text += fmt.Sprintf("`%s %s`", floor.Target, floor.Bound)
	}
	return text + "."
}

func documentRunTargets(b *strings.Builder) {
	b.WriteString("## `expect`: what a single run must show\n\n" +
		"A test's own `expect:` judges each run alone. It is a list of expectations, or a map with such a list under `assertions:` and with the " +
		"limits below. Positions count from 0. An expectation on a value that the run lacks fails.\n\n" +
		"| target | |\n|---|---|\n")
	for _, t := range runTargets {
		fmt.Fprintf(b, "| `%s` | *%s.* %s |\n", t.name, t.of, cell(t.doc))
	}
	b.WriteString("\n| limit | |\n|---|---|\n")
	for _, t := range runLimits {
		fmt.Fprintf(b, "| `%s` | *%s.* %s |\n", t.name, TypeWhole, cell(t.doc))
	}
	b.WriteString("\n")
}

func documentMatchers(b *strings.Builder) {
	b.WriteString("## Expectations and matchers\n\n" +
		"Both spellings mean the same:\n\n" +
		"```yaml\nexpect:\n  - tool_selection.f1: {\">=\": 80}\n  - target: tool_selection.f1\n    matcher: {schema: {minimum: 80}}\n```\n\n" +
		"`message:` is printed if the expectation fails. `when_absent: skip` skips the expectation if its figure is absent. Inside YAML braces, " +
		"quote a target that contains brackets.\n\n" +
		"Compare percentages with numbers from 0 to 100. Operators and `exact` also accept `80%`. For a " +
		"percentage, a lower bound or exact value above 0 and up to 1 is a mistake, also in a `schema`: write 80, or `0.8%`. " +
		"Figures from 0 to 1 do not accept `%`.\n\n" +
		"No matcher holds for an absent value, not even a matcher whose name begins with `not_`.\n\n" +
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
