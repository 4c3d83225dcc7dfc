package judge

import (
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

func TestMembers(t *testing.T) {
	servers := []string{"", "api.example.com", "github", "my server"}
	tests := []struct {
		member, server, name string
		want                 bool
	}{
		{"search", "github", "search", true},
		{"search", "", "search", true},
		{"search", "github", "Search", false},
		{"github.search", "github", "search", true},
		{"github.search", "gitlab", "search", false},
		{"github.search", "", "search", false},
		{"github.search", "", "github.search", true},        // the id is the name
		{"github.search", "gitlab", "github.search", false}, // meant for github alone
		{"gitlab.search", "gitlab", "search", true},
		{"gitlab.search", "other", "gitlab.search", true}, // gitlab is not declared, so this is a bare name with a dot
		{"githubs.x", "y", "githubs.x", true},             // begins with a server's name, but no dot follows
		{"api.example.com.get", "api.example.com", "get", true},
		{"api.example.com.get", "api", "example.com.get", true}, // the ids are the same
		{"my server.read.file", "my server", "read.file", true},
		{"read.file", "my server", "read.file", true},
		{".x", "y", ".x", true},
	}
	for _, test := range tests {
		got := NewMembers([]string{"unrelated", test.member}, servers).Names(catalog.Ref{Server: test.server, Name: test.name})
		if got != test.want {
			t.Errorf("member %q names tool %q of server %q: %t, want %t", test.member, test.name, test.server, got, test.want)
		}
	}
}
