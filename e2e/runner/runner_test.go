package runner

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLog(t *testing.T) {
	for _, test := range []struct {
		name, log string
		want      []Command
		plain     []string
	}{
		{"new form", "::error file=a.yml,line=3,title=a%3A b%2Cc::first%0Asecond %25",
			[]Command{{Name: "error", Properties: map[string]string{"file": "a.yml", "line": "3", "title": "a: b,c"}, Data: "first\nsecond %"}}, nil},
		{"space before", " \t::notice::x", []Command{{Name: "notice", Properties: map[string]string{}, Data: "x"}}, nil},
		{"text before", "x ::notice::x", nil, []string{"x ::notice::x"}},
		{"old form anywhere", "tool ##[set-env name=A;b=c]v", []Command{
			{Name: "set-env", Properties: map[string]string{"name": "A", "b": "c"}, Data: "v", Old: true}}, nil},
		{"old form in what looks like the new one", "::nothing::##[error]x", []Command{
			{Name: "error", Properties: map[string]string{}, Data: "x", Old: true}}, nil},
		{"case", "::ERROR::x", []Command{{Name: "error", Properties: map[string]string{}, Data: "x"}}, nil},
		{"invisible", "\u200b:\u00ad:error::x", []Command{{Name: "error", Properties: map[string]string{}, Data: "x"}}, nil},
		{"unknown", "::fail::x\n##[fail]x", nil, []string{"::fail::x", "##[fail]x"}},
		{"carriage return", "a\r::error::x\r\nb", []Command{{Name: "error", Properties: map[string]string{}, Data: "x"}}, []string{"a", "b"}},
		{"stopped", "::stop-commands::t\n::error::x\n::t::\n::error::y", []Command{
			{Name: "stop-commands", Properties: map[string]string{}, Data: "t"},
			{Name: "t", Properties: map[string]string{}},
			{Name: "error", Properties: map[string]string{}, Data: "y"}}, []string{"::error::x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, plain := ReadLog(test.log)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ReadLog(%q): commands (-want +got):\n%s", test.log, diff)
			}
			if diff := cmp.Diff(test.plain, plain); diff != "" {
				t.Errorf("ReadLog(%q): plain lines (-want +got):\n%s", test.log, diff)
			}
		})
	}
}

func TestReadOutputs(t *testing.T) {
	for _, test := range []struct {
		name, file string
		want       map[string]string
		wrong      bool
	}{
		{"plain", "a=b=c\n\nd=\n", map[string]string{"a": "b=c", "d": ""}, false},
		{"heredoc", "a<<E\none\ntwo\nE\nb<<E\nE\n", map[string]string{"a": "one\ntwo", "b": ""}, false},
		{"carriage return stays", "a<<E\r\nx\nE\r\n", map[string]string{"a": "x"}, false},
		{"forged", "a<<E\nx\nE\nverdict=pass\n", map[string]string{"a": "x", "verdict": "pass"}, false},
		{"equals first", "a=b<<E\n", map[string]string{"a": "b<<E"}, false},
		{"no end", "a<<E\nx\n", nil, true},
		{"no name", "<<E\nE\n", nil, true},
		{"neither", "abc\n", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := readOutputs(test.file)
			if diff := cmp.Diff(test.want, got); diff != "" || (err != nil) != test.wrong {
				t.Errorf("readOutputs(%q): error %v, (-want +got):\n%s", test.file, err, diff)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	action := &Action{Inputs: map[string]Input{
		"fail-on": {Default: "gate"}, "github-token": {Default: "${{ github.token }}"}, "two words": {},
		"matrix": {Default: "${{ toJSON(matrix) }}"},
	}}
	got, err := action.environment(map[string]string{"fail-on": "never"}, "secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"INPUT_FAIL-ON=never": true, "INPUT_GITHUB-TOKEN=secret": true, "INPUT_TWO_WORDS=": true, "INPUT_MATRIX=null": true}
	have := map[string]bool{}
	for _, entry := range got {
		have[entry] = true
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	if _, err := action.environment(map[string]string{"fail_on": "x"}, "", nil); err == nil {
		t.Error("an input that the action does not have was accepted")
	}
}
