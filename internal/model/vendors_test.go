package model

import (
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
		{"x", "openia", "", nil, `unknown provider "openia", did you mean "openai"?, expected one of ` + strings.Join(providerNames(), ", ")},
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

// A newcomer forgets, beside the row of a vendor, the name of its key, which suites must not read, and its documentation.
func TestVendorsAreWhole(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vendors {
		if (v.wire == OpenAIWire) != (len(v.apis) > 0) {
			t.Errorf("the row of provider %q in vendors.go has apis %q with wire format %q: only OpenAI's has some", v.name, v.apis, v.wire)
		}
		if v.keyEnv == "" || v.keyEnv != strings.ToUpper(v.keyEnv) || v.models == nil || v.families == "" || v.wire == "" {
			t.Errorf("the row of provider %q in vendors.go is not whole: it needs a key in capital letters, models, families and wire", v.name)
		}
		if row := "\n| `" + v.name + "` |"; !strings.Contains(string(text), row) || !strings.Contains(string(text), "`"+v.keyEnv+"`") {
			t.Errorf("the table of docs/providers.md lacks provider %q with its key %s", v.name, v.keyEnv)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
