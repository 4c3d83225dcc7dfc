package live

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/suite"
)

const serversYAML = `variables:
  region: { from_env: REGION, default: us }
  token.x: { from_env: TOKEN_X }
  fixed: { default: "3" }
servers:
  local:
    command: [node, "${region}/server.js", "$${region}", "--n=${fixed}", ""]
    env:
      KEY: { from_env: WEATHER_KEY }
      MODE: { from_env: MODE, default: dry }
      URL: "https://${region}.example/${token.x}"
      PATH: /opt/bin
      EMPTY: ""
    cwd: servers
    timeout: 5s
  plain:
    command: ["true"]
  web:
    url: https://${region}.example/mcp
    headers: { X-Tenant: { from_env: TENANT }, x-plain: " a " }
    auth: { bearer_token_env: TOKEN }
    wait_for_ready: 20s
    transport: sse
    reuse: true
  nowhere: {}
agents: []
`

func suiteServers(t *testing.T) *suite.Suite {
	t.Helper()
	files := fstest.MapFS{"sub/s.yml": {Data: []byte(serversYAML)}}
	s, errs := suite.NewLoader(files).Servers("sub/s.yml")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}

func TestServerConfigOf(t *testing.T) {
	s := suiteServers(t)
	env := map[string]string{
		"PATH": "/bin", "HOME": "/root", "LANG": "C", "AWS_KEY": "not passed on",
		"REGION": "eu", "TOKEN_X": "tx", "WEATHER_KEY": "wk", "TENANT": "acme", "TOKEN": "tk\n",
	}
	getenv := func(name string) string { return env[name] }
	local := mcpclient.Config{
		Name:        "local",
		Command:     []string{"node", "eu/server.js", "${region}", "--n=3", ""},
		Env:         []string{"HOME=/root", "LANG=C", "KEY=wk", "MODE=dry", "URL=https://eu.example/tx", "PATH=/opt/bin", "EMPTY="},
		Dir:         filepath.Join("ws", "sub", "servers"),
		CallTimeout: 5 * time.Second,
	}
	plain := mcpclient.Config{Name: "plain", Command: []string{"true"}, Env: []string{"PATH=/bin", "HOME=/root", "LANG=C"}, Dir: filepath.Join("ws", "sub")}
	web := mcpclient.Config{
		Name: "web", URL: "https://eu.example/mcp", Transport: "sse", Dir: filepath.Join("ws", "sub"),
		Headers:        http.Header{"X-Tenant": {"acme"}, "X-Plain": {"a"}, "Authorization": {"Bearer tk"}},
		ConnectTimeout: 20 * time.Second, WaitForReady: true,
	}
	secrets := [][]string{{"eu", "tx", "wk"}, nil, {"acme", "eu", "tk", "tk\n"}}
	for i, want := range []mcpclient.Config{local, plain, web} {
		want.ConnectSetting, want.CallSetting = `"wait_for_ready" of the server`, `"timeout" of the server`
		got, gotSecrets, err := ServerConfigOf(s.Servers[i], s, "ws", getenv)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Name, diff)
		}
		if diff := cmp.Diff(secrets[i], gotSecrets); diff != "" {
			t.Errorf("secrets of %s (-want +got):\n%s", want.Name, diff)
		}
	}
}

// TestModelsOfServers pins that the name of a model is none of a server's secrets in its command and address, and is one in
// its environment and headers.
func TestModelsOfServers(t *testing.T) {
	s := suiteServers(t)
	s.Models = []string{"same"}
	for i, want := range [][]string{{"same"}, nil, {"same"}} {
		_, got, err := ServerConfigOf(s.Servers[i], s, "ws", func(name string) string {
			return map[string]string{"REGION": "same", "TOKEN_X": "same", "WEATHER_KEY": "same", "TENANT": "same", "TOKEN": "same"}[name]
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got secrets %q and %v, want %q", s.Servers[i].Name, got, err, want)
		}
	}
	s.Servers[2].Start.Headers, s.Servers[2].Start.BearerTokenEnv = nil, ""
	if _, got, err := ServerConfigOf(s.Servers[2], s, "ws", func(string) string { return "same" }); err != nil || len(got) > 0 {
		t.Errorf("an address alone: got secrets %q and %v, want none", got, err)
	}
}

func TestServerConfigOfMissing(t *testing.T) {
	s := suiteServers(t)
	for i, want := range []string{
		`needs the environment variable "TOKEN_X" for env "URL", which is not set; needs the environment variable "WEATHER_KEY" for env "KEY", which is not set`,
		"",
		`needs the environment variable "TENANT" for header "X-Tenant", which is not set; needs the environment variable "TOKEN" for the bearer token, which is not set`,
		`has neither "command" nor "url"`,
	} {
		_, _, err := ServerConfigOf(s.Servers[i], s, "", func(string) string { return "" })
		if got := configError(err); got != want {
			t.Errorf("%s: got error %q, want %q", s.Servers[i].Name, got, want)
		}
	}
}

func configError(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
