package english

import (
	"slices"
	"strings"
)

// Form is a way in which a description introduces a fixed set of values.
type Form int

// The forms.
const (
	Labelled   Form = iota // allowed values: a, b
	OneOf                  // one of a, b or c
	Barred                 // a|b|c
	QuotedList             // must be 'a' or 'b'
	Either                 // either a or b
)

// Forms lists the forms, the most certain first: a description with several forms counts as the first.
var Forms = []Form{Labelled, OneOf, Barred, QuotedList, Either}

// find returns the values in this form, or fewer than two values if there is no set.
func (f Form) find(p prose) []string {
	switch f {
	case OneOf:
		return p.introduced(prose.oneOf)
	case Barred:
		return p.barSeparated()
	case QuotedList:
		return p.quotedList()
	case Either:
		if values := p.introduced(prose.afterEither); len(values) == 2 {
			return values
		}
		return nil
	}
	return p.introduced(prose.label)
}

// oneOf reports whether word i begins "one of", and returns the start of the list. A phrase such as "the following values" and a
// colon may precede the list.
func (p prose) oneOf(i int) (at int, ok bool) {
	if p.word(i) != "one" || p.word(i+1) != "of" || p.ofAnother(p.words[i].Start) {
		return 0, false
	}
	return p.behindColon(p.words[p.behindFollowing(i+2)-1].End), true
}

// behindFollowing returns the index of the word after a phrase such as "the following values" or "these options" that begins at
// i; i itself if there is none. A lone "the" is not such a phrase: "one of the owner, team or project".
func (p prose) behindFollowing(i int) int {
	end := i
	for j := i; j < i+maxLabel; j++ {
		switch w := p.word(j); {
		case w == "the":
		case allowing[w], valueNouns[w], setWords[w]:
			end = j + 1
		default:
			return end
		}
	}
	return end
}

// setWords are words between "one of" and a list.
var setWords = setOf("following these strings keywords types modes formats")

func (p prose) afterEither(i int) (at int, ok bool) {
	if p.word(i) != "either" || p.ofAnother(p.words[i].Start) {
		return 0, false
	}
	return p.words[i].End, true
}

// ofAnother reports whether the clause before an offset shows that the values after it belong to another argument, or are
// refused: "required if the kind is one of a or b", "used with either a or b", "must not be one of a or b".
func (p prose) ofAnother(at int) bool {
	before := p.sentenceBefore(at)
	clause := plainWords(before[strings.LastIndexAny(before, ",:;(—–")+1:])
	hasCondition := slices.ContainsFunc(clause, func(w string) bool { return whens[w] || refusals[w] })
	endsInCondition := len(clause) > 0 && conditions[clause[len(clause)-1]]
	return hasCondition || endsInCondition
}

// whens are words that begin a condition.
var whens = setOf("when if where unless")

// refusals are words that reverse the meaning of a clause; the t is that of "can't".
var refusals = setOf("not cannot never except reserved forbidden t")
