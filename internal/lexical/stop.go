package lexical

import "strings"

// stopWords is the English stop word list of the Snowball project, without its contractions: a contraction has an apostrophe, so
// it is never one run of letters. The list leaves out will, shall, can, may, might and must, which are also nouns.
var stopWords = words(`
	i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
	it its itself they them their theirs themselves what which who whom this that these those
	am is are was were be been being have has had having do does did doing would should could ought cannot
	a an the and but if or because as until while of at by for with about against between into through during before
	after above below to from up down in out on off over under again further then once here there when where why how
	all any both each few more most other some such no nor not only own same so than too very
`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
