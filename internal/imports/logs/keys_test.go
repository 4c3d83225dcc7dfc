package logs

import "testing"

// TestHashOfHostileNames pins that other offered tools have another hash: a name can hold U+0000.
func TestHashOfHostileNames(t *testing.T) {
	sumOf := func(servers ...string) [32]byte {
		s := &Session{sink: &Sink{format: &Format{Name: "f"}}}
		for _, server := range servers {
			s.tools = append(s.tools, Offered{Server: server, Tool: []byte("{}")})
		}
		return s.offeredHash()
	}
	if sumOf("a", "b") == sumOf("a\x00{}\x00b") {
		t.Error("two lists of offered tools have one sum")
	}
}
