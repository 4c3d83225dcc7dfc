package model

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

func providerEnv(list ...string) func(string) string {
	return func(name string) string {
		for _, entry := range list {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func TestResolveProvider(t *testing.T) {
	keys := providerEnv("ANTHROPIC_API_KEY=ka\n", "OPENAI_API_KEY=ko", "GEMINI_API_KEY=kg", "MISTRAL_API_KEY=km")
	gateway := providerEnv("OPENAI_BASE_URL=http://10.0.0.5:8000/v1/", "ANTHROPIC_BASE_URL=https://gateway.test/a")
	const own, ai = "https://api.openai.com/v1", "https://api.anthropic.com"
	tests := []struct {
		model, provider, baseURL string
		getenv                   func(string) string
		want                     string // provider model address key env [own]
	}{
		{"claude-sonnet-5-5", "", "", keys, "anthropic claude-sonnet-5-5 " + ai + " ka ANTHROPIC_API_KEY own"},
		{"gpt-5.4", "", "", keys, "openai gpt-5.4 " + own + " ko OPENAI_API_KEY own"},
		{"o3", "", "", keys, "openai o3 " + own + " ko OPENAI_API_KEY own"},
		{"o4-mini", "", "", keys, "openai o4-mini " + own + " ko OPENAI_API_KEY own"},
		{"ft:gpt-4o:org::id", "", "", keys, "openai ft:gpt-4o:org::id " + own + " ko OPENAI_API_KEY own"},
		{"gemini-2.5-pro", "", "", keys, "google gemini-2.5-pro https://generativelanguage.googleapis.com/v1beta/openai kg GEMINI_API_KEY own"},
		{"open-mistral-nemo", "", "", keys, "mistral open-mistral-nemo https://api.mistral.ai/v1 km MISTRAL_API_KEY own"},
		{"codestral-2508", "", "", keys, "mistral codestral-2508 https://api.mistral.ai/v1 km MISTRAL_API_KEY own"},
		{"openai/some-new-one", "", "", keys, "openai some-new-one " + own + " ko OPENAI_API_KEY own"},
		{"gpt-5", "anthropic", "", keys, "anthropic gpt-5 " + ai + " ka ANTHROPIC_API_KEY own"},
		{"openai/gpt-oss", "openai", "https://openrouter.ai/api/v1", keys, "openai openai/gpt-oss https://openrouter.ai/api/v1 ko OPENAI_API_KEY"},
		{"anthropic/claude-opus-5", "", "https://openrouter.ai/api/v1", keys, "openai anthropic/claude-opus-5 https://openrouter.ai/api/v1 ko OPENAI_API_KEY"},
		{"llama3.2", "", "http://localhost:11434/v1", providerEnv(), "openai llama3.2 http://localhost:11434/v1  "},
		{"claude-opus-5", "anthropic", "https://gateway.test/v1", providerEnv(), "anthropic claude-opus-5 https://gateway.test/v1  "},
		{"llama3.2", "", "", gateway, "openai llama3.2 http://10.0.0.5:8000/v1  OPENAI_BASE_URL"},
		{"gpt-5", "", "", gateway, "openai gpt-5 http://10.0.0.5:8000/v1  OPENAI_BASE_URL"},
		{"claude-opus-5", "", "", gateway, "anthropic claude-opus-5 https://gateway.test/a  ANTHROPIC_BASE_URL"},
		{"builtin:lexical", "", "", keys, "builtin builtin:lexical    own"},
		{"builtin:script", "builtin", "", gateway, "builtin builtin:script    own"},
	}
	for _, test := range tests {
		r, err := Resolve(Choice{Model: test.model, Provider: test.provider, BaseURL: test.baseURL}, test.getenv)
		got := strings.Join([]string{r.Provider, r.Model, r.BaseURL, r.Key, strings.Join(r.Env, ",")}, " ")
		if r.Own {
			got += " own"
		}
		if err != nil || got != test.want {
			t.Errorf("%q, %q, %q: got %q, %v, want %q", test.model, test.provider, test.baseURL, got, err, test.want)
		}
	}
}

func TestResolveMistakes(t *testing.T) {
	tests := []struct {
		model, provider, baseURL string
		env                      []string
		want                     string
	}{
		{"", "", "", nil, `"model" is missing, which a live run needs`},
		{"claude-opus-5", "", "", nil, `environment variable ANTHROPIC_API_KEY is not set: model "claude-opus-5" of anthropic needs a key`},
		{"gpt-5", "", "", []string{"OPENAI_API_KEY= \n"}, "environment variable OPENAI_API_KEY is not set"},
		{"gpt-5", "", "https://api.openai.com/v1", nil, "environment variable OPENAI_API_KEY is not set"},
		{"gpt-5", "", "", []string{"OPENAI_API_KEY=a\nb"}, "environment variable OPENAI_API_KEY holds characters that no key has"},
		{"cluade-opus-5", "", "", nil, `no provider is known for model "cluade-opus-5", did you mean "claude-opus-5"?, expected a model of anthropic (claude-), openai (`},
		{"o", "", "", nil, `no provider is known for model "o"`},
		{"mistral/", "", "", nil, `no provider is known for model "mistral/"`},
		{"x", "openia", "", nil, `unknown provider "openia", did you mean "openai"?, expected one of ` + strings.Join(vendorNames(), ", ")},
		{"builtin:lexcial", "", "", nil, `unknown built-in model "builtin:lexcial", did you mean "builtin:lexical"?`},
		{"gpt-5", "builtin", "", nil, `unknown built-in model "gpt-5"`},
		{"builtin:lexical", "openai", "", nil, `model "builtin:lexical" is built in, found provider "openai"`},
		{"builtin:lexical", "", "http://x", nil, `is built in and has no "base_url"`},
		{"x", "", "ftp://x", nil, "base_url must be an http or https address"},
		{"x", "", "https://u:secret@x", nil, "base_url must be an http or https address without user name and password"},
		{"x", "", "", []string{"OPENAI_BASE_URL=secret"}, "OPENAI_BASE_URL must be an http or https address"},
	}
	for _, test := range tests {
		_, err := Resolve(Choice{Model: test.model, Provider: test.provider, BaseURL: test.baseURL}, providerEnv(test.env...))
		if got := errorText(err); !strings.Contains(got, test.want) || strings.Contains(got, "secret") {
			t.Errorf("%q, %q, %q: got %q, want %q", test.model, test.provider, test.baseURL, got, test.want)
		}
	}
}

// TestProviderAddresses pins where requests go, with which key in which header, and under which key the limit of tokens stands.
func TestProviderAddresses(t *testing.T) {
	tests := []struct {
		r    Resolved
		want string
	}{
		{Resolved{Provider: "openai", Model: "gpt-4o", BaseURL: "https://api.openai.com/v1", Key: "k", Own: true},
			"https://api.openai.com/v1/chat/completions Authorization:Bearer k max_completion_tokens"},
		{Resolved{Provider: "openai", Model: "llama", BaseURL: "http://localhost:11434/v1"},
			"http://localhost:11434/v1/chat/completions  max_tokens"},
		{Resolved{Provider: "openai", Model: "openai/gpt-5-mini", BaseURL: "https://openrouter.ai/api/v1", Key: "k"},
			"https://openrouter.ai/api/v1/chat/completions Authorization:Bearer k max_completion_tokens"},
		{Resolved{Provider: "openai", Model: "gpt-4o", BaseURL: "https://x.openai.azure.com/openai/deployments/d?api-version=1", Key: "k"},
			"https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1 Api-Key:k max_completion_tokens"},
		{Resolved{Provider: "openai", API: responses, Model: "gpt-5-codex", BaseURL: "https://api.openai.com/v1", Key: "k", Own: true},
			"https://api.openai.com/v1/responses Authorization:Bearer k max_output_tokens"},
		{Resolved{Provider: "openai", API: responses, Model: "d", BaseURL: "https://x.openai.azure.com/openai/v1?api-version=preview", Key: "k"},
			"https://x.openai.azure.com/openai/v1/responses?api-version=preview Api-Key:k max_output_tokens"},
		{Resolved{Provider: "mistral", Model: "mistral-large-2512", BaseURL: "https://api.mistral.ai/v1", Key: "k", Own: true},
			"https://api.mistral.ai/v1/chat/completions Authorization:Bearer k max_tokens"},
		{Resolved{Provider: "anthropic", BaseURL: "https://api.anthropic.com", Key: "k", Own: true},
			"https://api.anthropic.com/v1/messages X-Api-Key:k max_tokens"},
		{Resolved{Provider: "anthropic", BaseURL: "https://gateway.test/v1", Key: "k"},
			"https://gateway.test/v1/messages X-Api-Key:k max_tokens"},
	}
	for _, test := range tests {
		var got string
		p, err := New(test.r, Options{Retry: Retry{Tries: 1}, Transport: seenBy(func(r *http.Request) {
			got = r.URL.String() + " "
			for _, name := range []string{"Authorization", "Api-Key", "X-Api-Key"} {
				if value := r.Header.Get(name); value != "" {
					got += name + ":" + value
				}
			}
			body := make([]byte, 2000)
			n, _ := r.Body.Read(body)
			for _, key := range []string{"max_tokens", "max_completion_tokens", "max_output_tokens"} {
				if strings.Contains(string(body[:n]), `"`+key+`":100`) {
					got += " " + key
				}
			}
		})})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Turn(t.Context(), weatherRequest()); err == nil {
			t.Error("a request that was not answered has a reply")
		}
		if got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}

// seenBy sees requests and answers none.
type seenBy func(*http.Request)

func (see seenBy) RoundTrip(r *http.Request) (*http.Response, error) {
	see(r)
	return nil, http.ErrServerClosed
}

// A newcomer forgets, beside the row of a vendor, the name of its key, which suites must not read, and its documentation.
func TestVendorsAreWhole(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vendors {
		if v.keyEnv == "" || v.keyEnv != strings.ToUpper(v.keyEnv) || v.models == nil || v.families == "" || v.speak == nil {
			t.Errorf("the row of provider %q in vendors.go is not whole: it needs a key in capital letters, models, families and speak", v.name)
		}
		if row := "\n| `" + v.name + "` |"; !strings.Contains(string(text), row) || !strings.Contains(string(text), "`"+v.keyEnv+"`") {
			t.Errorf("the table of docs/providers.md lacks provider %q with its key %s", v.name, v.keyEnv)
		}
	}
}
