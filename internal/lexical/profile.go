package lexical

import (
	"slices"
	"strings"
)

// Profile has the words of a tool. Only profiles of the same call of [Profiles] can be compared.
type Profile struct {
	terms []int32 // terms of the description, ascending, without repeats
	first []int32 // terms of the description, in the order in which they first occur
	name  []int32 // terms of the name, ascending, without repeats

	words, nameWords []int32 // terms and stop words of the description, and of the name, ascending, without repeats
	denials          int     // number of words in the description that negate

	vocab *sharedVocabulary
}

// sharedVocabulary has the terms of all profiles of one call of [Profiles], and the relations between the terms.
type sharedVocabulary struct {
	*vocabulary
	bare      map[int32][]int32 // maps a term with a turning prefix to the terms without the prefix
	opposites map[int32][]int32 // maps a term to the terms that are its opposites
}

// turning are the prefixes that turn a word into its opposite.
var turning = []string{"un", "dis", "de", "in", "im", "non", "mis"}

// Profiles returns the profiles of tools.
func Profiles(docs []Doc) []*Profile {
	shared := &sharedVocabulary{newVocabulary(nil), map[int32][]int32{}, map[int32][]int32{}}
	profiles := make([]*Profile, len(docs))
	for i, d := range docs {
		profiles[i] = shared.profile(d)
	}
	for stem, term := range shared.stems {
		for _, prefix := range turning {
			if bare, ok := shared.stems[strings.TrimPrefix(stem, prefix)]; ok && bare != term {
				shared.bare[term] = append(shared.bare[term], bare)
			}
		}
	}
	for _, pair := range oppositeStems() {
		one, ok := shared.stems[pair[0]]
		other, also := shared.stems[pair[1]]
		if ok && also {
			shared.opposites[one] = append(shared.opposites[one], other)
			shared.opposites[other] = append(shared.opposites[other], one)
		}
	}
	return profiles
}

func (v *sharedVocabulary) profile(d Doc) *Profile {
	p := &Profile{vocab: v}
	for word := range nameWords(d.Name) {
		v.note(&p.name, &p.nameWords, word)
	}
	for word := range strings.FieldsFuncSeq(d.Description, isSeparator) {
		v.note(&p.first, &p.words, word)
		if denials[strings.ToLower(word)] {
			p.denials++
		}
	}
	p.first = firsts(p.first)
	p.terms = ascending(slices.Clone(p.first))
	p.name, p.words, p.nameWords = ascending(p.name), ascending(p.words), ascending(p.nameWords)
	return p
}

// note appends a word to words and, unless it is a stop word, its term to terms.
func (v *sharedVocabulary) note(terms, words *[]int32, word string) {
	term := v.term(word)
	if term == stopped {
		term = v.number(strings.ToLower(word))
	} else {
		*terms = append(*terms, term)
	}
	*words = append(*words, term)
}

// ascending sorts terms in place and returns them, each once.
func ascending(terms []int32) []int32 {
	slices.Sort(terms)
	return slices.Compact(terms)
}

// firsts removes repeated terms in place, and keeps the order.
func firsts(terms []int32) []int32 {
	seen := make(map[int32]bool, len(terms))
	return slices.DeleteFunc(terms, func(term int32) bool {
		again := seen[term]
		seen[term] = true
		return again
	})
}

// Len returns the number of different terms of the description.
func (p *Profile) Len() int { return len(p.terms) }

// Common returns the number of terms that two descriptions share, and the number of different terms in the two descriptions. The
// quotient of both numbers is the Jaccard index.
func (p *Profile) Common(q *Profile) (common, together int) {
	for i, j := 0, 0; i < len(p.terms) && j < len(q.terms); {
		switch c, d := p.terms[i], q.terms[j]; {
		case c < d:
			i++
		case c > d:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return common, len(p.terms) + len(q.terms) - common
}

// SameSense reports whether two tools do the same, as far as their names and descriptions show. Shared words are not enough,
// because tools that do opposite things can share nearly all words of long descriptions. Two tools differ in sense if
//
//   - a word of either name is in only one of the descriptions ("resolve a thread", "unresolve a thread"), or the names have the
//     same words and the descriptions have these in another order ("the groups of a user", "the users of a group"),
//   - a word of one tool is the opposite of a word of the other, in the descriptions or in the names: by a prefix, such as un-, or
//     by the table of opposites,
//   - or one description has more words that negate.
func (p *Profile) SameSense(q *Profile) bool {
	return p.denials == q.denials && !p.OppositeNames(q) &&
		!p.vocab.areOpposed(p.words, q.words) && !p.vocab.hasTurned(p.terms, q.terms) && p.namesAlike(q)
}

// OppositeNames reports whether a word of one name is the opposite of a word in the other name.
func (p *Profile) OppositeNames(q *Profile) bool {
	return p.vocab.areOpposed(p.nameWords, q.nameWords) || p.vocab.hasTurned(p.name, q.name)
}

// namesAlike reports whether both descriptions contain the same terms of the names. If the names have equal terms, these terms must
// also first occur in the same order in both descriptions.
func (p *Profile) namesAlike(q *Profile) bool {
	unnamed := func(term int32) bool { return !holds(p.name, term) && !holds(q.name, term) }
	named := func(terms []int32) []int32 { return slices.DeleteFunc(slices.Clone(terms), unnamed) }
	if slices.Equal(p.name, q.name) {
		return slices.Equal(named(p.first), named(q.first))
	}
	return slices.Equal(named(p.terms), named(q.terms))
}

func holds(terms []int32, term int32) bool {
	_, ok := slices.BinarySearch(terms, term)
	return ok
}

// hasTurned reports whether a term of one ascending list is a term of the other list with a prefix of [turning]. Terms of both
// lists do not count.
func (v *sharedVocabulary) hasTurned(terms, others []int32) bool {
	return v.firstHasTurned(terms, others) || v.firstHasTurned(others, terms)
}

// firstHasTurned is hasTurned for a term with a prefix in the first list only.
func (v *sharedVocabulary) firstHasTurned(terms, others []int32) bool {
	return slices.ContainsFunc(terms, func(term int32) bool {
		bare := v.bare[term]
		return len(bare) > 0 && !holds(others, term) &&
			slices.ContainsFunc(bare, func(term int32) bool { return holds(others, term) })
	})
}

// Plain returns the words of a text, including stop words, in lower case and separated by blanks.
func Plain(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, isSeparator), " "))
}
