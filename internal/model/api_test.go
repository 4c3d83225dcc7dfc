package model

import (
	"os"
	"strings"
	"testing"
)

func TestProviderAPI(t *testing.T) {
	const gateway = "https://gateway.test/v1"
	tests := []struct {
		choice Choice
		want   API
	}{
		{Choice{Model: "gpt-5"}, Chat},
		{Choice{Model: "gpt-5.4"}, Chat},
		{Choice{Model: "gpt-5.5"}, Chat},
		{Choice{Model: "gpt-5-chat-latest"}, Chat},
		{Choice{Model: "o3"}, Chat},
		{Choice{Model: "o4-mini"}, Chat},
		{Choice{Model: "o1-pro-2025-03-19"}, Responses},
		{Choice{Model: "o3-pro"}, Responses},
		{Choice{Model: "gpt-5-pro-2025-10-06"}, Responses},
		{Choice{Model: "gpt-5.5-pro"}, Responses},
		{Choice{Model: "gpt-5.6"}, Responses},
		{Choice{Model: "gpt-5.6-luna"}, Responses},
		{Choice{Model: "gpt-6-astra"}, Responses},
		{Choice{Model: "gpt-5-codex"}, Responses},
		{Choice{Model: "gpt-5.1-codex-max"}, Responses},
		{Choice{Model: "openai/gpt-5.1-codex-mini"}, Responses},
		{Choice{Model: "codex-mini-latest", Provider: "openai"}, Responses},
		{Choice{Model: "o4-mini-deep-research"}, Responses},
		{Choice{Model: "gpt-5-codex", API: Chat}, Chat},
		{Choice{Model: "gpt-4.1", API: Responses}, Responses},
		{Choice{Model: "gpt-5-codex", BaseURL: gateway}, Responses},
		{Choice{Model: "openai/gpt-5-codex", BaseURL: gateway}, Chat}, // a gateway that translates
		{Choice{Model: "someone/codex-7b", BaseURL: gateway}, Chat},
		{Choice{Model: "llama3.2", BaseURL: gateway, API: Responses}, Responses},
		{Choice{Model: "gemini-2.5-pro"}, Chat},
		{Choice{Model: "gpt-5-codex", Provider: "mistral", API: Chat}, Chat},
		{Choice{Model: "claude-opus-5"}, ""},
		{Choice{Model: "builtin:lexical"}, ""},
	}
	keys := providerEnv("OPENAI_API_KEY=k", "GEMINI_API_KEY=k", "MISTRAL_API_KEY=k", "ANTHROPIC_API_KEY=k")
	for _, test := range tests {
		r, err := Resolve(test.choice, keys)
		if err != nil || r.API != test.want {
			t.Errorf("%+v: got %q, %v, want %q", test.choice, r.API, err, test.want)
		}
	}
}

func TestProviderAPIMistakes(t *testing.T) {
	tests := []struct {
		choice Choice
		want   string
	}{
		{Choice{Model: "claude-opus-5", API: Responses}, `provider anthropic of model "claude-opus-5" has an interface of its own and no "api", found "responses"`},
		{Choice{Model: "m", Provider: "anthropic", API: Chat}, `provider anthropic has an interface of its own and no "api", found "chat"`},
		{Choice{Model: "google/gemini-2.5-pro", API: Responses}, `provider google of model "google/gemini-2.5-pro" has only "api: chat", found "responses"`},
		{Choice{Model: "builtin:lexical", API: Chat}, `model "builtin:lexical" is built in and has no "api"`},
	}
	for _, test := range tests {
		if got := errorText(test.choice.CheckAPI()); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.choice, got, test.want)
		}
		if _, err := Resolve(test.choice, func(string) string { return "key" }); errorText(err) != test.want {
			t.Errorf("%+v: resolve: got %q, want %q", test.choice, errorText(err), test.want)
		}
	}
	if err := (Choice{Model: "who-knows", API: Responses}).CheckAPI(); err != nil {
		t.Errorf("an unknown model: got %q, want nothing, because its provider may be known to a live run", err)
	}
}

// A newcomer forgets the documentation of a family beside its row.
func TestResponsesFamiliesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range responsesFamilies {
		for name := range strings.SplitSeq(family.names, ", ") {
			if !family.models.MatchString(name) || !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("model %q of %v: want one that the expression matches, and that docs/providers.md names", name, family.models)
			}
		}
	}
}

// No expression may match the name of a gateway's model, which the gateway translates.
func TestResponsesFamiliesAreAnchored(t *testing.T) {
	for _, family := range responsesFamilies {
		name, _, _ := strings.Cut(family.names, ", ")
		if family.models.MatchString("openai/"+name) || family.models.MatchString("my-"+name) {
			t.Errorf("%v matches %q within a longer name, want none", family.models, name)
		}
	}
}
