package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/org/mcp-gates/internal/lists"
)

// The JSON form of a result. Fractions are texts with four decimals, rounded half up.
type (
	resultJSON struct {
		Accuracy         string          `json:"accuracy"`
		Intents          int             `json:"intents"`
		Correct          int             `json:"correct"`
		Wilson           [2]string       `json:"wilson"`
		MeanScore        *string         `json:"mean_score"` // null if schemas are unknown
		MinScore         *string         `json:"min_score"`  // null if schemas are unknown
		Smells           map[string]int  `json:"smells"`
		WhitespaceTokens *int64          `json:"whitespace_tokens"` // null if schemas are unknown
		SurfaceTokens    *int64          `json:"surface_tokens"`    // null if schemas are unknown, or if they were not counted
		Mutations        []effectJSON    `json:"mutations"`
		MaxDrop          *string         `json:"max_drop"` // null without mutations
		Confusions       []confusionJSON `json:"confusions"`
	}
	effectJSON struct {
		Tool                 string         `json:"tool"`
		Kind                 Kind           `json:"kind"`
		Chars                *int           `json:"chars,omitempty"`
		Word                 string         `json:"word,omitempty"`
		Accuracy             string         `json:"accuracy"`
		Drop                 string         `json:"drop"`
		Flipped              []string       `json:"flipped"`
		Smells               map[string]int `json:"smells"`
		TokensRemoved        int            `json:"tokens_removed"` // words between white space
		SurfaceTokensRemoved *int           `json:"surface_tokens_removed"`
	}
	confusionJSON struct {
		Intent string   `json:"intent"`
		Gold   []string `json:"gold"`
		Picked *string  `json:"picked"` // null if nothing was picked

		First []rankedJSON `json:"first,omitempty"` // only with explain
	}
	rankedJSON struct {
		Tool  string     `json:"tool"`
		Score string     `json:"score"`
		Words []wordJSON `json:"words"`
	}
	wordJSON struct {
		Word   string   `json:"word"`
		Weight string   `json:"weight"`
		Where  []string `json:"where"` // name, description
	}
)

// JSON writes a result as JSON with two-space indentation and a final newline. If explain is true, each wrong pick has the words
// that the first tools matched.
func JSON(w io.Writer, r *Result, explain bool) error { return encode(w, r.json(explain)) }

// Named is the result of one entry of a suite.
type Named struct {
	Name   string
	Result *Result
}

// ListJSON writes the results of a suite's entries as [JSON] does, as a list, each with its name.
func ListJSON(w io.Writer, list []Named, explain bool) error {
	type namedJSON struct {
		Name string `json:"name"`
		resultJSON
	}
	return encode(w, lists.Map(list, func(n Named) namedJSON { return namedJSON{n.Name, n.Result.json(explain)} }))
}

func encode(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

func (c Confusion) firstJSON() []rankedJSON {
	return lists.Map(c.First, func(r Ranked) rankedJSON {
		words := lists.Map(r.Words, func(w Word) wordJSON { return wordJSON{w.Text, hundredths(w.Weight), w.Where} })
		return rankedJSON{r.Tool, hundredths(r.Score), words}
	})
}

// json returns the result in the form that is written as JSON. If explain is true, confusions have their first tools.
func (r *Result) json(explain bool) resultJSON {
	out := resultJSON{
		Accuracy:   fraction(r.Accuracy()),
		Intents:    r.Intents,
		Correct:    r.Correct,
		Wilson:     [2]string{tenThousandths(r.WilsonLow), tenThousandths(r.WilsonHigh)},
		Smells:     r.Smells,
		Mutations:  lists.Map(r.Effects, r.effectJSON),
		Confusions: make([]confusionJSON, len(r.Confusions)),
	}
	if !r.SchemasUnknown {
		out.MeanScore, out.MinScore = new(tenThousandths(r.MeanScore)), new(tenThousandths(r.MinScore))
		out.WhitespaceTokens = &r.WhitespaceTokens
	}
	if r.Counted && !r.SchemasUnknown {
		out.SurfaceTokens = &r.SurfaceTokens
	}
	if drop, ok := r.MaxDrop(); ok {
		out.MaxDrop = new(fraction(drop))
	}
	for i, c := range r.Confusions {
		out.Confusions[i] = confusionJSON{Intent: c.Query, Gold: c.Gold}
		if c.Picked != "" {
			out.Confusions[i].Picked = &c.Picked
		}
		if explain {
			out.Confusions[i].First = c.firstJSON()
		}
	}
	return out
}

func (r *Result) effectJSON(e Effect) effectJSON {
	out := effectJSON{
		Tool: e.Tool, Kind: e.Mutation.Kind, Word: e.Mutation.Word,
		Accuracy: fraction(r.AccuracyAfter(e)), Drop: fraction(r.Drop(e)),
		Flipped: append([]string{}, e.Flipped...), Smells: e.Smells, TokensRemoved: e.WhitespaceRemoved,
	}
	if e.Mutation.Kind == truncate {
		out.Chars = &e.Mutation.Chars
	}
	if r.Counted {
		out.SurfaceTokensRemoved = &e.SurfaceRemoved
	}
	return out
}

// fraction returns a number with four decimals, halves rounded away from zero.
func fraction(f *big.Rat) string { return f.FloatString(4) }

func tenThousandths(n int) string { return fmt.Sprintf("%d.%04d", n/10000, n%10000) }
