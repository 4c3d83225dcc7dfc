package model

import (
	"fmt"
	"regexp"
	"slices"
)

// API is one of OpenAI's two interfaces for conversations with tools.
type API string

// The APIs.
const (
	Responses API = "responses" // https://platform.openai.com/docs/api-reference/responses
	Chat      API = "chat"      // chat completions, which most other servers also offer
)

// APINames returns the names of all APIs, as written in suites.
func APINames() []string { return []string{string(Responses), string(Chat)} }

// responsesFamily is a family of models that call tools only through Responses.
type responsesFamily struct {
	models *regexp.Regexp // matches OpenAI's names; not openai/gpt-5-codex and the like, whose requests a gateway translates
	names  string         // names of its models, for people
}

// responsesFamilies are the families for which a source was found. For models outside the table, chat completions are
// used, and package provider recognizes OpenAI's refusal. Sources:
//
//   - -pro, codex and -deep-research: the models that OpenAI's OpenAPI description adds to those of chat completions in
//     ResponsesModel (https://github.com/openai/openai-python/blob/main/src/openai/types/shared/responses_model.py);
//     GPT-5.2 Pro, 5.4 Pro and the later Codex models: https://github.com/run-llama/llama_index/pull/20361,
//     https://github.com/BerriAI/litellm/pull/23143, https://github.com/HeyPuter/puter/issues/2110.
//   - GPT-5.6 and 6: chat completions refuse function tools unless reasoning is turned off, and reasoning is the default:
//     https://github.com/BerriAI/litellm/pull/34569, https://github.com/decolua/9router/issues/4031. GPT-5.4 and older
//     take tools there.
var responsesFamilies = []responsesFamily{
	{regexp.MustCompile(`^o[1-9][0-9]*-pro(-|$)`), "o1-pro, o3-pro"},
	{regexp.MustCompile(`^gpt-[0-9.]+-pro(-|$)`), "gpt-5-pro, gpt-5.5-pro"},
	{regexp.MustCompile(`^(gpt-[0-9.]+-)?codex(-|$)`), "gpt-5-codex, gpt-5.1-codex-max, codex-mini-latest"},
	{regexp.MustCompile(`^o[1-9][0-9]*(-mini)?-deep-research(-|$)`), "o3-deep-research, o4-mini-deep-research"},
	{regexp.MustCompile(`^gpt-(5\.6|6(\.[0-9]+)?)(-|$)`), "gpt-5.6, gpt-6"},
}

func needsResponses(model string) bool {
	return slices.ContainsFunc(responsesFamilies, func(f responsesFamily) bool { return f.models.MatchString(model) })
}

// CheckAPI returns an error if the provider of the choice lacks the API of the choice. For an unknown provider it returns nil.
func (c Choice) CheckAPI() error {
	if c.API == "" {
		return nil
	}
	if c.isBuiltin() {
		return fmt.Errorf(`model %q is built in and has no "api"`, c.Model)
	}
	vendor, _, err := c.findVendor(func(string) string { return "" })
	if err != nil || slices.Contains(vendor.apis, c.API) {
		return nil
	}
	provider := "provider " + vendor.name
	if c.Provider == "" {
		provider = fmt.Sprintf("%s of model %q", provider, c.Model)
	}
	if len(vendor.apis) == 0 {
		return fmt.Errorf(`%s has an interface of its own and no "api", found %q`, provider, c.API)
	}
	return fmt.Errorf(`%s has only "api: %s", found %q`, provider, vendor.apis[0], c.API)
}

// apiFor returns the API for a model of the vendor: the API that the suite names, otherwise that of the model's family,
// otherwise the vendor's first; "" if the vendor has an interface of its own.
func (v vendor) apiFor(wanted API, model string) API {
	switch {
	case wanted != "" || len(v.apis) == 0:
		return wanted
	case slices.Contains(v.apis, Responses) && needsResponses(model):
		return Responses
	}
	return v.apis[0]
}
