package redact_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/thorough"
)

// hostile are beginnings of secrets, of which a text can hold any number without holding a secret, or one without an end.
var hostile = []string{
	"=", ":", "a_key=", "a_key:", "a_key:~/", "a_key:./", "a_key=(", "a_key: $", "a_key=a.", `"a_key":"`, `"a_key":"\`, `token:'`, `token: \"`, `"token":["`, `"token":["a",`, `["token":`, "--token ", "--token", "-", "--",
	"sk-", "sk-a-", "_", "gh" + "p_", "npm_a1", "npm_a1234567_", "eyJ", "-eyJ", "eyJaaaaaaaa.", "eyJaaaaaaaa.eyJaaaa.", "://", "://a:", "://@", "://a@", "@",
	"-----BEGIN A-----", "-----BEGIN A-----\n", "-----BEGIN ", "-----BEGIN A-----a", "-----END A-----", "bearer ", "bearer a", "bearer", "cookie:", "cookie: ",
	"cookie: a ", "authorization: bearer ", "authorization: a=", "[REDACTED:", "[REDACTED:a:1]", "token=[REDACTED:a:1]", "\\", `\"`, `\\"`, "\"", "{\"token\":", "[", "%", "&", "+",
	"\xff", "\x00", " ", "\n", "a", "0", "password", "hunter2", `hun\`, "A", "AKIA", ".", "key", "api key: ", "x",
}

// TestLinear checks that the time per byte does not grow with the text.
func TestLinear(t *testing.T) {
	thorough.Only(t, "200 texts of 128 KiB take a second")
	const size = 1 << 17
	rules := rulesOf(t, redact.Config{Values: []string{"hunter2!hunter2", `"\%&+`, "xxxxxxxx"}, Keys: []string{"pin"}, Patterns: []string{`ACME-\d+`}})
	for _, unit := range hostile {
		for _, text := range []string{strings.Repeat(unit, size/len(unit)), `"token":"` + strings.Repeat(unit, size/len(unit)),
			strings.Repeat(unit, size/len(unit)) + "("} {
			start := time.Now()
			rules.Find(text)
			if took := time.Since(start); took > 10*time.Second { // a hundred times what it takes on a quiet machine
				t.Errorf("%d bytes of %q take %v", len(text), unit, took)
			}
		}
	}
}

// TestDeep checks that nesting costs no stack.
func TestDeep(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000), strings.Repeat("[", 1<<20), strings.Repeat(`{"token":`, 9_000)} {
		if got := (*redact.Rules)(nil).File().JSON(jsontext.Value(text)); string(got) != text {
			t.Errorf("%.20q… changes", text)
		}
	}
}

// TestManySecrets checks that a text full of secrets is no burden.
func TestManySecrets(t *testing.T) {
	text := strings.Repeat(`{"token": "hunter2", "url": "https://a:b@c/", "x": "`+github+`"}`+"\n", 5_000)
	start := time.Now()
	got := (*redact.Rules)(nil).File().Text(text)
	if n := strings.Count(got, "[REDACTED:"); n != 15_000 || time.Since(start) > time.Minute {
		t.Errorf("got %d placeholders after %v, want 15000 soon", n, time.Since(start))
	}
}

// TestLayersAreBounded checks that nested encodings cost no more than a few searches of the text, in time and memory.
func TestLayersAreBounded(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	size := thorough.Size(1<<20, 10<<20)
	rules := rulesOf(t, redact.Config{Values: []string{"hunter2!hunter2", "correct horse battery"}})
	base64 := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for _, test := range []struct{ name, text string }{
		{"percent of percent", strings.Repeat("%"+strings.Repeat("25", 1000), size/2001)},
		{"ampersands", strings.Repeat("&amp;amp;amp;", size/13)},
		{"backslashes", strings.Repeat(`\`, size/2)},
		{"unlike escapes", strings.Repeat(`"%41`, size/5)},
		{"base64 of base64 of base64", base64(base64(base64(strings.Repeat("hunter3!", size/20))))},
		{"ellipses", strings.Repeat("hunter2…", size/10)},
		{"digits", strings.Repeat("36", size/2)},
		{"words in lines", strings.Repeat("word\n", size/6)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		rules.Find(test.text)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if took > 2*time.Minute {
			t.Errorf("%s: %d bytes take %v", test.name, len(test.text), took)
		}
		if held := after.TotalAlloc - before.TotalAlloc; held > 40*uint64(size) {
			t.Errorf("%s: %d bytes of text take %d bytes of memory", test.name, len(test.text), held)
		}
	}
}

// TestPublishedData checks that next to nothing is found in catalogs and runs as people publish them: they hold no secrets.
func TestPublishedData(t *testing.T) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("SKIPPED: MCP_GATES_DATA does not name the folder of published catalogs and runs: nothing is checked on real text")
	}
	bytes, found := 0, 0
	for _, pattern := range []string{"catalogs/*.json", "catalogs/*/*.json", "traces/*.jsonl", "intents/*.jsonl", "suites/cassettes/*/*.json", "suites/*.yml"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s in %s (%v)", pattern, dir, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			bytes += len(data)
			for _, f := range (*redact.Rules)(nil).Find(string(data)) {
				found++
				t.Logf("%s: %s: %q", filepath.Base(file), f.Rule, data[max(0, f.Start-40):min(len(data), f.End+10)])
			}
		}
	}
	if found > 5 {
		t.Errorf("%d secrets are found in %d bytes of published text, want few", found, bytes)
	}
}

// Benchmarks: a text without secrets, one with a key of a secret in each object, and many small ones.
func BenchmarkText(b *testing.B) {
	plain := strings.Repeat(`{"name": "get_weather", "args": {"city": "Sacramento", "days": 3}, "result": "72 F and sunny; see https://example.com/a?b=c", "is_error": false},`+"\n", 8_000)
	secrets := strings.Repeat(`{"name": "log_in", "args": {"user": "me", "password": "hunter2-hunter2"}, "result": "ok"},`+"\n", 8_000)
	withValues := rulesOf(b, redact.Config{Values: []string{"production-key-1234", "eu-central-1", "https://internal.example.test/", "tenant-17"}})
	for _, bench := range []struct {
		name, text string
		rules      *redact.Rules
	}{{"plain", plain, nil}, {"plain with 4 values", plain, withValues}, {"secrets", secrets, nil}, {"short", "the tool search was not called", nil}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			file := bench.rules.File()
			for b.Loop() {
				file.Text(bench.text)
			}
		})
	}
	escaped := strings.Repeat(`{"result": "{\"name\": \"get_weather_forecast\", \"path\": \"/usr/share/lib/thing\"}\nsee https:\/\/example.com\/a?b=c%20d"}`+"\n", 8_000)
	b.Run("escaped with 4 values", func(b *testing.B) {
		b.SetBytes(int64(len(escaped)))
		b.ReportAllocs()
		file := withValues.File()
		for b.Loop() {
			file.Text(escaped)
		}
	})
	b.Run("JSON", func(b *testing.B) {
		value := jsontext.Value("[" + strings.TrimSuffix(plain, ",\n") + "]")
		b.SetBytes(int64(len(value)))
		b.ReportAllocs()
		file := (*redact.Rules)(nil).File()
		for b.Loop() {
			file.JSON(value)
		}
	})
}
