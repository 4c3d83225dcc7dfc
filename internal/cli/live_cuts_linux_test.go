package cli

import (
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

// cutSecret has blanks, so that a text that is cut between words is cut within it, and no words of the program's.
const cutSecret = `Xq7 vörpal "blade" & snicker/snack Zz9`

// cutSpellings are the ways in which servers and models say it.
var cutSpellings = map[string]func(string) string{
	"plain":      func(s string) string { return s },
	"JSON":       func(s string) string { return jsonIn(s) },
	"JSON twice": func(s string) string { return jsonIn(jsonIn(s)) },
	"path":       url.PathEscape,
	"twice":      func(s string) string { return url.PathEscape(url.PathEscape(s)) },
	"HTML":       html.EscapeString,
	"base64":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
}

const cutSuite = `
servers:
  leaky: { command: [sh, leaky.sh, KIND], env: { PASS: { from_env: PASS } } }
agents:
  - name: leaks
    model: stand-in-1
    base_url: URL
    server: leaky
    prompt: Forecast.
    runs: RUNS
    expect:
      - { target: final_response, matcher: { exact: nothing } }
      - { target: final_response, matcher: { contains: nothing } }
      - { target: "tool_calls[0].args.x", matcher: { exact: nothing } }
      - { target: "tool_calls[0].args", matcher: { exact: nothing } }
    tool_selection: { expected_tool: forecast, min_selection_rate: 1 }
`

// cutTest is leakyTest with one text in all places: the secret again and again, so that wherever it is cut, a secret is.
func cutTest(t *testing.T, kind, said string, steps ...providerStep) *liveTest {
	t.Helper()
	runs := "1"
	if thorough.Asked() {
		runs = "2"
	}
	files := map[string]string{
		"mcp-gates.yml": strings.NewReplacer("RUNS", runs, "KIND", kind, "URL", startProvider(t, steps...).URL+"/v1").Replace(cutSuite),
		"leaky.sh":      leakyServer,
		"init.json":     `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"l","version":"1"}}`,
		"tools.json":    `{"tools":[{"name":"forecast","description":` + jsonOf(said) + `,"inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}]}`,
		"result.json":   `{"content":[{"type":"text","text":` + jsonOf(strings.Repeat("long ", 209_700)+said) + `}]}`,
		"error.json":    `{"code":-32000,"message":` + jsonOf(said) + `}`,
		"stderr.txt":    said,
	}
	l := newLiveTest(t, files)
	l.inputs, l.env = files, []string{"PASS=" + cutSecret, "OPENAI_API_KEY=" + providerKey}
	return l
}

// pieces returns the pieces of 8 bytes of the secret in each of its spellings, by where they come from.
func pieces() map[string]string {
	all := map[string]string{}
	for name, spell := range cutSpellings {
		spelled := spell(cutSecret)
		for at := 0; at+8 <= len(spelled); at++ {
			all[spelled[at:at+8]] = name
		}
	}
	return all
}

// wantsNoPiece requires that no piece of the secret is in what the program wrote.
func (l *liveTest) wantsNoPiece(t *testing.T, how string, r liveResult) {
	t.Helper()
	texts := l.outputs(t)
	texts["standard output"], texts["standard error"] = r.stdout, r.stderr
	all := pieces()
	for name, text := range texts {
		for at := 0; at+8 <= len(text); at++ {
			if spelling, isPiece := all[text[at:at+8]]; isPiece {
				t.Errorf("%s: %s has %q of the secret as %s, in …%s…", how, name, text[at:at+8], spelling, text[max(0, at-80):min(len(text), at+80)])
				break
			}
		}
	}
}

// No piece of a secret is in any output, wherever the texts that hold it are cut, in the command and in the action.
func TestLiveSecretsAcrossCuts(t *testing.T) {
	t.Parallel()
	formats := []string{"json", "markdown"}
	kinds, names := []string{"well", "error", "ends", "logs", "refuses"}, slices.Sorted(maps.Keys(cutSpellings))
	for i, kind := range kinds {
		for j, name := range names {
			if i != j%len(kinds) && !thorough.Asked() { // each kind and each spelling once
				continue
			}
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				said := strings.Repeat("x", len(name)) + " " + strings.Repeat(cutSpellings[name](cutSecret)+" ", 300)
				steps := []providerStep{{text: said, call: "forecast " + jsonOf(map[string]string{"x": said})}, {text: said, call: said[:200] + " {}"}, {text: said}}
				steps = append(steps, steps...)
				if kind == "refuses" {
					steps = []providerStep{{status: 400, body: jsonOf(map[string]any{"error": map[string]string{"message": said}})}}
				}
				l := cutTest(t, kind, said, append(steps, steps...)...)
				args := []string{"run", "--record", "--verbose", "--jobs=1"}
				for _, f := range formats {
					args = append(args, fmt.Sprintf("--format=%s=out.%s", f, f))
				}
				r := l.run(t, args...)
				if r.status != 1 && r.status != 3 {
					t.Errorf("exit status %d, want 1 or 3:\n%.2000s", r.status, r.stderr)
				}
				l.wantsNoPiece(t, "run", r)
				summary := filepath.Join(l.dir, "summary.md")
				if err := os.WriteFile(summary, nil, 0o666); err != nil {
					t.Fatal(err)
				}
				l.env = append(l.env, "GITHUB_WORKSPACE="+l.dir, "GITHUB_EVENT_NAME=push", "GITHUB_STEP_SUMMARY="+summary, "INPUT_MODE=live", "INPUT_BASELINE=none")
				r = l.run(t, "action", "--dry-run")
				if r.status != 1 && r.status != 3 {
					t.Errorf("action: exit status %d, want 1 or 3:\n%.2000s", r.status, r.stdout)
				}
				l.wantsNoPiece(t, "action", r)
			})
		}
	}
}
