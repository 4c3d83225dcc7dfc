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

// Wire is a format of requests and replies that providers speak.
type Wire string

// The wire formats.
const (
	OpenAIWire    Wire = "openai"    // chat completions, and Responses where the API says so
	AnthropicWire Wire = "anthropic" // Messages
)

// vendor is a provider that is reached over the network, with the environment variable of its key.
type vendor struct {
	name, keyEnv string
	address      string // with scheme, without a final slash
	addressEnv   string // environment variable that replaces address; "" for none
	models       *regexp.Regexp
	families     string // what models matches, for people

	wire Wire
	apis []API // of OpenAI's that the vendor has, the usual one first; nil for an interface of its own
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

// KeyNames returns the environment variables that hold the keys of all providers. No suite may read one for itself.
func KeyNames() []string {
	names := make([]string, len(vendors))
	for i, v := range vendors {
		names[i] = v.keyEnv
	}
	return names
}

// Vendors returns the names of the providers that are reached over the network.
func Vendors() []string {
	names := make([]string, len(vendors))
	for i, v := range vendors {
		names[i] = v.name
	}
	return names
}

// Choice is what a suite says about who answers for a case. Only the model is needed.
type Choice struct {
	Model    string
	Provider string // "" where the model or the address decides
	BaseURL  string // "" for the provider's own
	API      API    // "" where the model's family decides
}

func (c Choice) builtin() bool {
	return c.Provider == Builtin || strings.HasPrefix(c.Model, Builtin+":")
}

// Resolved says which provider answers for a case and how it is reached. It holds a secret: it is not to be printed.
type Resolved struct {
	Provider string // a name of vendors, or builtin
	Model    string // as the provider is asked for it
	BaseURL  string // "" for builtin
	API      API    // "" for a provider that has neither of OpenAI's
	KeyEnv   string // the environment variable of the key; "" for builtin
	Key      string // "" where none is set and the address is not the provider's own

	// Own reports whether the address is the provider's own, so that its list prices hold. It is true for builtin.
	Own bool

	// Env names the environment variables that were read and are set. Their values do not belong in any output.
	Env []string
}

// Wire returns the wire format of the provider; "" for builtin.
func (r Resolved) Wire() Wire {
	v, _ := vendorNamed(r.Provider)
	return v.wire
}

// Resolve finds the provider of a model: the one named, else openai when a base URL is given, else the one named in front
// of a slash, else the one whose family of models the name belongs to, else openai at OPENAI_BASE_URL. It starts nothing
// and asks no network. A mistake is an error without a position: what is unknown, or which key is missing.
func Resolve(c Choice, getenv func(string) string) (Resolved, error) {
	if c.Model == "" {
		return Resolved{}, fmt.Errorf(`"model" is missing, which a live run needs: a provider's model or one of %s`, strings.Join(builtinModels, ", "))
	}
	if err := c.CheckAPI(); err != nil {
		return Resolved{}, err
	}
	if c.builtin() {
		return c.resolveBuiltin()
	}
	vendor, name, err := c.vendor(getenv)
	if err != nil {
		return Resolved{}, err
	}
	r := Resolved{Provider: vendor.name, Model: name, KeyEnv: vendor.keyEnv, API: vendor.api(c.API, name)}
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

func (c Choice) vendor(getenv func(string) string) (vendor, string, error) {
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

func (r *Resolved) setAddress(vendor vendor, baseURL string, getenv func(string) string) error {
	address, from := baseURL, "base_url"
	if address == "" && vendor.addressEnv != "" {
		if address = strings.TrimSpace(getenv(vendor.addressEnv)); address != "" {
			from = vendor.addressEnv
			r.Env = append(r.Env, vendor.addressEnv)
		}
	}
	if address == "" {
		address = vendor.address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		// The address is not quoted: it may hold a secret.
		return fmt.Errorf("%s must be an http or https address without user name and password", from)
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
