package toolsearch

import (
	"index/suffixarray"
	"slices"
	"strings"
)

// substrings finds the names that contain a text.
type substrings struct {
	at    map[string]int // index of a name in names
	names []string
	tools [][]int32 // tools that have the name, ascending

	text   []byte // the names one after another
	starts []int  // start of each name in text
	index  *suffixarray.Index
}

func (s *substrings) add(name string, tool int32) {
	if name == "" {
		return
	}
	if s.at == nil {
		s.at = map[string]int{}
	}
	i, ok := s.at[name]
	if !ok {
		i = len(s.names)
		s.at[name] = i
		s.names, s.tools = append(s.names, name), append(s.tools, nil)
	}
	if n := len(s.tools[i]); n == 0 || s.tools[i][n-1] != tool {
		s.tools[i] = append(s.tools[i], tool)
	}
}

func (s *substrings) build() {
	for _, name := range s.names {
		s.starts = append(s.starts, len(s.text))
		s.text = append(s.text, name...)
		s.text = append(s.text, 0)
	}
	s.index = suffixarray.New(s.text)
}

// find calls found for each occurrence of a text in a name, in any order.
func (s *substrings) find(text string, found func(name string, at int, tools []int32)) {
	for _, offset := range s.index.Lookup([]byte(text), -1) {
		i, isStart := slices.BinarySearch(s.starts, offset)
		if !isStart {
			i--
		}
		if at := offset - s.starts[i]; at+len(text) <= len(s.names[i]) {
			found(s.names[i], at, s.tools[i])
		}
	}
}

// addWords notes the words of a tool's text, and each text without blanks between two words. A word is a run of \w.
func addWords(tools map[string][]int32, text string, tool int32) {
	note := func(word string) {
		if list := tools[word]; len(list) == 0 || list[len(list)-1] != tool {
			tools[word] = append(list, tool)
		}
	}
	start, end := -1, -1 // start and end of the last word
	for i := 0; i <= len(text); i++ {
		isWord := i < len(text) && isASCIIWordRune(rune(text[i]))
		switch {
		case isWord && start < 0:
			if end >= 0 && strings.IndexFunc(text[end:i], isBlank) < 0 {
				note(text[end:i])
			}
			start = i
		case !isWord && start >= 0:
			note(text[start:i])
			start, end = -1, i
		}
	}
}

// toolsWithTerm returns the tools in whose text a term occurs between word boundaries, like \bTERM\b in JavaScript.
func toolsWithTerm(tools map[string][]int32, term string, text func(tool int32) string) []int32 {
	var least []int32
	runs, word := 0, ""
	for run := range strings.FieldsFuncSeq(term, func(r rune) bool { return !isASCIIWordRune(r) }) {
		if list := tools[run]; runs == 0 || len(list) < len(least) {
			least, word = list, run
		}
		runs++
	}
	switch {
	case runs == 0:
		return tools[term] // the term is exactly the text between two words
	case word == term:
		return least
	}
	var all []int32
	for _, tool := range least {
		if hasWord(text(tool), term) {
			all = append(all, tool)
		}
	}
	return all
}

func hasWord(text, term string) bool {
	for from := 0; ; from++ {
		i := strings.Index(text[from:], term)
		if i < 0 {
			return false
		}
		from += i
		if isBoundary(text, from) && isBoundary(text, from+len(term)) {
			return true
		}
	}
}

func isBoundary(text string, at int) bool {
	before := at > 0 && isASCIIWordRune(rune(text[at-1]))
	after := at < len(text) && isASCIIWordRune(rune(text[at]))
	return before != after
}
