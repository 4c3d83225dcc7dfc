package model

import (
	"math/big"
	"regexp"

	"github.com/org/mcp-gates/internal/trace"
)

// Price is the price of a model, in micro-dollars per million tokens.
type Price struct {
	Input, Output *big.Rat
}

// Of returns the cost of tokens, in micro-dollars.
func (p Price) Of(input, output int64) *big.Rat {
	sum := new(big.Rat).Mul(p.Input, new(big.Rat).SetInt64(input))
	sum.Add(sum, new(big.Rat).Mul(p.Output, new(big.Rat).SetInt64(output)))
	return sum.Quo(sum, big.NewRat(1_000_000, 1))
}

// RoundHalfUp returns micro-dollars as a whole number; unknown if the number is too large.
func RoundHalfUp(micro *big.Rat) trace.Count {
	sum := new(big.Rat).Add(micro, big.NewRat(1, 2))
	whole := new(big.Int).Div(sum.Num(), sum.Denom())
	if !whole.IsInt64() {
		return trace.Count{}
	}
	return trace.Known(whole.Int64())
}

// pricesAsOf is the day on which the built-in prices were looked up.
const pricesAsOf = "2026-11-21"

// listPrice is the price of a model, in US dollars per million tokens.
type listPrice struct {
	model         string
	input, output string // decimals
}

// listPrices are the list prices of the standard tier for short prompts, as of [pricesAsOf]. A model without a source,
// or with sources that disagree, is left out. Sources:
//
//   - Anthropic: https://platform.claude.com/docs/en/about-claude/pricing. Haiku 5.5 costs 0.50 and 2.50 for prompts
//     beyond 100,000 tokens.
//   - OpenAI: https://developers.openai.com/api/docs/pricing, as of 2026-05-04, with
//     https://developers.openai.com/docs/models; GPT-5.2 and older as kept at https://www.llm-prices.com (o3: after its
//     price cut of June 2025). GPT-5.4 and 5.5 cost more beyond 272,000 tokens.
//   - Google: https://ai.google.dev/gemini-api/docs/pricing, as of 2026-10-07. The price of Gemini 3.8 Flash doubles on
//     2027-01-01; the Pro models cost more beyond 200,000 tokens.
//   - Mistral: https://mistral.ai/pricing, as kept at https://margindash.com/mistral-api-pricing and
//     https://mastra.ai/models/providers/mistral. Names ending in -latest change their model and are left out.
var listPrices = []listPrice{
	{"claude-fable-5-1", "10", "50"},
	{"claude-fable-5", "10", "50"},
	{"claude-opus-5-5", "4", "20"},
	{"claude-opus-5", "5", "25"},
	{"claude-opus-4-8", "5", "25"},
	{"claude-opus-4-7", "5", "25"},
	{"claude-opus-4-6", "5", "25"},
	{"claude-opus-4-5", "5", "25"},
	{"claude-opus-4-1", "15", "75"},
	{"claude-sonnet-5-5", "2", "10"},
	{"claude-sonnet-5", "2", "10"},
	{"claude-sonnet-4-6", "3", "15"},
	{"claude-sonnet-4-5", "3", "15"},
	{"claude-haiku-5-5", "0.10", "0.50"},
	{"claude-haiku-4-5", "1", "5"},

	{"gpt-5.5-pro", "30", "180"},
	{"gpt-5.5", "5", "30"},
	{"gpt-5.4", "2.50", "15"},
	{"gpt-5.4-mini", "0.75", "4.50"},
	{"gpt-5.4-nano", "0.20", "1.25"},
	{"gpt-5.2", "1.75", "14"},
	{"gpt-5.1", "1.25", "10"},
	{"gpt-5", "1.25", "10"},
	{"gpt-5-mini", "0.25", "2"},
	{"gpt-5-nano", "0.05", "0.40"},
	{"gpt-4.1", "2", "8"},
	{"gpt-4.1-mini", "0.40", "1.60"},
	{"gpt-4.1-nano", "0.10", "0.40"},
	{"gpt-4o", "2.50", "10"},
	{"gpt-4o-2024-05-13", "5", "15"},
	{"gpt-4o-mini", "0.15", "0.60"},
	{"o3", "2", "8"},
	{"o3-mini", "1.10", "4.40"},
	{"o4-mini", "1.10", "4.40"},

	{"gemini-3.8-flash", "0.75", "3.75"},
	{"gemini-3.5-flash", "1.50", "9"},
	{"gemini-3.5-flash-lite", "0.30", "2.50"},
	{"gemini-3.1-pro-preview", "2", "12"},
	{"gemini-2.5-pro", "1.25", "10"},
	{"gemini-2.5-flash", "0.30", "2.50"},
	{"gemini-2.5-flash-lite", "0.10", "0.40"},

	{"mistral-large-2512", "0.50", "1.50"},
	{"mistral-large-2411", "2", "6"},
	{"mistral-medium-3.5", "1.50", "7.50"},
	{"mistral-medium-2508", "0.40", "2"},
	{"mistral-medium-2505", "0.40", "2"},
	{"mistral-small-2506", "0.10", "0.30"},
	{"mistral-small-2503", "0.10", "0.30"},
	{"devstral-2512", "0.40", "2"},
	{"devstral-medium-2507", "0.40", "2"},
	{"devstral-small-2507", "0.10", "0.30"},

	{trace.ModelLexical, "0", "0"},
	{trace.ModelScript, "0", "0"},
}

// snapshotDate matches the date at the end of Anthropic's and OpenAI's names. It does not match four digits, as in
// Mistral's names, because Mistral's models of different months differ in price.
var snapshotDate = regexp.MustCompile(`-(20[0-9]{6}|20[0-9]{2}-[0-9]{2}-[0-9]{2})$`)

// ListPrice returns the list price of a model, and whether it is known. If the table lacks the model's name, the price is that of
// the name without the date at its end, as in claude-sonnet-4-5-20250929 and gpt-4o-2024-08-06. The price applies only at the
// provider's own address ([Resolved].Own), because the prices of gateways are not known.
func ListPrice(model string) (Price, bool) {
	if price, ok := priceNamed(model); ok {
		return price, true
	}
	if at := snapshotDate.FindStringIndex(model); at != nil {
		return priceNamed(model[:at[0]])
	}
	return Price{}, false
}

func priceNamed(model string) (Price, bool) {
	for _, p := range listPrices {
		if p.model == model {
			return Price{Input: microDollarsOf(p.input), Output: microDollarsOf(p.output)}, true
		}
	}
	return Price{}, false
}

func microDollarsOf(dollars string) *big.Rat {
	amount, ok := new(big.Rat).SetString(dollars)
	if !ok {
		return new(big.Rat) // unreachable: a test reads all prices
	}
	return amount.Mul(amount, big.NewRat(1_000_000, 1))
}
