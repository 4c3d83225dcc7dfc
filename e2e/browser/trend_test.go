package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// seenOfTrend is what trend.mjs prints.
type seenOfTrend struct {
	Errors, Requests, Dialogs []string
	FirstPaint                float64 // milliseconds
	Background                string
	Headings                  []bool // of each link of the navigation: its heading is in the window
	All, Filtered             int    // rows of the table of commits, without and with a filter
	First, Sort               string // subject of its first row, and the order
	Details, Unfolded         int    // steps against their parents, and those that a key opens
	Wide                      bool
	Charts                    int
}

// trendPage returns the path of the page of a history in which every commit moves figures.
func trendPage(t *testing.T, commits, cases int) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, which makes the history")
	}
	dir := t.TempDir()
	var suite, script bytes.Buffer
	suite.WriteString("agents:\n")
	for i := range cases {
		fmt.Fprintf(&suite, "  - {name: case %d, prompt: Find it, model: m, runs: 10, cassette: %d.json, tool_selection: {expected_tool: s.find, min_selection_rate: 0.8}}\n", i, i)
	}
	file := func(name, text string) {
		fmt.Fprintf(&script, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
	}
	recording := func(right int) string {
		call := `{"tool_calls":[{"server":"s","name":"find","args":{}}]},`
		runs := strings.Repeat(call, right) + strings.Repeat(`{"tool_calls":[]},`, 10-right)
		return `{"cassette":1,"model":"m","runs":[` + strings.TrimSuffix(runs, ",") + `]}`
	}
	for i := range commits {
		subject := fmt.Sprintf("number %d of \"><img src=x onerror=alert(1)> </script><script>alert(2)</script>", i)
		fmt.Fprintf(&script, "commit refs/heads/main\ncommitter A <a@example.test> %d +0000\ndata %d\n%s\n", 1_700_000_000+i*86_400, len(subject), subject)
		if i == 0 {
			file("mcp-gates.yml", suite.String())
			for k := range cases {
				file(fmt.Sprintf("%d.json", k), recording(10))
			}
			continue
		}
		file(fmt.Sprintf("%d.json", i%cases), recording(10-(i/cases*3+i)%11))
	}
	for _, args := range [][]string{{"git", "init", "-q", "-b", "main"}, {"git", "fast-import", "--quiet"}, {program, "history", "--last", "0", "--format", "html=page.html"}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if args[0] == "git" {
			cmd.Stdin = bytes.NewReader(script.Bytes())
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "page.html")
}

// TestTrend pins that the page of a history can be used by keyboard: each link leads to its heading, the table of commits is filtered and
// sorted, every step is unfolded, and the focus is visible.
func TestTrend(t *testing.T) {
	needBrowser(t)
	const commits = 400
	file, fastest := trendPage(t, commits, 20), math.Inf(1)
	for _, test := range []struct{ colours, width, background string }{
		{"light", "1200", "rgb(255, 255, 255)"}, {"dark", "390", "rgb(13, 17, 23)"},
	} {
		t.Run(test.colours+" "+test.width, func(t *testing.T) {
			s := useTrend(t, file, test.colours, test.width)
			checkTrend(t, s)
			if s.Background != test.background {
				t.Errorf("the background is %s, want %s", s.Background, test.background)
			}
			fastest = min(fastest, s.FirstPaint)
		})
	}
	for i := 0; i < 3 && fastest > 1000; i++ { // other work makes a page slower and never faster
		fastest = min(fastest, useTrend(t, file, "light", "1200").FirstPaint)
	}
	if fastest > 1000 {
		t.Errorf("first paint after %.0f ms, want 1000 at most", fastest)
	}
}

// useTrend opens the page of a history and uses it by keyboard.
func useTrend(t *testing.T, file, colours, width string) (s seenOfTrend) {
	t.Helper()
	use := exec.Command("node", "trend.mjs", chromium, file, colours, width)
	use.Stderr = os.Stderr
	out, err := use.Output()
	if err != nil {
		t.Fatalf("use the page: %v\n%s", err, out)
	}
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("read what was seen: %v in\n%s", err, out)
	}
	return s
}

func checkTrend(t *testing.T, s seenOfTrend) {
	t.Helper()
	if len(s.Errors)+len(s.Requests)+len(s.Dialogs) > 0 || s.Wide {
		t.Errorf("errors %q, requests %q, dialogs %q, wider than its window: %t, want none", s.Errors, s.Requests, s.Dialogs, s.Wide)
	}
	if len(s.Headings) != 3 || !s.Headings[0] || !s.Headings[1] || !s.Headings[2] {
		t.Errorf("links of the navigation lead to their headings: %v, want all", s.Headings)
	}
	if s.All == 0 || s.Filtered == 0 || s.Filtered >= s.All {
		t.Errorf("%d rows, %d with a filter, want fewer", s.All, s.Filtered)
	}
	if !strings.HasPrefix(s.First, "number 1 ") || s.Sort != "descending" {
		t.Errorf("sorted by subject, the first is %q, then %s, want number 1 and descending", s.First, s.Sort)
	}
	if s.Details != 20 || s.Unfolded != s.Details || s.Charts == 0 {
		t.Errorf("%d of %d steps unfold, %d charts, want all of 20", s.Unfolded, s.Details, s.Charts)
	}
}
