package trace

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestLimits pins that the runs and calls of all files together are bounded.
func TestLimits(t *testing.T) {
	fsys := fstest.MapFS{
		"a.json": {Data: []byte(`[{"tool_calls": [{"name": "a"}, {"name": "b"}]}, {"error": "x"}]`)},
		"b.json": {Data: []byte("{\"tool_calls\": [{\"name\": \"c\"}]}\n{\"tool_calls\": [], \"conversation\": {\"turns\": [{\"content\": \"1234\"}, {\"content\": \"1234\"}, {}]}}")},
	}
	tests := []struct {
		most limits
		want string
	}{
		{limits{runs: 4, calls: 3, tools: 3, parts: 3, texts: 9}, ""},
		{limits{runs: 3, calls: 3, tools: 3, parts: 3, texts: 9}, "b.json:2:94: has too many runs, at most 3 are read"},
		{limits{runs: 4, calls: 2, tools: 3, parts: 3, texts: 9}, "b.json:1:17: has too many calls, at most 2 are read"},
		{limits{runs: 4, calls: 3, tools: 2, parts: 3, texts: 9}, "b.json:1:17: has calls of too many different tools, at most 2 are read"},
		{limits{runs: 4, calls: 3, tools: 3, parts: 2, texts: 9}, "b.json:2:89: has too many turns, delegations, distractors, deferred tools and search results, at most 2 are read"},
		{limits{runs: 4, calls: 3, tools: 3, parts: 3, texts: 8}, "b.json:2:94: has too much text that the suite asks for, at most 8 bytes are read for a case; have more cases with fewer runs"},
	}
	for _, tt := range tests {
		_, errs := new(Reader).read(fsys, []string{"a.json", "b.json"}, KeepTurns, tt.most)
		if got := errs.Error(); got != tt.want {
			t.Errorf("limits %+v: got %q, want %q", tt.most, got, tt.want)
		}
	}
}

// TestLongNames pins that names, which are kept for every case that reads a recording, are bounded.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", MaxName)
	read := func(name string) string {
		src := `{"recorder": "` + strings.Repeat(name, maxText/MaxName) + `", "runs": [{"tool_calls": [{"name": "` + name + `", "server": "` + name + `"}]}]}`
		_, errs := Read(fstest.MapFS{"a.json": {Data: []byte(src)}}, []string{"a.json"}, 0)
		return errs.Error()
	}
	if got := read(long); got != "" {
		t.Errorf("names of %d bytes: got %.200q, want none", MaxName, got)
	}
	got := read(long + "a")
	for _, what := range []string{`"recorder" is 10010 bytes long, at most 10000 are read`, `"name" of a call is 1001 bytes long, at most 1000 are read`, `"server" is 1001 bytes`} {
		if !strings.Contains(got, what) {
			t.Errorf("got %.500q, want %q", got, what)
		}
	}
}
