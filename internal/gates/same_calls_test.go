package gates

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/org/mcp-gates/internal/trace"
)

// TestSameCalls pins which calls are equal, by their arguments.
func TestSameCalls(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[1,2]}`, `{"b":[1.0,2e0],"a":1}`, true},
		{`{"a":{"x":1,"y":2}}`, `{"a":{"y":2,"x":1}}`, true},
		{`{"a":"\u0061"}`, `{"a":"a"}`, true},
		{`{"a":"\u00e9\n\"","b":1}`, `{"b":1.0,"a":"é\u000a\u0022"}`, true},
		{`{"a":"ab"}`, `{"a":"ba"}`, false},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":1}`, `{"a":"1"}`, false},
		{`{"a":10}`, `{"a":1e1}`, true},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		{`{"a":0.10}`, `{"a":0.1}`, true},
		{`{"a":-0}`, `{"a":0}`, true},
		{`{"a":"x"}`, `{"b":"x"}`, false},
		{`{"a":null}`, `{"a":false}`, false},
		{`{"a":1}`, ``, false},
	} {
		tr := readWorked("t(1) t(1)")
		for i, args := range []string{test.a, test.b} {
			if tr.Runs[0].Calls[i].Detail.Args = jsontext.Value(args); args == "" {
				tr.Runs[0].Calls[i].Detail.Args, tr.Runs[0].Calls[i].Args = nil, trace.ArgsEmpty
			}
		}
		same, calls := newSameCalls(), tr.Runs[0].Calls
		if got := same.of(&calls[0]) == same.of(&calls[1]); got != test.want {
			t.Errorf("%s and %s are equal: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
