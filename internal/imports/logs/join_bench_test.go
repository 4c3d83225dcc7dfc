package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// BenchmarkJoin joins twice as many calls and executions from one log to the next: the time for one stays about the same. The
// executions of wide are those of one reply's calls, without ids; those of chain are inside each other; those of bare keep no
// arguments.
func BenchmarkJoin(b *testing.B) {
	for name, lines := range map[string]func(i int) string{
		"wide": func(i int) string {
			return fmt.Sprintf(`{"ask": {"name": "a", "args": {"i": %[1]d}, "reply": "m"}}
{"execute": {"id": "e%[1]d", "parent": "m", "call": {"name": "a", "args": {"i": %[1]d}}, "result": {}}}
`, i)
		},
		"chain": func(i int) string {
			return fmt.Sprintf(`{"execute": {"id": "e%d", "parent": "e%d", "call": {"name": "a%d"}, "result": {}}}
`, i+1, i, i%7)
		},
		"bare": func(i int) string {
			return fmt.Sprintf(`{"ask": {"name": "a", "args": {"i": %[1]d}, "server": "s%[1]d"}}
{"execute": {"id": "e%[1]d", "parent": "m", "call": {"name": "a", "server": "s%[1]d", "absent": true}, "result": {}}}
`, i)
		},
	} {
		for _, n := range []int{5000, 10000, 20000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				var log strings.Builder
				for i := range n {
					log.WriteString(lines(i))
				}
				benchmarkRead(b, fstest.MapFS{"log": {Data: []byte(log.String())}})
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
			})
		}
	}
}

func benchmarkRead(b *testing.B, files fstest.MapFS) {
	b.Helper()
	for b.Loop() {
		account, err := core.Read(files, []string{"log"}, logs.Options{Format: "core"}, func(*logs.Run) error { return nil })
		if err != nil || account.Unread > 0 || account.Calls == 0 {
			b.Fatalf("got %d calls, %d unread and error %v", account.Calls, account.Unread, err)
		}
	}
}
