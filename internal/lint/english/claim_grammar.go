package english

import (
	"slices"
	"strings"
)

// Words that decide whether a clause claims something.
var (
	adverbs      = setOf("also now already just then even both all successfully automatically finally again since thus additionally too")
	negations    = setOf("not never no none nothing neither nor unable cannot can't without failed fail fails hardly")
	modals       = setOf("will would shall should can could may might must i'll we'll i'd we'd you'll it'll won't to")
	conditionals = setOf("if once when whenever after before unless until whether assuming provided suppose in-case")
	relatives    = setOf("that which who whom what whose where there it he she they it's")
	authors      = setOf("i we")
	perfects     = setOf("i've we've")
	months       = setOf("january february march april may june july august september october november december")
	historic     = setOf("ago originally previously recently earlier historically initially yesterday last first century since")
	answers      = setOf(`summary list guide plan recommendation recommendations analysis overview itinerary comparison breakdown
explanation answer response outline suggestion suggestions tips advice information details section sections steps strategy options
poem essay story draft example examples context notes insights`)
)

func (s sentence) claims(forms map[string]verbForm) []Claim {
	if s.question {
		return nil
	}
	var claims []Claim
	var last voice
	for i, t := range s.tokens {
		form, ok := forms[t.word]
		if !ok {
			continue
		}
		how := s.voiceAt(i, form)
		if how == noClaim && s.continues(i) {
			how = s.continuedVoice(i, form, last)
		}
		if how == noClaim || s.isNoClaim(i, how) {
			continue
		}
		last = how
		claims = append(claims, s.claim(i, form.verb, how))
	}
	return claims
}

// voice is the grammatical form of a verb that claims something.
type voice int

const (
	noClaim voice = iota
	active
	passivePerfect
	passivePast
)

// voiceAt returns the voice of the verb at i, by the words just before it; noClaim if the verb claims nothing.
func (s sentence) voiceAt(i int, form verbForm) voice {
	j := s.wordBefore(i)
	switch word := s.word(j); {
	case perfects[word] && form.participle:
		return active
	case word == "have" && form.participle && authors[s.word(s.wordBefore(j))]:
		return active
	case authors[word] && form.past:
		return active
	case word == "been" && form.participle:
		return s.perfectAt(s.wordBefore(j))
	case (word == "was" || word == "were") && form.participle && !relatives[s.word(s.wordBefore(j))]:
		return passivePast
	case j < 0 && form.participle && s.opensWithSuccess(i):
		return active
	}
	return noClaim
}

// perfectAt returns passivePerfect if "has" or "have" at j makes a claim of the "been" after it.
func (s sentence) perfectAt(j int) voice {
	word, before := s.word(j), s.word(s.wordBefore(j))
	if word != "has" && word != "have" || relatives[before] || modals[before] {
		return noClaim
	}
	return passivePerfect
}

func (s sentence) opensWithSuccess(i int) bool { return i > 0 && s.tokens[0].word == "successfully" }

// wordBefore returns the index of the last word before i that is not an adverb; below 0 if there is none.
func (s sentence) wordBefore(i int) int {
	for i--; i >= 0; i-- {
		word := s.tokens[i].word
		endsLikeAdverb := strings.HasSuffix(word, "ly") && len(word) > 4 && word != "reply" && word != "apply"
		if !adverbs[word] && !endsLikeAdverb {
			return i
		}
	}
	return -1
}

func (s sentence) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].word
}

// continues reports whether the verb at i continues an earlier claim: created the file and saved it.
func (s sentence) continues(i int) bool {
	j := s.wordBefore(i)
	return j > 0 && (s.word(j) == "and" || s.word(j) == "," && s.goesOn(i))
}

// continuedVoice returns the voice of a verb that continues a claim: the voice of the last claim, or active in a
// sentence that begins with I or we, for example: I have read the papers and created a report.
func (s sentence) continuedVoice(i int, form verbForm, last voice) voice {
	first := s.word(0)
	if last != noClaim || !authors[first] && !perfects[first] {
		return last
	}
	isPerfect := perfects[first] || s.word(1) == "have"
	if isPerfect && !form.participle || !isPerfect && !form.past {
		return noClaim
	}
	for _, t := range s.tokens[1:i] {
		isNegation := negations[t.word] || strings.HasSuffix(t.word, "n't")
		if isNegation || modals[t.word] || relatives[t.word] || t.word == "to" || t.word == "you" {
			return noClaim
		}
	}
	return active
}

// goesOn reports whether a list of verbs continues after a comma: created, saved, and sent.
func (s sentence) goesOn(i int) bool {
	return s.word(i+1) == "," || s.word(i+1) == "and"
}

// start returns the start of the clause of the word at i: after the last comma or similar mark, or a conjunction.
func (s sentence) start(i int) int {
	for j := i - 1; j >= 0; j-- {
		if s.tokens[j].mark || s.tokens[j].word == "but" || s.tokens[j].word == "however" {
			return j + 1
		}
	}
	return 0
}

func (s sentence) isNoClaim(i int, how voice) bool {
	clause := s.tokens[s.start(i):i]
	if slices.ContainsFunc(clause, func(t token) bool {
		return negations[t.word] || conditionals[t.word] || strings.HasSuffix(t.word, "n't")
	}) {
		return true
	}
	next := s.word(i + 1)
	if negations[next] || conditionals[s.tokens[0].word] && s.start(i) == 0 {
		return true
	}
	if how == active {
		return next == "together" || next == "out" || s.inAnswer(i)
	}
	return s.isOfOthers(i) || how == passivePast && s.isHistory(i)
}

// inAnswer reports whether the object of the verb at i is a part of the answer itself: a summary, a plan.
func (s sentence) inAnswer(i int) bool {
	for j := i + 1; j < len(s.tokens) && j <= i+6; j++ {
		if s.tokens[j].mark || s.tokens[j].word == "" {
			return false
		}
		if answers[s.tokens[j].word] {
			return true
		}
	}
	return false
}

// isOfOthers reports whether the text names someone else as the author: written by its author.
func (s sentence) isOfOthers(i int) bool {
	for j := i + 1; j < len(s.tokens) && j <= i+3; j++ {
		if s.tokens[j].word == "by" {
			by := s.word(j + 1)
			return by != "me" && by != "us" && !strings.HasSuffix(by, "ing")
		}
	}
	return false
}

// isHistory reports whether a clause in the passive is about the past: it has a year, a month or a word such as originally.
func (s sentence) isHistory(i int) bool {
	for j := s.start(i); j < len(s.tokens) && j <= i+8; j++ {
		word := s.tokens[j].word
		if months[word] || historic[word] || isYear(word) {
			return true
		}
	}
	return false
}

func isYear(word string) bool {
	if len(word) < 4 || strings.Trim(word[:4], "0123456789") != "" {
		return false
	}
	isRecent := word[0] == '1' && word[1] >= '5' || strings.HasPrefix(word, "20")
	endsYear := len(word) == 4 || word[4] == '-' || word[4] == '/' || word[4:] == "s"
	return isRecent && endsYear
}

func (s sentence) claim(i int, verb string, how voice) Claim {
	first := s.start(i)
	c := Claim{Verb: verb, Clause: Span{s.tokens[first].at.Start, s.end}}
	if how == active {
		last := i
		for last+1 < len(s.tokens) && !s.tokens[last+1].mark && s.tokens[last+1].word != "and" {
			last++
		}
		c.Object = Span{s.tokens[i].at.End, s.tokens[last].at.End}
		return c
	}
	c.Object = Span{s.tokens[first].at.Start, s.tokens[i].at.Start}
	return c
}
