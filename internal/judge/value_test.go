package judge

import (
	"encoding/json"
	"math/big"
	"regexp"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzPlainDecimal compares with the expression that says what a number is.
func FuzzPlainDecimal(f *testing.F) {
	for _, text := range []string{"", "-", "+1", "0", "007", "1.", ".5", ".", "-1.50e+12", "1e", "1e+", "1E123", "1e1234", "1.5.2", "1 ", "\u0661", "0x1", "1e-5x", "--1"} {
		f.Add(text)
	}
	want := regexp.MustCompile(`^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?$`)
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := plainDecimal(text), want.MatchString(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	})
}

func TestValuePrinting(t *testing.T) {
	tests := []struct {
		value      Value
		text, json string
	}{
		{Int(50, Percent), "50%", "50"},
		{Int(3, Number), "3", "3"},
		{Int(1520, Tokens), "1520", "1520"},
		{Ratio(5833, 10000, Score), "0.5833", `"0.5833"`},
		{Ratio(1, 1, Score), "1.0000", `"1.0000"`},
		{Ratio(2, 3, Fraction), "0.6667", `"0.6667"`},
		{Ratio(5100, 1_000_000, Dollars), "$0.005100", `"0.005100"`},
		{Ratio(1, 8, TokensPerCorrect), "0.13", `"0.13"`},
		{Ratio(1004, 1000, TokensPerCorrect), "1.00", `"1.00"`},
		{Ratio(1005, 1000, TokensPerCorrect), "1.01", `"1.01"`},
		{Ratio(1, 2_000_000, DollarsPerCorrect), "$0.000001", `"0.000001"`},
		{Value{}, "0%", "0"},
	}
	for _, test := range tests {
		if got := test.value.Format(); got != test.text {
			t.Errorf("%v: Format() = %s, want %s", test.value, got, test.text)
		}
		if got, err := json.Marshal(test.value); err != nil || string(got) != test.json {
			t.Errorf("%v: JSON %s, %v, want %s", test.value, got, err, test.json)
		}
	}
}

func TestValueReadBack(t *testing.T) {
	tests := []struct {
		json string
		want Value
	}{
		{"50", Int(50, Number)}, {`"0.5833"`, Ratio(5833, 10000, Score)}, {`"0.005100"`, Ratio(51, 10000, Dollars)},
		{`"1.01"`, Ratio(101, 100, TokensPerCorrect)}, {"1e2", Int(100, Number)},
	}
	for _, test := range tests {
		var got Value
		if err := json.Unmarshal([]byte(test.json), &got); err != nil || got.Cmp(test.want) != 0 || got.Unit != test.want.Unit {
			t.Errorf("%s: got %v, %v, want %v", test.json, got, err, test.want)
		}
	}
	for _, bad := range []string{`"1.5"`, `"x.00"`, `"0.583x"`, "true", "{}", "1e999999999", "[]", `""`} {
		var got Value
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s: got %v, want an error", bad, got)
		}
	}
}

func TestActualText(t *testing.T) {
	for _, test := range []struct {
		actual any
		want   string
	}{
		{nil, "absent"}, {Int(50, Percent), "50%"}, {float64(0.25), "0.25"}, {float64(1e21), "1000000000000000000000"},
		{jsontext.Value(`{"a": 1}`), `{"a": 1}`}, {"<x>", `"<x>"`}, {[]string{"a", "b"}, `["a","b"]`}, {true, "true"},
	} {
		if got := ActualText(test.actual); got != test.want {
			t.Errorf("%v: got %s, want %s", test.actual, got, test.want)
		}
	}
}

func TestValueComparesExactly(t *testing.T) {
	third := Value{big.NewRat(1, 3), Fraction}
	if got := third.Cmp(Ratio(3333, 10000, Fraction)); got <= 0 {
		t.Errorf("1/3 compared with 0.3333: %d, want more than 0", got)
	}
	if got := (Value{}).Cmp(Int(0, Percent)); got != 0 {
		t.Errorf("the zero value compared with 0: %d, want 0", got)
	}
}

func TestPercentText(t *testing.T) {
	for _, test := range []struct{ rate, want string }{{"0.855", "85.5%"}, {"0.8", "80%"}, {"1", "100%"}, {"0", "0%"}, {"0.0001", "0.01%"}} {
		rate, _ := parseDecimal(test.rate)
		if got := PercentText(rate); got != test.want {
			t.Errorf("percentText(%s) = %s, want %s", test.rate, got, test.want)
		}
	}
}

func TestParseDecimalIsBounded(t *testing.T) {
	for _, ok := range []string{"0", "-1.5", "1e308", ".5", "0.70", "4.9e-324"} {
		if _, got := parseDecimal(ok); !got {
			t.Errorf("parseDecimal(%s) is refused, want it read", ok)
		}
	}
	for _, bad := range []string{"", "1e1000", "1e999999999", "0x1", "1/3", "Inf", "NaN", "1_0", "."} {
		if r, got := parseDecimal(bad); got {
			t.Errorf("parseDecimal(%q) = %s, want it refused", bad, r)
		}
	}
}
