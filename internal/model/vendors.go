package model

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Builtin is the provider of the built-in models, which need no key and no network.
const Builtin = "builtin"

var builtinModels = []string{trace.ModelLexical, trace.ModelScript}

// Wire is the format of requests and replies of a provider.
type Wire string

// The wire formats.
const (
	OpenAIWire    Wire = "openai"    // chat completions, or Responses if Resolved.API names it
	AnthropicWire Wire = "anthropic" // Messages
)

// vendor is a provider on the network, with the environment variable of its key.
type vendor struct {
	name, keyEnv string
	address      string // address with its scheme, without a final slash
	addressEnv   string // environment variable that replaces address; "" for none
	models       *regexp.Regexp
	families     string // the names that models matches, for people

	wire Wire
	apis []API // OpenAI's APIs that the vendor has, the usual one first; nil for an interface of its own
}

// vendors are in the order in which messages list them.
var vendors = []vendor{
	{"anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "ANTHROPIC_BASE_URL",
		regexp.MustCompile(`^claude-`), "claude-", AnthropicWire, nil},
	{"openai", "OPENAI_API_KEY", "https://api.openai.com/v1", "OPENAI_BASE_URL",
		regexp.MustCompile(`^(ft:)?(gpt-|chatgpt-|o[1-9][0-9]*(-|$))`), "gpt-, chatgpt-, o1, o3, o4", OpenAIWire, []API{Chat, Responses}},
	{"google", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai", "",
		regexp.MustCompile(`^gemini-`), "gemini-", OpenAIWire, []API{Chat}},
	{"mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1", "",
		regexp.MustCompile(`^(open-)?(mistral|mixtral|ministral|codestral|devstral|magistral|pixtral)-`),
		"mistral-, ministral-, codestral-, devstral-, magistral-, pixtral-, open-mistral-, open-mixtral-", OpenAIWire, []API{Chat}},
}

// KeyNames returns the environment variables that hold the keys of all providers. The variables of a suite must not read them.
func KeyNames() []string {
	names := make([]string, len(vendors))
	for i, v := range vendors {
		names[i] = v.keyEnv
	}
	return names
}

// Vendors returns the names of the providers on the network.
func Vendors() []string {
	names := make([]string, len(vendors))
	for i, v := range vendors {
		names[i] = v.name
	}
	return names
}

// Choice is a suite's choice of a model and a provider for a case. Only the model is required.
type Choice struct {
	Model    string
	Provider string // "" if the model or the address decides
	BaseURL  string // "" for the provider's own
	API      API    // "" if the model's family decides
}

func (c Choice) isBuiltin() bool {
	return c.Provider == Builtin || strings.HasPrefix(c.Model, Builtin+":")
}

// Resolved is the provider of a case, with its address and key. It holds a secret and must not be printed.
type Resolved struct {
	Provider string // a name of vendors, or builtin
	Model    string // the name in requests to the provider
	BaseURL  string // "" for builtin
	API      API    // "" if the provider has neither of OpenAI's APIs
	KeyEnv   string // the environment variable of the key; "" for builtin
	Key      string // "" if none is set and the address is not the provider's own

	// Own reports whether the address is the provider's own, so that its list prices apply. It is true for builtin.
	Own bool

	// Env names the environment variables that were read and are set. Their values must not be in any output.
	Env []string
}

// Wire returns the wire format of the provider; "" for builtin.
func (r Resolved) Wire() Wire {
	v, _ := vendorNamed(r.Provider)
	return v.wire
}

// Resolve finds the provider of a model: the provider of the choice, otherwise openai if a base URL is given, otherwise
// the name before a slash, otherwise the provider whose model names match, otherwise openai at OPENAI_BASE_URL. It
// starts nothing and does not use the network. A mistake, such as an unknown name or a missing key, is an error without
// a position.
func Resolve(c Choice, getenv func(string) string) (Resolved, error) {
	if c.Model == "" {
		return Resolved{}, fmt.Errorf(`"model" is missing, which a live run needs: a provider's model or one of %s`, strings.Join(builtinModels, ", "))
	}
	if err := c.CheckAPI(); err != nil {
		return Resolved{}, err
	}
	if c.isBuiltin() {
		return c.resolveBuiltin()
	}
	vendor, name, err := c.findVendor(getenv)
	if err != nil {
		return Resolved{}, err
	}
	r := Resolved{Provider: vendor.name, Model: name, KeyEnv: vendor.keyEnv, API: vendor.apiFor(c.API, name)}
	if err := r.setAddress(vendor, c.BaseURL, getenv); err != nil {
		return Resolved{}, err
	}
	return r, r.setKey(getenv)
}

func (c Choice) resolveBuiltin() (Resolved, error) {
	switch {
	case !slices.Contains(builtinModels, c.Model):
		return Resolved{}, fmt.Errorf("unknown built-in model %q%s, expected one of %s",
			c.Model, source.DidYouMean(c.Model, builtinModels), strings.Join(builtinModels, ", "))
	case c.Provider != "" && c.Provider != Builtin:
		return Resolved{}, fmt.Errorf("model %q is built in, found provider %q", c.Model, c.Provider)
	case c.BaseURL != "":
		return Resolved{}, fmt.Errorf(`model %q is built in and has no "base_url"`, c.Model)
	}
	return Resolved{Provider: Builtin, Model: c.Model, Own: true}, nil
}

func (c Choice) findVendor(getenv func(string) string) (vendor, string, error) {
	if c.Provider != "" {
		vendor, ok := vendorNamed(c.Provider)
		if !ok {
			return vendor, "", fmt.Errorf("unknown provider %q%s, expected one of %s; what else speaks chat completions is openai with a base_url",
				c.Provider, source.DidYouMean(c.Provider, providerNames()), strings.Join(providerNames(), ", "))
		}
		return vendor, c.Model, nil
	}
	openai, _ := vendorNamed("openai")
	if c.BaseURL != "" {
		return openai, c.Model, nil
	}
	before, after, _ := strings.Cut(c.Model, "/")
	if vendor, ok := vendorNamed(before); ok && after != "" {
		return vendor, after, nil
	}
	for _, vendor := range vendors {
		if vendor.models.MatchString(c.Model) {
			return vendor, c.Model, nil
		}
	}
	if getenv(openai.addressEnv) != "" {
		return openai, c.Model, nil
	}
	return openai, "", unknownModel(c.Model)
}

func vendorNamed(name string) (vendor, bool) {
	i := slices.IndexFunc(vendors, func(v vendor) bool { return v.name == name })
	if i < 0 {
		return vendor{}, false
	}
	return vendors[i], true
}

func providerNames() []string { return append(Vendors(), Builtin) }

func unknownModel(model string) error {
	known := slices.Clone(builtinModels)
	for _, p := range listPrices {
		known = append(known, p.model)
	}
	families := make([]string, len(vendors))
	for i, v := range vendors {
		families[i] = v.name + " (" + v.families + ")"
	}
	return fmt.Errorf("no provider is known for model %q%s, expected a model of %s, %s, or a provider: or base_url: beside it",
		model, source.DidYouMean(model, known), strings.Join(families, ", "), strings.Join(builtinModels, ", "))
}

// setAddress sets the address of the API: baseURL, otherwise the address in the environment, otherwise the vendor's address.
func (r *Resolved) setAddress(vendor vendor, baseURL string, getenv func(string) string) error {
	address, setting := baseURL, "base_url"
	if address == "" && vendor.addressEnv != "" {
		address = strings.TrimSpace(getenv(vendor.addressEnv))
		if address != "" {
			setting = vendor.addressEnv
			r.Env = append(r.Env, vendor.addressEnv)
		}
	}
	if address == "" {
		address = vendor.address
	}
	u, err := url.Parse(address)
	isHTTP := err == nil && (u.Scheme == "https" || u.Scheme == "http")
	if !isHTTP || u.Host == "" || u.User != nil {
		// The address is not quoted: it may hold a secret.
		return fmt.Errorf("%s must be an http or https address without user name and password", setting)
	}
	u.Fragment = ""
	own, _ := url.Parse(vendor.address)
	r.BaseURL, r.Own = strings.TrimRight(u.String(), "/"), u.Host == own.Host
	return nil
}

func (r *Resolved) setKey(getenv func(string) string) error {
	// Secrets of CI systems often end with a line break.
	r.Key = strings.TrimSpace(getenv(r.KeyEnv))
	if r.Key == "" {
		if r.Own {
			return fmt.Errorf("environment variable %s is not set: model %q of %s needs a key", r.KeyEnv, r.Model, r.Provider)
		}
		return nil
	}
	r.Env = append(r.Env, r.KeyEnv)
	if strings.ContainsFunc(r.Key, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsGraphic(c) }) {
		return fmt.Errorf("environment variable %s holds characters that no key has", r.KeyEnv)
	}
	return nil
}
