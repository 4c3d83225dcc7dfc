package basesuites

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// judgesOf loads the suites of a base and of a head. The base's suite judges the head's files.
func judgesOf(t *testing.T, base, head map[string]string) (j *Judges, pairs []Pair, was, now *suite.Suite) {
	t.Helper()
	was, _ = loaded(t, "s.yml", base)
	now, files := loaded(t, "s.yml", head)
	for i := range was.Cases {
		pairs = append(pairs, Pair{Entry{now, now.Cases[i]}, &Was{Entry{was, was.Cases[i]}, &report.Case{ID: was.Cases[i].ID, Suite: "s.yml"}}})
	}
	fsys := fstest.MapFS{"s.yml": {Data: []byte(base["s.yml"])}}
	j = Load(files, fsys, append(pairs, Pair{Entry: pairs[0].Entry}), nil, func(n int, do func(i int)) {
		for i := range n {
			do(i)
		}
	})
	return j, pairs, was, now
}

// TestInstead pins by which tools a case of the base judges: by those of the head's files, and by the head's own if the tools
// are in the suite. A tool that is gone from the head is not a mistake of the base's suite.
func TestInstead(t *testing.T) {
	const (
		servers  = "servers: {web: {catalog: web.json}}\n"
		lacks    = `{"tools": [{"name": "fetch", "description": "Fetch one page now."}]}`
		found    = `{"tools": [{"name": "search", "description": "Search the net."}, {"name": "fetch", "description": "Fetch one page now."}]}`
		note     = `{"tools": [{"name": "note", "description": "Take a note."}]}`
		newNote  = `{"tools": [{"name": "note", "description": "Take a new note."}]}`
		ignore   = ", rules: {ignore: [{rule: DESC-010, tool: search, reason: known}]}, expect: [{warning_count: {'<=': 9}}]}]\n"
		findable = ", intents: [{query: pages about a topic, gold: search}]}]\n"
	)
	for _, test := range []struct {
		name, base string
		head       string // "" for the base's with a comment
		web        string // web.json of the head
		want       string // the tools that are judged, with their descriptions
	}{
		{"no tool is gone", servers + "tool_quality: [{name: q, server: web" + ignore, "", found, "web.search: Search the net., web.fetch: Fetch one page now."},
		{"a server", servers + "tool_quality: [{name: q, server: web" + ignore, "tool_quality: [{name: q, catalog: note.json, expect: [{warning_count: {'<=': 9}}]}]\n", lacks, "web.fetch: Fetch one page now."},
		{"a file", "tool_quality: [{name: q, catalog: web.json" + ignore, "tool_quality: [{name: q, catalog: note.json, expect: [{warning_count: {'<=': 9}}]}]\n", lacks, "fetch: Fetch one page now."},
		{"a file of a search", "findability: [{name: q, catalog: web.json" + findable, "findability: [{name: q, catalog: note.json}]\n", lacks, "web.fetch: Fetch one page now."},
		{"two files of a search", "findability: [{name: q, catalog: [web.json, note.json]" + findable, "findability: [{name: q, catalog: note.json}]\n", lacks, "web.fetch: Fetch one page now., note.note: Take a new note."},
		{"competing files", "findability: [{name: q, catalog: web.json, beside: [note.json]" + findable, "findability: [{name: q, catalog: note.json}]\n", lacks, "web.fetch: Fetch one page now., beside note.note: Take a new note."},
		{"tools in the suite", "tool_bench: [{name: q, catalog: {tools: [{name: get, description: Get it.}]}, intents: [{query: get it, gold: get}], min_accuracy: 0.5}]\n",
			"tool_bench: [{name: q, catalog: {tools: [{name: get, description: Take it.}]}, intents: [{query: get it, gold: get}], min_accuracy: 0.5}]\n", webTools, "get: Take it."},
		{"tools in the base's suite alone", "tool_bench: [{name: q, catalog: {tools: [{name: get, description: Get it.}]}, intents: [{query: get it, gold: get}], min_accuracy: 0.5}]\n",
			"tool_bench: [{name: q, catalog: note.json, intents: [{query: a note, gold: note}], min_accuracy: 0.5}]\n", webTools, "note: Take a new note."},
	} {
		t.Run(test.name, func(t *testing.T) {
			base := map[string]string{"s.yml": test.base, "web.json": webTools, "note.json": note}
			head := map[string]string{"s.yml": test.head, "web.json": test.web, "note.json": newNote}
			if test.head == "" {
				head["s.yml"] = "# more\n" + test.base
			}
			j, pairs, was, now := judgesOf(t, base, head)
			got := j.Instead(pairs[0])
			if got == nil || !got.IsJudged() {
				t.Fatalf("got %+v, want a case that is judged", got)
			}
			var said []string
			for _, tool := range got.Catalog.Tools {
				said = append(said, tool.Ref().ID()+": "+tool.Description)
			}
			if got.Beside != nil {
				for _, tool := range got.Beside.Tools {
					said = append(said, "beside "+tool.Ref().ID()+": "+tool.Description)
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(said, ", ")); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			if got.Pos != now.Cases[0].Pos || was.Cases[0].Catalog == got.Catalog {
				t.Errorf("the case is at %v with the catalog of %s, want the place and the files of the head", got.Pos, got.Catalog.File)
			}
		})
	}
}

// TestInsteadOfRuns pins that a case of the base on runs has the head's servers if a tool that it names is gone, and that the
// base's case stays as it is.
func TestInsteadOfRuns(t *testing.T) {
	text := strings.Replace(namedTool, "{web:", "{more: {}, web:", 1)
	text = strings.NewReplacer("[web]", "[web, more]", "search", "web.search").Replace(text)
	base := map[string]string{"s.yml": text, "web.json": webTools}
	head := map[string]string{"s.yml": strings.Replace(text, "web.search", "web.find", 1), "web.json": netTools}
	j, pairs, was, _ := judgesOf(t, base, head)
	got := j.Instead(pairs[0])
	if got == nil || !got.IsJudged() || len(got.Checks) != 1 {
		t.Fatalf("got %+v, want the base's case", got)
	}
	if names := idsOf(got.Servers[0].Snapshot); !slices.Contains(names, "web.find") || got.Servers[1].Name != "more" {
		t.Errorf("the servers are %+v, want the head's tools %q", got.Servers, names)
	}
	if names := idsOf(was.Cases[0].Servers[0].Snapshot); !slices.Contains(names, "web.search") {
		t.Errorf("the base's case has the tools %q, want its own", names)
	}
}

// TestNotInstead pins that a case counts as new if the base's suite does not have it, or leaves it out.
func TestNotInstead(t *testing.T) {
	base := map[string]string{"s.yml": namedTool + "tool_quality: [{name: q, server: web, expect: [{warning_count: {'<=': 9}}]}]\n", "web.json": webTools}
	j, pairs, _, _ := judgesOf(t, base, map[string]string{"s.yml": "# more\n" + base["s.yml"], "web.json": webTools})
	if j.Instead(pairs[0]) == nil || j.Instead(pairs[1]) == nil {
		t.Error("the base's cases do not judge")
	}
	other := *pairs[0].Was.Case
	other.ID = "s.yml::other"
	pairs[0].Was.Case = &other
	if got := j.Instead(pairs[0]); got != nil {
		t.Errorf("%q judges, want no case", got.ID)
	}
	skipped := map[string]string{"s.yml": "agents: [{name: a, runs: 1, cassette: c.json}]\n"}
	j, pairs, _, _ = judgesOf(t, skipped, map[string]string{"s.yml": "# more\n" + namedTool, "web.json": webTools})
	if got := j.Instead(pairs[0]); got != nil {
		t.Errorf("%q judges, want no case: it is left out", got.ID)
	}
}

// TestMovedCatalogs pins which catalogs of a base are at another path of the head: those that are gone, of a server or of an
// entry.
func TestMovedCatalogs(t *testing.T) {
	const (
		ofServer = "servers: {web: {catalog: web.json}}\n" + "tool_quality: [{name: q, server: web, expect: [{warning_count: {'<=': 9}}]}]\n"
		ofEntry  = "tool_quality: [{name: q, catalog: web.json, expect: [{warning_count: {'<=': 9}}]}]\n"
		inSuite  = "tool_bench: [{name: q, catalog: {tools: [{name: get, description: Get it.}]}, intents: [{query: get it, gold: get}], min_accuracy: 0.5}]\n"
		ofFile   = "tool_bench: [{name: q, catalog: net.json, intents: [{query: find, gold: find}], min_accuracy: 0.5}]\n"
		runs     = "servers: {web: {%s}}\nagents: [{name: a, servers: [web], cassette: c.json, expect: [{tool_names: {contains: open}}]}]\n"
	)
	toNet := func(text string) string { return strings.ReplaceAll(text, "web.json", "net.json") }
	for _, test := range []struct {
		name, base, head string
		stands           bool // the head has web.json, too
		want             map[string]string
	}{
		{"nothing", ofServer, ofServer, true, map[string]string{}},
		{"of a server", ofServer, toNet(ofServer), false, map[string]string{"web.json": "net.json"}},
		{"of a server, and the old file stands", ofServer, toNet(ofServer), true, map[string]string{}},
		{"of a renamed server", ofServer, strings.NewReplacer("web:", "net:", "server: web", "server: net").Replace(toNet(ofServer)), false, map[string]string{"web.json": "net.json"}},
		{"of an entry", ofEntry, toNet(ofEntry), false, map[string]string{"web.json": "net.json"}},
		{"of an entry that has its tools in the suite now", strings.NewReplacer("net.json", "web.json", "gold: find", "gold: search").Replace(ofFile), inSuite, false, map[string]string{}},
		{"of an entry that had its tools in the suite", inSuite, ofFile, false, map[string]string{}},
		{"of a server that has none now", strings.Replace(runs, "%s", "catalog: web.json", 1), strings.Replace(runs, "%s", "", 1), false, map[string]string{}},
		{"of a server that had none", strings.Replace(runs, "%s", "", 1), strings.Replace(runs, "%s", "catalog: net.json", 1), false, map[string]string{}},
	} {
		was, _ := loaded(t, "s.yml", map[string]string{"s.yml": test.base, "web.json": webTools, "net.json": netTools})
		files := map[string]string{"s.yml": test.head, "net.json": netTools}
		if test.stands {
			files["web.json"] = webTools
		}
		now, loader := loaded(t, "s.yml", files)
		got := movedCatalogs(loader, []Pair{{Entry{now, now.Cases[0]}, &Was{Entry: Entry{was, was.Cases[0]}}}, {Entry{now, now.Cases[0]}, nil}})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: moved (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestDiffers pins which pairs of cases have different suites.
func TestDiffers(t *testing.T) {
	of := func(file string, sha byte) Entry {
		return Entry{Suite: &suite.Suite{File: file, SHA256: [32]byte{sha}}}
	}
	for _, test := range []struct {
		name string
		pair Pair
		want bool
	}{
		{"no base", Pair{of("a", 1), nil}, false},
		{"the same", Pair{of("a", 1), &Was{Entry: of("a", 1)}}, false},
		{"edited", Pair{of("a", 1), &Was{Entry: of("a", 2)}}, true},
		{"moved", Pair{of("a", 1), &Was{Entry: of("b", 1)}}, true},
	} {
		if got := test.pair.Differs(); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
}

// TestRefuse pins that a suite that had mistakes in the base cannot judge a head that edits it.
func TestRefuse(t *testing.T) {
	base := map[string]string{"s.yml": namedTool, "web.json": webTools}
	j, _, was, now := judgesOf(t, base, map[string]string{"s.yml": "# more\n" + namedTool, "web.json": webTools})
	want := []report.Problem{{Path: "s.yml", Line: 1, Col: 1,
		Message: "the base's suite of this name has mistakes in the base, so that it cannot judge, and the change edits it (gates-from: base)"}}
	for _, test := range []struct {
		name   string
		unread []string
		head   []*suite.Suite
		want   []report.Problem
	}{
		{"no mistakes in the base", nil, []*suite.Suite{now}, nil},
		{"mistakes in the base", []string{"s.yml"}, []*suite.Suite{now}, want},
		{"the head lacks it", []string{"s.yml"}, nil, want},
		{"the head has it unchanged", []string{"s.yml"}, []*suite.Suite{was}, nil},
		{"mistakes in another suite", []string{"t.yml"}, []*suite.Suite{now}, nil},
	} {
		if diff := cmp.Diff(test.want, j.Refuse(test.unread, test.head)); diff != "" {
			t.Errorf("%s: refused (-want +got):\n%s", test.name, diff)
		}
	}
}
