package browser

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// seen is what page.mjs prints.
type seen struct {
	Errors, Requests, Dialogs []string
	Title                     string
	FirstPaint                float64 // milliseconds
	Wide                      bool    // the page is wider than its window
	Background                string
	Cases, Open               int      // in detail, and without a click
	Filtered                  []string // cases that the filter shows
	Said                      string   // of the filter
	Unfiltered                int
	Ascending, Descending     []string // cases by name
	Sort                      string
	Numbers                   [][]float64 // of each column of numbers, ascending
	InDetail                  int         // sort buttons of a case that was opened
	Linked                    bool        // a link opens the case that it leads to
	Charts, Drawn             int         // canvases, and colours in the first
}

// program and chromium are the paths of what is run.
var program, chromium string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	chromium, _ = exec.LookPath("chromium")
	dir, err := os.MkdirTemp("", "mcp-gates")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "mcp-gates")
	build := exec.Command("go", "build", "-C", "../..", "-trimpath", "-o", program, "./cmd/check")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		return 1
	}
	return m.Run()
}

// needBrowser skips where something is missing, and says what.
func needBrowser(t *testing.T) {
	t.Helper()
	if chromium == "" {
		t.Skip("chromium is not installed: pages are not looked at")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: pages are not looked at")
	}
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("playwright-core is not installed (run e2e/setup): pages are not looked at")
	}
}

// page runs a workspace of cases and returns the path of its page, compared with the same workspace as it was before.
func page(t *testing.T, before, now []testCase) string {
	t.Helper()
	dir := t.TempDir()
	writeWorkspace(t, dir, before)
	run(t, dir, "--format", "json=base.json")
	writeWorkspace(t, dir, now)
	run(t, dir, "--baseline", "file:base.json", "--format", "html=page.html")
	return filepath.Join(dir, "page.html")
}

// run has the program check a workspace. A check that fails is as good as one that passes: both have a report.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	check := exec.Command(program, append([]string{"run"}, args...)...)
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil && check.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %v\n%s", check.Args, err, out)
	}
}

// look uses the page in the browser.
func look(t *testing.T, file, colours, width string) seen {
	t.Helper()
	use := exec.Command("node", "page.mjs", chromium, file, colours, width)
	use.Stderr = os.Stderr
	out, err := use.Output()
	if err != nil {
		t.Fatalf("use the page: %v\n%s", err, out)
	}
	var s seen
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("read what was seen: %v in\n%s", err, out)
	}
	if len(s.Errors)+len(s.Requests)+len(s.Dialogs) > 0 {
		t.Errorf("the page has errors %q, makes requests %q and opens dialogs %q, want none", s.Errors, s.Requests, s.Dialogs)
	}
	if s.Wide {
		t.Errorf("at a width of %s the page is wider than its window", width)
	}
	return s
}

// testCase is a case of a suite: ten runs, some of which pick the right tool.
type testCase struct {
	name  string
	right int  // of ten
	curve bool // it has runs with distractors
}

// TestManyCases pins that 300 cases are there within a second, that everything works by keyboard, and both sets of colours. The fastest
// of the three pages counts for the time, because other work on the machine makes a page slower and never faster.
func TestManyCases(t *testing.T) {
	needBrowser(t)
	const cases = 300
	const mostMilliseconds = 1000
	fastest := math.Inf(1)
	file := page(t, manyCases(cases, 10), manyCases(cases, 7))
	for _, test := range []struct{ colours, width, background string }{
		{"light", "1200", "rgb(255, 255, 255)"}, {"dark", "1200", "rgb(13, 17, 23)"}, {"light", "390", "rgb(255, 255, 255)"},
	} {
		t.Run(test.colours+" "+test.width, func(t *testing.T) {
			s := look(t, file, test.colours, test.width)
			checkMany(t, s, cases)
			if s.Background != test.background {
				t.Errorf("the background is %s, want %s", s.Background, test.background)
			}
			fastest = min(fastest, s.FirstPaint)
		})
	}
	if t.Logf("first paint after %.0f ms", fastest); fastest > mostMilliseconds {
		t.Errorf("first paint after %.0f ms, want %d at most", fastest, mostMilliseconds)
	}
}

// checkMany holds what was seen of many cases to what is in their suite.
func checkMany(t *testing.T, s seen, cases int) {
	t.Helper()
	if s.Cases != cases || s.Unfiltered != cases || s.Open == 0 || s.Open > 20 {
		t.Errorf("%d cases in detail, %d in the table, %d open, want %d, %d and the first few", s.Cases, s.Unfiltered, s.Open, cases, cases)
	}
	if len(s.Filtered) != 1 || !strings.Contains(s.Filtered[0], "zz9") || s.Said != fmt.Sprintf("1 of %d", cases) {
		t.Errorf("the filter shows %q and says %q, want only the case zz9", s.Filtered, s.Said)
	}
	backwards := slices.Clone(s.Ascending)
	slices.Reverse(backwards)
	if !slices.IsSortedFunc(s.Ascending, naturally) || !slices.Equal(backwards, s.Descending) || s.Sort != "descending" {
		t.Errorf("sorted by name: %q, then %q (%s)", s.Ascending[:5], s.Descending[:5], s.Sort)
	}
	for _, column := range s.Numbers {
		if !slices.IsSorted(column) {
			t.Errorf("a column of numbers is sorted as %v", column)
		}
	}
	if len(s.Numbers) < 3 || s.InDetail == 0 || !s.Linked {
		t.Errorf("%d columns of numbers, %d sort buttons in a case, link followed: %t", len(s.Numbers), s.InDetail, s.Linked)
	}
	if s.Charts == 0 || s.Drawn < 3 {
		t.Errorf("%d charts, the first in %d colours, want accuracy, floor and axes", s.Charts, s.Drawn)
	}
}

// naturally compares names as people do: case 9 before case 10.
func naturally(a, b string) int {
	number := func(s string) (n int) {
		fmt.Sscanf(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz "), "%d", &n)
		return n
	}
	if word := strings.Compare(strings.Fields(a)[0], strings.Fields(b)[0]); word != 0 {
		return word
	}
	return number(a) - number(b)
}

func manyCases(n, right int) []testCase {
	list := make([]testCase, n)
	for i := range list {
		list[i] = testCase{fmt.Sprintf("case %d", i), 9, i%10 == 9}
		if i%3 == 0 {
			list[i].right = right
		}
	}
	list[n/3*3-3].name = "zz9"
	return list
}

// TestHostileNames pins that names which try to be more than text open no dialog and make no request, whatever is done.
func TestHostileNames(t *testing.T) {
	needBrowser(t)
	var list []testCase
	for i, name := range []string{
		`"><img src=x onerror=alert(1)>`, "</script><script>alert(2)</script>", "${alert(3)}", "\u202eevil\u2066", "</title><svg onload=alert(4)>",
		"<!--", "javascript:alert(5)", "' autofocus onfocus='alert(6)", "<iframe src=https://evil.example></iframe>", "<style>@import url(https://evil.example)</style>", "zz9",
	} {
		list = append(list, testCase{name, i % 5, i%2 == 0})
	}
	s := look(t, page(t, list, list), "light", "1200")
	if s.Title != "fail: 11 of 11 cases failed" || s.Cases != len(list) || len(s.Ascending) != len(list) {
		t.Errorf("%q with %d cases, %d in the table, want all of %d", s.Title, s.Cases, len(s.Ascending), len(list))
	}
	if !slices.ContainsFunc(s.Ascending, func(name string) bool { return strings.HasPrefix(name, `"><img src=x onerror=alert(1)>`) }) {
		t.Errorf("the table shows %q, want the names as they are", s.Ascending)
	}
}

// TestOneCase pins that the smallest page works, too.
func TestOneCase(t *testing.T) {
	needBrowser(t)
	one := []testCase{{"only", 10, false}}
	for _, width := range []string{"1200", "390"} {
		if s := look(t, page(t, one, one), "dark", width); s.Title != "pass: 1 case passed" || s.Cases != 1 || !s.Linked {
			t.Errorf("got %+v, want one case that passes", s)
		}
	}
}
