package tell

import (
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

func TestWeakeningWords(t *testing.T) {
	for _, test := range []struct{ base, head, want string }{
		{`["a","b"]`, `["b","a"]`, `["a","b"] became ["b","a"]`},
		{`["a"]`, `["a","a","b"]`, "added a, b"},
		{`["a","a","a"]`, `["a"]`, "removed a, a"},
	} {
		w := report.Weakening{Base: report.Optional(test.base), Head: report.Optional(test.head)}
		if got := changeOf(&w).Text(); got != test.want {
			t.Errorf("%s to %s: got %s, want %s", test.base, test.head, got, test.want)
		}
	}
}
