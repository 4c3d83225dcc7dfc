package suite

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/gates"
)

// TestForeignDocs holds the table in docs/mcptest.md to the keys that are mcptest's.
func TestForeignDocs(t *testing.T) {
	const file, begin, end = "../../docs/mcptest.md", "-update -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", file)
	}
	table := "| key | what to do |\n|---|---|\n"
	listed := map[string]bool{}
	for _, row := range foreignKeys {
		if !listed[row.advice] {
			listed[row.advice] = true
			table += fmt.Sprintf("| %s | %s |\n", keysAdvised(row.advice), row.advice)
		}
	}
	want := before + begin + table + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s is not up to date; run go test ./internal/suite -update", file)
	}
}

// keysAdvised lists the keys that have this advice, those of a suite first.
func keysAdvised(advice string) string {
	keys := map[string][]string{}
	var places []string
	for _, row := range foreignKeys {
		if row.advice != advice {
			continue
		}
		if keys[row.level] == nil {
			places = append(places, row.level)
		}
		keys[row.level] = append(keys[row.level], "`"+row.key+"`")
	}
	named := map[string]string{foreignTop: "a suite", foreignExpect: "an expectation"}
	for i, place := range places {
		of := named[place]
		if of == "" {
			of = "a " + place
		}
		places[i] = strings.Join(keys[place], ", ") + " of " + of
	}
	return strings.Join(places, "; ")
}

// TestForeignFigures pins that the figures that docs/mcptest.md names for here can be expected.
func TestForeignFigures(t *testing.T) {
	text, err := os.ReadFile("../../docs/mcptest.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Figures\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var targets []string
	for _, g := range gates.All {
		for _, target := range g.Targets {
			targets = append(targets, target.Name)
		}
		for _, key := range g.Keys {
			targets = append(targets, key.Name)
		}
	}
	spans := strings.Split(section, "`")
	if len(spans) < 40 {
		t.Fatalf("the section names %d figures, expected twenty at least", len(spans)/2)
	}
	for i := 1; i < len(spans); i += 2 {
		if !slices.Contains(targets, spans[i]) {
			t.Errorf("docs/mcptest.md names the figure %q, which no gate has", spans[i])
		}
	}
}

// TestForeignKeysAreNotOurs pins that no key of ours is taken for one of mcptest's.
func TestForeignKeysAreNotOurs(t *testing.T) {
	fsys := fstest.MapFS{"s.yml": {Data: []byte(everyMap)}, "w.json": {Data: []byte(weather)}}
	s, errs := NewLoader(fsys).Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, c := range s.Cases {
		if !c.IsJudged() {
			t.Errorf("case %q is not judged: %v", c.ID, c.LeftOut)
		}
	}
	seen := map[string]bool{}
	for _, row := range foreignKeys {
		if id := row.level + " " + row.key; seen[id] || row.advice == "" {
			t.Errorf("the row of %q is there twice, or has no advice", id)
		} else {
			seen[id] = true
		}
	}
}

// TestSkipForeign pins what becomes of a suite of mcptest when what only that has is left out.
func TestSkipForeign(t *testing.T) {
	src := `servers: {web: {url: "https://web.test", server_version: "2"}}
tools:
  - {name: "looks\nup", tool: lookup}
  - lookup
security: {scan: true}
compliance: []
cache: {dir: x}
agents:
  - {name: right, expect: [{tool_names: {contains: x}}]}
  - {name: judged, expect: [{final_response: {llm-judge: polite}}]}
  - {name: base, threshold: 1, runs: 2}
tests:
  - {name: of base, agent: base, expect: [{tool_names: {contains: x}}]}
  - {name: typo, expct: 1}
`
	loader := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(src)}})
	loader.SkipForeign = true
	s, errs := loader.Load("s.yml")
	if want := 2; len(errs) != want || s == nil {
		t.Fatalf("Load: got %d mistakes, want %d:\n%s", len(errs), want, errs)
	}
	want := `s.yml::right: read
s.yml::judged: left out
s.yml::of base: left out
s.yml::typo: 2 mistakes, the first at s.yml:14:3
s.yml::tools: looks up: left out
s.yml::tools: lookup: left out
s.yml::security: left out
s.yml::compliance: left out
`
	if diff := cmp.Diff(describeRest(s), want); diff != "" {
		t.Errorf("cases (-got +want):\n%s", diff)
	}
	var keys []string
	for _, w := range s.Warnings {
		key, _, _ := strings.Cut(w.Msg, " is mcptest's")
		keys = append(keys, key)
	}
	if got, want := strings.Join(keys, " "), `"server_version" "tools" "security" "compliance" "cache" "llm-judge" "threshold"`; got != want {
		t.Errorf("warnings: got %s, want %s", got, want)
	}
}

// TestSkipForeignElsewhere pins that checks of files that a suite includes, or imports as mcptest does, are listed as its own are.
func TestSkipForeignElsewhere(t *testing.T) {
	loader := NewLoader(fstest.MapFS{
		"s.yml":      {Data: []byte("include: a/one.yml\nimports: [two.yml, {from: three.yml}]\ntools: [{name: own}]\n")},
		"a/one.yml":  {Data: []byte("include: deep.yml\ntools: [{name: x}, {name: x}, 3]\ncache: {}\n")},
		"a/deep.yml": {Data: []byte("security: {scan: true}\n")},
	})
	loader.SkipForeign = true
	s, errs := loader.Load("s.yml")
	want := `
s.yml::security (a/deep.yml:1): left out
s.yml::tools: x (a/one.yml:2): left out
s.yml::tools: x (a/one.yml:2) (entry at 1:1): left out
s.yml::tools: entry at 2:31 (a/one.yml:2): left out
s.yml::imports: two.yml: left out
s.yml::imports: entry at 2:20: left out
s.yml::tools: own: left out
`
	if diff := cmp.Diff(errs.Error()+"\n"+describeRest(s), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
	for _, c := range s.Cases {
		if c.Pos.File != "s.yml" {
			t.Errorf("case %q is at %s, expected a place in the suite", c.ID, c.Pos)
		}
	}
}

// TestSkipForeignUnknown pins that no key of mcptest's is offered for an unknown one of an included file.
func TestSkipForeignUnknown(t *testing.T) {
	loader := NewLoader(fstest.MapFS{
		"s.yml":   {Data: []byte("include: one.yml\n")},
		"one.yml": {Data: []byte("corpus: {}\ncorpse: {}\n")},
	})
	loader.SkipForeign = true
	_, errs := loader.Load("s.yml")
	want := `one.yml:2:1: unknown key "corpse", expected one of defaults, extends, include, pricing, servers, variables`
	if got := errs.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSkipForeignNames pins that no check of mcptest's takes the place of a case of the same name, and that a test which is left out
// keeps its models.
func TestSkipForeignNames(t *testing.T) {
	src := `servers: {web: {catalog: w.json}}
tools: [{name: a}, {name: a}]
security: {scan: true}
defaults: {model: m}
agents:
  - {name: two, threshold: 1, models: [m, n, n, 3, "o\np"]}
  - {name: one, threshold: 1}
tool_quality:
  - {name: security, server: web, expect: [{critical_count: {"<=": 0}}]}
  - {name: "tools: a", server: web, expect: [{critical_count: {"<=": 0}}]}
  - {name: "two::m", server: web, expect: [{critical_count: {"<=": 0}}]}
`
	loader := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(src)}, "w.json": {Data: []byte(weather)}})
	loader.SkipForeign = true
	s, errs := loader.Load("s.yml")
	want := `s.yml:11:3: case id "s.yml::two::m" is also that of the entry at 6:3, expected another name
s.yml::two::m: 1 mistakes, the first at s.yml:11:3
s.yml::two::n: left out
s.yml::one::m: left out
s.yml::security: read
s.yml::tools: a: read
s.yml::tools: a (entry at 2:9): left out
s.yml::tools: a (entry at 2:20): left out
s.yml::security (entry at 3:1): left out
`
	if diff := cmp.Diff(errs.Error()+"\n"+describeRest(s), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// TestSkipForeignDefaults pins that no test is judged without a default that only mcptest has, and how many cases a warning counts.
func TestSkipForeignDefaults(t *testing.T) {
	src := `defaults: {threshold: 0.5}
agents:
  - {name: base, models: [m, n]}
  - {name: right, expect: [{tool_names: {contains: x}}]}
tests:
  - {name: of base, agent: base, expect: [{tool_names: {contains: x}}]}
  - {name: of tools, type: tool}
`
	loader := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(src)}})
	loader.SkipForeign = true
	s, errs := loader.Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := `s.yml::right: left out
s.yml::of base::m: left out
s.yml::of base::n: left out
s.yml::of tools: left out
`
	if diff := cmp.Diff(describeRest(s), want); diff != "" {
		t.Errorf("cases (-got +want):\n%s", diff)
	}
	if got, want := s.Warnings[0].Error(), "it is left out, and 3 cases with it"; !strings.HasSuffix(got, want) {
		t.Errorf("warning %q does not end with %q", got, want)
	}
}
