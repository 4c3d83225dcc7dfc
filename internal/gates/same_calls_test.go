package gates

import (
	"slices"
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
		if got := same.identityOf(&calls[0]) == same.identityOf(&calls[1]); got != test.want {
			t.Errorf("%s and %s are equal: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// TestLeaves pins which values in arguments are equal, however often they are asked for: numbers by their value, and no text with
// another kind of value.
func TestLeaves(t *testing.T) {
	tr := readWorked("t(1) t(1)")
	same, calls := newSameCalls(), tr.Runs[0].Calls
	calls[0].Detail.Args = jsontext.Value(`{"a":[1,"1",true,"true",null,"<nil>",{"b":2}]}`)
	calls[1].Detail.Args = jsontext.Value(`{"c":{"e":2e0,"d":[1.0]},"b":[],"f":"1"}`)
	for range 2 {
		first, second := same.leavesOf(same.identityOf(&calls[0])), same.leavesOf(same.identityOf(&calls[1]))
		if want := []int{0, 1, 2, 3, 4, 5, 6}; !slices.Equal(first, want) {
			t.Errorf("the first call has the leaves %v, want %v", first, want)
		}
		if want := []int{0, 6, 1}; !slices.Equal(second, want) {
			t.Errorf("the second call has the leaves %v, want %v", second, want)
		}
	}
	calls[1].Args, calls[1].Detail.Args = trace.ArgsEmpty, nil
	if got := same.leavesOf(same.identityOf(&calls[1])); len(got) > 0 {
		t.Errorf("a call without arguments has the leaves %v", got)
	}
}

// TestLeavesOfLongNumbers pins that arguments with a number that is too long to compute with are one leaf, their text.
func TestLeavesOfLongNumbers(t *testing.T) {
	tr := readWorked("t(1) t(1) t(1)")
	same, calls := newSameCalls(), tr.Runs[0].Calls
	var got [][]int
	for i, args := range []string{`{"a":1e999999999,"b":2}`, `{"a":1e999999998,"b":2}`, `{"a":1e999999999,"b":2}`} {
		calls[i].Detail.Args = jsontext.Value(args)
		got = append(got, same.leavesOf(same.identityOf(&calls[i])))
	}
	if len(got[0]) != 1 || slices.Equal(got[0], got[1]) || !slices.Equal(got[0], got[2]) {
		t.Errorf("got the leaves %v, want the same for the first and the third call alone", got)
	}
}
