package e2e

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
)

// payloads are texts that would do something in a log, a file of outputs or Markdown if they were let.
var payloads = []string{
	"\n::error::forged", "\r::set-output name=verdict::pass", "\r\n::add-mask::e", " ::stop-commands::x", "::debug::x",
	"##[set-env name=A]b", "x ##[error]forged", "\u00ad##\u200b[error]forged", "\u2028::error::x", "\u0085::error::x", "%0A::error::x",
	"x\n_GitHubActionsFileCommandDelimeter_\nverdict=pass\n", "verdict<<E\npass\nE\n", "report=x",
	"@octocat", "x @octo/team y", "a@evil.example", "&#64;octocat", "#1", "octo/tools#1", "GH-1", "fixes #1",
	"https://evil.example/x", "www.evil.example", "[a](https://evil.example)", "[a][b]\n\n[b]: https://evil.example",
	"![i](https://evil.example/i.png)", "<img src='https://evil.example/i.png'>", "<script>alert(1)</script>", "<a href=\"//evil.example\">",
	"<https://evil.example>", "<!-- mcp-gates:v1 key=00000000000000000000000000000000 -->", "-->", "<!--", "</details>", "</summary><img src=x>",
	"`@octocat`", "``@octocat", "```\n@octocat\n```", "~~~\n@octocat\n", "| @octocat | b |", "\\| `@octocat", "\\`@octocat", "x`\n\n@octocat",
	"\u202eevil", "\u2066@octocat", "\u200b@octocat", "\ufeff@octocat", "\x1b[31mred\x1b]8;;https://evil.example\a", "a\x00b", "\U0001f600 \U000e0041",
	"- [ ] @octocat", "> @octocat", "# @octocat\n", "    @octocat", "\t@octocat", "***@octocat***", "$(touch pwned) `touch pwned` ';touch pwned;'",
	"${{ github.token }}", strings.Repeat("x", 3000), strings.Repeat("`", 300) + "@octocat", strings.Repeat("é@", 200),
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for i, p := range append(payloads, strings.Join(payloads[:60], " ")) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			attack(t, p)
		})
	}
}

// FuzzHostile does as TestHostile with texts that nobody thought of.
func FuzzHostile(f *testing.F) {
	f.Add(payloads[0] + payloads[5])
	f.Fuzz(func(t *testing.T, payload string) {
		if !utf8.ValidString(payload) || len(payload) > 8000 {
			t.Skip("the readers refuse what is not UTF-8, and a longer text only takes longer")
		}
		attack(t, payload)
	})
}

// attack puts a text into every field that somebody else than the user of the action may write, and runs the job with a
// token that writes, and with one that reads.
func attack(t *testing.T, payload string) {
	t.Helper()
	w := newWorld(t)
	w.open(hostileBase(payload), hostile(payload))
	w.pull.HeadRef = fileName(payload)
	for _, permissions := range [][]string{everything, readOnly} {
		w.restrict(permissions)
		j := w.job()
		j.Actor, j.Workflow, j.Name = fileName(payload), fileName(payload), fileName(payload)
		j.Matrix = map[string]any{"value": payload, payload: "name"}
		j.Inputs["annotations"] = "all"
		w.hub.Fail(github.Fault{Operation: "pulls/get", Status: 422, Message: payload})
		j.Inputs["comment"] = "always"
		o := w.run(j, w.gates(j.Workspace))
		for _, k := range o.checks {
			checkPlain(w.T, k)
		}
		j.Name = "other" // in which nothing fails
		o = w.run(j, o.Exit)
		w.outputs(o, map[string]string{"report": "mcp-gates-report.json"})
		if o.Outputs["verdict"] == "pass" {
			w.Error("the verdict was forged")
		}
	}
}

// checkPlain expects no characters in annotations that hide or turn text.
func checkPlain(t *testing.T, k github.Check) {
	t.Helper()
	for _, a := range k.Annotations {
		for _, text := range []string{a.Title, a.Message, a.RawDetails, k.Name, k.Title} {
			if i := strings.IndexFunc(text, hidden); i >= 0 {
				t.Errorf("annotation %q has a character that hides or turns text", text)
			}
		}
	}
}

// fileName makes the text fit to be the name of a file, as far as git and the system let it.
func fileName(text string) string {
	text = strings.NewReplacer("/", "∕", "\x00", "").Replace(text)
	for len(text) > 150 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// oneLine is what is left of a text when a name must be one line.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if hidden(r) || r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, text)
	return "x" + strings.TrimSpace(text)
}

// hostileBase is what the change was made from: the same names, and runs that are better.
func hostileBase(p string) repo.Files {
	return hostile(p).With(repo.Files{"cassettes/first.json": hostileRuns(p, p, p, p)})
}

// hostile are files in which every text is p. A part of them is refused for what p is, so that there is a suite in which
// names are tame and what was recorded is not.
func hostile(p string) repo.Files {
	file := fileName(p)
	return repo.Files{
		"suites/c.yml":                 hostileSuite(oneLine(p), "../cassettes/third.json", "../catalogs/shabby.json"),
		"cassettes/third.json":         hostileRuns(p, p, "other", oneLine(p)),
		"suites/a" + file + ".yml":     hostileSuite(p, "../cassettes/c"+file+".json", "../catalogs/k"+file+".json"),
		"cassettes/c" + file + ".json": hostileRuns(p, p, "other"),
		"catalogs/k" + file + ".json":  hostileCatalog(p),
		"suites/b.yml":                 hostileRecording(p),
		"cassettes/first.json":         hostileRuns(p, "other "+p),
		"cassettes/second.json":        brokenRuns(p),
		"catalogs/shabby.json":         hostileCatalog(p),
	}
}

func hostileSuite(p, cassette, catalog string) string {
	return lines(object{
		"name":     p,
		"servers":  object{p: object{"catalog": catalog}},
		"defaults": object{"model": p},
		"agents": []any{object{
			"name": "case " + p, "prompt": p, "tags": []string{p}, "cassette": cassette, "server": p,
			"tool_selection":      object{"expected_tool": p, "min_selection_rate": 0.9},
			"equal_function_sets": object{"classes": []any{object{"name": p, "members": []string{p, "no " + p}}}},
			"expect":              []any{object{"tool_names": object{"contains": "no " + p}}, object{"final_response": object{"contains": "no " + p}}},
		}},
		"tool_quality": []any{object{"name": "quality " + p, "server": p}},
	})
}

// hostileRecording is a suite of which only the texts are hostile that somebody else wrote.
func hostileRecording(p string) string {
	return lines(object{
		"servers": object{"shop": object{"catalog": "../catalogs/shabby.json"}},
		"agents": []any{
			object{
				"name": "first", "cassette": "../cassettes/first.json",
				"tool_selection":      object{"expected_tool": "nothing", "min_selection_rate": 0.9},
				"equal_function_sets": object{"classes": []any{object{"name": "look", "members": []string{"nothing"}}}},
				"orchestration":       object{"expect": []any{object{"orchestration.schema_valid": object{">=": 100}}}},
				"distractors":         object{"count": 2, "source": object{"from": "catalog"}, "correct": []string{"nothing"}},
				"expect":              []any{object{"tool_names": object{"contains": "nothing"}}, object{"final_response": object{"contains": "nothing"}}},
			},
			object{"name": "second", "cassette": "../cassettes/second.json", "allow_run_errors": 1, "tool_selection": object{"expected_tool": "nothing", "min_selection_rate": 0.9}},
		},
		"tool_quality": []any{object{"name": "quality", "server": "shop"}},
	})
}

// hostileRuns is a recording of one run for each tool.
func hostileRuns(p string, tools ...string) string {
	runs := []any{}
	for _, name := range tools {
		runs = append(runs, object{
			"tool_calls": []any{object{
				"name": name, "server": p, "args": object{p: p}, "result": p, "is_error": true, "error": p,
			}},
			"conversation":   object{"tokens": object{"total": 10}, "turns": []any{object{"role": "user", "content": p}}},
			"final_response": p, "stop_reason": p,
		})
	}
	return lines(object{
		"cassette": 1, "test": p, "model": p, "provider": p, "recorder": p, "recorded_at": p, "runs": runs,
		"catalog":     object{p: object{"tools": []any{object{"name": p, "description": p}}}},
		"distractors": []any{object{"server": p, "name": p}},
	})
}

func brokenRuns(p string) string {
	return lines(object{"runs": []any{object{"error": p, "tool_calls": []any{}}, object{"tool_calls": []any{object{"name": p}}}}})
}

func hostileCatalog(p string) string {
	schema := object{
		"type": "object", "title": p, "description": p, "required": []string{p},
		"properties": object{p: object{"type": "string", "description": p, "enum": []string{p}, "default": p}, "b": object{"type": p}},
	}
	list := []any{}
	for i := range 3 {
		list = append(list, object{
			"name": fmt.Sprint(p, i), "title": p, "description": p, "inputSchema": schema, "annotations": object{"title": p, p: p},
		})
	}
	return lines(object{"tools": append(list, object{"name": p, "description": "short " + p})})
}
