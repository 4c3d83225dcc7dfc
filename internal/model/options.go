package model

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/org/mcp-gates/internal/redact"
)

// Options are what a provider takes beside its address. The zero value works.
type Options struct {
	// Transport makes the requests; nil for the default one, which goes through the proxies of the environment.
	Transport http.RoundTripper

	Retry Retry

	// Rules return the rules for secrets, so that no text of the provider is cut in the middle of one; nil for the
	// shapes alone. They are called late, because the provider's own key is a secret too.
	Rules func() *redact.Rules
}

func (o Options) rules() *redact.Rules {
	if o.Rules == nil {
		return nil
	}
	return o.Rules()
}

// New returns the provider of a case that [Resolve] has found for a model that is not built in.
func New(r Resolved, o Options) (Provider, error) {
	base, err := url.Parse(r.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the address of %s: %w", r.Provider, err)
	}
	v, _ := vendorNamed(r.Provider)
	return v.speak(r, o, base), nil
}
