package provider

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/model"
)

// TestProviderAddresses pins where requests go, with which key in which header, and under which key the limit of tokens is.
func TestProviderAddresses(t *testing.T) {
	tests := []struct {
		r    model.Resolved
		want string
	}{
		{model.Resolved{Provider: "openai", Model: "gpt-4o", BaseURL: "https://api.openai.com/v1", Key: "k", Own: true},
			"https://api.openai.com/v1/chat/completions Authorization:Bearer k max_completion_tokens"},
		{model.Resolved{Provider: "openai", Model: "llama", BaseURL: "http://localhost:11434/v1"},
			"http://localhost:11434/v1/chat/completions  max_tokens"},
		{model.Resolved{Provider: "openai", Model: "openai/gpt-5-mini", BaseURL: "https://openrouter.ai/api/v1", Key: "k"},
			"https://openrouter.ai/api/v1/chat/completions Authorization:Bearer k max_completion_tokens"},
		{model.Resolved{Provider: "openai", Model: "gpt-4o", BaseURL: "https://x.openai.azure.com/openai/deployments/d?api-version=1", Key: "k"},
			"https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1 Api-Key:k max_completion_tokens"},
		{model.Resolved{Provider: "openai", API: model.Responses, Model: "gpt-5-codex", BaseURL: "https://api.openai.com/v1", Key: "k", Own: true},
			"https://api.openai.com/v1/responses Authorization:Bearer k max_output_tokens"},
		{model.Resolved{Provider: "openai", API: model.Responses, Model: "d", BaseURL: "https://x.openai.azure.com/openai/v1?api-version=preview", Key: "k"},
			"https://x.openai.azure.com/openai/v1/responses?api-version=preview Api-Key:k max_output_tokens"},
		{model.Resolved{Provider: "mistral", Model: "mistral-large-2512", BaseURL: "https://api.mistral.ai/v1", Key: "k", Own: true},
			"https://api.mistral.ai/v1/chat/completions Authorization:Bearer k max_tokens"},
		{model.Resolved{Provider: "anthropic", BaseURL: "https://api.anthropic.com", Key: "k", Own: true},
			"https://api.anthropic.com/v1/messages X-Api-Key:k max_tokens"},
		{model.Resolved{Provider: "anthropic", BaseURL: "https://gateway.test/v1", Key: "k"},
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

// A newcomer forgets the function of a new wire format, or its stand-in.
func TestEveryWireIsSpoken(t *testing.T) {
	for _, name := range model.Vendors() {
		if _, err := New(model.Resolved{Provider: name}, Options{}); err != nil {
			t.Error(err)
		}
	}
	for wire := range speakers {
		if !slices.Contains(providerWires, string(wire)) {
			t.Errorf("wire format %q has no stand-in in providerWires (turn_test.go)", wire)
		}
	}
}
