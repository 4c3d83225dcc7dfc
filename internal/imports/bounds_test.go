package imports

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/tempfile"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

// readBack fails the test unless each cassette of the groups can be read, with all of its runs.
func readBack(t *testing.T, c *Collection, groups []*Group) {
	t.Helper()
	for _, g := range groups {
		for _, part := range g.Parts() {
			var out bytes.Buffer
			if err := c.Write(&out, g.Header("1.2.3"), part); err != nil {
				t.Fatal(err)
			}
			back, errs := trace.Read(fstest.MapFS{"c.json": {Data: out.Bytes()}}, []string{"c.json"}, trace.KeepTurns)
			if len(errs) > 0 {
				t.Fatalf("the cassette cannot be read: %s", errs[0].Msg)
			}
			if len(back.Runs) != part.Runs {
				t.Errorf("got %d runs back, want %d", len(back.Runs), part.Runs)
			}
		}
	}
}

// TestUnfitRuns pins that a run which the reader of cassettes would refuse is unread, and leaves no trace in what the other runs
// are written with.
func TestUnfitRuns(t *testing.T) {
	name := strings.Repeat("n", trace.MaxName)
	searched := func(found []catalog.Ref) *Run {
		run := called("a", "m", "ToolSearch")
		call := &run.Calls[0]
		call.Tool.Server, call.Detail.Search = trace.BuiltinServer, &trace.Search{Tools: found}
		return run
	}
	ofServer := func(server string) *Run {
		run := called("a", "m", "t")
		run.Calls[0].Tool.Server = server
		return run
	}
	delegated := called("a", "m")
	delegated.NeedExtra().Delegations = []trace.Delegation{{From: "main", To: strings.Repeat("a", 10_001)}}
	stopped := called("a", "m")
	stopped.StopReason = strings.Repeat("s", 10_001)
	escaped := called("a", "m", "t")
	escaped.Calls[0].Detail.Result = strings.Repeat("\x01", 24<<20)
	for what, tt := range map[string]struct {
		run  *Run
		want string // "" for a run that is kept
	}{
		"long names":                        {called("a", "m", name), ""},
		"a longer name":                     {called("a", "m", "t", name+"n"), `"name" of a call is 1001 bytes long, at most 1000 are read`},
		"a longer name of a server":         {ofServer(name + "n"), `"server" is 1001 bytes long, at most 1000 are read`},
		"a name that is longer once clean":  {called("a", "m", strings.Repeat("password=hunter2 ", 50)), `"name" of a call is 1300 bytes long, at most 1000 are read`},
		"a name that is shorter once clean": {called("a", "m", "token=ghp_"+strings.Repeat("x1", trace.MaxName/2)), ""},
		"a longer name of a found tool":     {searched([]catalog.Ref{{Name: name + "n"}}), `"name" is 1001 bytes long, at most 1000 are read`},
		"many found tools":                  {searched(make([]catalog.Ref, trace.MaxDeferred)), ""},
		"more found tools":                  {searched(make([]catalog.Ref, trace.MaxDeferred+1)), `"found" has too many tools, at most 50000 are read`},
		"a longer name of an agent":         {delegated, `"to" is 10001 bytes long, at most 10000 are read`},
		"a longer reason":                   {stopped, `"stop_reason" is 10001 bytes long, at most 10000 are read`},
		"text that escapes make longer":     {escaped, "is a run of more than 134217728 bytes in a cassette"},
	} {
		t.Run(what, func(t *testing.T) {
			if tt.run == escaped {
				thorough.Only(t, "it writes 128 MiB")
			}
			other := called("a", "m", "u")
			tt.run.Provider, other.Provider = "q", "p"
			tt.run.Pos = source.Pos{File: "log", Line: 7}
			c, groups := collect(t, DefaultKeys, tt.run, other)
			readBack(t, c, groups)
			unread, runs, provider := "", 2, ""
			if tt.want != "" {
				unread, runs, provider = "log:7: is a run that a cassette cannot hold: "+tt.want, 1, "p"
			}
			if strings.HasPrefix(tt.want, "is ") {
				unread = "log:7: " + tt.want
			}
			if got := c.Unread.Error(); got != unread || c.UnreadRuns != 2-runs {
				t.Errorf("got %d unread runs %q, want %q", c.UnreadRuns, got, unread)
			}
			if got := groups[0].Header("").Provider; len(groups) != 1 || groups[0].Runs != runs || got != provider {
				t.Errorf("got %d groups, %d runs and provider %q, want 1, %d and %q", len(groups), groups[0].Runs, got, runs, provider)
			}
		})
	}
}

// TestManyUnfitRuns pins that only the first unread runs are listed, and that a group of unread runs alone is none.
func TestManyUnfitRuns(t *testing.T) {
	var runs []*Run
	for range 101 {
		runs = append(runs, called("a", "m", strings.Repeat("n", trace.MaxName+1)))
	}
	c, groups := collect(t, DefaultKeys, runs...)
	if len(groups) != 0 || len(c.Unread) != 100 || c.UnreadRuns != 101 {
		t.Errorf("got %d groups and %d of %d unread runs, want none and 100 of 101", len(groups), len(c.Unread), c.UnreadRuns)
	}
}

// TestUnfitHeader pins that what cannot stand above the runs of a cassette is left out and said, and that the runs are kept.
func TestUnfitHeader(t *testing.T) {
	const (
		offer    = "the tools that the runs were offered, which a cassette cannot hold"
		tooLong  = ", whose name is too long for a cassette"
		modelOut = "the model" + tooLong
	)
	long := strings.Repeat("l", 10_001)
	offered := func(schema string) *catalog.Catalog {
		c, err := catalog.FromServers(jsontext.Value(`{"s":{"tools":[{"name":"a","inputSchema":` + schema + `}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	nested := func(depth int, inner string) string {
		return strings.Repeat(`{"a":`, depth) + inner + strings.Repeat("}", depth)
	}
	deepest := source.MaxDepth - 4 // of a catalog on its own, in which a schema is inside of four values
	for what, tt := range map[string]struct {
		change func(run *Run)
		want   []string
	}{
		"nothing":             {func(*Run) {}, nil},
		"a long model":        {func(run *Run) { run.Model = long[1:] }, nil},
		"a longer model":      {func(run *Run) { run.Model = long }, []string{modelOut}},
		"a model not UTF-8":   {func(run *Run) { run.Model = strings.Repeat("\xff", 4000) }, []string{modelOut}},
		"a longer provider":   {func(run *Run) { run.Provider = long }, []string{"the provider" + tooLong}},
		"a longer answer":     {func(run *Run) { run.ProviderModel = long }, []string{"the provider's name of the model" + tooLong}},
		"a deferred tool":     {func(run *Run) { run.Deferred = []catalog.Ref{{Name: long[:trace.MaxName]}} }, nil},
		"a longer one":        {func(run *Run) { run.Deferred = []catalog.Ref{{Name: long[:trace.MaxName+1]}} }, []string{offer}},
		"a catalog":           {func(run *Run) { run.Catalog = offered(nested(deepest-2, "{}")) }, nil},
		"a deeper catalog":    {func(run *Run) { run.Catalog = offered(nested(deepest-1, "{}")) }, []string{offer}},
		"a catalog of spaces": {func(run *Run) { run.Catalog = offered(nested(300, "["+strings.Repeat("[],", 100_000)+"[]]")) }, []string{offer}},
	} {
		t.Run(what, func(t *testing.T) {
			run := called("a", "m", "t")
			run.Provider = "p"
			tt.change(run)
			c, groups := collect(t, DefaultKeys, run)
			readBack(t, c, groups)
			if got := groups[0].Differs; !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			h := groups[0].Header("")
			if slices.Contains(tt.want, offer) && (h.Recorded != nil || len(h.Deferred) > 0 || (h.Deferred == nil) != (run.Deferred == nil)) {
				t.Errorf("the header has the catalog %v and the deferred tools %v", h.Recorded, h.Deferred)
			}
		})
	}
}

// TestPartsAreRead pins that no cassette of a group has more than the reader takes of anything.
func TestPartsAreRead(t *testing.T) {
	// each returns a group of so many runs, with a tally.
	each := func(n int, one tally) *Group {
		g := &Group{}
		for range n {
			g.stored = append(g.stored, storedRun{tempfile.Chunk{Size: 1}, one, false})
		}
		return g
	}
	for what, tt := range map[string]struct {
		g    *Group
		want []int // runs of the parts
	}{
		"runs":         {each(trace.MaxRuns+1, tally{}), []int{trace.MaxRuns, 1}},
		"calls":        {each(4, tally{calls: trace.MaxCalls / 3}), []int{3, 1}},
		"found tools":  {each(3, tally{calls: 100_000, found: 150_000}), []int{2, 1}},
		"tools":        {each(101, tally{tools: (trace.MaxTools - maxTools) / 100}), []int{100, 1}},
		"turns":        {each(11, tally{parts: trace.MaxParts / 10}), []int{10, 1}},
		"turns, found": {each(3, tally{parts: 300_000, found: 100_000}), []int{2, 1}},
	} {
		var got []int
		for _, part := range tt.g.Parts() {
			got = append(got, part.Runs)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got parts of %v runs, want %v", what, got, tt.want)
		}
	}
	g := each(10, tally{parts: trace.MaxParts / 10})
	g.deferred = make([]catalog.Ref, 1)
	if got := len(g.Parts()); got != 2 {
		t.Errorf("a deferred tool: got %d parts, want 2", got)
	}
}

// TestTallies pins what is counted of a run, of which the tools of the group are known.
func TestTallies(t *testing.T) {
	var names []string
	for i := range maxTools + 2 {
		names = append(names, fmt.Sprint(i))
	}
	names = append(names, names[maxTools+1])
	run := called("a", "m", names...)
	run.Turns = make([]trace.Turn, 3)
	run.NeedExtra().Delegations = make([]trace.Delegation, 4)
	run.Calls[0].Tool.Server, run.Calls[0].Detail.Search = trace.BuiltinServer, &trace.Search{Tools: make([]catalog.Ref, 5)}
	_, groups := collect(t, DefaultKeys, run)
	want := tally{calls: maxTools + 3, found: 5, tools: 2, parts: 7}
	if got := groups[0].stored[0].tally; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestManyTools pins that a group of more different tools than are read goes to several cassettes that are.
func TestManyTools(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	var runs []*Run
	for i := range 4 {
		var names []string
		for k := range 10_000 {
			names = append(names, fmt.Sprintf("%d-%d", i, k))
		}
		runs = append(runs, called("a", "m", names...))
	}
	c, groups := collect(t, DefaultKeys, runs...)
	readBack(t, c, groups)
	if got := len(groups[0].Parts()); got != 2 {
		t.Errorf("got %d parts, want 2", got)
	}
}
