package suite

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const executablesYAML = `variables: {tool: {default: node}, key: {from_env: K}}
servers: {a: {command: ["${tool}", s.js, "${key}"], cwd: tools}, b: {url: "https://example.test"}, c: {}}
defaults: {expect: {max_duration_ms: 5}, servers: [a]}
agents:
  - {name: one, models: [x, y], agent: {command: ["${tool}", "${prompt}"], version: [v, "${tool}"]}}
  - {name: two, agent: codex}
  - {name: three, agent: {preset: claude-code, args: [--max-turns, "3"], version: [claude, --version]}}
  - {name: four, model: z}
`

// TestExecutables pins what live runs of a suite execute: each once, with the defaults of variables.
func TestExecutables(t *testing.T) {
	s, errs := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(executablesYAML)}}).Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := []Executable{
		{executeServer, "a", `["node","s.js","${key from_env K}"] in tools`, 2, ""},
		{executeURL, "b", `"https://example.test"`, 2, ""},
		{executeAgent, "one", `["node","${prompt}"]`, 5, ""},
		{executeVersion, "one", `["v","node"]`, 5, ""},
		{executeAgent, "two", `["codex"]`, 6, ""},
		{executeAgent, "three", `["claude-code","--max-turns","3"]`, 7, ""},
	}
	if diff := cmp.Diff(s.Executables(), want); diff != "" {
		t.Errorf("-got +want\n%s", diff)
	}
}

// TestExecutablesSettings pins that what belongs to a command or an address is listed with it.
func TestExecutablesSettings(t *testing.T) {
	const src = `variables: {v: {from_env: V, default: d}, w: {default: x}}
servers:
  a: {command: [s], cwd: t, env: {Z: "${v}-${w}", K: {from_env: KEY}, D: {from_env: E, default: "1"}}}
  b: {url: "https://${w}.test", auth: {bearer_token_env: TOKEN}, headers: {X: {from_env: HEADER}}}
defaults: {expect: {max_duration_ms: 5}, servers: [a]}
agents:
  - {name: one, agent: {preset: codex, env: {CODEX_API_KEY: {from_env: KEY}, EMPTY: ""}}}
  - {name: two, models: [x, y], base_url: "https://${v}.test"}
  - {name: three, model: x, base_url: "https://a.test", provider: openai}
`
	s, errs := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(src)}}).Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := []Executable{
		{executeServer, "a", `["s"] in t with env {"D": from_env E, default "1", "K": from_env KEY, "Z": "${v from_env V, default \"d\"}-x"}`, 3, ""},
		{executeURL, "b", `"https://x.test" with headers {"Authorization": from_env TOKEN, "X": from_env HEADER}`, 4, ""},
		{executeAgent, "one", `["codex"] with env {"CODEX_API_KEY": from_env KEY, "EMPTY": ""}`, 7, ""},
		{executeBaseURL, "two", `"https://${v from_env V, default \"d\"}.test"`, 8, ""},
		{executeBaseURL, "three", `"https://a.test" of openai`, 9, ""},
	}
	if diff := cmp.Diff(s.Executables(), want); diff != "" {
		t.Errorf("-got +want\n%s", diff)
	}
}

// TestRunAs pins that a suite executes what another commit's has, with its variables, and that what that lacks is a mistake.
func TestRunAs(t *testing.T) {
	load := func(src string) *Suite {
		s, errs := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(src)}}).Load("s.yml")
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		return s
	}
	const changed = `variables: {tool: {default: evil}, more: {default: m}}
servers: {a: {command: [sh, "${tool}"], env: {A: "${more}"}}, new: {command: [x]}, b: {url: "https://evil.test"}, c: {}}
defaults: {expect: {max_duration_ms: 5}, servers: [a]}
agents:
  - {name: one, models: [x, y], agent: {command: [sh, "${prompt}"]}}
  - {name: four, agent: {command: [sh]}}
  - {name: five, model: z}
`
	s, base := load(changed), load(executablesYAML)
	got := s.RunAs(base).Error()
	want := `s.yml:2:63: server "new" is not in the base, and only what the base has is run (live-from: base)
s.yml:6:25: the agent of "four" is not in the base, and only what the base has is run (live-from: base)`
	if got != want {
		t.Errorf("got mistakes\n%s\nwant\n%s", got, want)
	}
	is := s.Executables()
	if diff := cmp.Diff([]string{is[0].Words, is[3].Words, is[4].Words}, []string{
		`["node","s.js","${key from_env K}"] in tools`, `["node","${prompt}"]`, `["v","node"]`,
	}); diff != "" {
		t.Errorf("-got +want\n%s", diff)
	}
	if url := s.Servers[2].Start.URL; url != "https://example.test" {
		t.Errorf("the address is %q, want the base's", url)
	}
	if errs := load(changed).RunAs(nil); len(errs) != 5 {
		t.Errorf("without a suite in the base: got %d mistakes, want one for each of 3 servers and 2 agents:\n%s", len(errs), errs)
	}
}

// TestRunAsModels pins that models are asked where the base has them asked, and that another address is a mistake.
func TestRunAsModels(t *testing.T) {
	const head = `variables: {host: {default: evil.test}}
defaults: {expect: {max_duration_ms: 5}, model: m}
agents:
  - {name: changed, base_url: "https://evil.test", provider: mistral, api: chat}
  - {name: removed}
  - {name: added, base_url: "https://evil.test", provider: google}
  - {name: new, base_url: "https://evil.test"}
  - {name: new at the same place, base_url: "https://${host}/v1", provider: openai}
  - {name: another key at the same place, base_url: "https://${host}/v1", provider: google}
  - {name: no address}
  - {name: had an agent}
`
	const was = `variables: {host: {default: good.test}}
defaults: {expect: {max_duration_ms: 5}, model: m}
agents:
  - {name: changed, base_url: "https://${host}/v1", provider: openai, api: responses}
  - {name: removed, base_url: "https://good.test/v2"}
  - {name: added}
  - {name: had an agent, agent: codex}
`
	load := func(src string) *Suite {
		s, errs := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(src)}}).Load("s.yml")
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		return s
	}
	s := load(head)
	got := s.RunAs(load(was)).Error()
	want := `s.yml:6:3: "base_url" of "added" is not in the base, and only what the base has is run (live-from: base)
s.yml:6:3: "provider" of "added" is not in the base, and only what the base has is run (live-from: base)
s.yml:7:3: "base_url" of "new" is not in the base, and only what the base has is run (live-from: base)
s.yml:9:3: "base_url" of "another key at the same place" is not in the base, and only what the base has is run (live-from: base)
s.yml:11:3: the base runs "had an agent" with an agent, the test has none, and only what the base has is run (live-from: base)`
	if got != want {
		t.Errorf("got mistakes\n%s\nwant\n%s", got, want)
	}
	if diff := cmp.Diff([]Live{s.Cases[0].Live, s.Cases[1].Live}, []Live{
		{BaseURL: "https://${host}/v1", Provider: "openai", API: "responses"}, {BaseURL: "https://good.test/v2"},
	}); diff != "" {
		t.Errorf("-got +want\n%s", diff)
	}
	if host := s.Variables[0].Default; host != "good.test" {
		t.Errorf("the variable is %q, want the base's", host)
	}
}
