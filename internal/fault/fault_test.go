package fault

import (
	"strings"
	"testing"
)

// TestNext pins which calls of a run meet which fault: a call is SERVER.TOOL, and what it meets follows it.
func TestNext(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults []Fault
		want   string
	}{
		{"no fault", nil, "s.a- s.b-"},
		{"once, whatever the tool", []Fault{{Server: "s", Kind: Error, Times: 1}}, "t.a- s.b:error s.a-"},
		{"so many calls", []Fault{{Server: "s", Tool: "a", Kind: RecoverAfter, Times: 2}}, "s.a:recover-after s.b- s.a:recover-after s.a-"},
		{"the first in the list, then the next", []Fault{{Tool: "a", Kind: Hang, Times: 1}, {Kind: Slow, Times: 2}}, "s.b:slow s.a:hang s.a:slow s.a-"},
		{"a wedged server and another one", []Fault{{Server: "s", Tool: "a", Kind: Wedged}}, "s.b- s.a:wedged s.b:wedged t.a- s.a:wedged"},
		{"wedged before other faults of the server", []Fault{{Tool: "b", Kind: Error, Times: 9}, {Tool: "a", Kind: Wedged}}, "s.b:error s.a:wedged s.b:wedged"},
	} {
		c := NewCounter(test.faults)
		var got []string
		for call := range strings.FieldsSeq(test.want) {
			call, _, _ = strings.Cut(strings.TrimSuffix(call, "-"), ":")
			server, tool, _ := strings.Cut(call, ".")
			if f, ok := c.Next(server, tool); ok {
				got = append(got, call+":"+f.Kind)
			} else {
				got = append(got, call+"-")
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestNoCounter pins that a run without faults needs no counter.
func TestNoCounter(t *testing.T) {
	c := NewCounter(nil)
	if c != nil {
		t.Errorf("got %v, want no counter", c)
	}
	if f, ok := c.Next("s", "a"); ok {
		t.Errorf("got %v, want no fault", f)
	}
	if f, ok := c.Wedged("s"); ok {
		t.Errorf("got %v, want no fault", f)
	}
}

// TestWritten pins how messages write a fault.
func TestWritten(t *testing.T) {
	for want, f := range map[string]Fault{
		"error (times 1)":                        {Kind: Error, Times: 1},
		"hang of s.a (times 2, delay 5000 ms)":   {Server: "s", Tool: "a", Kind: Hang, Times: 2, DelayMS: 5000},
		"wedged of s (delay 10 ms)":              {Server: "s", Kind: Wedged, DelayMS: 10},
		"disconnect of get_forecast (times 100)": {Tool: "get_forecast", Kind: Disconnect, Times: 100},
	} {
		if got := f.Written(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
