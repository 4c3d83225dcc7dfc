package trace_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

// calling is a run that called tools.
func calling(tools ...catalog.Ref) *trace.Run {
	run := &trace.Run{}
	for _, ref := range tools {
		run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: ref}})
	}
	return run
}

// searching is a run of a search that found tools.
func searching(found ...catalog.Ref) *trace.Run {
	run := calling(catalog.Ref{Server: trace.BuiltinServer, Name: "ToolSearch"})
	run.Calls[0].Detail = &trace.Detail{Search: &trace.Search{Tools: found}}
	return run
}

// asking is a run of a search of which only the query is known.
func asking(query string) *trace.Run {
	run := searching()
	run.Calls[0].Detail.Search = &trace.Search{Query: query}
	return run
}

// TestCheckRun pins which runs no cassette can hold, and that the reader refuses these and no others.
func TestCheckRun(t *testing.T) {
	name, text := strings.Repeat("n", trace.MaxName), strings.Repeat("t", 10_000)
	const isRead = ""
	for _, tt := range []struct {
		what string
		run  *trace.Run
		want string
	}{
		{"long names", calling(catalog.Ref{Server: name, Name: name}), isRead},
		{"a longer name of a tool", calling(catalog.Ref{Name: name + "n"}), `"name" of a call is 1001 bytes long, at most 1000 are read`},
		{"a longer name of a server", calling(catalog.Ref{Server: name + "n"}), `"server" is 1001 bytes long, at most 1000 are read`},
		{"a name that writing makes longer", calling(catalog.Ref{Name: strings.Repeat("\xff", 334)}), `"name" of a call is 1002 bytes long, at most 1000 are read`},
		{"many tools found", searching(make([]catalog.Ref, trace.MaxDeferred)...), isRead},
		{"more tools found", searching(make([]catalog.Ref, trace.MaxDeferred+1)...), `"found" has too many tools, at most 50000 are read`},
		{"a longer name of a tool found", searching(catalog.Ref{Name: name + "n"}), `"name" is 1001 bytes long, at most 1000 are read`},
		{"a long query", asking(strings.Repeat("q", trace.MaxQuery)), isRead},
		{"a longer query", asking(strings.Repeat("q", trace.MaxQuery+1)), `"query" is 65537 bytes long, at most 65536 are read`},
		{"a long reason", &trace.Run{StopReason: text}, isRead},
		{"a longer reason", &trace.Run{StopReason: text + "t"}, `"stop_reason" is 10001 bytes long, at most 10000 are read`},
		{"a longer role", &trace.Run{Turns: []trace.Turn{{Role: text + "t"}}}, `"role" is 10001 bytes long, at most 10000 are read`},
		{"a longer name of an agent", &trace.Run{Extra: &trace.Extra{Delegations: []trace.Delegation{{From: text + "t"}}}}, `"from" is 10001 bytes long, at most 10000 are read`},
		{"a count too high", &trace.Run{Duration: trace.Known(trace.MaxCount + 1)}, `"duration_ms" must be at most 1000000000000, found 1000000000001`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			got := ""
			if err := tt.run.Check(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			checkRead(t, &trace.Trace{Runs: []trace.Run{*tt.run}}, tt.want)
		})
	}
}

// TestCheckTurns pins that turns count, which reading skips unless a gate asks for them.
func TestCheckTurns(t *testing.T) {
	thorough.Only(t, "it writes and reads a million turns")
	run := &trace.Run{Turns: make([]trace.Turn, trace.MaxParts+1)}
	want := "has too many turns, delegations, distractors, deferred tools and search results, at most 1000000 are read"
	if err := run.Check(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestCheckHeader pins what no cassette can have above its runs.
func TestCheckHeader(t *testing.T) {
	name, text := strings.Repeat("n", trace.MaxName), strings.Repeat("t", 10_000)
	const isRead = ""
	large := &catalog.Catalog{}
	for i := range 40 {
		large.Tools = append(large.Tools, &catalog.Tool{Name: fmt.Sprint(i), Raw: []byte(fmt.Sprintf(`{"name": "%d", "description": "%s"}`, i, strings.Repeat("t", 1_000_000)))})
	}
	for _, tt := range []struct {
		what   string
		header trace.Header
		want   string
	}{
		{"nothing", trace.Header{}, isRead},
		{"a long model", trace.Header{Model: text}, isRead},
		{"a longer model", trace.Header{Model: text + "t"}, `"model" is 10001 bytes long, at most 10000 are read`},
		{"a longer program", trace.Header{Agent: text + "t"}, `"agent" is 10001 bytes long, at most 10000 are read`},
		{"no hash", trace.Header{PromptSHA256: "x"}, `"prompt_sha256" must be 64 hex digits, found "x"`},
		{"a longer deferred tool", trace.Header{Deferred: []catalog.Ref{{Server: name + "n"}}}, `"server" is 1001 bytes long, at most 1000 are read`},
		{"many deferred tools", trace.Header{Deferred: make([]catalog.Ref, trace.MaxDeferred+1)}, `"deferred" has too many tools, at most 50000 are read`},
		{"a longer distractor", trace.Header{Distractors: []catalog.Ref{{Name: name + "n"}}}, `"name" is 1001 bytes long, at most 1000 are read`},
		{"an unknown fault", trace.Header{Faults: []fault.Fault{{Kind: "x"}}}, `"kind" of a fault must be one of ` + strings.Join(fault.Names(), ", ") + `, found "x"`},
		{"a large catalog", trace.Header{Recorded: large}, `"catalog" is 40002955 bytes long, at most 33554432 are read`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			if tt.header.Recorded != nil {
				thorough.Unraced(t, "it takes ten seconds, on one goroutine")
			}
			got := ""
			if err := tt.header.Check(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			checkRead(t, &trace.Trace{Header: tt.header, Runs: []trace.Run{{}}}, tt.want)
		})
	}
}

// checkRead holds what a check says against what reading says; "" is no mistake.
func checkRead(t *testing.T, tr *trace.Trace, want string) {
	t.Helper()
	var out bytes.Buffer
	if err := trace.Write(&out, tr); err != nil {
		t.Fatal(err)
	}
	got := ""
	if _, errs := trace.Read(fstest.MapFS{"c.json": {Data: out.Bytes()}}, []string{"c.json"}, trace.KeepUsage); len(errs) > 0 {
		got = errs[0].Msg
	}
	if got != want {
		t.Errorf("reading says %q, want %q", got, want)
	}
}

// TestCheckSize pins that a cassette which is too large is refused before it is read.
func TestCheckSize(t *testing.T) {
	err := new(trace.Reader).Check(nil, 256<<20+1)
	if want := "is 268435457 bytes long, at most 268435456 are read"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
