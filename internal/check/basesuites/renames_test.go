package basesuites

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// namedTool is a suite with a case that names one tool.
const namedTool = "servers: {web: {catalog: web.json}}\nagents: [{name: a, servers: [web], cassette: c.json, " +
	"tool_selection: {expected_tool: search, min_selection_rate: 1}}]\n"

// seen is the view of a case of the base on a head of these files and runs.
func seen(t *testing.T, base, head map[string]string, headRuns *trace.Trace, baseRuns func() *trace.Trace) *View {
	t.Helper()
	was, _ := loaded(t, "s.yml", base)
	now, files := loaded(t, "s.yml", head)
	w := &Was{Entry{was, was.Cases[0]}, &report.Case{ID: was.Cases[0].ID}}
	return w.See(Head{Entry: Entry{now, now.Cases[0]}, Files: files, Trace: headRuns}, baseRuns)
}

// TestRenames pins which tools of a head that renames search to find are renamed, and which are gone.
func TestRenames(t *testing.T) {
	const (
		both     = `{"tools": [{"name": "search", "description": "Search the web."}, {"name": "find", "description": "Find."}]}`
		withOld  = `{"tools": [{"name": "search", "description": "Search the web for pages about a topic."}, {"name": "archive", "description": "Keep a page."}]}`
		renamed  = "search>find"
		noRename = ""
	)
	found, searched := runsOf("web", netTools, "find"), runsOf("web", webTools, "search")
	injected := runsOf("web", both, "find")
	injected.Distractors = []catalog.Ref{{Server: "web", Name: "search"}}
	find := []string{"search", "find"}
	for _, test := range []struct {
		name               string
		base, head         []string // texts of the suite that differ: old, new
		headRuns, baseRuns *trace.Trace
		renames, gone      string
	}{
		{"renamed", nil, find, found, searched, renamed, ""},
		{"no run of the base can be read", nil, find, found, nil, renamed, ""},
		{"the base's runs call the new name", nil, find, found, found, noRename, ""},
		{"the runs were offered the old name", nil, find, searched, searched, noRename, ""},
		{"the runs were offered both names", nil, find, runsOf("web", both, "find"), searched, noRename, ""},
		{"the old name is a distractor", nil, find, injected, searched, renamed, ""},
		{"the runs do not list their tools", nil, find, &trace.Trace{}, searched, renamed, ""},
		{"one of several tools", []string{"search", "[fetch, open]", "1}}", "1}, expect: [{tool_names: {contains: search}}]}"}, find, found, searched, renamed, ""},
		{"the head names another tool", nil, []string{"search", "fetch"}, found, searched, noRename, ""},
		{"the base names another tool", []string{"search", "fetch"}, find, found, searched, noRename, ""},
		{"the head names both", []string{"search", "web.search"}, []string{"search", "find", "1}}", "1}, expect: [{tool_names: {contains: search}}]}"},
			found, searched, noRename, ""},
		{"the servers have no snapshot", []string{"catalog: web.json", ""}, []string{"catalog: web.json", "", "search", "find"}, found, searched, renamed, ""},
		{"no case names a server", []string{"servers: [web], ", ""}, []string{"servers: [web], ", "", "search", "find"}, found, searched, renamed, ""},
		{"only a recording of the base has a tool", []string{"1}}", "1}, expect: [{tool_names: {contains: archive}}]}"}, find,
			found, runsOf("web", withOld, "search"), renamed, ""},
	} {
		base := map[string]string{"s.yml": strings.NewReplacer(test.base...).Replace(namedTool), "web.json": webTools}
		head := map[string]string{"s.yml": strings.NewReplacer(test.head...).Replace(namedTool), "web.json": netTools}
		v := seen(t, base, head, test.headRuns, func() *trace.Trace { return test.baseRuns })
		var renames []string
		for _, r := range v.Judgement().Renames {
			renames = append(renames, r.Old+">"+r.New)
		}
		if got := strings.Join(renames, " "); got != test.renames {
			t.Errorf("%s: renames: got %q, want %q", test.name, got, test.renames)
		}
		if got := strings.Join(v.Gone, " "); got != test.gone {
			t.Errorf("%s: gone: got %q, want %q", test.name, got, test.gone)
		}
	}
}

// TestSharedName pins that a new name is shared if another server has a tool of that name.
func TestSharedName(t *testing.T) {
	text := strings.NewReplacer("{web:", "{more: {catalog: more.json}, web:", "[web]", "[web, more]", "search,", "web.search,").Replace(namedTool)
	const more = `{"tools": [{"name": "find", "description": "Find a person."}]}`
	base := map[string]string{"s.yml": text, "web.json": webTools, "more.json": more}
	head := map[string]string{"s.yml": strings.Replace(text, "web.search", "web.find", 1), "web.json": netTools, "more.json": more}
	v := seen(t, base, head, &trace.Trace{}, func() *trace.Trace { return nil })
	want := report.Renames{{Server: "web", Old: "search", New: "find", Shared: true}}
	if diff := cmp.Diff(want, v.Judgement().Renames); diff != "" {
		t.Errorf("renames (-want +got):\n%s", diff)
	}
}

// TestNothingIsLookedUp pins that the base's recordings are not read if the head's case names the same tools: also in another
// order, and under the new name of a server.
func TestNothingIsLookedUp(t *testing.T) {
	const text = "servers: {zed: {catalog: web.json}, mid: {catalog: mid.json}}\nagents: [{name: a, servers: [zed, mid], cassette: c.json, " +
		"tool_selection: {expected_tool: [zed.open, mid.note], min_selection_rate: 1}, expect: [{tool_names: {contains: search}}]}]\n"
	files := map[string]string{"s.yml": text, "web.json": webTools, "mid.json": `{"tools": [{"name": "note", "description": "Take a note."}]}`}
	for _, test := range []struct{ name, old, new string }{
		{"nothing changes", "", ""},
		{"a server is renamed", "zed", "abc"},
		{"a floor is lowered", "rate: 1", "rate: 0.5"},
	} {
		head := map[string]string{"s.yml": strings.ReplaceAll(text, test.old, test.new), "web.json": netTools, "mid.json": files["mid.json"]}
		v := seen(t, files, head, &trace.Trace{}, func() *trace.Trace { t.Errorf("%s: the base's recordings are read", test.name); return nil })
		if len(v.Judgement().Renames)+len(v.Gone) > 0 {
			t.Errorf("%s: renames %v and gone %q, want none", test.name, v.Judgement().Renames, v.Gone)
		}
	}
}

// TestNamesOfServers pins which servers a case of the base has: its own and the head's, including those that are not declared.
func TestNamesOfServers(t *testing.T) {
	const declared = "servers: {web: {catalog: web.json}}\n"
	for _, test := range []struct {
		name, base, head string
		want             []string
	}{
		{"none is named", declared + "agents: [{name: a, ", declared + "agents: [{name: a, ", nil},
		{"the base names one", declared + "agents: [{name: a, servers: [web], ", declared + "agents: [{name: a, ", []string{"web"}},
		{"the head names one", declared + "agents: [{name: a, ", declared + "agents: [{name: a, servers: [web], ", []string{"web"}},
		{"both name one", declared + "agents: [{name: a, servers: [web], ", declared + "agents: [{name: a, servers: [web], ", []string{"web"}},
		{"one is not declared", "agents: [{name: a, servers: [ghost], ", "agents: [{name: a, servers: [ghost, more], ", []string{"ghost", "more"}},
	} {
		const rest = "cassette: c.json, tool_selection: {expected_tool: search, min_selection_rate: 1}}]\n"
		base := map[string]string{"s.yml": test.base + rest, "web.json": webTools}
		head := map[string]string{"s.yml": test.head + rest, "web.json": webTools}
		v := seen(t, base, head, &trace.Trace{}, func() *trace.Trace { return nil })
		if diff := cmp.Diff(test.want, v.Case().ServerNames); diff != "" {
			t.Errorf("%s: servers (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestRenamedServers pins which servers of two names are one.
func TestRenamedServers(t *testing.T) {
	loader := suite.NewLoader(fstest.MapFS{"kept.json": {Data: []byte("{}")}})
	of := func(name, file string, tools ...string) *suite.Server {
		s := &suite.Server{Name: name}
		if file != "" {
			s.Snapshot = &catalog.Catalog{File: file}
			for _, tool := range tools {
				s.Snapshot.Tools = append(s.Snapshot.Tools, &catalog.Tool{Name: tool})
			}
		}
		return s
	}
	started := func(name, url string) *suite.Server {
		return &suite.Server{Name: name, Start: suite.Start{URL: url}}
	}
	for _, test := range []struct {
		name       string
		base, head []*suite.Server
		want       string
	}{
		{"one snapshot", []*suite.Server{of("a", "x.json")}, []*suite.Server{of("b", "x.json")}, "a>b"},
		{"a name that both have", []*suite.Server{of("a", "x.json")}, []*suite.Server{of("a", "x.json"), of("b", "x.json")}, ""},
		{"moved", []*suite.Server{of("a", "x.json", "p", "q", "r")}, []*suite.Server{of("b", "y.json", "p", "q")}, "a>b"},
		{"other tools", []*suite.Server{of("a", "x.json", "p", "q")}, []*suite.Server{of("b", "y.json", "p", "s")}, ""},
		{"the file is still there", []*suite.Server{of("a", "kept.json", "p")}, []*suite.Server{of("b", "y.json", "p")}, ""},
		{"started in one way", []*suite.Server{started("a", "http://x")}, []*suite.Server{started("b", "http://x")}, "a>b"},
		{"started otherwise", []*suite.Server{started("a", "http://x")}, []*suite.Server{started("b", "http://y")}, ""},
		{"a snapshot more", []*suite.Server{started("a", "")}, []*suite.Server{of("b", "y.json")}, ""},
		{"two that were one", []*suite.Server{of("a", "x.json"), of("c", "x.json")}, []*suite.Server{of("b", "x.json")}, "a>b"},
		{"by the new names", []*suite.Server{of("a", "x.json"), of("c", "y.json")}, []*suite.Server{of("z", "x.json"), of("b", "y.json")}, "c>b a>z"},
	} {
		var got []string
		for _, r := range renamedServers(loader, test.base, test.head) {
			got = append(got, r.Old+">"+r.New)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
