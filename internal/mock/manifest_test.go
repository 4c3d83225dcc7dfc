package mock

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the files that are made from others")

// Each file of testdata/mistakes holds manifests and, in "want", all mistakes in them.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples of mistakes: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			last := len(archive.Files) - 1
			var got strings.Builder
			for _, file := range archive.Files[:last] {
				d, mistakes := ReadManifest(file.Name, file.Data)
				if len(mistakes) == 0 || d != nil {
					t.Errorf("%s has no mistake", file.Name)
				}
				got.WriteString(mistakes.Error() + "\n")
			}
			if *update {
				archive.Files[last].Data = []byte(got.String())
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := archive.Files[last].Data; got.String() != string(want) {
				t.Errorf("mistakes:\n%s", diff.Diff("want", want, "got", []byte(got.String())))
			}
		})
	}
}

// FuzzReadManifest pins that nothing panics, that every mistake has a place in the file, and that what is read can be
// listed and called.
func FuzzReadManifest(f *testing.F) {
	for _, text := range []string{
		"", "mock_server: {}", "mock_server: 1", "mock_server: {tools: [{name: a}]}", "mock_server:\n  tools:" + scripted,
		"mock_server: {tools: [{name: a, input_schema: {properties: {x: {}}}, responses: [{when: {y: .nan}, content: '${args.z}'}]}]}",
		"mock_server: {resources: [{uri: 'a:b', name: n, blob: AA==}], prompts: [{name: p, messages: [{role: user, content: x}]}]}",
		"a: &a [x]\nmock_server: {tools: [{name: *a, response: {content: *a}}]}", "mock_server: {tools: [{name: a, response: {content: [{type: image}]}}]}",
		"mock_server: {tools: [{name: a, response: {structured_content: {a: 1e99, b: 2020-01-01, c: !!binary AA==}}}]}", "mock_server: {<<: {tools: [{name: a}]}}",
		"mock_server: {resources: [{uri: '%zz', name: n, text: ''}, {uri: 'a', name: n, text: ''}]}", "mock_server: {page_size: 0}",
	} {
		f.Add(text, `{"city": "Oslo", "x": [1, {"y": null}]}`)
	}
	f.Fuzz(func(t *testing.T, text, arguments string) {
		d, mistakes := ReadManifest("m.yml", []byte(text))
		if (d == nil) != (len(mistakes) > 0) {
			t.Fatalf("ReadManifest(%q) = %v with mistakes %v", text, d, mistakes)
		}
		for _, m := range mistakes {
			if m.Pos.File != "m.yml" || m.Pos.Line < 1 || m.Pos.Line > strings.Count(text, "\n")+1 {
				t.Errorf("mistake in %q is at %v, which is not in the file: %s", text, m.Pos, m.Msg)
			}
		}
		args, ok := decodeObject([]byte(arguments))
		if d == nil || !ok {
			return
		}
		New(d, Options{})
		for _, tool := range d.tools {
			if !json.Valid(tool.raw) {
				t.Errorf("%q: tool %q is listed as %s", text, tool.name, tool.raw)
			}
			result, err := tool.answerCall([]byte(arguments), args)
			if err != nil {
				t.Fatalf("%q: tool %q with %s: %v", text, tool.name, arguments, err)
			}
			if _, err := json.Marshal(result); err != nil {
				t.Errorf("%q: answer of tool %q to %s: %v", text, tool.name, arguments, err)
			}
		}
	})
}
