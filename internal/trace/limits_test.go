package trace

import (
	"testing"
	"testing/fstest"
)

// TestLimits pins that the runs and calls of all files together are bounded.
func TestLimits(t *testing.T) {
	fsys := fstest.MapFS{
		"a.json": {Data: []byte(`[{"tool_calls": [{"name": "a"}, {"name": "b"}]}, {"error": "x"}]`)},
		"b.json": {Data: []byte("{\"tool_calls\": [{\"name\": \"c\"}]}\n{\"tool_calls\": []}")},
	}
	tests := []struct {
		most limits
		want string
	}{
		{limits{runs: 4, calls: 3}, ""},
		{limits{runs: 3, calls: 3}, "b.json:2:19: has too many runs, at most 3 are read"},
		{limits{runs: 4, calls: 2}, "b.json:1:17: has too many calls, at most 2 are read"},
	}
	for _, tt := range tests {
		_, errs := new(Reader).read(fsys, []string{"a.json", "b.json"}, 0, tt.most)
		if got := errs.Error(); got != tt.want {
			t.Errorf("limits %+v: got %q, want %q", tt.most, got, tt.want)
		}
	}
}
