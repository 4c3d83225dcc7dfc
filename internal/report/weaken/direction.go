package weaken

import (
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// direction reports whether a change goes in one certain direction, such as "lower".
type direction func(change) answer

// answer is yes, no or unknown. The zero answer is no.
type answer int

const (
	no answer = iota
	yes
	unknown // for example because a list was too long to be kept
)

func answerIf(is bool) answer {
	if is {
		return yes
	}
	return no
}

func added(c change) answer       { return answerIf(len(c.base) == 0) }
func removed(c change) answer     { return answerIf(len(c.head) == 0) }
func onOneSide(c change) answer   { return answerIf(len(c.base) == 0 || len(c.head) == 0) }
func onBothSides(c change) answer { return answerIf(len(c.base) > 0 && len(c.head) > 0) }
func anyChange(change) answer     { return yes }

// lower and higher are directions of a number that base and head have.
func lower(c change) answer  { return c.moved(-1) }
func higher(c change) answer { return c.moved(1) }

// moved reports whether the number moved in a direction: to is -1 for down, 1 for up.
func (c change) moved(to int) answer {
	base, okBase := rational(string(c.base.text()))
	head, okHead := rational(string(c.head.text()))
	if !okBase || !okHead {
		return unknown
	}
	return answerIf(head.Cmp(base) == to)
}

// rational parses a whole number, a decimal number or a fraction of whole numbers.
func rational(text string) (*big.Rat, bool) {
	if above, below, isFraction := strings.Cut(text, "/"); isFraction {
		a, okA := report.Digits(above)
		b, okB := report.Digits(below)
		if !okA || !okB || b.Sign() == 0 {
			return nil, false
		}
		return a.Quo(a, b), true
	}
	return report.Digits(text)
}

// towards returns the direction from the first of the words to the last, which is the weakest.
func towards(words ...string) direction {
	return func(c change) answer {
		base, head := slices.Index(words, string(c.base.text())), slices.Index(words, string(c.head.text()))
		if base < 0 || head < 0 {
			return unknown
		}
		return answerIf(head > base)
	}
}

// more and fewer are the directions of a list that has gained, or lost, entries. The order of the entries does not matter.
func more(c change) answer  { return hasSurplus(c.head, c.base) }
func fewer(c change) answer { return hasSurplus(c.base, c.head) }

// hasSurplus reports whether the list a has an entry that the list b does not have.
func hasSurplus(a, b setting) answer {
	if a.isCut() || b.isCut() {
		return unknown
	}
	return answerIf(len(surplus(a.set(), b.set())) > 0)
}

func emptied(c change) answer { return answerIf(len(c.head.items()) == 0) }

// reordered reports whether base and head have the same entries in a different order.
func (c change) reordered() bool {
	return onBothSides(c) == yes && slices.Equal(c.base.multiset(), c.head.multiset())
}
