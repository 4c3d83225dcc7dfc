package gates

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

type narrativeCount struct {
	*verbTable
	stems   lexical.Stems
	tools   map[catalog.Ref]*saidTool
	catalog *catalog.Catalog
	work    judge.Work

	calls, answers, claims, absent, unclaimed, mismatched int

	unkept    int             // successful calls without recorded arguments, in runs with an answer
	undecided map[string]bool // figures that depend on the missing arguments

	absentSaid, mismatchSaid map[said][]int // the runs with each statement
	unclaimedOf              map[string]judge.Note
	cut                      map[string]int // number of statements that exceed maxStatements, by kind of note
}

// said is a statement in an answer, and its subject.
type said struct{ text, about string }

// saidTool is a called tool and its words.
type saidTool struct {
	id     string
	name   map[string]bool // stems of the name
	words  map[string]bool // stems of the name and the description; nil until they are needed
	inName bool            // the name contains a listed verb
}

// doneCall is a successful call of a run.
type doneCall struct {
	call  *trace.Call
	tool  *saidTool
	args  map[string]bool // stems of the values of the arguments; nil until they are needed
	texts []string        // texts in the arguments and the result of the call; nil until they are needed
	said  bool            // a claim of the answer matches the call
}

func (c *narrativeCount) countRun(run *trace.Run) {
	c.calls += len(run.Calls)
	if !run.HasFinal {
		return
	}
	c.answers++
	var done []*doneCall
	for i := range run.Calls {
		if call := &run.Calls[i]; !call.Failed {
			done = append(done, &doneCall{call: call, tool: c.findTool(call.Tool)})
		}
	}
	unkept := c.countUnkept(done)
	bearing := map[string][]*doneCall{} // for each verb, the calls that support a claim
	for _, claim := range c.verbs.Claims(run.FinalResponse) {
		if _, known := bearing[claim.Verb]; !known {
			bearing[claim.Verb] = c.matchingCalls(done, claim.Verb)
		}
		c.countClaim(run, claim, bearing[claim.Verb], unkept)
	}
	for _, d := range done {
		if !d.tool.inName || d.said {
			continue
		}
		if hasClaims := len(bearing) > 0; hasClaims && d.call.Args == trace.ArgsUnknown {
			c.undecided[presentUnclaimedTarget] = true
		}
		c.unclaimed++
		tally(c.unclaimedOf, d.tool.id, run.Number)
	}
}

func (c *narrativeCount) countUnkept(done []*doneCall) bool {
	before := c.unkept
	for _, d := range done {
		if d.call.Args == trace.ArgsUnknown {
			c.unkept++
		}
	}
	return c.unkept > before
}

func (c *narrativeCount) findTool(tool *trace.Tool) *saidTool {
	return lists.Cached(c.tools, tool.Ref, func() *saidTool {
		t := &saidTool{id: tool.ID(), name: map[string]bool{}}
		for _, word := range english.NameWords(tool.Name) {
			stem := c.stems.Stem(word)
			t.name[stem] = true
			t.inName = t.inName || c.named[stem]
		}
		return t
	})
}

func (c *narrativeCount) wordsOf(d *doneCall) map[string]bool {
	if d.tool.words == nil {
		d.tool.words = maps.Clone(d.tool.name)
		if listed, ok := c.catalog.Lookup(d.call.Tool.Ref); ok {
			c.addWords(d.tool.words, listed.Description)
		}
	}
	return d.tool.words
}

func (c *narrativeCount) addWords(to map[string]bool, text string) {
	if !c.work.Spend(len(text)) {
		return
	}
	for _, word := range english.Words(text) {
		for _, part := range english.NameWords(word.Of(text)) {
			to[c.stems.Stem(part)] = true
		}
	}
}

func (c *narrativeCount) matchingCalls(done []*doneCall, verb string) []*doneCall {
	var bearing []*doneCall
	for _, d := range done {
		if c.matchesVerb(d, verb) {
			d.said = true
			bearing = append(bearing, d)
		}
	}
	return bearing
}

// countClaim counts a claim. bearing are the calls that support it. unkept means that the run has calls without recorded arguments,
// which may also support the claim.
func (c *narrativeCount) countClaim(run *trace.Run, claim english.Claim, bearing []*doneCall, unkept bool) {
	c.claims++
	clause := strings.TrimSpace(claim.Clause.Of(run.FinalResponse))
	if len(bearing) == 0 {
		c.absent++
		c.undecided[claimedAbsentTarget] = c.undecided[claimedAbsentTarget] || unkept
		key := said{judge.Clip(clause), claim.Verb}
		c.addStatement(judge.Unproven, c.absentSaid, key, run.Number)
		return
	}
	bearing = c.withObject(bearing, claim.Object.Of(run.FinalResponse))
	for _, value := range valuesIn(clause) {
		if !slices.ContainsFunc(bearing, func(d *doneCall) bool { return c.containsValue(d, value) }) {
			c.mismatched++
			c.undecided[argumentMismatchTarget] = c.undecided[argumentMismatchTarget] || unkept
			key := said{judge.Clip(value), judge.Clip(clause)}
			c.addStatement(judge.Mismatched, c.mismatchSaid, key, run.Number)
		}
	}
}

// maxStatements bounds the number of notes of a kind, because every claim of a long answer can become a note.
const maxStatements = 50_000

// addStatement adds a run to the runs with a statement. If there are too many statements, it only counts a new statement.
func (c *narrativeCount) addStatement(kind string, runs map[said][]int, key said, run int) {
	if _, known := runs[key]; !known && len(runs) >= maxStatements {
		c.cut[kind]++
		return
	}
	runs[key] = append(runs[key], run)
}

// matchesVerb reports whether the name, the description or the argument values of a call contain the verb or a synonym.
func (c *narrativeCount) matchesVerb(d *doneCall, verb string) bool {
	doers := c.doers[verb]
	if hasAny(c.wordsOf(d), slices.Values(doers)) || hasAny(d.tool.name, slices.Values(c.executors)) {
		return true
	}
	if d.args == nil {
		d.args = map[string]bool{}
		for _, text := range argumentTexts(d.call) {
			c.addWords(d.args, text)
		}
	}
	return hasAny(d.args, slices.Values(doers))
}

func hasAny(words map[string]bool, wanted iter.Seq[string]) bool {
	for word := range wanted {
		if words[word] {
			return true
		}
	}
	return false
}

// leastNoun is the minimum length of a stem that can be a noun of a claim.
const leastNoun = 4

// withObject returns the calls to tools with a noun of the claim in their name, or all calls if no tool has one.
func (c *narrativeCount) withObject(bearing []*doneCall, object string) []*doneCall {
	nouns := map[string]bool{}
	c.addWords(nouns, object)
	if !c.work.Spend(len(nouns) * len(bearing)) {
		return nil
	}
	maps.DeleteFunc(nouns, func(stem string, _ bool) bool { return len(stem) < leastNoun })
	var named []*doneCall
	for _, d := range bearing {
		if hasAny(d.tool.name, maps.Keys(nouns)) {
			named = append(named, d)
		}
	}
	if len(named) == 0 {
		return bearing
	}
	return named
}

func argumentTexts(call *trace.Call) []string {
	args, ok := judge.DecodeJSON(call.Arguments())
	if !ok {
		return nil
	}
	var texts []string
	everyLeaf(args, func(leaf any) {
		if text, _ := recognisable(leaf); text != "" {
			texts = append(texts, text)
		}
	})
	return texts
}

// containsValue reports whether the arguments or the result of a call contain a value as a whole word. It returns true if the
// work of the case is used up.
func (c *narrativeCount) containsValue(d *doneCall, value string) bool {
	if d.texts == nil {
		d.texts = append(argumentTexts(d.call), d.call.Result())
	}
	for _, text := range d.texts {
		if !c.work.Spend(len(text)) {
			return true
		}
		withoutCommas := strings.ReplaceAll(text, ",", "") // 1,200 is the value 1200
		if holdsWord(text, value) || holdsWord(withoutCommas, value) {
			return true
		}
	}
	return false
}

func valuesIn(clause string) []string {
	var values []string
	unquoted := english.Quoted(clause, func(quoted string) { values = append(values, quoted) })
	for _, word := range strings.Fields(unquoted) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		bare := strings.ReplaceAll(word, ",", "")
		if isValue := strings.ContainsFunc(bare, unicode.IsDigit) && !isOrdinal(bare); isValue {
			values = append(values, bare)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// isOrdinal reports whether a word is an ordinal number such as 20th.
func isOrdinal(word string) bool {
	rest := strings.TrimLeft(word, "0123456789")
	return rest == "st" || rest == "nd" || rest == "rd" || rest == "th"
}

func saidNotes(kind string, runs map[said][]int) []judge.Note {
	var notes []judge.Note
	for key, in := range runs {
		n := len(in)
		notes = append(notes, judge.Note{Kind: kind, Subject: key.text, Text: key.about, Calls: n, Runs: sortedRuns(in)})
	}
	sort.SliceStable(notes, func(i, j int) bool {
		a, b := &notes[i], &notes[j]
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Text, b.Text)) < 0
	})
	return notes
}
