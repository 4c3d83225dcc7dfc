package model

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/trace"
)

// TestPricesAsOf keeps the day of the prices in the documentation in step.
func TestPricesAsOf(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "prices as of "+pricesAsOf+",") {
		t.Errorf("docs/providers.md does not say that the prices are of %s", pricesAsOf)
	}
}

func TestBuiltinPrice(t *testing.T) {
	tests := []struct{ model, input, output string }{
		{"claude-sonnet-4-5", "3000000", "15000000"},
		{"claude-sonnet-4-5-20250929", "3000000", "15000000"},
		{"gpt-4o", "2500000", "10000000"},
		{"gpt-4o-2024-08-06", "2500000", "10000000"},
		{"gpt-4o-2024-05-13", "5000000", "15000000"},
		{"gpt-4o-mini-2024-07-18", "150000", "600000"},
		{"claude-haiku-5-5", "100000", "500000"},
		{"builtin:lexical", "0", "0"},
		{"gpt-4o-audio-preview", "", ""},
		{"gpt-5-codex", "", ""},
		{"claude-opus-4", "", ""},
		{"claude-opus-4-5-2", "", ""},
		{"mistral-large-2407", "", ""},
		{"mistral-large-latest", "", ""},
		{"", "", ""},
	}
	for _, test := range tests {
		price, ok := ListPrice(test.model)
		if ok != (test.input != "") {
			t.Errorf("price of %q: got one %v, want %v", test.model, ok, !ok)
		}
		if ok && (price.Input.RatString() != test.input || price.Output.RatString() != test.output) {
			t.Errorf("price of %q: got %v and %v, want %s and %s", test.model, price.Input, price.Output, test.input, test.output)
		}
	}
}

func TestPriceTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listPrices {
		input, okIn := new(big.Rat).SetString(p.input)
		output, okOut := new(big.Rat).SetString(p.output)
		if !okIn || !okOut || input.Sign() < 0 || output.Cmp(input) < 0 || output.Cmp(big.NewRat(1000, 1)) > 0 {
			t.Errorf("price of %s: %q and %q are no price", p.model, p.input, p.output)
		}
		if seen[p.model] {
			t.Errorf("%s has two prices", p.model)
		}
		seen[p.model] = true
		all := providerEnv("ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k", "GEMINI_API_KEY=k", "MISTRAL_API_KEY=k")
		if r, err := Resolve(Choice{Model: p.model}, all); err != nil || !r.Own {
			t.Errorf("%s has a price and no provider: %v", p.model, err)
		}
	}
}

func TestCostIsRoundedHalfUp(t *testing.T) {
	for _, test := range []struct {
		input, output int64
		in, out       string // micro-dollars per million tokens
		want          trace.Count
	}{
		{0, 0, "3000000", "15000000", trace.Known(0)},
		{1_000_000, 0, "3000000", "15000000", trace.Known(3_000_000)},
		{1, 0, "500000", "0", trace.Known(1)},
		{1, 0, "499999", "0", trace.Known(0)},
		{1, 1, "300000", "200000", trace.Known(1)},
		{1 << 62, 1 << 62, "3000000", "15000000", trace.Count{}},
	} {
		in, _ := new(big.Rat).SetString(test.in)
		out, _ := new(big.Rat).SetString(test.out)
		if got := RoundHalfUp(Price{Input: in, Output: out}.Of(test.input, test.output)); got != test.want {
			t.Errorf("cost of %d and %d tokens at %s and %s: got %v, want %v", test.input, test.output, test.in, test.out, got, test.want)
		}
	}
}
