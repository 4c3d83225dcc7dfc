package logs

import (
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// TestKeysOfHostileNames pins that other calls and other offered tools have other keys: a name can hold U+0000.
func TestKeysOfHostileNames(t *testing.T) {
	if a, b := keyOf(catalog.Ref{Server: "a\x00b", Name: "c"}, nil), keyOf(catalog.Ref{Server: "a", Name: "b\x00c"}, nil); a == b {
		t.Errorf("two tools have the key %q", a)
	}
	sumOf := func(servers ...string) [32]byte {
		s := &Session{sink: &Sink{format: &Format{Name: "f"}}}
		for _, server := range servers {
			s.tools = append(s.tools, Offered{Server: server, Tool: []byte("{}")})
		}
		return s.offeredSum()
	}
	if sumOf("a", "b") == sumOf("a\x00{}\x00b") {
		t.Error("two lists of offered tools have one sum")
	}
}
