package imports

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/tempfile"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/rogpeppe/go-internal/diff"
)

// called is a run that called tools of a server s.
func called(prompt, model string, tools ...string) *Run {
	run := &Run{Prompt: prompt, Model: model, Format: "core", Run: trace.Run{Calls: []trace.Call{}}}
	for _, name := range tools {
		run.Calls = append(run.Calls, trace.Call{
			Tool: &trace.Tool{Ref: catalog.Ref{Server: "s", Name: name}}, Args: trace.ArgsObject,
			Detail: &trace.Detail{Args: jsontext.Value(`{"q":"x"}`), Result: "ok"},
		})
	}
	return run
}

// collect gathers runs.
func collect(t testing.TB, by []Key, runs ...*Run) (*Collection, []*Group) {
	t.Helper()
	c := NewCollection(by, nil)
	t.Cleanup(c.Close)
	for _, run := range runs {
		if err := c.Add(run); err != nil {
			t.Fatal(err)
		}
	}
	return c, c.Finish()
}

// written returns the only cassette of a group.
func written(t testing.TB, c *Collection, g *Group) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Write(&out, g.Header("1.2.3"), g.Parts()[0]); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCollection pins what the cassette of several runs is, without their secrets, and that it says only what all of them agree
// on.
func TestCollection(t *testing.T) {
	const secret = "sk-abcdef1234567890abcd"
	offered, err := catalog.FromServers(jsontext.Value(`{"s":{"tools":[{"name":"a","description":"uses ` + secret + `"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	first := called(" find it with "+secret+"\n", "m", "a")
	first.Time, first.Catalog, first.System, first.Provider = "2026-01-02T03:04:05Z", offered, "be brief", "p"
	first.Turns = []trace.Turn{{Role: "user", Content: "find it with " + secret}}
	second := called("find it with "+secret, "m", "a", "b")
	second.Time, second.Catalog, second.System, second.Provider = "2026-01-01T03:04:05Z", offered, "be long", "p"
	broken := called("find it with "+secret, "m")
	broken.Error = "no key " + secret
	c, groups := collect(t, DefaultKeys, first, second, broken)
	if len(groups) != 1 {
		t.Fatalf("got %d groups, want one", len(groups))
	}
	want := `{
  "cassette": 1,
  "model": "m",
  "provider": "p",
  "recorded_at": "2026-01-02T03:04:05Z",
  "recorder": "mcp-gates 1.2.3 import core",
  "prompt_sha256": "` + trace.PromptSHA256("find it with [REDACTED:sk:1]") + `",
  "catalog_sha256": "` + groups[0].Catalog().SHA256() + `",
  "catalog": {
    "s": {
      "tools": [
        {
          "name": "a",
          "description": "uses [REDACTED:sk:1]"
        }
      ]
    }
  },
  "runs": [
    {
      "tool_calls": [
        {
          "name": "a",
          "server": "s",
          "args": {
            "q": "x"
          },
          "result": "ok",
          "is_error": false
        }
      ],
      "conversation": {
        "turns": [
          {
            "role": "user",
            "content": "find it with [REDACTED:sk:1]"
          }
        ]
      }
    },
    {
      "tool_calls": [
        {
          "name": "a",
          "server": "s",
          "args": {
            "q": "x"
          },
          "result": "ok",
          "is_error": false
        },
        {
          "name": "b",
          "server": "s",
          "args": {
            "q": "x"
          },
          "result": "ok",
          "is_error": false
        }
      ]
    },
    {
      "tool_calls": [],
      "error": "no key [REDACTED:sk:1]"
    }
  ]
}
`
	if got := written(t, c, groups[0]); got != want {
		t.Errorf("%s", diff.Diff("want", []byte(want), "got", []byte(got)))
	}
	g := groups[0]
	if g.Runs != 3 || g.Broken != 1 || g.Calls != 3 || len(g.Tools) != 2 || g.Tools[0].Runs != 2 {
		t.Errorf("got %d runs, %d broken, %d calls, tools %+v", g.Runs, g.Broken, g.Calls, g.Tools)
	}
	if want := []string{"the system prompt, in which the runs differ"}; !slices.Equal(g.Differs, want) {
		t.Errorf("got %q, want %q", g.Differs, want)
	}
}

// TestGroups pins what runs are grouped by, and what their groups leave open.
func TestGroups(t *testing.T) {
	runs := func() []*Run {
		all := []*Run{called("a", "m"), called("a", "n"), called("b", "m"), called("a ", "m")}
		for i, run := range all {
			run.Session, run.Cwd, run.Metadata = fmt.Sprint(i/2), "/w", map[string]string{"task": fmt.Sprint(i % 2)}
		}
		return all
	}
	for by, want := range map[string][]string{
		"prompt,model":  {"a|m 2", "a|n 1", "b|m 1"},
		"prompt":        {"a 3: the model, in which the runs differ", "b 1"},
		"model":         {"m 3: the prompt, in which the runs differ", "n 1"},
		"session":       {"0 2: the model, in which the runs differ", "1 2: the prompt, in which the runs differ"},
		"cwd":           {"/w 4: the model, in which the runs differ, the prompt, in which the runs differ"},
		"metadata.task": {"0 2: the prompt, in which the runs differ", "1 2: the model, in which the runs differ"},
		"metadata.none": {" 4: the model, in which the runs differ, the prompt, in which the runs differ"},
	} {
		keys, err := ReadKeys(by)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		_, groups := collect(t, keys, runs()...)
		for _, g := range groups {
			one := fmt.Sprintf("%s %d", strings.Join(g.Values, "|"), g.Runs)
			if len(g.Differs) > 0 {
				one += ": " + strings.Join(g.Differs, ", ")
			}
			got = append(got, one)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", by, got, want)
		}
	}
}

// TestUnknown pins that the cassette claims nothing for a run whose log does not say it, whichever run comes first.
func TestUnknown(t *testing.T) {
	const model, prompt = "the model, in which the runs differ", "the prompt, in which the runs differ"
	named := func() *Run {
		run := called("a", "m")
		run.Provider, run.ProviderModel = "p", "m-1"
		return run
	}
	broken := called("a", "m")
	broken.Error = "no answer"
	for name, c := range map[string]struct {
		by      string
		runs    []*Run
		model   string
		answers string // the provider and its name of the model
		prompt  string
		differs []string
	}{
		"all name it":         {"prompt", []*Run{named(), named()}, "m", "p m-1", "a", nil},
		"no model, last":      {"prompt", []*Run{named(), called("a", "")}, "", " ", "a", []string{model}},
		"no model, first":     {"prompt", []*Run{called("a", ""), named()}, "", " ", "a", []string{model}},
		"no prompt":           {"model", []*Run{named(), called("", "m")}, "m", " ", "", []string{prompt}},
		"a run without reply": {"prompt", []*Run{broken, named()}, "m", "p m-1", "a", nil},
	} {
		keys, err := ReadKeys(c.by)
		if err != nil {
			t.Fatal(err)
		}
		_, groups := collect(t, keys, c.runs...)
		g := groups[0]
		h := g.Header("1.2.3")
		got := []string{h.Model, h.Provider + " " + h.ProviderModel, h.PromptSHA256}
		if want := []string{c.model, c.answers, hashOf(c.prompt)}; !slices.Equal(got, want) || len(groups) != 1 {
			t.Errorf("%s: %d groups, got %q, want %q", name, len(groups), got, want)
		}
		if !slices.Equal(g.Differs, c.differs) {
			t.Errorf("%s: got %q, want %q", name, g.Differs, c.differs)
		}
	}
}

func TestReadKeys(t *testing.T) {
	for text, want := range map[string]string{
		"promt":         `unknown key "promt", did you mean "prompt"?; the keys are prompt, model, session, cwd, metadata.KEY`,
		"":              `unknown key ""; the keys are prompt, model, session, cwd, metadata.KEY`,
		"metadata.":     `unknown key "metadata.", did you mean "metadata.KEY"?; the keys are prompt, model, session, cwd, metadata.KEY`,
		"model, model":  `key "model" is given twice`,
		"metadata.KEY,": `unknown key ""; the keys are prompt, model, session, cwd, metadata.KEY`,
	} {
		if keys, err := ReadKeys(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v and error %v, want %s", text, keys, err, want)
		}
	}
}

// TestParts pins that a group's cassettes have at most 64 MiB of runs, or one run, and how the runs and calls of each are counted.
func TestParts(t *testing.T) {
	const mib = 1 << 20
	g := &Group{}
	for i, size := range []int64{40, 24, 1, 70, 10} {
		g.stored = append(g.stored, storedRun{tempfile.Chunk{Size: size * mib}, tally{calls: int32(i + 1)}, i%3 == 1})
	}
	var got []string
	for _, part := range g.Parts() {
		got = append(got, fmt.Sprintf("%d runs, %d broken, %d calls", part.Runs, part.Broken, part.Calls))
	}
	want := []string{"2 runs, 1 broken, 3 calls", "1 runs, 0 broken, 3 calls", "1 runs, 0 broken, 4 calls", "1 runs, 1 broken, 5 calls"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestDeepArguments pins that arguments which would take gigabytes once they are indented are not written.
func TestDeepArguments(t *testing.T) {
	deep := strings.Repeat("[", 400) + strings.Repeat("[],", 1<<20) + "[]" + strings.Repeat("]", 400)
	run := called("a", "m", "t")
	run.Pos.File, run.Pos.Line = "log", 7
	run.Calls[0].Detail.Args = jsontext.Value(`{"a":` + deep + `}`)
	c, groups := collect(t, DefaultKeys, run)
	if len(groups) > 0 || len(c.Unread) != 1 || c.Unread[0].Error() != "log:7: is a run of more than 134217728 bytes in a cassette" {
		t.Errorf("got %d groups, unread %v", len(groups), c.Unread)
	}
}

// countRuns returns how many runs groups have.
func countRuns(groups []*Group) (n int) {
	for _, g := range groups {
		n += g.Runs
	}
	return n
}

// argsReader reads a file as a session with one call, whose arguments are the text.
type argsReader struct {
	to   *logs.Sink
	text string
}

func (r argsReader) Value(v logs.Value) {
	r.to.Session("", v.Pos).Ask(logs.Call{Name: "a", Args: logs.Args{Text: r.text}})
}

func (r argsReader) End() {}

// argumentsIn returns arguments as the text of a log gives them.
func argumentsIn(t *testing.T, text string) (state trace.ArgsState, object jsontext.Value) {
	t.Helper()
	one := &logs.Format{Name: "one", Open: func(to *logs.Sink) logs.Reader { return argsReader{to, text} }}
	_, err := logs.Formats{one}.Read(fstest.MapFS{"log": {Data: []byte("{}")}}, []string{"log"}, Options{Format: "one"}, func(run *Run) error {
		state, object = run.Calls[0].Args, run.Calls[0].Detail.Args
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return state, object
}

// FuzzCollection pins that whatever a log says becomes cassettes that can be read back, with as many calls, and that nothing of
// it depends on the order of the groups.
func FuzzCollection(f *testing.F) {
	f.Add("prompt", "model", "tool", "server", `{"a": "password=hunter2hunter"}`, true)
	f.Add("::error::x", "\"><img src=x>", "../../etc", "\x1b[31m", `{`, false)
	f.Add("a", "b", "c", "d", "{\"a\": \"\\ud800 \xff\", \"a\": [1e999]}", false)
	long := strings.Repeat("n", trace.MaxName+1)
	f.Add("a", "b", long, "d", "{}", false)
	f.Add("a", "b", "c", long, "{}", true)
	f.Add("a", "b", strings.Repeat("\xff", trace.MaxName/2), "d", "{}", false)
	f.Add("a", "b", strings.Repeat("password=hunter2 ", 50), "d", "{}", false)
	f.Add(strings.Repeat("p", 10_001), strings.Repeat("m", 10_001), "c", "d", "{}", false)
	f.Fuzz(func(t *testing.T, prompt, model, tool, server, args string, failed bool) {
		run := called(prompt, model, tool, "b")
		run.System, run.ProviderModel, run.StopReason, run.FinalResponse, run.HasFinal = server, tool, prompt, args, true
		run.Calls[0].Tool.Server, run.Calls[0].Failed = server, failed
		if run.Calls[0].Args, run.Calls[0].Detail.Args = argumentsIn(t, args); failed {
			run.Error = prompt
		}
		c, groups := collect(t, []Key{KeyPrompt, KeyModel, KeyCwd}, run, called(prompt, model, tool))
		if kept := countRuns(groups); kept+c.UnreadRuns != 2 || len(c.Unread) != c.UnreadRuns {
			t.Errorf("got %d runs and %d unread ones (%v), want 2 together", kept, c.UnreadRuns, c.Unread)
		}
		for _, g := range groups {
			const all = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers
			back, errs := trace.Read(fstest.MapFS{"c.json": {Data: []byte(written(t, c, g))}}, []string{"c.json"}, all)
			if errs != nil {
				t.Fatal(errs)
			}
			calls := 0
			for _, run := range back.Runs {
				calls += len(run.Calls)
			}
			if len(back.Runs) != g.Runs || calls != g.Calls {
				t.Errorf("got %d runs with %d calls back, want %d with %d", len(back.Runs), calls, g.Runs, g.Calls)
			}
		}
	})
}
