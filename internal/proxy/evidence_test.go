package proxy

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/imports"
)

// TestRecordingIsEvidence pins that a recording is read as the run that it is of, whichever way it was made: the calls with
// their results and errors, and all tools.
func TestRecordingIsEvidence(t *testing.T) {
	for name, version := range eras {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recordingIn(t)
			url, end := startHTTP(t, serveHTTP(t, version), r)
			c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, version)
			c.use(t)
			c.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing", Meta: mcp.Meta{"callId": "call_1"}})
			c.Close()
			end()
			entries, err := os.ReadDir(r.Dir)
			if err != nil || len(entries) != 1 {
				t.Fatalf("got %d recordings and %v, want 1", len(entries), err)
			}
			var got []string
			account, err := imports.Read(os.DirFS(r.Dir), []string{entries[0].Name()}, imports.Options{}, func(run *imports.Run) error {
				got = append(got, fmt.Sprintf("%d tools for %s", len(run.Catalog.Tools), run.Metadata["client"]))
				for _, call := range run.Calls {
					got = append(got, strings.Join([]string{call.Tool.ID(), string(call.Detail.Args), call.Detail.Result, call.Detail.Error, fmt.Sprint(call.Failed)}, " | "))
				}
				return nil
			})
			if err != nil || account.Unread != 0 || len(account.Mistakes) != 0 {
				t.Errorf("got %v and the account %+v, want all to be read", err, account)
			}
			want := []string{
				fmt.Sprintf("%d tools for tester 2", len(testTools)),
				"test.echo | {\"text\":\"<é>\\n\"} | {\"text\":\"<é>\\n\"} |  | false",
				"test.fail | {\"text\":\"<é>\\n\"} | it failed |  | true",
				"test.progress | {\"text\":\"<é>\\n\"} | done |  | false",
				`test.nothing |  |  | unknown tool "nothing" | true`,
			}
			if !slices.Equal(got, want) {
				t.Errorf("the run:\n got %q\nwant %q", got, want)
			}
		})
	}
}
