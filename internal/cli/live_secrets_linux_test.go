package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// secretTail is what the secrets of these tests end with. They are put together, so that no scanner takes the repository
// for a leak.
const secretTail = "R4nd0m" + "B0dy7890abcdefghijKLMN"

// secrets are texts with a secret of each shape, by rule, with NAME where it came from in the place of the number 7.
func secrets(from string) map[string]string {
	tail := strings.Replace(secretTail, "7", from, 1)
	upper := strings.ToUpper(from + "ABCDEFGHIJKLMNOP")[:16]
	line := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(from+"key material ", 4)))
	return map[string]string{
		"github":      "gh" + "p_" + tail,
		"gho":         "gh" + "o_" + tail,
		"ghu":         "gh" + "u_" + tail,
		"ghs":         "gh" + "s_" + tail,
		"ghr":         "gh" + "r_" + tail,
		"fine":        "github" + "_pat_" + tail,
		"gitlab":      "gl" + "pat-" + tail,
		"slack":       "xo" + "xb-1234567890-" + tail,
		"slack user":  "xo" + "xp-1234567890-" + tail,
		"slack app":   "xa" + "pp-1-" + tail,
		"aws":         "AK" + "IA" + upper,
		"aws session": "AS" + "IA" + upper,
		"google":      "AI" + "za" + tail,
		"google auth": "ya" + "29." + tail,
		"npm":         "np" + "m_" + tail,
		"huggingface": "h" + "f_" + tail,
		"sk":          "s" + "k-ant-" + tail,
		"pk":          "p" + "k-lf-" + tail,
		"jwt":         "ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "JzdWIiOiIxMjM0In0" + "." + tail,
		"pem":         "-----BEGIN PRIV" + "ATE KEY-----\n" + line + "\n-----END PRIV" + "ATE KEY-----",
		"url":         "postgres://me:" + tail + "@db.example/x",
		"bearer":      "Bearer " + tail,
		"key":         `{"api_key": "` + tail + `"}`,
		"password":    "DB_PASSWORD=" + tail,
		"cookie":      "Set-Cookie: sid=" + tail,
		"pattern":     "cust-" + from,
		"own key":     `{"account": "` + tail + `"}`,
	}
}

// leak is a text with all of these secrets, what is none, and a value of the environment in several spellings.
func leak(from string) string {
	text := "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 id 550e8400-e29b-41d4-a716-446655440000 "
	byKind := secrets(from)
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		text += "then " + byKind[kind] + " \n"
	}
	return text + envSecret + " " + strings.ReplaceAll(envSecret, " ", "%20") + " " +
		base64.StdEncoding.EncodeToString([]byte("user:"+envSecret))
}

// envSecret has no recognizable shape.
const envSecret = "correct horse battery"

// hidden returns what may stand nowhere of what came from a place.
func hidden(from string) []string {
	return []string{
		strings.Replace(secretTail, "7", from, 1), strings.ToUpper(from + "ABCDEFGHIJKLMNOP")[:16], "cust-" + from,
		base64.StdEncoding.EncodeToString([]byte(strings.Repeat(from+"key material ", 4)))[:20],
	}
}

// leakyServer says what stands in its files.
const leakyServer = `
answer() { printf '{"jsonrpc":"2.0","id":%s,"%s":' "$1" "$2"; cat "$3"; echo '}'; }
read -r line; answer 1 result init.json
read -r line
read -r line; answer 2 result tools.json
read -r line
case "$1" in
  error) answer 3 error error.json ;;
  ends) cat stderr.txt >&2; exit 1 ;;
  logs) tr '\n' ' ' <stderr.txt ; echo ;;
  *) answer 3 result result.json ;;
esac
read -r line
`

const leakySuite = `
servers:
  leaky: { command: [sh, leaky.sh, KIND], env: { PASS: { from_env: PASS } } }
redact: { patterns: ['\bcust-[0-9]{3}\b'], keys: [account] }
agents:
  - name: leaks
    model: stand-in-1
    base_url: URL
    server: leaky
    system_prompt: SYSTEM
    prompt: PROMPT
    runs: 2
    expect: [{ target: final_response, matcher: { exact: nothing } }, { target: "tool_calls[0].args.x", matcher: { exact: nothing } }]
    tool_selection: { expected_tool: forecast, min_selection_rate: 0 }
`

// leakyTest returns a suite of which everything leaks: 101 is the prompt, 102 the system prompt, 103 the model's words,
// 104 arguments, 105 a result, 106 an error, 107 standard error, 108 a description, 109 a tool's name that the model makes
// up, 110 the provider's error.
func leakyTest(t *testing.T, kind string, steps ...providerStep) *liveTest {
	t.Helper()
	text := func(s string) string { return jsonOf(s) }
	files := map[string]string{
		"mcp-gates.yml": strings.NewReplacer("KIND", kind, "URL", startProvider(t, steps...).URL+"/v1",
			"PROMPT", text(leak("101")), "SYSTEM", text(leak("102"))).Replace(leakySuite),
		"leaky.sh":    leakyServer,
		"init.json":   `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"l","version":"1"}}`,
		"tools.json":  `{"tools":[{"name":"forecast","description":` + text(leak("108")) + `,"inputSchema":{"type":"object","properties":{"x":{"type":"string","default":` + text(leak("108")) + `}}}}]}`,
		"result.json": `{"content":[{"type":"text","text":` + text(leak("105")) + `}]}`,
		"error.json":  `{"code":-32000,"message":` + text(leak("106")) + `}`,
		"stderr.txt":  leak("107"),
	}
	l := newLiveTest(t, files)
	l.inputs = files
	l.env = []string{"PASS=" + envSecret, "OPENAI_API_KEY=" + providerKey}
	return l
}

// wantsNoSecret requires that nothing secret is in what the program wrote, be it output or files.
func (l *liveTest) wantsNoSecret(t *testing.T, r liveResult) {
	t.Helper()
	secrets := []string{envSecret, strings.ReplaceAll(envSecret, " ", "%20"), base64.StdEncoding.EncodeToString([]byte("user:" + envSecret))[:20], providerKey}
	for n := 101; n <= 110; n++ {
		secrets = append(secrets, hidden(fmt.Sprint(n))...)
	}
	texts := l.outputs(t)
	texts["standard output"], texts["standard error"] = r.stdout, r.stderr
	for name, text := range texts {
		for _, secret := range secrets {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s has %q, in …%s…", name, secret, text[max(0, at-80):min(len(text), at+80)])
			}
		}
	}
}

// outputs returns the files that the program wrote, by name.
func (l *liveTest) outputs(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(l.dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(l.dir, path)
		if _, isInput := l.inputs[name]; err == nil && !entry.IsDir() && !isInput {
			texts[name] = l.read(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Secrets of every shape, in everything that is said in a live run, are in no output and no file. Hashes and UUIDs stay,
// and recording again what has not changed leaves the file as it is.
func TestLiveSecrets(t *testing.T) {
	t.Parallel()
	says := []providerStep{
		{text: leak("103"), call: "forecast " + jsonOf(map[string]string{"x": leak("104"), "token": strings.Replace(secretTail, "7", "104", 1)})},
		{call: "gh" + "p_" + strings.Replace(secretTail, "7", "109", 1) + " {}"},
		{text: leak("103")},
	}
	twice := append(append([]providerStep{}, says...), says...)
	for _, test := range []struct {
		name, kind string
		steps      []providerStep
		status     int
		want       []string // in the outputs
	}{
		{"all is well", "well", append(twice, twice...), 1, []string{"[REDACTED:github:", "[REDACTED:env:", "[REDACTED:pattern:"}},
		{"the tool fails", "error", append(twice, twice...), 1, []string{"[REDACTED:github:", "[REDACTED:env:", "[REDACTED:pattern:"}},
		{"the server ends", "ends", append(twice, twice...), 3, []string{"its standard error ended with", "[REDACTED:"}},
		{"the server logs", "logs", append(twice, twice...), 3, []string{"standard output has something other than MCP messages"}},
		{"the provider refuses", "well", []providerStep{{status: 400, body: jsonOf(map[string]any{"error": map[string]string{"message": leak("110") + providerKey}})}}, 3,
			[]string{"openai answered 400 Bad Request", "[REDACTED:"}},
		{"the provider refuses one run", "well", append(slices.Clone(says), providerStep{status: 400, body: jsonOf(map[string]any{"error": map[string]string{"message": leak("110") + providerKey}})}), 3,
			[]string{`leaks.json.partial keeps 1 finished run and 1 that broke`, `{\"partial\":true,\"number\":2,\"tool_calls\":[],`, "openai answered 400 Bad Request", "[REDACTED:env:"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := leakyTest(t, test.kind, test.steps...)
			record := []string{"run", "--record", "--verbose", "--jobs=1", "--format=json=report.json", "--format=markdown=report.md"}
			r := l.run(t, record...)
			r.wants(t, test.status)
			l.wantsNoSecret(t, r)
			outputs := jsonOf(l.outputs(t)) + r.stdout + r.stderr
			for _, want := range test.want {
				if !strings.Contains(outputs, want) {
					t.Errorf("nothing that was written has %q", want)
				}
			}
			first := l.read("cassettes/mcp-gates/leaks.json")
			if test.status == 3 {
				if first != "" {
					t.Error("a recording was written")
				}
				if part := "cassettes/mcp-gates/leaks.json.partial"; l.read(part) != "" {
					l.run(t, "lint", "--secrets", part).wants(t, 0)
				}
				return
			}
			for _, kept := range []string{"9fceb02d0ae598e95dc970b74767f19372d61af8", "550e8400-e29b-41d4-a716-446655440000"} {
				if !strings.Contains(first, kept) {
					t.Errorf("the recording has lost %s", kept)
				}
			}
			l.run(t, "lint", "--secrets", "cassettes/mcp-gates/leaks.json", "report.json", "report.md").wants(t, 0)
			l.wantsNoSecret(t, l.run(t, record...))
			if l.read("cassettes/mcp-gates/leaks.json") != first {
				t.Error("recording again has changed the file")
			}
			l.wantsNoSecret(t, l.run(t, "run", "--format=json=report.json", "--format=markdown=report.md"))
		})
	}
}

// Nor are secrets in what snapshot and lint make of a live server, be it well or not.
func TestLiveSecretsOfOneServer(t *testing.T) {
	t.Parallel()
	l := leakyTest(t, "well", providerStep{})
	for _, test := range []struct {
		status int
		args   []string
	}{
		{0, []string{"snapshot", "--server", "leaky", "--output", "leaky.out.json"}},
		{0, []string{"snapshot", "--env", "PASS", "--", "sh", "leaky.sh", "well"}},
		{0, []string{"lint", "--verbose", "--env", "PASS", "--", "sh", "leaky.sh", "well"}},
		{0, []string{"lint", "--format=json", "--env", "PASS", "--", "sh", "leaky.sh", "well"}},
		{3, []string{"snapshot", "--env", "PASS", "--", "sh", "-c", "cat stderr.txt >&2; exit 1"}},
		{3, []string{"lint", "--env", "PASS", "--", "sh", "-c", "cat stderr.txt >&2; exit 1"}},
		{3, []string{"lint", "--env", "PASS", "--", "sh", "-c", "cat stderr.txt; sleep 60"}},
	} {
		r := l.run(t, test.args...)
		if r.status != test.status {
			t.Errorf("%v: exit status %d, want %d:\n%s%s", test.args, r.status, test.status, r.stdout, r.stderr)
		}
		if test.args[1] != "--server" { // only the suite knows of these
			for _, from := range []string{"107", "108"} {
				own := strings.NewReplacer("cust-"+from, "", jsonIn(secrets(from)["own key"]), "", secrets(from)["own key"], "")
				r.stdout, r.stderr = own.Replace(r.stdout), own.Replace(r.stderr)
			}
		}
		l.wantsNoSecret(t, r)
	}
}

// jsonIn returns a text as it stands in a text in JSON.
func jsonIn(text string) string { return strings.Trim(jsonOf(text), `"`) }

// What a server over HTTP is sent in its headers, and says back, is in no output.
func TestLiveSecretsOverHTTP(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		denies bool
		status int
		want   string
	}{
		{"says it in a result", false, 0, "PASS: 1 case passed"},
		{"says it in a refusal", true, 3, `server "web": initialize: the server answered 401 Unauthorized: "no: Bearer [REDACTED:env:1] [REDACTED:env:2]"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				said := r.Header.Get("Authorization") + " " + r.Header.Get("X-Tenant")
				if test.denies {
					http.Error(w, "no: "+said, http.StatusUnauthorized)
					return
				}
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.NewDecoder(r.Body).Decode(&m)
				result, isKnown := map[string]string{
					"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}`,
					"tools/list": `{"tools":[{"name":"forecast","inputSchema":{"type":"object"}}]}`,
					"tools/call": `{"content":[{"type":"text","text":` + jsonOf(said) + `}]}`,
				}[m.Method]
				w.Header().Set("Content-Type", "application/json")
				if !isKnown {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			}))
			defer server.Close()
			files := map[string]string{
				"mcp-gates.yml": strings.ReplaceAll(`
servers:
  web: { url: URL, auth: { bearer_token_env: PASS }, headers: { X-Tenant: { from_env: TENANT } } }
agents:
  - { name: asks, model: "builtin:script", script: s.json, server: web, prompt: Forecast., tool_selection: { expected_tool: forecast, min_selection_rate: 1 } }
`, "URL", server.URL),
				"s.json": `{"tool_calls": [{"name": "forecast", "args": {}}]}`,
			}
			l := newLiveTest(t, files)
			l.inputs, l.env = files, []string{"PASS=" + providerKey, "TENANT=" + envSecret}
			r := l.run(t, "run", "--record", "--format=json=report.json")
			r.wants(t, test.status, test.want)
			l.wantsNoSecret(t, r)
			if cassette := l.read("cassettes/mcp-gates/asks.json"); !test.denies && !strings.Contains(cassette, `"result": "Bearer [REDACTED:env:1] [REDACTED:env:2]"`) {
				t.Errorf("the recording lacks the result:\n%s", cassette)
			}
		})
	}
}
