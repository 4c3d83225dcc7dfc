package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/suite"
)

const recordedSuite = `
redact: { allow: [us-east-1] }
variables:
  region: { from_env: REGION }
  pin: { from_env: PIN }
defaults: { model: "builtin:lexical", orchestration: {} }
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
	loader := suite.NewLoader(files)
	loader.Getenv = getenv
	s, errs := loader.Load("mcp-gates.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	r := NewRunner(context.Background(), Options{Getenv: getenv, FS: files, Save: func(path string, write func(io.Writer) error) error {
		if path == "cassettes/mcp-gates/unwritable.json" {
			return errors.New("the disk is full")
		}
		var out bytes.Buffer
		err := write(&out)
		files[path] = &fstest.MapFile{Data: out.Bytes()}
		return err
	}})
	if errs := r.Prepare(s, s.Cases); len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	for _, c := range s.Cases[:3] {
		if _, err := r.Run(context.Background(), s, c); (err != nil) != (c.Name == "unwritable") {
			t.Errorf("case %q: %v", c.Name, err)
		}
	}
	return r
}

// TestRecordings pins that it is told which cassettes were written, which say the same already, and which were left.
func TestRecordings(t *testing.T) {
	files := fstest.MapFS{}
	recorded(t, files)
	delete(files, "cassettes/mcp-gates/fresh.json")
	r := recorded(t, files)
	want := Recordings{
		Written: []string{"cassettes/mcp-gates/fresh.json"},
		Same:    []string{"cassettes/mcp-gates/again.json"},
		Left:    []string{"cassettes/mcp-gates/never-run.json", "cassettes/mcp-gates/unwritable.json"},
	}
	if diff := cmp.Diff(want, r.Recordings()); diff != "" {
		t.Errorf("recordings (-want +got):\n%s", diff)
	}
}

// TestSecretsThatASuiteAllows pins that what a suite says is no secret is none in what else is written.
func TestSecretsThatASuiteAllows(t *testing.T) {
	if diff := cmp.Diff([]string{"hunter2"}, recorded(t, fstest.MapFS{}).Secrets()); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}
