package suggest

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/trace"
)

// intent is a request with the tool that it leads to.
type intent struct {
	query string
	gold  *catalog.Tool
}

// maxNamed bounds the requests of a server from which the recorded case is selected.
const maxNamed = 30

// nameIntents returns the words of each tool's name as a request, in the order of the names, if these words lead to the tool.
func nameIntents(tools []*catalog.Tool) (all []intent) {
	spec := bench.Spec{Catalog: &catalog.Catalog{Tools: tools}}
	queries := map[string]int{}
	for _, t := range tools {
		words := strings.Join(english.NameWords(t.Name), " ")
		queries[words]++
		if words != "" && isName(t.Name) && isName(words) {
			all = append(all, intent{words, t})
			spec.Intents = append(spec.Intents, bench.Intent{Query: words, Gold: []*catalog.Tool{t}})
		}
	}
	if len(all) == 0 {
		return nil
	}
	missed := map[string]bool{}
	for _, c := range bench.Run(spec, nil).Confusions {
		missed[c.Query] = true
	}
	all = slices.DeleteFunc(all, func(i intent) bool { return missed[i.query] || queries[i.query] > 1 })
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Compare(a.gold.Name, b.gold.Name) < 0
	})
	return all[:min(maxNamed, len(all))]
}

// starterCase is a case that may be recorded.
type starterCase struct {
	server   *starterServer
	intent   intent
	required int  // number of texts that the tool requires
	isMarked bool // the server marks the tool as only reading
}

// RecordedCase matches only the id of the recorded case.
var RecordedCase = regexp.MustCompile(`::.*::` + regexp.QuoteMeta(trace.ModelLexical) + `$`)

func (c *starterCase) name() string { return c.intent.query + " of " + c.server.Name }

// prompt returns the request as a sentence. The built-in agent uses quoted texts as arguments.
func (c *starterCase) prompt() string {
	_, first := utf8.DecodeRuneInString(c.intent.query)
	given := strings.Repeat(` "example"`, c.required)
	return strings.ToUpper(c.intent.query[:first]) + c.intent.query[first:] + given + "."
}

// candidates returns the cases that may be recorded: cases of tools that only read, that require at most one text, whose names lead
// to them, and that have no word for secrets or for the machine's environment. Tools with such a word are added to s.privateTools.
// Tools that require nothing come first. Among these, tools that the server marks as only reading come first.
func (s *starting) candidates() (cases []starterCase) {
	for _, server := range s.servers {
		if !server.isLive() {
			continue // a catalog cannot be run
		}
		for _, one := range nameIntents(server.Tools) {
			reads, isMarked := onlyReads(one.gold)
			required, isSimple := requiredTexts(one.gold)
			if !reads || !isSimple {
				continue
			}
			if word, _ := privateWord(one.gold); word != "" {
				s.privateTools = append(s.privateTools, one.gold)
				continue
			}
			cases = append(cases, starterCase{server, one, required, isMarked})
		}
	}
	sort.SliceStable(cases, func(i, j int) bool {
		a, b := &cases[i], &cases[j]
		return cmp.Or(cmp.Compare(a.required, b.required), cmp.Compare(orderOf(a.isMarked), orderOf(b.isMarked))) < 0
	})
	return cases
}

func orderOf(first bool) int {
	if first {
		return 0
	}
	return 1
}

// requiredTexts returns the number of texts that a tool requires; ok is false if it requires several texts or anything else.
func requiredTexts(t *catalog.Tool) (n int, ok bool) {
	names := t.Input().Required()
	properties := t.Input().Get("properties")
	for _, name := range names {
		if !properties.Get(name).HasType("string") {
			return 0, false
		}
	}
	return len(names), len(names) <= 1
}

// readingVerbs are the verbs of tools that only read.
var readingVerbs = strings.Fields("get list read show describe view count search find query fetch lookup check")

// onlyReads reports whether a tool only reads, judged by its annotations or by the verb that its name begins with.
func onlyReads(t *catalog.Tool) (reads, isMarked bool) {
	annotations := schema.DecodeObject(t.Annotations)
	if annotations.Get("readOnlyHint").Is('t') {
		return true, true
	}
	if annotations.Get("readOnlyHint").Is('f') || annotations.Get("destructiveHint").Is('t') {
		return false, false
	}
	words := english.NameWords(t.Name)
	return len(words) > 0 && slices.Contains(readingVerbs, words[0]), false
}

func (s *starterServer) qualityName() string { return s.Name + " is described as well as today" }
