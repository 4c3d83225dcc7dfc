package live

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// broken is a provider with a fault of the program's own.
type broken struct{}

func (broken) Turn(context.Context, model.Request) (model.Reply, error) { panic("index out of range") }

// Fixed bugs: a fault of the program in one run ended it with all other runs, and left their servers behind.
func TestFaultOfTheProgramEndsTheRun(t *testing.T) {
	run := newOneRun(t, broken{})
	run.makeSafely(t.Context())
	if got, want := errorText(run.err), "the checker broke on this run, please report it: index out of range"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

// newOneRun returns the first run of a case without servers.
func newOneRun(t *testing.T, provider model.Provider) *oneRun {
	t.Helper()
	p := planFor(provider, trace.Count{})
	p.tested = &suite.Case{Name: "x", Prompt: "hello"}
	return &oneRun{plan: p, number: 1, offered: allDistractors}
}

// seeing is a provider that keeps what it was offered.
type seeing struct{ tools [][]model.Tool }

func (s *seeing) Turn(_ context.Context, req model.Request) (model.Reply, error) {
	s.tools = append(s.tools, req.Tools)
	return model.Reply{Stop: model.StopEndTurn}, nil
}

// injecting injects tools.
type injecting struct {
	judge.Measurer
	tools []*catalog.Tool
}

func (i injecting) Inject([]*catalog.Tool) ([]*catalog.Tool, error) { return i.tools, nil }
func (i injecting) Offer() []int                                    { return nil }

// Fixed bugs: names were given out after the tools were shuffled, so that one tool had several names over the runs, and of
// two tools of one name now the one and now the other was offered.
func TestToolsAreOfferedAlikeInAllRuns(t *testing.T) {
	list := tools("s", "a.b", "s", "a_b", "s", "a-b", "s", "twice", "s", "twice", "t", "a/b").Tools
	list[3].Description = "the first"
	seen := &seeing{}
	first := newOneRun(t, seen)
	first.plan.tested.Checks = []judge.Check{{Plan: judge.Plan{Measurer: injecting{tools: list}}}}
	orders := map[string]bool{}
	for n := range 10 {
		run := &oneRun{plan: first.plan, number: n + 1, offered: allDistractors}
		run.makeSafely(t.Context())
		if run.err != nil {
			t.Fatal(run.err)
		}
		orders[strings.Join(namesOf(seen.tools[n]), " ")] = true
		got := map[string]string{}
		for _, tool := range seen.tools[n] {
			got[tool.Name] = strings.TrimSpace(tool.Real + " " + tool.Description)
		}
		want := map[string]string{"a_b_2": "a.b", "a_b": "a_b", "a-b": "a-b", "twice": "twice the first", "a_b_3": "a/b"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("run %d is offered (-want +got):\n%s", n+1, diff)
		}
	}
	if len(orders) < 2 {
		t.Error("all runs have the same order")
	}
}

// serveHTTP serves until the end of the test, and returns the address.
func serveHTTP(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// Fixed bugs: that a server has no tool to imitate was told as a server that broke, with exit status 3.
func TestDistractorsThatCannotBeMadeAreAMistake(t *testing.T) {
	hello := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	hello.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	url := serveHTTP(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return hello }, nil))
	files := fstest.MapFS{"mcp-gates.yml": {Data: []byte(`
servers: { sdk: { url: "` + url + `" } }
agents:
  - name: x
    server: sdk
    model: "builtin:lexical"
    prompt: hello
    distractors: {count: 2, source: {from: near_duplicate, of: [get_weather]}}
`)}}
	s, errs := suite.NewLoader(files).Load("mcp-gates.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	r := NewRunner(t.Context(), Options{Getenv: func(string) string { return "" }, FS: files})
	ready, errs := r.Prepare(s, s.Cases)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	_, err := ready.Run(t.Context(), s.Cases[0])
	var mistake *source.Error
	const want = `mcp-gates.yml:4:3: distractors: "get_weather" of near_duplicate is not among the tools of the test's servers`
	if !errors.As(err, &mistake) || err.Error() != want {
		t.Errorf("got %v, want the mistake %s", err, want)
	}
}

// Fixed bugs: a server that did not start was started again for each case that judges its tools, each time for as long as
// it may take to connect, and no other server of the suite was asked in the meantime.
func TestToolsAreAskedForOnce(t *testing.T) {
	var asked atomic.Int64
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "go away", http.StatusForbidden)
	}))
	files := fstest.MapFS{"mcp-gates.yml": {Data: []byte(`
servers: { down: { url: "` + url + `" } }
tool_quality:
  - { name: a, server: down }
  - { name: b, server: down }
`)}}
	s, errs := suite.NewLoader(files).Load("mcp-gates.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	r := NewRunner(t.Context(), Options{Getenv: func(string) string { return "" }, FS: files})
	ready, errs := r.Prepare(s, s.Cases)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	var first int64
	for _, c := range s.Cases {
		_, err := ready.Tools(t.Context(), c.Servers[0])
		const want = `server "down": initialize: the server answered 403 Forbidden: "go away"`
		if errorText(err) != want {
			t.Errorf("case %q: error %q, want %q", c.Name, errorText(err), want)
		}
		if first == 0 {
			first = asked.Load()
		}
	}
	if got := asked.Load(); got != first {
		t.Errorf("the server got %d requests, want no more than the %d for the first case", got, first)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
