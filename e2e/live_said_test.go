package e2e

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What servers and models say in live runs: secrets that they were given, and texts that would do something.

// private checks that no secret is in any file that the job has written, but for what the server itself left behind.
func (o *outcome) private() {
	t := o.world
	t.Helper()
	for line := range strings.Lines(o.clean()) {
		name := strings.TrimSpace(line)[2:]
		if strings.HasSuffix(name, ".note") {
			continue
		}
		text := t.read(filepath.Join(o.job.Workspace, strings.TrimSpace(name)))
		t.lacks(name, text, t.secrets...)
		mark := "[REDACTED:env:1]"
		if strings.Contains(text, `"report": 1,`) {
			mark = "[REDACTED:env:" // of the runs of cases that pass it has none
		}
		t.says(name, text, mark)
	}
}

// manyCases adds cases that pass, fail, and judge what the server says of itself.
const manyCases = `  - name: failing
    prompt: Read the secret of the place "Oslo".
    expect:
      - final_response: { contains: hunter2 }
      - tool_calls[0].args.place: { exact: hunter2 }
    orchestration: { expect: [ { orchestration.error_recovery: { ">=": 100 } } ] }
    tool_selection: { expected_tool: actor.nothing, min_selection_rate: 0.8 }
tool_quality:
  - { name: descriptions, server: actor, expect: [ { mean_score: { ">=": 1 } } ] }
`

func secretsOfAProcess(w *world) {
	w.secrets = []string{"hunter2-of-the-environment"}
	for i, role := range []string{"echo", "crash"} {
		files := acting(w.T, role, manyCases)
		from := fmt.Sprintf("env: { %s: \"%s ${word}\" }", actAs, role)
		files["mcp-gates.yml"] = "variables: { word: { from_env: THE_WORD, default: none } }\n" +
			strings.Replace(files["mcp-gates.yml"], fmt.Sprintf("env: { %s: %q }", actAs, role), from, 1)
		w.open(files, files)
		j := live(w.job(), "record")
		j.Env, j.Inputs["annotations"] = map[string]string{"THE_WORD": w.secrets[0]}, "all"
		o := w.run(j, []int{1, 3}[i])
		w.says("the log", o.Log, "::add-mask::"+w.secrets[0], "[REDACTED:env:1]")
		o.private()
	}
}

func secretsOverHTTP(w *world) {
	w.secrets = []string{"hunter2-of-the-header", "hunter2-of-the-key"}
	files := acting(w.T, "", manyCases)
	suite := files["mcp-gates.yml"]
	from, to := strings.Index(suite, "  actor:"), strings.Index(suite, "defaults:")
	files["mcp-gates.yml"] = suite[:from] + "  actor: { url: " + strconv.Quote(mcpOverHTTP(w.T)) +
		", headers: { X-Word: { from_env: THE_WORD } } }\n" +
		strings.Replace(suite[to:], `"builtin:lexical"`, fmt.Sprintf("gpt-5, base_url: %q", modelOverHTTP(w.T)), 1)
	w.open(files, files)
	j := live(w.job(), "record")
	j.Env = map[string]string{"THE_WORD": w.secrets[0], "OPENAI_API_KEY": w.secrets[1]}
	j.Inputs["annotations"], j.Inputs["jobs"] = "all", "1"
	o := w.run(j, 3)
	w.says("the log", o.Log, "::add-mask::"+w.secrets[0], "::add-mask::"+w.secrets[1], "[REDACTED:env:", "Incorrect API key provided")
	o.private()
}

// A mistake in a suite quotes what the suite has read.
func secretInMistake(w *world) {
	w.secrets = []string{"hunter2-of-the-environment"}
	files := acting(w.T, "echo")
	files["mcp-gates.yml"] = "variables: { word: { from_env: THE_WORD, default: openai } }\n" +
		strings.Replace(files["mcp-gates.yml"], "defaults: {", `defaults: { provider: "${word}",`, 1)
	w.open(files, files)
	j := live(w.job(), "live")
	j.Env = map[string]string{"THE_WORD": w.secrets[0]}
	o := w.run(j, 2)
	w.says("the annotations", jsonOf(o.check().Annotations), `found provider \"[REDACTED:env:1]\"`)
	o.private()
}

// TestHostileServers has servers that say texts that would do something if they were let.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	for i, p := range payloads {
		if strings.Contains(p, "\x00") {
			continue // no environment holds it
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			files := acting(t, []string{"echo ", "crash "}[i%2]+p, strings.ReplaceAll(manyCases, "hunter2", "x"))
			w.open(files, files)
			j := live(w.job(), "record")
			j.Inputs["annotations"], j.Inputs["comment"] = "all", "always"
			w.run(j, []int{1, 3}[i%2])
			for _, k := range w.hub.Checks() {
				checkPlain(t, k)
			}
			w.restrict(readOnly)
			w.run(live(w.job(), "live"), []int{1, 3}[i%2])
		})
	}
}
