// Package provider asks the models of providers for their next turn.
//
// [New] makes the provider that [model.Resolve] has found. The table speakers (options.go) holds the wire formats, each in a file
// of its own. Failed requests are repeated (retry.go). The answers of a provider are bounded and never show a key.
package provider

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
)

// Options are the settings of a provider besides its address. The zero value works.
type Options struct {
	// Transport makes the requests; nil for the default one, which goes through the proxies of the environment.
	Transport http.RoundTripper

	Retry Retry

	// Rules returns the rules for secrets, so that no text of the provider is cut in the middle of a secret. If Rules is nil,
	// secrets are recognized only by their form. Rules is called only when a text is cut, because the rules are made after
	// the provider, whose key they must know.
	Rules func() *redact.Rules
}

func (o Options) rules() *redact.Rules {
	if o.Rules == nil {
		return nil
	}
	return o.Rules()
}

// speakers maps each wire format to the function that makes a provider with this format at an address.
var speakers = map[model.Wire]func(model.Resolved, Options, *url.URL) model.Provider{
	model.AnthropicWire: newAnthropic,
	model.OpenAIWire:    newOpenAI,
}

// New returns the provider that r describes, for a model that is not built in.
func New(r model.Resolved, o Options) (model.Provider, error) {
	base, err := url.Parse(r.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the address of %s: %w", r.Provider, err)
	}
	speak := speakers[r.Wire()]
	if speak == nil {
		return nil, fmt.Errorf("wire format %q of %s is not in speakers (internal/model/provider/options.go)", r.Wire(), r.Provider)
	}
	return speak(r, o, base), nil
}
