package lexical

import "strings"

// SharedWords returns the words of a query whose stems are in the name or the description of a tool. The words are in lower case
// and in the order of the query, each stem once.
func SharedWords(query string, tools []Doc) []string {
	vocab := newVocabulary(nil)
	has := map[int32]bool{}
	for _, d := range tools {
		for _, term := range vocab.text(vocab.name(nil, d.Name), d.Description) {
			has[term] = true
		}
	}
	var words []string
	for word := range strings.FieldsFuncSeq(query, isSeparator) {
		if term := vocab.term(word); term != stopped && has[term] {
			words = append(words, strings.ToLower(word))
			has[term] = false
		}
	}
	return words
}
