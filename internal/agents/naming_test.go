package agents

import "testing"

// TestNaming pins the names that the programs wrote in runs of them.
func TestNaming(t *testing.T) {
	tests := []struct {
		names              *Naming
		server, tool, want string
	}{
		{claudeNames, "my-srv.v2", "read graph", "mcp__my-srv_v2__read_graph"},
		{codexNames, "my-srv.v2", "x-y", "mcp__my_srv_v2/x_y"},
		{codexNames, "a", "é", "mcp__a/_"},
		{geminiNames, "my-srv.v2", "a:b c", "mcp_my-srv.v2_a:b_c"},
		{geminiNames, "mcp_x", "y", "mcp_x_y"},
		{geminiNames, "mcp", "y", "mcp_y"},
		{geminiNames, "server", "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz", "mcp_server_abcdefghijklmnopqrs...6789abcdefghijklmnopqrstuvwxyz"},
		{opencodeNames, "my-srv.v2", "😀", "my-srv_v2___"},
		{ModelAPIs, "s", "a.b", "a.b"},
	}
	for _, test := range tests {
		if got := test.names.Written(test.server, test.tool); got != test.want {
			t.Errorf("%s writes %q of %q as %q, want %q", test.names.Client, test.tool, test.server, got, test.want)
		}
	}
}
