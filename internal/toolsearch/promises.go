package toolsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint/english"
)

// Promise is a query made of a tool's own words, which should therefore find the tool.
type Promise struct {
	Tool     *catalog.Tool
	Sentence string // a sentence of the description, or the title
	Query    string // the content words of the sentence
}

// LeftOut counts what is left out, by the first reason that applies. Many counts descriptions, and all others count sentences.
type LeftOut struct {
	Short       int // fewer than two content words
	NamesOthers int // the sentence has the name of another tool
	NoASCII     int // no word in ASCII letters, if the client finds only these in descriptions
	Shared      int // several tools have the same words
	Many        int // descriptions with more than maxPromises sentences
}

// Total returns the sum of the counts.
func (l LeftOut) Total() int { return l.Short + l.NamesOthers + l.NoASCII + l.Shared + l.Many }

// maxPromises bounds the sentences of a description. Further ones are left out.
const maxPromises = 50

// Promises returns the promises of the tools for models: a query of the content words of each sentence of the
// description, and of the title, in the order of the tools. A sentence that a tool repeats counts once.
func Promises(tools []*catalog.Tool, client *Client) ([]Promise, LeftOut) {
	c := promiser{client: client, names: map[string]bool{}, owners: map[string]*catalog.Tool{}, shared: map[string]bool{}}
	for _, t := range tools {
		c.names[t.Name] = true
	}
	for _, t := range tools {
		if !t.ForAppsOnly() {
			c.addTool(t)
		}
	}
	c.list = slices.DeleteFunc(c.list, func(p Promise) bool {
		if c.shared[keyOf(p.Query)] {
			c.leftOut.Shared++
			return true
		}
		return false
	})
	return c.list, c.leftOut
}

// MostPromises returns an upper bound for the promises of a tool, without reading its sentences.
func MostPromises(t *catalog.Tool) int {
	return 2 + strings.Count(t.Description, ".") + strings.Count(t.Description, "\n")
}

// promiser makes the promises of a catalog.
type promiser struct {
	client  *Client
	names   map[string]bool          // names of all tools
	owners  map[string]*catalog.Tool // the first tool with a query
	shared  map[string]bool          // queries of several tools
	list    []Promise
	leftOut LeftOut
}

// addTool adds the sentences of a tool that promise something, and counts the others by reason.
func (c *promiser) addTool(t *catalog.Tool) {
	sentences := english.Sentences(t.Description, maxPromises+1)
	if len(sentences) > maxPromises {
		sentences = sentences[:maxPromises]
		c.leftOut.Many++
	}
	if t.Title != "" {
		sentences = append(english.Sentences(t.Title, 1), sentences...)
	}
	for _, sentence := range sentences {
		words := contentWords(sentence)
		switch {
		case len(words) < 2:
			c.leftOut.Short++
		case c.namesOther(sentence, t.Name):
			c.leftOut.NamesOthers++
		case c.client.asciiWords && !slices.ContainsFunc(words, hasASCII):
			c.leftOut.NoASCII++
		default:
			c.addPromise(Promise{t, sentence, strings.Join(words, " ")})
		}
	}
}

func (c *promiser) addPromise(p Promise) {
	key := keyOf(p.Query)
	switch owner := c.owners[key]; {
	case owner == nil:
		c.owners[key] = p.Tool
		c.list = append(c.list, p)
	case owner != p.Tool:
		c.shared[key] = true
		c.list = append(c.list, p)
	}
}

// keyOf returns the same key for all queries with the same words.
func keyOf(query string) string {
	words := strings.Fields(strings.ToLower(query))
	slices.Sort(words)
	return strings.Join(words, " ")
}

// contentWords returns the words of a sentence that are not stop words, each once. A word is a run of letters, digits,
// "_" and apostrophes between letters.
func contentWords(sentence string) (words []string) {
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return !isWordRune(r) && r != '\'' && r != '’' }) {
		word = strings.Trim(word, "'’_")
		lower := strings.ReplaceAll(strings.ToLower(word), "’", "'")
		if word == "" || nltkStopWords[lower] || seen[lower] {
			continue
		}
		seen[lower] = true
		words = append(words, word)
	}
	return words
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func hasASCII(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r < utf8.RuneSelf && isASCIIWordRune(r) })
}

// namesOther reports whether a sentence has the name of a tool other than own. A name that may be an English word, such
// as search, counts only between backticks or quotation marks.
func (c *promiser) namesOther(sentence, own string) bool {
	isEdge := func(r rune) bool { return !isWordRune(r) }
	for field := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("-./`\"'", r) }) {
		name := strings.TrimFunc(field, isEdge)
		if name != own && c.names[name] && (!isPlainWord(name) || strings.ContainsAny(field, "`\"'")) {
			return true
		}
	}
	return false
}

// isPlainWord reports whether a name has only letters, at most the first of them a capital.
func isPlainWord(name string) bool {
	_, size := utf8.DecodeRuneInString(name)
	return strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && strings.IndexFunc(name[size:], unicode.IsUpper) < 0
}
