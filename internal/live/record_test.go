package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

const recordedSuite = `
redact: { allow: [us-east-1] }
variables:
  region: { from_env: REGION }
  pin: { from_env: PIN }
defaults: { model: "builtin:lexical", distractors: { count: 1, source: { from: catalog } } }
agents:
  - { name: fresh, prompt: "Say hello in ${region}." }
  - { name: again, prompt: Say hello. }
  - { name: unwritable, prompt: "Say hello to ${pin}." }
  - { name: never run, prompt: Say goodbye. }
`

// recorded runs the first three cases of recordedSuite over files, and adds what is saved to them.
func recorded(t *testing.T, files fstest.MapFS) *Runner {
	t.Helper()
	getenv := func(name string) string { return map[string]string{"REGION": "us-east-1", "PIN": "hunter2"}[name] }
	files["mcp-gates.yml"] = &fstest.MapFile{Data: []byte(recordedSuite)}
	r := NewRunner(context.Background(), Options{Getenv: getenv, FS: files, Save: func(path string, write func(io.Writer) error) error {
		if path == "cassettes/mcp-gates/unwritable.json" {
			return errors.New("the disk is full")
		}
		var out bytes.Buffer
		err := write(&out)
		files[path] = &fstest.MapFile{Data: out.Bytes()}
		return err
	}})
	loader := suite.NewLoader(files)
	loader.Getenv = r.Getenv
	s, errs := loader.Load("mcp-gates.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	ready, errs := r.Prepare(s, s.Cases)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	for _, c := range s.Cases[:3] {
		if _, err := ready.Run(context.Background(), c); (err != nil) != (c.Name == "unwritable") {
			t.Errorf("case %q: %v", c.Name, err)
		}
	}
	return r
}

// TestRecordings pins the report of which cassettes were written, which hold the same already, and which were left.
func TestRecordings(t *testing.T) {
	files := fstest.MapFS{}
	recorded(t, files)
	delete(files, "cassettes/mcp-gates/fresh.json")
	r := recorded(t, files)
	want := Recordings{
		Written: []string{"cassettes/mcp-gates/fresh.json"},
		Same:    []string{"cassettes/mcp-gates/again.json"},
		Left:    []string{"cassettes/mcp-gates/never-run.json", "cassettes/mcp-gates/unwritable.json"},
		Silent:  []string{"cassettes/mcp-gates/again.json", "cassettes/mcp-gates/fresh.json"},
	}
	if diff := cmp.Diff(want, r.Recordings()); diff != "" {
		t.Errorf("recordings (-want +got):\n%s", diff)
	}
}

// TestSecrets pins that what a suite has read is secret in what else is written, also when the suite has a mistake; but
// not what it says is no secret.
func TestSecrets(t *testing.T) {
	r := recorded(t, fstest.MapFS{})
	if diff := cmp.Diff([]string{"hunter2"}, r.Secrets()); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
	broken := NewRunner(context.Background(), Options{Getenv: func(string) string { return "hunter3" }})
	loader := suite.NewLoader(fstest.MapFS{"s.yml": {Data: []byte("variables: { pin: { from_env: PIN } }\nagents: [ { name: 5, prompt: \"${pin}\" } ]\n")}})
	loader.Getenv = broken.Getenv
	if _, errs := loader.Load("s.yml"); len(errs) == 0 {
		t.Error("a suite with a mistake was read")
	}
	if diff := cmp.Diff([]string{"hunter3"}, broken.Secrets()); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}

// Fixed bugs: arguments that nest deeper than a cassette may were recorded, and the cassette could not be read again.
func TestDeepArgumentsCanBeReplayed(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }
	for depth, want := range map[int]trace.ArgsState{
		source.MaxDepth - argsDepth:     trace.ArgsObject,
		source.MaxDepth - argsDepth + 1: trace.ArgsMalformed,
		5000:                            trace.ArgsMalformed,
	} {
		use := model.Reply{Calls: []model.Call{{ID: "1", Name: "echo", Args: deep(depth)}}, Stop: model.StopToolUse}
		c := talk(t, planFor(&replies{list: []model.Reply{use, {Stop: model.StopEndTurn}}}, trace.Count{}))
		var out bytes.Buffer
		if err := trace.Write(&out, &trace.Trace{Runs: []trace.Run{c.run}}); err != nil {
			t.Fatal(err)
		}
		read, errs := trace.Read(fstest.MapFS{"c.json": {Data: out.Bytes()}}, []string{"c.json"}, trace.KeepArgs)
		if len(errs) > 0 {
			t.Errorf("depth %d: %v", depth, errs.Err())
			continue
		}
		if got := read.Runs[0].Calls[0].Args; got != want {
			t.Errorf("depth %d: arguments are read as %v, want %v", depth, got, want)
		}
	}
}

// TestRedactRun pins that no text of a run is recorded with a secret in it, whoever wrote it.
func TestRedactRun(t *testing.T) {
	const secret = "Bearer s3cr3t-s3cr3t"
	run := &trace.Run{
		FinalResponse: secret, StopReason: secret,
		Turns: []trace.Turn{{Role: "user", Content: secret}},
		Calls: []trace.Call{{
			Tool:   &trace.Tool{Ref: catalog.Ref{Name: secret}},
			Detail: &trace.Detail{Args: jsontext.Value(`{"a": "` + secret + `"}`), Result: secret, Error: secret},
		}},
	}
	var shapes *redact.Rules
	run.Redact(shapes.File(), trace.Tools{})
	call := run.Calls[0]
	texts := []string{run.FinalResponse, run.StopReason, run.Turns[0].Content, call.Tool.Name, string(call.Detail.Args), call.Detail.Result, call.Detail.Error}
	for i, text := range texts {
		if strings.Contains(text, "s3cr3t") || !strings.Contains(text, "Bearer [REDACTED:bearer:1]") {
			t.Errorf("text %d is %q", i, text)
		}
	}
}
