package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// remembered is a recall that notes what it is asked for, and answers with what an earlier check found.
type remembered struct {
	counts   Counts
	asked    []string
	cases    map[string]report.Case
	catalogs map[string]report.Catalog
}

func (r *remembered) Suite(file string, load func() (*suite.Suite, source.Errors)) (*suite.Suite, source.Errors) {
	r.asked = append(r.asked, "suite "+file)
	return load()
}

func (r *remembered) Case(_ *suite.Suite, c *suite.Case, evaluate func() (report.Case, bool)) report.Case {
	if known, ok := r.cases[c.ID]; ok {
		r.asked = append(r.asked, "known case "+c.Name)
		return known
	}
	found, alone := evaluate()
	if alone {
		r.asked = append(r.asked, "case "+c.Name+", alone")
	} else {
		r.asked = append(r.asked, "case "+c.Name)
	}
	r.cases[c.ID] = found
	return found
}

func (r *remembered) Catalog(path string, of []*suite.Suite, judge func() report.Catalog) report.Catalog {
	if known, ok := r.catalogs[path]; ok {
		r.asked = append(r.asked, "known catalog "+path)
		return known
	}
	asked := "catalog " + path + " of"
	for _, s := range of {
		asked += " " + s.File
	}
	r.asked = append(r.asked, asked)
	r.catalogs[path] = judge()
	return r.catalogs[path]
}

func (r *remembered) Counts() *Counts { return &r.counts }

// TestRecall pins that a check asks its recall for each suite, case and catalog, and reports what that answers. A case is not alone
// where its tools are those of a recording that other cases read, too.
func TestRecall(t *testing.T) {
	fsys := workspace(
		"suites/a.yml", `
servers: {web: {catalog: ../web.json}, shell: {}}
agents: [{name: runs, server: shell, cassette: c.json, limits: {max_calls: 3}}]
findability: [{name: of a recording, server: shell, search: codex}]
tool_quality: [{name: of a catalog, server: web, expect: [{critical_count: {"<=": 9}}]}]
`,
		"suites/b.yml", "servers: {web: {catalog: ../web.json}, own: {catalog: own.json}}\nagents: [{name: fails, cassette: d.json, limits: {max_calls: 0}}]\n",
		"web.json", webCatalog, "suites/own.json", `{"tools": []}`,
		"suites/c.json", `{"catalog": {"shell": {"tools": [{"name": "exec", "description": "Run a command."}]}}, "runs": [{"tool_calls": [{"server": "shell", "name": "exec"}]}]}`,
		"suites/d.json", list(fourRuns[0]),
	)
	recall := &remembered{cases: map[string]report.Case{}, catalogs: map[string]report.Catalog{}}
	found := func(o Options) string {
		r := run(t, fsys, o)
		r.Warnings = nil // descriptions that nothing depends on are looked for without a recall alone
		return asJSON(t, r)
	}
	want := found(Options{Jobs: 1})
	for _, round := range []struct {
		name  string
		asked []string
	}{
		{"nothing is known", []string{
			"suite suites/a.yml", "suite suites/b.yml",
			"case runs, alone", "case of a catalog, alone", "case of a recording", "case fails, alone",
			"catalog suites/own.json of suites/b.yml", "catalog web.json of suites/a.yml suites/b.yml",
		}},
		{"all is known", []string{
			"suite suites/a.yml", "suite suites/b.yml",
			"known case runs", "known case of a catalog", "known case of a recording", "known case fails",
			"known catalog suites/own.json", "known catalog web.json",
		}},
	} {
		recall.asked = nil
		got := found(Options{Recall: recall, Jobs: 4})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the report (-without a recall +with one):\n%s", round.name, diff)
		}
		if diff := cmp.Diff(round.asked, recall.asked); diff != "" {
			t.Errorf("%s: it was asked for (-want +got):\n%s", round.name, diff)
		}
	}
}
