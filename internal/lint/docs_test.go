package lint

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/agents"
)

const (
	docsFolder    = "../../docs/"
	precisionPage = docsFolder + "rules/precision.md"
	docsBegin     = "<!-- begin of the generated part: go test ./internal/lint -update -->\n"
	docsEnd       = "<!-- end of the generated part -->\n"
)

// families has the page of docs/rules for each family of rules, with the heading that docs/rules.md had for it.
var families = map[string]struct{ page, heading string }{
	"DESC": {"descriptions", "descriptions"},
	"SCH":  {"schemas", "input-schemas"},
	"MCP":  {"protocol", "protocol-and-clients"},
}

// TestDocs compares the generated parts of docs/rules.md and of the pages in docs/rules with the rules.
func TestDocs(t *testing.T) {
	testGenerated(t, "rules.md", rulesTable())
	for family, in := range families {
		testGenerated(t, "rules/"+in.page+".md", familyReference(family))
	}
}

// testGenerated compares the generated part of a page, or rewrites it.
func testGenerated(t *testing.T, page, generated string) {
	t.Helper()
	data, err := os.ReadFile(docsFolder + page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, okBegin := strings.Cut(string(data), docsBegin)
	old, after, okEnd := strings.Cut(rest, docsEnd)
	if !okBegin || !okEnd {
		t.Fatalf("%s lacks the line %q or, behind it, %q", page, docsBegin, docsEnd)
	}
	if *update {
		if err := os.WriteFile(docsFolder+page, []byte(before+docsBegin+generated+docsEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(old, generated); diff != "" {
		t.Errorf("%s is not up to date (-documented +generated):\n%s", page, diff)
	}
}

// rulesTable returns the table of all rules, with the anchors that links to docs/rules.md have had from the first, and of their
// sources.
func rulesTable() string {
	var b strings.Builder
	b.WriteString("\n| rule | severity | right | smell | fires when |\n|---|---|---|---|---|\n")
	last := ""
	for _, rule := range Rules {
		in, id := families[rule.family()], fmt.Sprintf("<a id=%q></a>", anchor(rule))
		if rule.family() != last {
			id += fmt.Sprintf("<a id=%q></a>", in.heading)
			last = rule.family()
		}
		link := fmt.Sprintf("[%s](rules/%s.md#%s)", rule.ID, in.page, anchor(rule))
		if PresetRecommended.has(rule) {
			link = "**" + link + "**"
		}
		fmt.Fprintf(&b, "| %s%s | %s | %s | %s | %s |\n", id, link, rule.Severity, precision(rule.Trial), rule.Smell, rule.Title)
	}
	b.WriteString("\n" + sources() + "\n")
	return b.String()
}

// familyReference returns the sections of the rules of a family, with the table of clients behind those that are about clients.
func familyReference(family string) string {
	var b strings.Builder
	for _, rule := range Rules {
		if rule.family() != family {
			continue
		}
		// The table of rules has the rest of what Explain returns, but for the example that is found.
		fmt.Fprintf(&b, "\n## %s: %s\n\n%s\n\n%s.\n\n```json\n%s\n```\n", rule.ID, rule.Title, rule.reason(), capitalized(rule.Fix), rule.Good)
	}
	if family == clientLimit.family() {
		b.WriteString("\n## Clients\n\n" + clientsTable())
	}
	b.WriteByte('\n')
	return b.String()
}

// sources lists where the rules come from, each source once, with its rules.
func sources() string {
	var texts []string
	rules := map[string][]string{}
	for _, rule := range Rules {
		for source := range strings.SplitSeq(rule.Source, "; ") {
			if rules[source] == nil {
				texts = append(texts, source)
			}
			rules[source] = append(rules[source], rule.ID)
		}
	}
	var b strings.Builder
	b.WriteString("| source | rules |\n|---|---|\n")
	for _, text := range texts {
		fmt.Fprintf(&b, "| %s | %s |\n", text, strings.Join(rules[text], ", "))
	}
	return b.String()
}

// clientsTable lists what each client makes of names and descriptions.
func clientsTable() string {
	var b strings.Builder
	b.WriteString("| client | writes | keeps, besides A-Z a-z 0-9 | longest name | searched part of a description, in UTF-16 units | source |\n|---|---|---|---|---|---|\n")
	limit := func(n int) string {
		if n == 0 {
			return "not known"
		}
		return thousands(n)
	}
	for _, c := range agents.Namings() {
		client, kept := c.Client, "`"+c.Keeps+"`, others become `_`"
		if c.NoServer {
			kept = "all"
		}
		if c.Version != "" {
			client += " " + c.Version
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", client, c.Form(), kept, limit(c.Longest), limit(c.Searches), c.Source)
	}
	return b.String()
}

// precision says how many of the judged findings were right, and of how many they were drawn.
func precision(t Trial) string {
	switch {
	case t.Found == 0:
		return "none"
	case t.Judged == t.Found:
		return fmt.Sprintf("%d/%d", t.Right, t.Judged)
	}
	return fmt.Sprintf("%d/%d of %d", t.Right, t.Judged, t.Found)
}

// anchor returns the fragment that Markdown renderers give the heading of a rule.
func anchor(rule *Rule) string {
	heading := strings.ToLower(rule.ID + ": " + rule.Title)
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, heading)
}

// TestReadmeCountsRules holds the table of README.md to the number of rules.
func TestReadmeCountsRules(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## What it checks")
	table, _, _ = strings.Cut(table, "\n## ")
	if want := fmt.Sprintf("(%d rules)", len(Rules)); !strings.Contains(table, want) {
		t.Errorf("the table of README.md does not say %q", want)
	}
}
