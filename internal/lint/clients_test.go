package lint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
)

// TestClients pins what MCP-007 and MCP-009 find for the clients that a suite names, and with servers' names.
func TestClients(t *testing.T) {
	tool := func(server, name string) *catalog.Tool { return &catalog.Tool{Server: server, Name: name} }
	long := strings.Repeat("x", 58)
	searched := tool("s", "query")
	searched.Description = strings.Repeat("q", 4096) + " lost"
	tests := []struct {
		name    string
		clients [][]string // of each configuration
		tools   []*catalog.Tool
		want    []string
	}{
		{"a server's name counts", [][]string{nil}, []*catalog.Tool{tool("abcdefg", long[:50]), tool("abcdefgh", long[:50])}, []string{
			`abcdefgh.` + long[:50] + `: Claude Code writes the name "` + long[:50] + `" as "mcp__abcdefgh__` + long[:44] + `…" (65 characters), of which Anthropic's API takes at most 64 characters`,
		}},
		{"the prefix of Gemini CLI is shorter, and so is what it keeps", [][]string{{"gemini-cli"}}, []*catalog.Tool{tool("s", long[:57]), tool("s", long)}, []string{
			`s.` + long + `: Gemini CLI writes the name "` + long + `" as "mcp_s_` + long[:53] + `…" (64 characters), and cuts out the middle of more than 63 characters`,
		}},
		{"a client without a known limit", [][]string{{"codex"}}, []*catalog.Tool{tool("s", strings.Repeat("x", 100)), tool("s", "a.b"), searched}, nil},
		{"several configurations: any client that one names", [][]string{{"codex"}, {"claude-code"}}, []*catalog.Tool{searched}, []string{
			`s.query: the description has 4,101 UTF-16 units, of which Claude Code searches the first 4,096: lost is what begins with "lost"`,
		}},
		{"a configuration without clients: all of them", [][]string{{"codex"}, nil}, []*catalog.Tool{tool("s", "a.b")}, []string{
			`s.a.b: the name "a.b" has a dot, which function names of model APIs may not have`,
		}},
		{"alike over two servers", [][]string{nil}, []*catalog.Tool{tool("a_b", "c"), tool("a", "b_c")}, []string{
			`a_b.c: Gemini CLI writes the names "a.b_c" and "a_b.c" alike, as "mcp_a_b_c", and the later replaces the earlier`,
		}},
		{"alike by the server's name alone", [][]string{{"claude-code"}}, []*catalog.Tool{tool("my.srv", "c"), tool("my srv", "c"), tool("my.srv", "c")}, []string{
			`my.srv.c: Claude Code writes the names "my srv.c" and "my.srv.c" alike, as "mcp__my_srv__c"`,
		}},
		{"alike once the middle is cut", [][]string{{"gemini-cli"}},
			[]*catalog.Tool{tool("s", strings.Repeat("n", 30)+"1"+strings.Repeat("e", 30)), tool("s", strings.Repeat("n", 30)+"2"+strings.Repeat("e", 30))}, []string{
				`s.nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1eeeeeeeeeeeeeeeeeeeeeeeeeeeeee: Gemini CLI writes the name "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1eeeeeeeeeeeeeeeeeeeeeeeeeeee…" as "mcp_s_nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1eeeeeeeeeeeeeeeeeeeeee…" (67 characters), and cuts out the middle of more than 63 characters`,
				`s.nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2eeeeeeeeeeeeeeeeeeeeeeeeeeeeee: Gemini CLI writes the name "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2eeeeeeeeeeeeeeeeeeeeeeeeeeee…" as "mcp_s_nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2eeeeeeeeeeeeeeeeeeeeee…" (67 characters), and cuts out the middle of more than 63 characters`,
				`s.nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2eeeeeeeeeeeeeeeeeeeeeeeeeeeeee: Gemini CLI writes the names "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1eeeeeeeeeeeeeeeeeeeeeeeeeeee…" and "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2eeeeeeeeeeeeeeeeeeeeeeeeeeee…" alike, as "mcp_s_nnnnnnnnnnnnnnnnnnnnnnnn...eeeeeeeeeeeeeeeeeeeeeeeeee…", and the later replaces the earlier`,
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var configs []Config
			for _, clients := range test.clients {
				configs = append(configs, Config{Clients: clients})
			}
			var got []string
			for _, f := range Check(&catalog.Catalog{Tools: test.tools}, configs...).Findings {
				if f.Rule == clientLimit.ID || f.Rule == unsearchedText.ID {
					got = append(got, f.Tool.Ref().ID()+": "+f.Message)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("findings of %s (-want +got):\n%s", test.name, diff)
			}
		})
	}
}
