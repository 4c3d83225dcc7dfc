package suggest

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lint/english"
)

// Bounds on the intents of a server, which users replace by their own users' requests.
const (
	maxOfTool    = 3   // intents of a tool
	maxIntents   = 100 // bound for a server whose tools have several intents each
	maxTools     = 500 // tools that have an intent
	maxSentences = 20  // sentences of a tool that are examined
	maxQuery     = 200 // characters; a longer sentence is cut at a word
)

// sentence is a sentence of a tool's description that may become an intent.
type sentence struct {
	intent
	tool             int  // index of the tool
	position         int  // place among the tool's sentences
	needsDescription bool // the sentence does not lead to the tool if all descriptions are vague
}

// intentsOf returns sentences of the descriptions that lead to their tools today, sorted by tool name and then in the order of
// the description. Sentences that need the description to lead to their tool are preferred. Sentences that are only about
// parameters, or that several tools have, are left out.
func intentsOf(tools []*catalog.Tool) (all []intent) {
	tools = byName(tools)
	for _, one := range selectFew(keepLeading(sentencesOf(tools), tools), len(tools)) {
		all = append(all, one.intent)
	}
	return all
}

func propertiesOf(t *catalog.Tool) []string {
	if properties := t.Input().Get("properties").Object(); properties != nil {
		return properties.Keys
	}
	return nil
}

func byName(tools []*catalog.Tool) []*catalog.Tool {
	tools = slices.DeleteFunc(slices.Clone(tools), func(t *catalog.Tool) bool { return !isName(t.Name) })
	slices.SortStableFunc(tools, func(a, b *catalog.Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

// sentencesOf returns the sentences of all descriptions that occur in only one tool.
func sentencesOf(tools []*catalog.Tool) (all []sentence) {
	owners := map[string]int{} // maps words to the index of their tool plus 1; -1 if several tools have them
	var keys []string
	for i, t := range tools {
		parameters := strings.Join(propertiesOf(t), " ")
		for at, text := range english.Sentences(t.Description, maxSentences) {
			text = shorten(strings.Fields(text))
			key := wordsOf(text, text)
			if key == "" || isAboutParameters(text, parameters) {
				continue
			}
			if owner := owners[key]; owner != 0 && owner != i+1 {
				owners[key] = -1
			} else {
				owners[key] = i + 1
			}
			all, keys = append(all, sentence{intent: intent{text, t}, tool: i, position: at}), append(keys, key)
		}
	}
	var own []sentence
	seen := map[string]bool{}
	for i, one := range all {
		if owners[keys[i]] > 0 && !seen[keys[i]] {
			own = append(own, one)
		}
		seen[keys[i]] = true
	}
	return own
}

// keepLeading returns the sentences that lead to their tools, and marks those that depend on the descriptions.
func keepLeading(all []sentence, tools []*catalog.Tool) (kept []sentence) {
	queries := make([]string, len(all))
	for i, one := range all {
		queries[i] = one.query
	}
	ownDocs, vagueDocs := make([]lexical.Doc, len(tools)), make([]lexical.Doc, len(tools))
	for i, t := range tools {
		ownDocs[i], vagueDocs[i] = lexical.Doc{Name: t.Name, Description: t.Description}, lexical.Doc{Name: t.Name, Description: bench.Vague}
	}
	today, withVague := lexical.NewSelector(ownDocs, queries).Picks(), lexical.NewSelector(vagueDocs, queries).Picks()
	for i, one := range all {
		if today[i] == one.tool {
			one.needsDescription = withVague[i] != one.tool
			kept = append(kept, one)
		}
	}
	return kept
}

// selectFew returns a few sentences of each tool, in the order of the tools.
func selectFew(all []sentence, tools int) (chosen []sentence) {
	maxEach := max(1, min(maxOfTool, maxIntents/max(1, tools)))
	for len(all) > 0 && all[0].tool < maxTools {
		n := slices.IndexFunc(all, func(s sentence) bool { return s.tool != all[0].tool })
		if n < 0 {
			n = len(all)
		}
		ofTool := slices.Clone(all[:n])
		all = all[n:]
		sort.SliceStable(ofTool, func(i, j int) bool {
			a, b := &ofTool[i], &ofTool[j]
			return orderOf(a.needsDescription)-orderOf(b.needsDescription) < 0
		})
		ofTool = ofTool[:min(maxEach, len(ofTool))]
		sort.SliceStable(ofTool, func(i, j int) bool {
			a, b := &ofTool[i], &ofTool[j]
			return a.position-b.position < 0
		})
		chosen = append(chosen, ofTool...)
	}
	return chosen
}

func shorten(words []string) string {
	var text string
	for _, word := range words {
		longer := strings.TrimSpace(text + " " + word)
		if utf8.RuneCountInString(longer) > maxQuery {
			break
		}
		text = longer
	}
	return text
}

// wordsOf returns the words that a sentence shares with a text, as stems without stop words.
func wordsOf(sentence, text string) string {
	return strings.Join(lexical.SharedWords(sentence, []lexical.Doc{{Description: text}}), " ")
}

func isAboutParameters(sentence, parameters string) bool {
	if before, _, ok := strings.Cut(sentence, ":"); ok {
		words := wordsOf(before, before)
		return words != "" && words == wordsOf(before, parameters+" args arguments parameters inputs string number boolean array object optional required")
	}
	return wordsOf(sentence, sentence) == wordsOf(sentence, parameters)
}
