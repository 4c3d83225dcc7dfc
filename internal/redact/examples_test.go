package redact_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/redact"
)

// The secrets of the tests are put together here, so that no scanner takes the repository for a leak.
const (
	body   = "R4nd0mB0dy" + "0123456789abcdefghijKLMNOP"
	github = "gh" + "p_" + body
	jwt    = "ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "JzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl"
	line   = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj"
	begin  = "-----BEGIN RSA PRIV" + "ATE KEY-----"
	end    = "-----END RSA PRIV" + "ATE KEY-----"
)

// example is a text, and what becomes of it; "" when it stays as it is.
type example struct{ name, text, want string }

// found lists what each rule takes for a secret. Every rule that needs no configuration is here under its id.
var found = map[string][]example{
	"pem": {
		{"lines", "a\n" + begin + "\n" + line + "\n" + line + "==\n" + end + "\nb", "a\n[REDACTED:pem:1]\nb"},
		{"escaped", `"k": "` + begin + `\n` + line + `\n` + end + `\n"`, `"k": "[REDACTED:pem:1]\n"`},
		{"escaped twice", begin + `\\n` + line + `\\r\\n` + end, "[REDACTED:pem:1]"},
		{"indented", "  " + begin + "\n  " + line + "\n  " + end, "  [REDACTED:pem:1]"},
		{"headers", begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A\n\n" + line + "\n" + end, "[REDACTED:pem:1]"},
		{"without its beginning", "log\n" + line + "\n" + line + "\nab==\n" + end + "\nb", "log\n[REDACTED:pem:1]\nb"},
		{"escaped, without its beginning", `log\n` + line + `\n` + line + `\n` + end + `\n"`, `log\n[REDACTED:pem:1]\n"`},
		{"in one line, without its beginning", "so " + line + " " + line + "== " + end, "so [REDACTED:pem:1]"},
		{"two ends", line + "\n" + end + "\n" + line + "\n" + end, "[REDACTED:pem:1]\n[REDACTED:pem:1]"},
		{"cut off", begin + "\n" + line + "\n" + line, "[REDACTED:pem:1]"},
		{"cut off before prose", begin + "\n" + line + "\nand so on", "[REDACTED:pem:1]\nand so on"},
		{"certificate", "-----BEGIN CERT" + "IFICATE-----\n" + line + "\n-----END CERT" + "IFICATE-----", "[REDACTED:pem:1]"},
		{"equal however its lines end", begin + "\n" + line + "\n" + end + " " + begin + `\n` + line + `\n` + end,
			"[REDACTED:pem:1] [REDACTED:pem:1]"},
	},
	"jwt": {
		{"three parts", "got " + jwt + ".", "got [REDACTED:jwt:1]."},
		{"no signature", "ey" + "JhbGciOiJub25lIn0" + ".ey" + "JzdWIiOiIxIn0" + ". x", "[REDACTED:jwt:1] x"},
		{"encrypted, five parts", jwt + ".YWJj.ZGVm", "[REDACTED:jwt:1]"},
		{"behind an escape", `\n` + jwt + `\n`, `\n[REDACTED:jwt:1]\n`},
	},
	"github": {
		{"personal", github, "[REDACTED:github:1]"},
		{"others", "gh" + "o_" + body + " gh" + "u_" + body + " gh" + "s_" + body + " gh" + "r_" + body,
			"[REDACTED:github:1] [REDACTED:github:2] [REDACTED:github:3] [REDACTED:github:4]"},
		{"fine-grained", "(github" + "_pat_11ABC0_" + body + ")", "([REDACTED:github:1])"},
		{"in colour", "\x1b[31m" + github + "\x1b[0m", "\x1b[31m[REDACTED:github:1]\x1b[0m"},
		{"in a URL", "?x=%20" + github + "&y", "?x=%20[REDACTED:github:1]&y"},
		{"all letters", "gh" + "p_" + strings.Repeat("a", 36), "[REDACTED:github:1]"},
	},
	"gitlab": {{"", "gl" + "pat-" + "x7Yz_abcdefghij-1234", "[REDACTED:gitlab:1]"}},
	"slack": {
		{"bot", "xo" + "xb-123456789012-abcdefABCDEF", "[REDACTED:slack:1]"},
		{"others", "xo" + "xa-1234567890 xo" + "xp-1234567890 xo" + "xr-1234567890 xo" + "xs-1234567890",
			"[REDACTED:slack:1] [REDACTED:slack:2] [REDACTED:slack:3] [REDACTED:slack:4]"},
		{"app", "xa" + "pp-1-A0123-456-abcdef", "[REDACTED:slack:1]"},
	},
	"aws": {
		{"long-lived", "id AK" + "IAIOSFODNN7EXAMPLE.", "id [REDACTED:aws:1]."},
		{"temporary", "AS" + "IAIOSFODNN7EXAMPLE", "[REDACTED:aws:1]"},
	},
	"google": {
		{"key", "AI" + "zaSyA-1234567890_abcdefghijklmnopqrstu", "[REDACTED:google:1]"},
		{"token", "ya" + "29.a0AfH6SMBx-1234567.", "[REDACTED:google:1]."},
	},
	"npm":         {{"", "//registry/:_x " + "np" + "m_" + body, "//registry/:_x [REDACTED:npm:1]"}},
	"huggingface": {{"", "h" + "f_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH", "[REDACTED:huggingface:1]"}},
	"sk": {
		{"", "s" + "k-abcdefghijklmnopqrst1234", "[REDACTED:sk:1]"},
		{"project", "s" + "k-proj-" + body, "[REDACTED:sk:1]"},
		{"of Anthropic", "s" + "k-ant-api03-" + body + "-AA,", "[REDACTED:sk:1],"},
		{"of Stripe", "s" + "k_live_" + body, "[REDACTED:sk:1]"},
	},
	"pk": {{"", "p" + "k-lf-12345678-abcd", "[REDACTED:pk:1]"}},
	"bearer": {
		{"", "sent Bearer abc123def.", "sent Bearer [REDACTED:bearer:1]."},
		{"lower case", "bearer   " + body, "bearer   [REDACTED:bearer:1]"},
		{"in a URL", "Bearer%20abc123def", "Bearer%20[REDACTED:bearer:1]"},
		{"a word, alone", "Bearer swordfish", "Bearer [REDACTED:bearer:1]"},
		{"a word, alone in a string", `{"h": "Bearer swordfish"}`, `{"h": "Bearer [REDACTED:bearer:1]"}`},
	},
	"url": {
		{"user and password", "postgres://me:pass@db:5432/x", "postgres://[REDACTED:url:1]@db:5432/x"},
		{"token", "https://tok123@example.com/a", "https://[REDACTED:url:1]@example.com/a"},
		{"password alone", "redis://:pass@host", "redis://[REDACTED:url:1]@host"},
		{"@ in the password", "amqp://u:p@ss@host?x=a@b", "amqp://[REDACTED:url:1]@host?x=a@b"},
		{"escaped slashes", `https:\/\/u:p@host\/x`, `https:\/\/[REDACTED:url:1]@host\/x`},
	},
	"key": {
		{"JSON", `{"api_key": "x", "n": 1}`, `{"api_key": "[REDACTED:key:1]", "n": 1}`},
		{"case and dashes", `{"X-Api-Key":"a","PASSWORD":"b","Set-Cookie":"c"}`,
			`{"X-Api-Key":"[REDACTED:key:1]","PASSWORD":"[REDACTED:key:2]","Set-Cookie":"[REDACTED:key:3]"}`},
		{"joined", `{"accessToken":"a","clientSecret":"b","privateKey":"c"}`,
			`{"accessToken":"[REDACTED:key:1]","clientSecret":"[REDACTED:key:2]","privateKey":"[REDACTED:key:3]"}`},
		{"list", `{"authorization": ["Bearer a", "b"], "x": ["c"]}`,
			`{"authorization": ["Bearer [REDACTED:key:1]", "[REDACTED:key:2]"], "x": ["c"]}`},
		{"JSON in JSON", `{"result": "{\"token\": \"a\\\"b\", \"n\": \"c\"}"}`, `{"result": "{\"token\": \"[REDACTED:key:1]\", \"n\": \"c\"}"}`},
		{"three levels", `"{\"a\": \"{\\\"secret\\\": \\\"x\\\\\\\"y\\\"}\"}"`, `"{\"a\": \"{\\\"secret\\\": \\\"[REDACTED:key:1]\\\"}\"}"`},
		{"ends with a backslash", `{"token": "a\\", "x": "y"}`, `{"token": "[REDACTED:key:1]", "x": "y"}`},
		{"Python", `{'password': 'hunter2'}`, `{'password': '[REDACTED:key:1]'}`},
		{"Ruby", `:password => "hunter2"`, `:password => "[REDACTED:key:1]"`},
		{"environment", "export DB_PASSWORD=hunter2 X=1", "export DB_PASSWORD=[REDACTED:key:1] X=1"},
		{"environment, quoted", `TOKEN="a b" X`, `TOKEN="[REDACTED:key:1]" X`},
		{"query", "https://h/?a=1&access_token=abc&b=2", "https://h/?a=1&access_token=[REDACTED:key:1]&b=2"},
		{"YAML", "password: hunter2\nuser: me", "password: [REDACTED:key:1]\nuser: me"},
		{"YAML, a word", "password: swordfish\n", "password: [REDACTED:key:1]\n"},
		{"words", "your API key: abc123def, keep it", "your API key: [REDACTED:key:1], keep it"},
		{"header", "Authorization: Basic dXNlcjpwYXNz\r\n", "Authorization: Basic [REDACTED:key:1]\r\n"},
		{"signed header", "Authorization: AWS4-HMAC-SHA256 Credential=x/y, Signature=abc\nHost: h", "Authorization: [REDACTED:key:1]\nHost: h"},
		{"cookies", "Cookie: a=b; c=d\nHost: h", "Cookie: [REDACTED:key:1]\nHost: h"},
		{"flag", "run --api-key abc123 --n 5", "run --api-key [REDACTED:key:1] --n 5"},
		{"flag with =", "run --token=abc --n", "run --token=[REDACTED:key:1] --n"},
		{"flag in a list", `["--password", "x", "y"]`, `["--password", "[REDACTED:key:1]", "y"]`},
		{"cut off", `{"secret": "abc de`, `{"secret": "[REDACTED:key:1]`},
		{"no hash under a key", `"token": "550e8400-e29b-41d4-a716-446655440000"`, `"token": "[REDACTED:key:1]"`},
		{"a part redacted before", "password=ab[REDACTED:env:7]cd", "password=[REDACTED:key:1]"},
	},
}

// kept lists, by rule, what resembles a secret and is none.
var kept = map[string][]string{
	"pem":    {"the line " + begin + " begins it", begin + "\n" + end, "-----BEGIN x-----", "-----BEGIN ", "up to the\n" + end, end, line + " and more\n" + end},
	"jwt":    {"eyJhbGciOi", "eyJhbGciOiJIUzI1NiJ9.abcdefgh", "eyJabcdefgh.abcdefgh. The end", "keyJabcdefgh.abcdefgh.abcdefgh", "eyJ.a.b"},
	"github": {"gh" + "p_short1", "github_pat_token", "xgh" + "p_" + body, "gh" + "p_your_token_goes_here"},
	"gitlab": {"glpat-token"}, "slack": {"xoxb-your-token", "xapp-manifest"},
	"aws":         {"AKIA", "ASIA PACIFIC", "AKIAVELLI", "BAKIAIOSFODNN7EXAMPLE"},
	"google":      {"AIzawa", "ya29.", "himalaya29.12345678"},
	"npm":         {"npm_config_registry", "npm_package_version_0123456789", "npm_lifecycle", "npm_package1234567_name"},
	"huggingface": {"hf_hub_download", "hf_transfer", "half_0123456789"},
	"sk":          {"sk-learn", "task-0123456789", "a risk-averse-investor-of-2024", "sk-a-b-c", "sk_SK", "desk-1234567890"},
	"pk":          {"pk-1234", "apk-12345678", "pk-field"},
	"bearer":      {"Bearer authentication", "a bearer of bad news", "Bearer", "bearer token", "forbearer 12345678", "the Bearer scheme", "Bearer <token>", "Bearer $TOKEN"},
	"url": {"https://example.com/@user", "https://example.com?mail=a@b.c", "git@github.com:a/b", "ssh://git@github.com/a/b",
		"https://${USER}@host", "a:// b@c", "https://h:80/x@y", "http://[::1]:80/", "mailto:a@b.c", "https://<user>@host"},
	"key": {
		`"max_tokens": 4096`, `"token": 12`, `"token": null, "secret": true, "password": ""`, "token: 12", "max_tokens: 4096",
		"the token is here", "token: the token to use", "Password: required", "api_key: string\n", "secret=", "token=$TOKEN", "token=${TOKEN}", "token: <your token>",
		`"token": "${TOKEN}"`, `"token": "<token>"`, `"password": "********"`, `{"token": {"type": "string"}}`, `"required": ["token"]`,
		"if token == other123:", "token = getToken()", "token=read(x)", "token=token", "api_key=None", "PWD=/home/me1", "monkey=abc123", "hotkey: abc1234",
		`"primary_key": "user_id"`, `"next_page_token": "abc123"`, `"publicKey": "abc"`, "SyntaxError: unexpected token: '}'",
		"tokens: abc123def", "tokenizer=abc123def", "token::abc123def", "token://abc123def", "use --token to set it", "--token --other1234", "--tokens abc123def",
		"(token) => abc123def", "private_key: /etc/ssl/key1.pem", "the secret: see https://h/a1", "token YOUR_TOKEN1", "token=YOUR_TOKEN1",
		"cookie: session", `{"dependentSchemas": {"token": {}}}`, "Cookie consent: abc",
		"[REDACTED:key:1]", `"token": "[REDACTED:key:1]"`, `"authorization": "Bearer [REDACTED:key:1]"`, "token=[REDACTED:env:3][REDACTED:key:9]",
		"Cookie: [REDACTED:key:1]", `"token": "[REDACTED:key:1]`,
	},
	"hashes": {
		"commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "9fceb02", "id 550e8400-e29b-41d4-a716-446655440000",
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "d41d8cd98f00b204e9800998ecf8427e",
		"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==", `"etag": "\"33a64df5\""`,
		"2026-01-31T12:00:00Z", "v1.2.3-rc.1+build.5", "AAAAB3NzaC1yc2EAAAADAQABAAABgQC7",
	},
}

func TestFound(t *testing.T) {
	for rule, examples := range found {
		for _, e := range examples {
			t.Run(rule+" "+e.name, func(t *testing.T) {
				var rules *redact.Rules
				got := rules.File().Text(e.text)
				if got != e.want {
					t.Errorf("redacting %q:\n got %q\nwant %q", e.text, got, e.want)
				}
				checkAgain(t, rules, got)
				for _, f := range rules.Find(e.text) {
					if f.Rule != rule {
						t.Errorf("%q in %q was found by rule %q, want %q", e.text[f.Start:f.End], e.text, f.Rule, rule)
					}
				}
			})
		}
	}
}

// TestRulesHaveExamples keeps the tables complete.
func TestRulesHaveExamples(t *testing.T) {
	for _, rule := range redact.All {
		if rule.ID == "env" || rule.ID == "pattern" {
			continue // they need to be told what to find
		}
		if len(found[rule.ID]) == 0 || len(kept[rule.ID]) == 0 {
			t.Errorf("rule %q has %d examples of what it finds and %d of what it leaves, want one of each or more", rule.ID,
				len(found[rule.ID]), len(kept[rule.ID]))
		}
	}
}

func TestKept(t *testing.T) {
	var rules *redact.Rules
	for rule, texts := range kept {
		for _, text := range texts {
			if got := rules.File().Text(text); got != text {
				t.Errorf("%s: redacting %q: got %q, want it as it is", rule, text, got)
			}
			if list := rules.Find(text); len(list) > 0 {
				t.Errorf("%s: found %+v in %q, want nothing", rule, list, text)
			}
		}
	}
}

// checkAgain checks that what was redacted stays as it is.
func checkAgain(t *testing.T, rules *redact.Rules, text string) {
	t.Helper()
	if again := rules.File().Text(text); again != text {
		t.Errorf("redacted again, %q becomes %q", text, again)
	}
	if list := rules.Find(text); len(list) > 0 {
		t.Errorf("there are secrets left in %q: %+v", text, list)
	}
}

// TestJSON pins what is known of JSON beyond its text: names, however they are escaped, lists and numbers.
func TestJSON(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"white space and order stay", "{ \"b\" :1,\n\t\"token\":  \"x\" , \"a\": [ ] }", "{ \"b\" :1,\n\t\"token\":  \"[REDACTED:key:1]\" , \"a\": [ ] }"},
		{"escapes elsewhere stay", `{"a": "\u0041\/", "token": "x"}`, `{"a": "\u0041\/", "token": "[REDACTED:key:1]"}`},
		{"only strings that hold something", `{"token": 12, "secret": true, "password": null, "api_key": ""}`, ""},
		{"an escaped name", `{"tok\u0065n": "x"}`, `{"tok\u0065n": "[REDACTED:key:1]"}`},
		{"an escaped secret", `["\u0067h` + github[2:] + `"]`, `["[REDACTED:github:1]"]`},
		{"words and marks are strings too", `{"token": "string", "password": "***"}`, `{"token": "[REDACTED:key:1]", "password": "[REDACTED:key:2]"}`},
		{"lists", `{"cookie": ["a=b", ["c"], 5, {"x": "y"}], "z": "w"}`, `{"cookie": ["[REDACTED:key:1]", ["[REDACTED:key:2]"], 5, {"x": "y"}], "z": "w"}`},
		{"an object has keys of its own", `{"token": {"type": "string", "secret": "s"}}`, `{"token": {"type": "string", "secret": "[REDACTED:key:1]"}}`},
		{"names of properties", `{"dependentRequired": {"token": ["user"]}, "required": ["token"]}`, ""},
		{"the scheme stays", `{"Authorization": "Bearer abc", "h": "Bearer abc"}`, `{"Authorization": "Bearer [REDACTED:key:1]", "h": "Bearer abc"}`},
		{"a secret as a name", `{"` + github + `": 1}`, `{"[REDACTED:github:1]": 1}`},
		{"arguments", `["srv", "--api-key", "x", "--port", "y"]`, `["srv", "--api-key", "[REDACTED:key:1]", "--port", "y"]`},
		{"JSON in a string", `{"result": "{\"headers\": {\"cookie\": [\"a\"]}}"}`, `{"result": "{\"headers\": {\"cookie\": [\"[REDACTED:key:1]\"]}}"}`},
		{"equal secrets", `{"token": "` + github + `", "b": "` + github + `", "c": "` + jwt + `"}`,
			`{"token": "[REDACTED:key:1]", "b": "[REDACTED:key:1]", "c": "[REDACTED:jwt:2]"}`},
		{"duplicate names", `{"token": "a", "token": "b"}`, `{"token": "[REDACTED:key:1]", "token": "[REDACTED:key:2]"}`},
		{"a bare string", `"` + github + `"`, `"[REDACTED:github:1]"`},
		{"no JSON", `{"token": "x"`, `{"token": "[REDACTED:key:1]"`},
		{"invalid UTF-8", "{\"a\": \"\xff\", \"token\": \"\xff\"}", "{\"a\": \"\xff\", \"token\": \"[REDACTED:key:1]\"}"},
		{"nothing", ``, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.in
			}
			var rules *redact.Rules
			got := string(rules.File().JSON(jsontext.Value(tt.in)))
			if got != want {
				t.Errorf("redacting %s:\n got %s\nwant %s", tt.in, got, want)
			}
			if again := string(rules.File().JSON(jsontext.Value(got))); again != got {
				t.Errorf("redacted again, %s becomes %s", got, again)
			}
		})
	}
}
