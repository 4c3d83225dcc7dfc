package basesuites

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// loaded returns a suite of these files.
func loaded(t *testing.T, file string, files map[string]string) (*suite.Suite, *suite.Loader) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	loader := suite.NewLoader(fsys)
	loader.Settings = true
	s, errs := loader.Load(file)
	if s == nil || len(errs) > 0 {
		t.Fatalf("%s: %v", file, errs.Err())
	}
	return s, loader
}

const (
	baseText = "servers: {web: {catalog: web.json}}\nagents: [{name: a, model: m, servers: [web], cassette: c.json, " +
		"tool_selection: {expected_tool: web.search, min_selection_rate: 1}, limits: {max_calls: 1}, expect: [{tool_names: {contains: search}}]}]\n"
	webTools = `{"tools": [{"name": "search", "description": "Search the web for pages about a topic."}, {"name": "fetch", "description": "Fetch one page."}, {"name": "open", "description": "Open it."}]}`
	netTools = `{"tools": [{"name": "find", "description": "Search the web for pages about a topic."}, {"name": "fetch", "description": "Fetch one page."}, {"name": "open", "description": "Open it."}]}`
)

// renamedHead are the files of a head that renames the server, its snapshot and a tool.
func renamedHead() map[string]string {
	text := strings.NewReplacer("web: {catalog: web.json}", "net: {catalog: net.json}", "[web]", "[net]", "web.search", "net.find", "search}", "find}").Replace(baseText)
	return map[string]string{"s.yml": text + "pricing: {m: {input: 1, output: 1}}\n", "net.json": netTools}
}

// runsOf returns runs that call these tools, as recordings of the tools of a server have them.
func runsOf(server, tools string, calls ...string) *trace.Trace {
	cat, _ := catalog.Read("c.json", []byte(tools))
	tr := &trace.Trace{}
	tr.Recorded = cat.Named(server)
	tr.Deferred = []catalog.Ref{{Server: server, Name: calls[0]}}
	for i, name := range calls {
		call := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}}
		tr.Runs = append(tr.Runs, trace.Run{Number: i + 1, Calls: []trace.Call{call}})
	}
	return tr
}

func idsOf(cat *catalog.Catalog) (ids []string) {
	for _, t := range cat.Tools {
		ids = append(ids, t.Ref().ID())
	}
	return ids
}

// TestSee pins what a case of the base sees of a head that renames a server and a tool: both under their names of the base.
func TestSee(t *testing.T) {
	base, _ := loaded(t, "s.yml", map[string]string{"s.yml": baseText, "web.json": webTools})
	head, files := loaded(t, "s.yml", renamedHead())
	was := &Was{Entry{base, base.Cases[0]}, &report.Case{ID: "s.yml::a"}}
	given := runsOf("net", netTools, "find", "fetch")
	search := &trace.Search{Query: "pages", Tools: []catalog.Ref{{Server: "net", Name: "find"}}}
	given.Runs[1].Calls[0].Detail = &trace.Detail{Agent: "sub", Search: search}
	v := was.See(Head{Entry: Entry{head, head.Cases[0]}, Files: files, Trace: given},
		func() *trace.Trace { return runsOf("web", webTools, "search", "fetch") })
	want := &report.BaseJudgement{
		Case: "s.yml::a", Renames: report.Renames{{Server: "web", Old: "search", New: "find"}}, Servers: report.ServerRenames{{Old: "web", New: "net"}},
	}
	if diff := cmp.Diff(want, v.Judgement()); diff != "" || v.Fault != "" {
		t.Errorf("judgement (-want +got): %s; fault %q", diff, v.Fault)
	}
	tr := v.Trace()
	if got := idsOf(tr.Recorded); !slices.Equal(got, []string{"web.search", "web.fetch", "web.open"}) || tr.Runs[0].Calls[0].Tool.ID() != "web.search" || tr.Deferred[0].ID() != "web.search" {
		t.Errorf("the tools are %q, the first call is %s and the first deferred tool %s, want the names of the base", got, tr.Runs[0].Calls[0].Tool.ID(), tr.Deferred[0].ID())
	}
	if got := tr.Runs[1].Calls[0].Detail; got.Agent != "sub" || got.Search.Query != "pages" || got.Search.Tools[0].ID() != "web.search" {
		t.Errorf("the search is %+v by %q, want the names of the base", got.Search, got.Agent)
	}
	if given.Runs[0].Calls[0].Tool.ID() != "net.find" || search.Tools[0].ID() != "net.find" || given.Runs[1].Calls[0].Detail.Search != search {
		t.Error("the head's runs were changed")
	}
	c := v.Case()
	if got := idsOf(c.Servers[0].Snapshot); c.Servers[0].Name != "web" || !slices.Equal(c.ServerNames, []string{"web"}) || !slices.Equal(got, []string{"web.search", "web.fetch", "web.open"}) {
		t.Errorf("the case has server %s (%q) with tools %q, want web as in the base", c.Servers[0].Name, c.ServerNames, got)
	}
	if same := NamesOf(nil); same.Trace(tr) != tr || same.Catalog(tr.Recorded) != tr.Recorded || same.Trace(nil) != nil {
		t.Error("without renames a trace or a catalog is copied")
	}
}

// TestGone pins that a tool which no server has any more is gone, and that recordings of the base show no rename.
func TestGone(t *testing.T) {
	base, _ := loaded(t, "s.yml", map[string]string{"s.yml": baseText, "web.json": webTools})
	head, files := loaded(t, "s.yml", renamedHead())
	same := []report.Recording{{Path: "c.json", SHA256: "1", Runs: 1}}
	was := &Was{Entry{base, base.Cases[0]}, &report.Case{ID: "s.yml::a", Recordings: same}}
	v := was.See(Head{Entry: Entry{head, head.Cases[0]}, Files: files, Trace: runsOf("net", netTools, "find"), Recordings: same}, func() *trace.Trace { return nil })
	if len(v.Judgement().Renames) != 0 || len(v.Gone) != 0 {
		t.Errorf("renames %+v and gone %q, want none: the recording is the base's", v.Judgement().Renames, v.Gone)
	}
	lacks := renamedHead()
	lacks["net.json"] = `{"tools": [{"name": "fetch", "description": "Fetch one page."}, {"name": "open", "description": "Open it."}]}`
	lacks["s.yml"] = strings.NewReplacer("expected_tool: net.find", "expected_tool: net.fetch", "contains: find", "contains: fetch").Replace(lacks["s.yml"])
	head, files = loaded(t, "s.yml", lacks)
	v = was.See(Head{Entry: Entry{head, head.Cases[0]}, Files: files, Trace: runsOf("net", lacks["net.json"], "fetch")}, func() *trace.Trace { return nil })
	if want := []string{"search"}; !slices.Contains(v.Gone, "search") {
		t.Errorf("gone are %q, want %q among them", v.Gone, want)
	}
}

// TestFirstFailure pins which failure is reported, and that a failure which needs a removed tool is skipped.
func TestFirstFailure(t *testing.T) {
	s, _ := loaded(t, "s.yml", map[string]string{"s.yml": baseText, "web.json": webTools})
	gates := []judge.Result{{Assertions: []judge.Assertion{{Target: "tool_selection.rate", Matcher: ">= 1", Verdict: judge.Fail}}}, {Assertions: []judge.Assertion{{Verdict: judge.Pass}}}}
	names := report.RunAssertion{Run: 2, Assertion: judge.Assertion{Target: "tool_names", Matcher: "contains search", Verdict: judge.Fail, Message: "it does not"}}
	counts := func(failed int) *report.CaseCut {
		return &report.CaseCut{Expect: []report.CutExpect{{Target: "tool_names", Matcher: "contains search", Passed: 2, Failed: failed}}}
	}
	for _, test := range []struct {
		c    report.Case
		gone []string
		want string
	}{
		{report.Case{Gates: gates}, nil, "tool_selection.rate is not >= 1"},
		{report.Case{Gates: gates, Expect: []report.RunAssertion{names}}, []string{"web.search"}, "run 2: it does not"},
		{report.Case{Gates: gates, Expect: []report.RunAssertion{names}, Cut: counts(3)}, []string{"search", "web.search"}, ""},
		{report.Case{Gates: gates[1:], Cut: counts(3)}, nil, "3 runs: tool_names is not contains search"},
		{report.Case{Cut: counts(1)}, nil, "1 run: tool_names is not contains search"},
		{report.Case{Cut: counts(0)}, nil, ""},
		{report.Case{Gates: []judge.Result{{Err: &judge.Problem{Message: "broken"}}}}, nil, "broken"},
		{report.Case{Gates: gates[1:]}, nil, ""},
	} {
		if got := FirstFailure(&test.c, s.Cases[0], test.gone); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestJudges pins which suites of the base judge, and by which files.
func TestJudges(t *testing.T) {
	text := map[string]string{"s.yml": baseText, "web.json": webTools}
	base, _ := loaded(t, "s.yml", text)
	head, files := loaded(t, "s.yml", renamedHead())
	was := &Was{Entry{base, base.Cases[0]}, &report.Case{ID: base.Cases[0].ID, Suite: "s.yml"}}
	baseFiles := fstest.MapFS{"s.yml": {Data: []byte(text["s.yml"])}, "bad.yml": {Data: []byte("agents: 5")}}
	inTurn := func(n int, do func(i int)) {
		for i := range n {
			do(i)
		}
	}
	pair := Pair{Entry{head, head.Cases[0]}, was}
	j := Load(files, baseFiles, []Pair{pair}, []string{"bad.yml"}, inTurn)
	got := j.Instead(pair)
	if got == nil || got.Suite.Servers[0].Snapshot.File != "net.json" || got.Pos != head.Cases[0].Pos {
		t.Fatalf("the case of the base is %+v, want one with the head's catalog, at the place of the head's", got)
	}
	problems := j.Refuse(nil, nil)
	if len(problems) != 1 || problems[0].Path != "bad.yml" || !strings.Contains(problems[0].Message, "it has a mistake") {
		t.Errorf("refused are %+v, want bad.yml", problems)
	}
	kept, added := &suite.Suite{File: "kept.yml"}, &suite.Suite{File: "new.yml"}
	if all := j.Suites([]*suite.Suite{base, kept}, []*suite.Suite{head, kept, added}); !slices.Equal(all, []*suite.Suite{got.Suite, kept}) {
		t.Errorf("%d suites judge, want that of the base and the one that the change does not edit", len(all))
	}
	if all := j.Suites([]*suite.Suite{base}, []*suite.Suite{base}); !slices.Equal(all, []*suite.Suite{got.Suite}) {
		t.Errorf("%d suites judge, want that of the base once", len(all))
	}
	if j.Removed(was.Report) == nil || j.Removed(&report.Case{Suite: "bad.yml"}) != nil || j.Removed(&report.Case{Suite: "s.yml"}) != nil {
		t.Error("the removed cases are not those that the base's suites have")
	}
	mistaken := pair
	mistaken.Case = &suite.Case{Mistakes: source.Errors{{Msg: "x"}}}
	if j.Instead(mistaken) != nil {
		t.Error("the base's suite judges a case with mistakes of its own")
	}
	if same := Load(files, baseFiles, []Pair{{Entry{base, base.Cases[0]}, was}}, nil, inTurn); same.Suites([]*suite.Suite{base}, []*suite.Suite{base}) != nil {
		t.Error("suites that do not differ are read again")
	}
}

// TestGiven pins what a case of the base takes from the head's in a replay, and that a live run takes nothing of it.
func TestGiven(t *testing.T) {
	web, net := &suite.Server{Name: "web"}, &suite.Server{Name: "net"}
	old, new := &suite.Agent{}, &suite.Agent{}
	base := &suite.Case{Prompt: "a", Model: "m", Agent: old, Servers: []*suite.Server{web}, ServerNames: []string{"web"}, Lost: []string{"x"}}
	head := &suite.Case{HasPrompt: true, Prompt: "b", HasSystemPrompt: true, SystemPrompt: "s", Recorded: suite.Texts{Prompt: "r"}, Model: "n", Agent: new, Servers: []*suite.Server{{Name: "web"}, net}, ServerNames: []string{"web", "net"}}
	if got := Given(base, head, false, false); got.Prompt != "b" || !got.HasPrompt || got.SystemPrompt != "s" || !got.HasSystemPrompt || got.Recorded != head.Recorded || got.Model != "n" || got.Agent != new || !slices.Equal(got.Servers, []*suite.Server{web, net}) ||
		!slices.Equal(got.ServerNames, []string{"web", "net"}) || len(got.Lost) != 1 {
		t.Errorf("of a replay: got %+v", got)
	}
	if got := Given(base, &suite.Case{}, false, false); got.Prompt != "a" || got.Model != "m" || got.Agent != old {
		t.Errorf("of a head that names nothing: got %+v", got)
	}
	if got := Given(base, head, true, false); got.Prompt != "a" || got.Model != "m" || got.Agent != old || len(got.Servers) != 1 {
		t.Errorf("of a live run: got %+v", got)
	}
	if got := Given(base, head, true, true); got.Prompt != "a" || !slices.Equal(got.Servers, head.Servers) || len(got.Lost) != 0 {
		t.Errorf("of gates that follow: got %+v", got)
	}
}

// TestLost pins which recordings a change takes away.
func TestLost(t *testing.T) {
	of := func(path, sha string, runs int) report.Recording {
		return report.Recording{Path: path, SHA256: report.Optional(sha), Runs: runs}
	}
	two, unhashed := []report.Recording{of("a", "1", 2), of("b", "2", 2)}, []report.Recording{of("a", "", 2), of("b", "", 2)}
	for _, test := range []struct {
		name     string
		was, now []report.Recording
		want     string
	}{
		{"all", two, []report.Recording{of("a", "1", 2), of("b", "2", 2)}, ""},
		{"one gone", two, []report.Recording{of("a", "1", 2)}, "b"},
		{"one moved", two, []report.Recording{of("a", "1", 2), of("c", "2", 2)}, ""},
		{"one in its place", two, []report.Recording{of("a", "1", 2), of("c", "3", 2)}, ""},
		{"a shorter one in its place", two, []report.Recording{of("a", "1", 2), of("c", "3", 1)}, "b"},
		{"a copy in its place", two, []report.Recording{of("a", "1", 2), of("c", "3", 1), of("d", "3", 1)}, "b"},
		{"made again at its place", two, []report.Recording{of("a", "4", 1), of("b", "5", 1)}, ""},
		{"one moved, and the other gone", two, []report.Recording{of("c", "2", 2)}, "a"},
		{"none left", two, nil, "a b"},
		{"unhashed, one gone", unhashed, []report.Recording{of("a", "", 2)}, "b"},
		{"unhashed, one in its place", unhashed, []report.Recording{of("a", "", 2), of("c", "", 2)}, ""},
	} {
		was := &Was{Report: &report.Case{Recordings: test.was}}
		if got := strings.Join(was.Lost(test.now), " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestFiles pins that a file at a path of the base is the server's, whatever the head's suite names in its place, and that a broken
// one is a fault.
func TestFiles(t *testing.T) {
	base, _ := loaded(t, "s.yml", map[string]string{"s.yml": baseText, "web.json": webTools})
	was := &Was{Entry{base, base.Cases[0]}, &report.Case{ID: "s.yml::a"}}
	mild := strings.Replace(baseText, "web.json}", "mild.json}, more: {}", 1)
	mild = strings.NewReplacer("[web]", "[web, more]", "web.search", "web.fetch", "contains: search", "contains: fetch").Replace(mild)
	text := map[string]string{"s.yml": mild, "mild.json": netTools, "web.json": webTools}
	head, files := loaded(t, "s.yml", text)
	v := was.See(Head{Entry: Entry{head, head.Cases[0]}, Files: files}, func() *trace.Trace { return nil })
	c := v.Case()
	if got := idsOf(c.Servers[0].Snapshot); v.Fault != "" || got[0] != "web.search" || !slices.Equal(c.ServerNames, []string{"web", "more"}) || len(c.Servers) != 2 {
		t.Errorf("the case has servers %q with tools %q and fault %q, want those of web.json, and more", c.ServerNames, got, v.Fault)
	}
	if now := OnCatalogs(was, head.Cases[0], files); now.Servers[0].Snapshot.File != "web.json" || now.Servers[1] != head.Cases[0].Servers[1] || head.Cases[0].Servers[0].Snapshot.File != "mild.json" {
		t.Errorf("the head's case is judged on %s, want web.json, and its own other server", now.Servers[0].Snapshot.File)
	}
	text["web.json"] = `{"tools": 5}`
	head, files = loaded(t, "s.yml", text)
	v = was.See(Head{Entry: Entry{head, head.Cases[0]}, Files: files}, func() *trace.Trace { return nil })
	if !strings.HasPrefix(v.Fault, `catalog "web.json": "tools" must be`) {
		t.Errorf("the fault is %q, want that of web.json", v.Fault)
	}
	delete(text, "web.json")
	head, files = loaded(t, "s.yml", text)
	v = was.See(Head{Entry: Entry{head, head.Cases[0]}, Files: files}, func() *trace.Trace { return nil })
	if c := v.Case(); c.Servers[0].Snapshot.File != "mild.json" {
		t.Errorf("a file that is gone stands in: %s, want mild.json", c.Servers[0].Snapshot.File)
	}
}

// TestFilesOfCatalogs pins which tools a case of the base judges that judges a catalog, and under which names: a search finds a
// tool only by its current name.
func TestFilesOfCatalogs(t *testing.T) {
	const (
		src     = "servers: {web: {catalog: web.json, command: [node, web.js]}}\n"
		quality = src + "tool_quality: [{name: q, server: web, expect: [{warning_count: {'<=': 9}}]}]\n"
		bench   = src + "tool_bench: [{name: q, server: web, intents: [{query: a topic, gold: search}], min_accuracy: 0.1}]\n"
		search  = src + "findability: [{name: q, server: web, intents: [{query: a topic, gold: search}]}]\n"
	)
	for _, test := range []struct {
		name, base string
		head       []string // texts of the suite that differ: old, new
		files      map[string]string
		live       bool
		want       string
	}{
		{"the same", quality, nil, map[string]string{"web.json": webTools}, false, "web.search"},
		{"a path that stands", strings.Replace(quality, "server: web", "catalog: web.json", 1), []string{"catalog: web.json, expect", "catalog: net.json, expect"},
			map[string]string{"web.json": webTools, "net.json": netTools}, false, "search"},
		{"of a live server", quality, nil, map[string]string{"web.json": webTools}, true, "live"},
		{"a server renamed", quality, []string{"web:", "net:", "server: web", "server: net"}, map[string]string{"web.json": webTools}, false, "web.search"},
		{"a tool renamed", bench, []string{"gold: search", "gold: find"}, map[string]string{"web.json": netTools}, false, "web.search"},
		{"a tool of a search renamed", search, []string{"gold: search", "gold: find"}, map[string]string{"web.json": netTools}, false, "web.find"},
	} {
		base, _ := loaded(t, "s.yml", map[string]string{"s.yml": test.base, "web.json": webTools})
		test.files["s.yml"] = strings.NewReplacer(test.head...).Replace(test.base)
		head, files := loaded(t, "s.yml", test.files)
		given := Head{Entry: Entry{head, head.Cases[0]}, Files: files, Catalog: head.Cases[0].Catalog, Live: test.live}
		if test.live {
			given.Catalog = &catalog.Catalog{Tools: []*catalog.Tool{{Name: "live"}}}
		}
		was := &Was{Entry{base, base.Cases[0]}, &report.Case{ID: base.Cases[0].ID}}
		v := was.See(given, func() *trace.Trace { t.Error("recordings are read"); return nil })
		if got := idsOf(v.Catalog()); len(got) == 0 || got[0] != test.want {
			t.Errorf("%s: the tools are %q, want %s first", test.name, got, test.want)
		}
	}
}
