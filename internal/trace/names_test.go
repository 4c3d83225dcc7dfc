package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/trace"
)

// callsOf reads the calls of one run.
func callsOf(t *testing.T, calls string, keep trace.Keep) []trace.Call {
	t.Helper()
	fsys := fstest.MapFS{"c.json": {Data: []byte(`[{"tool_calls":[` + calls + `]}]`)}}
	tr, errs := trace.Read(fsys, []string{"c.json"}, keep)
	if errs != nil {
		t.Fatal(errs)
	}
	return tr.Runs[0].Calls
}

// TestNames pins which names of arguments a call has, whether they were kept alone or with the arguments.
func TestNames(t *testing.T) {
	long := strings.Repeat("x", 257)
	names := func(list ...string) *trace.Names { return &trace.Names{List: list} }
	for _, test := range []struct {
		name, args string
		want       *trace.Names
	}{
		{"in the order of the recording", `"args":{"id":{"b":[1,{"c":2}]},"body":"x"}`, names("id", "body")},
		{"a string that holds an object", `"args":"{ \"id\": 1 }"`, names("id")},
		{"a function of OpenAI", `"function":{"arguments":"{\"id\":1}"}`, names("id")},
		{"an input of Anthropic", `"type":"tool_use","input":{"id":1}`, names("id")},
		{"none", `"args":{}`, nil},
		{"an empty string", `"args":""`, nil},
		{"malformed", `"args":["id"]`, nil},
		{"unknown", `"args_unknown":true`, nil},
		{"an odd name", `"args":{"":1,"a\nb":2,"id":3,"id":4}`, names("", "a\nb", "id", "id")},
		{"many", `"args":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}`, &trace.Names{List: strings.Split("abcdefgh", ""), More: 2}},
		{"a long name", `"args":{"` + long[1:] + `":1,"` + long + `":2}`, names(long[1:], trace.LongName)},
	} {
		t.Run(test.name, func(t *testing.T) {
			call := `{"name":"a",` + test.args + `}`
			for _, keep := range []trace.Keep{trace.KeepTimelines, trace.KeepArgs, trace.KeepTimelines | trace.KeepArgs} {
				calls := callsOf(t, call, keep)
				if diff := cmp.Diff(test.want, new(trace.NameLists).OfCall(&calls[0])); diff != "" {
					t.Errorf("kept %b (-want +got):\n%s", keep, diff)
				}
			}
			if calls := callsOf(t, call, 0); calls[0].Names != nil {
				t.Errorf("got names that nobody asked for: %v", calls[0].Names)
			}
		})
	}
}

// TestNamesAreShared pins that calls with the same names of arguments have one list of them, and that a recording in which all names
// differ does not fill the memory: calls beyond the bound have the number of their arguments.
func TestNamesAreShared(t *testing.T) {
	two := callsOf(t, `{"name":"a","args":{"x":1,"y":2}},{"name":"b","args":{"x":[],"y":{}}}`, trace.KeepTimelines)
	if two[0].Names != two[1].Names {
		t.Error("the same names of two calls are two lists")
	}
	const n = 30_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"name":"a","args":{"x%d":1,"`+strings.Repeat("y", 200)+`":2}},`, i)
	}
	calls, size := callsOf(t, strings.TrimSuffix(text.String(), ","), trace.KeepTimelines), 0
	for i := range calls {
		for _, name := range calls[i].Names.List {
			size += len(name)
		}
	}
	last := calls[n-1].Names
	if size > 4<<20 || len(calls[0].Names.List) != 2 || len(last.List) != 0 || last.More != 2 {
		t.Errorf("got %d bytes of names, the last %v; want at most 4 MiB, and the number of the last", size, last)
	}
	if last != calls[n-2].Names {
		t.Error("calls with the same number of arguments beyond the bound do not share it")
	}
}
