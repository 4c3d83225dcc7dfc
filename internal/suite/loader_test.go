package suite

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/yamlread"
)

const weather = `{"tools": [{"name": "get_weather", "description": "Returns the weather.", "inputSchema": {"type": "object"}}]}`

// countingFS counts how often each file is opened.
type countingFS struct {
	fstest.MapFS
	mu     sync.Mutex
	opened map[string]int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.opened[name]++
	c.mu.Unlock()
	return c.MapFS.Open(name)
}

// TestLoaderReadsCatalogsOnce pins that suites which are loaded at the same time share the catalogs that they name.
func TestLoaderReadsCatalogsOnce(t *testing.T) {
	fsys := &countingFS{MapFS: fstest.MapFS{"w.json": {Data: []byte(weather)}}, opened: map[string]int{}}
	for i := range 20 {
		src := "servers: {a: {catalog: w.json}, b: {catalog: ./w.json}}\n"
		fsys.MapFS[fmt.Sprintf("s%d.yml", i)] = &fstest.MapFile{Data: []byte(src)}
	}
	loader := NewLoader(fsys)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			s, errs := loader.Load(fmt.Sprintf("s%d.yml", i))
			if len(errs) > 0 || len(s.Catalogs) != 1 || s.Servers[1].Snapshot.Tools[0].Server != "b" {
				t.Errorf("Load(s%d.yml): got %+v, %v, want one catalog for two servers", i, s, errs)
			}
		})
	}
	wg.Wait()
	if got := fsys.opened["w.json"]; got != 1 {
		t.Errorf("the catalog was opened %d times, want 1", got)
	}
}

// TestLoadFile pins what is said of a suite that cannot be read.
func TestLoadFile(t *testing.T) {
	fsys := fstest.MapFS{
		"dir/x":   {},
		"big.yml": {Data: []byte("# " + strings.Repeat("x", 4<<20) + "\n")},
	}
	for name, want := range map[string]string{
		"none.yml": "none.yml: no such file",
		"dir":      "dir: is not a regular file",
		"big.yml":  "big.yml: is 4194307 bytes long, at most 4194304 are read",
		"../x":     "../x: no such file",
	} {
		s, errs := NewLoader(fsys).Load(name)
		if s != nil || errs.Error() != want {
			t.Errorf("Load(%s)\n got: %s\nwant: %s", name, errs, want)
		}
	}
}

// TestCatalogCases pins how entries of tool_quality: and tool_bench: find their catalog, and what they inherit.
func TestCatalogCases(t *testing.T) {
	src := `servers: {weather: {catalog: w.json}, live: {}}
defaults: {rules: {disable: [DESC-001]}, runs: 3}
list:
  - {name: by server, server: weather, tags: [a]}
  - {name: by file, catalog: w.json, rules: {}}
  - {name: by path, catalog_path: w.json}
  - {name: inline, catalog: {tools: []}}
  - {name: without snapshot, server: live}
  - {name: undeclared, server: wether}
  - {name: neither}
  - {name: both, server: weather, catalog: w.json, typo: 1}
`
	var got []string
	gate := &judge.Gate{Configure: func(m *yamlread.Map, in judge.Context) judge.Plan {
		_, own := m.Value(rulesKey)
		got = append(got, fmt.Sprintf("%s: %d tools, rules %t, runs %t", in.Test, len(in.Snapshot), own, m.Has("runs")))
		return judge.Plan{}
	}}
	r := newReader(NewLoader(fstest.MapFS{"w.json": {Data: []byte(weather)}}), "s.yml")
	r.root = yamlread.Parse("s.yml", []byte(src), &r.errs)
	r.readServers()
	r.defaults = r.root.Map("defaults")
	for _, m := range r.root.Maps("list") {
		m.Inherit(r.defaults.Only(rulesKey))
		r.readCatalogCase(m, gate, r.entryOf(m.Pos(), ToolBench))
	}
	want := []string{
		"by server: 1 tools, rules true, runs false", "by file: 1 tools, rules true, runs false", "by path: 1 tools, rules true, runs false",
		"inline: 0 tools, rules true, runs false", "without snapshot: 0 tools, rules true, runs false",
		"undeclared: 0 tools, rules true, runs false", "neither: 0 tools, rules true, runs false", "both: 1 tools, rules true, runs false",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("configured (-got +want):\n%s", diff)
	}
	wantErrs := `s.yml:9:32: server "wether" is not declared in "servers", did you mean "weather"? ("wether: {}" among the servers is enough for a replay)
s.yml:10:3: "server" and "catalog" are missing, expected one of them
s.yml:11:35: "server" and "catalog" are given, expected one of them
s.yml:11:52: unknown key "typo", expected one of catalog, catalog_path, name, rules, runs, server, tags`
	if got := r.errs.Sorted().Error(); got != wantErrs {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, wantErrs)
	}
	if c := r.suite.Cases[0]; c.ID != "s.yml::by server" || c.Kind != ToolBench || len(c.Servers) != 1 || c.Tags[0] != "a" || len(c.Checks) != 1 {
		t.Errorf("first case: got %+v", c)
	}
}

// manyCases returns a suite of n cases that inherit from an agent and from defaults:.
func manyCases(n int) []byte {
	var b strings.Builder
	b.WriteString("defaults: {model: m, runs: 5, prompt: p}\nservers: {s: {}}\nagents:\n  - {name: base, servers: [s]}\ntests:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: case number %d\n    type: agent\n    agent: base\n    tool_selection:\n"+
			"      expected_tool: tool_%d\n      min_selection_rate: 0.8\n", i, i)
	}
	return []byte(b.String())
}

// BenchmarkLoad measures a suite of 10,000 cases; BenchmarkParse how much of that is YAML.
func BenchmarkLoad(b *testing.B) {
	fsys := fstest.MapFS{"s.yml": {Data: manyCases(10_000)}}
	for b.Loop() {
		if _, errs := NewLoader(fsys).Load("s.yml"); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	src := manyCases(10_000)
	for b.Loop() {
		r := newReader(nil, "s.yml")
		if yamlread.Parse("s.yml", src, &r.errs) == nil {
			b.Fatal(r.errs)
		}
	}
}
