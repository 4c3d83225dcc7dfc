package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// Text writes a result for people. Mutations that changed no pick are only counted. If explain is true, it also writes, for each
// wrong pick, the words that the first tools matched.
func Text(w io.Writer, r *Result, explain bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "accuracy %s (%d of %d intents), 95 %% interval %s to %s\n", fraction(r.Accuracy()), r.Correct,
		r.Intents, tenThousandths(r.WilsonLow), tenThousandths(r.WilsonHigh))
	r.writeQuality(&b)
	r.writeEffects(&b)
	r.writeThefts(&b, explain)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) writeQuality(b *strings.Builder) {
	if r.SchemasUnknown {
		fmt.Fprintf(b, "the catalog is a manifest without schemas: scores and tokens are absent; smells of names and descriptions: %s\n", smellText(r.Smells))
		return
	}
	fmt.Fprintf(b, "score %s mean, %s lowest; smells: %s\n", tenThousandths(r.MeanScore), tenThousandths(r.MinScore), smellText(r.Smells))
	fmt.Fprintf(b, "cost %d whitespace tokens", r.WhitespaceTokens)
	if r.Counted {
		fmt.Fprintf(b, ", %d cl100k tokens", r.SurfaceTokens)
	}
	b.WriteString("\n")
}

func (r *Result) writeEffects(b *strings.Builder) {
	idle := 0
	for i, e := range r.Effects {
		if i == 0 {
			b.WriteString("\nmutations\n")
		}
		if len(e.Flipped) == 0 {
			idle++
			continue
		}
		r.writeEffect(b, e)
	}
	if idle > 0 {
		fmt.Fprintf(b, "  %d of %d change no pick\n", idle, len(r.Effects))
	}
	if drop, ok := r.MaxDrop(); ok {
		fmt.Fprintf(b, "  largest drop %s\n", fraction(drop))
	}
}

func (r *Result) writeEffect(b *strings.Builder, e Effect) {
	fmt.Fprintf(b, "  %s of %s: accuracy %s (drop %s), %s tokens removed; new smells: %s\n", e.Mutation.text(), plain(e.Tool),
		fraction(r.AccuracyAfter(e)), fraction(r.Drop(e)), r.removedText(e), smellText(e.Smells))
	for _, query := range e.Flipped {
		fmt.Fprintf(b, "    flipped %q\n", query)
	}
}

func (r *Result) removedText(e Effect) string {
	if !r.Counted {
		return strconv.Itoa(e.WhitespaceRemoved)
	}
	return fmt.Sprintf("%d whitespace, %d cl100k", e.WhitespaceRemoved, e.SurfaceRemoved)
}

func (m Mutation) text() string {
	switch m.Kind {
	case truncate:
		return fmt.Sprintf("%s to %d", m.Kind, m.Chars)
	case dropKeyword:
		return fmt.Sprintf("%s %q", m.Kind, m.Word)
	}
	return string(m.Kind)
}

func (r *Result) writeThefts(b *strings.Builder, explain bool) {
	for i, theft := range r.thefts() {
		if i == 0 {
			b.WriteString("\nwrong picks\n")
		}
		what := "nothing"
		if theft.Tool != "" {
			what = plain(theft.Tool)
		}
		fmt.Fprintf(b, "  %s, for %d\n", what, len(theft.Intents))
		for _, c := range theft.Intents {
			fmt.Fprintf(b, "    %q, expected %s%s\n", c.Query, strings.Join(lists.Map(c.Gold, plain), " or "), tieText(c))
			if explain {
				c.writeFirst(b)
			}
		}
	}
}

func tieText(c Confusion) string {
	tied := c.tied()
	if tied == nil {
		return ""
	}
	least := ""
	if len(tied) == mostExplained { // further tools are not ranked, and may also be tied
		least = "at least "
	}
	return "; a tie of " + least + strings.Join(lists.Map(tied, plain), " and ") + ", of which the name that sorts first is picked"
}

func (c Confusion) writeFirst(b *strings.Builder) {
	for i, r := range c.First {
		words := lists.Map(r.Words, func(w Word) string {
			return fmt.Sprintf("%s %s (%s)", plain(w.Text), hundredths(w.Weight), strings.Join(w.Where, ", "))
		})
		fmt.Fprintf(b, "      %d. %s, score %s: %s\n", i+1, plain(r.Tool), hundredths(r.Score), strings.Join(words, ", "))
	}
}

// hundredths returns a score in 1e-9 with two decimals, rounded to the nearest.
func hundredths(n int64) string {
	const unit = 10_000_000
	n = (n + unit/2) / unit
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}

// plain returns a name unchanged, or quoted if it has characters that mislead on a terminal.
func plain(name string) string {
	if quoted := strconv.Quote(name); name == "" || quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

func smellText(smells map[string]int) string {
	if len(smells) == 0 {
		return "none"
	}
	names := slices.Sorted(maps.Keys(smells))
	return strings.Join(lists.Map(names, func(name string) string { return fmt.Sprintf("%s %d", name, smells[name]) }), ", ")
}
