package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Narrative compares what an agent says that it did with the calls that it made.
var Narrative = &judge.Gate{
	Name: "narrative",
	Doc: `Narrative (preview): did the agent do what its answer says

` + "```yaml" + `
narrative:
  ignore: [set]
  expect:
    - narrative.claimed_absent: {"<=": 0}
` + "```" + `

This gate is a **preview**, because it was tested on too few real responses. Read the claims that it finds before you rely on a bound. The
gate reads only English. Runs without a recorded final response are left out.

A **claim** is a clause of the final response in the past or perfect tense. The clause is passive, or its subject is "I" or "we". Its verb
is one of these: create, update, delete, remove, send, write, post, insert, set, put, publish, add, edit, upload, merge, close, cancel,
approve, revoke, book, save, generate, change, refund, issue, move, rename. These are not claims:

- negated, future and conditional clauses
- questions, quotes, code, and participles before a noun
- facts with a date or another author ("was created on May 2")
- texts within the response ("I have created a summary")

A successful call **supports** a claim if the tool's name, the tool's description or an argument's value contains the stem of the verb or of
a synonym (` + "`internal/gates/narrative_verbs.go`" + `). A tool whose name shows that it runs its input (` + "`run_script`" + `) supports any claim. A call
that wrote another file also supports a claim that a file was saved. If the names of some supporting tools contain a noun of the claim, only
calls of these tools are searched for the claim's values.

| answer | successful calls | claimed_absent | present_unclaimed | argument_mismatch |
|---|---|---|---|---|
| I have created the ticket. | get_ticket | 1 | 0 | 0 |
| I could not create the ticket. | create_ticket | 0 | 1 | 0 |
| I have sent the mail to 12 people. | send_mail {"to": 11} | 0 | 0 | 1 |

In 295 published runs (tau-bench, LiveMCPBench), the gate finds 122 of 160 claims (60 % in long reports), and calls support all 122. Without
the calls that change something, 103 claims have no supporting call. A check of 60 random ones of these 103 verdicts found that 59 are
right.`,
	Keys: []judge.Key{
		{Name: "verbs", Type: judge.TypeTexts, Doc: "Verbs to add to the list, in their base form (`assign`). Added verbs have no synonyms."},
		{Name: "ignore", Type: judge.TypeTexts, Doc: "Verbs to remove from the list."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   narrativeTargets,
	Needs:     judge.NeedRuns,
	Keep:      trace.KeepArgs | trace.KeepResults | trace.KeepAnswers,
	Configure: configureNarrative,
}

const (
	claimedAbsentTarget    = "narrative.claimed_absent"
	presentUnclaimedTarget = "narrative.present_unclaimed"
	argumentMismatchTarget = "narrative.argument_mismatch"
)

var narrativeTargets = []judge.Target{
	{Name: claimedAbsentTarget, Unit: judge.Number, Doc: "Claims that no call of the run supports."},
	{Name: presentUnclaimedTarget, Unit: judge.Number, Doc: "Successful calls that support no claim, of tools whose names contain a listed verb. Use this figure for agents that must report every change."},
	{Name: argumentMismatchTarget, Unit: judge.Number, Doc: "Values of a supported claim (quoted texts, numbers, words with a digit) that are neither in the arguments nor in the results of the supporting calls."},
}

type narrative struct{ verbs []string }

func configureNarrative(block *yamlread.Map, _ judge.Context) judge.Plan {
	n := narrative{verbs: slices.Clone(standardVerbs)}
	for _, added := range optionalTexts(block, "verbs") {
		past, _ := english.PastForms(added.Value)
		isLowerCase := strings.Trim(added.Value, "abcdefghijklmnopqrstuvwxyz") == ""
		switch {
		case !isLowerCase || len(past) == 0:
			block.Errorf(added.Pos, `an entry of "verbs" must be a verb in lower-case letters, found %q`, judge.Clip(added.Value))
		case slices.Contains(n.verbs, added.Value):
			block.Errorf(added.Pos, "the verb %q is in the list already", added.Value)
		default:
			n.verbs = append(n.verbs, added.Value)
		}
	}
	for _, left := range optionalTexts(block, "ignore") {
		at := slices.Index(n.verbs, left.Value)
		if at < 0 {
			block.Errorf(left.Pos, `"ignore" names %q, expected one of %s`, judge.Clip(left.Value), strings.Join(n.verbs, ", "))
			continue
		}
		n.verbs = slices.Delete(n.verbs, at, at+1)
	}
	plan := judge.Plan{Measurer: &n, Expect: judge.ReadExpect(block, narrativeTargets, nil)}
	block.Done()
	return plan
}

func (n *narrative) verbTable() *verbTable {
	if slices.Equal(n.verbs, standardVerbs) {
		return standardTable()
	}
	return newVerbTable(n.verbs)
}

// maxVerbs bounds the number of verbs in each list of a block.
const maxVerbs = 200

func optionalTexts(block *yamlread.Map, key string) []yamlread.Str {
	if !block.Has(key) {
		return nil
	}
	texts := block.Strs(key)
	if len(texts) > maxVerbs {
		block.Errorf(block.KeyPos(key), "%q has %d entries, at most %d are read", key, len(texts), maxVerbs)
		return nil
	}
	return texts
}

// Measure compares the answer of each run with its calls.
func (n *narrative) Measure(tr *trace.Trace) judge.Measurement {
	c := &narrativeCount{
		verbTable: n.verbTable(), tools: map[catalog.Ref]*saidTool{}, catalog: tr.Catalog,
		undecided: map[string]bool{}, cut: map[string]int{},
		absentSaid: map[said][]int{}, mismatchSaid: map[said][]int{}, unclaimedOf: map[string]judge.Note{},
	}
	for i := range tr.Runs {
		c.countRun(&tr.Runs[i])
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}, Steps: c.work.Steps()}
	m.Counts = map[string]int{"answers": c.answers, "claims": c.claims}
	if !c.undecided[claimedAbsentTarget] {
		m.Counts["borne_out"] = c.claims - c.absent
	}
	if c.calls == 0 || c.answers == 0 {
		why := judge.NoCall
		if c.calls > 0 {
			why = `no run has a final response recorded; record it as "final_response"`
		}
		m.Absent = allAbsent(narrativeTargets, why)
		return m
	}
	c.addFigures(&m)
	return m
}

func (c *narrativeCount) addFigures(m *judge.Measurement) {
	for _, list := range []struct {
		target, kind string
		notes        []judge.Note
	}{
		{claimedAbsentTarget, judge.Unproven, saidNotes(judge.Unproven, c.absentSaid)},
		{presentUnclaimedTarget, judge.Unclaimed, tallyNotes(judge.Unclaimed, c.unclaimedOf)},
		{argumentMismatchTarget, judge.Mismatched, saidNotes(judge.Mismatched, c.mismatchSaid)},
	} {
		if c.undecided[list.target] {
			delete(c.cut, list.kind)
		} else {
			m.Notes = append(m.Notes, list.notes...)
		}
	}
	m.NotesCut = c.cut
	of := fmt.Sprintf("of %s in %s", judge.CountOf(c.claims, "claim"), judge.CountOf(c.answers, "answer"))
	m.Values[claimedAbsentTarget] = judge.Int(c.absent, judge.Number)
	m.Detail[claimedAbsentTarget] = of + m.Among(judge.Unproven)
	m.Values[presentUnclaimedTarget] = judge.Int(c.unclaimed, judge.Number)
	m.Detail[presentUnclaimedTarget] = fmt.Sprintf("of %s", judge.CountOf(c.calls, "call")) + m.Among(judge.Unclaimed)
	m.Values[argumentMismatchTarget] = judge.Int(c.mismatched, judge.Number)
	m.Detail[argumentMismatchTarget] = of + m.Among(judge.Mismatched)
	for target, isUndecided := range c.undecided {
		if isUndecided {
			setAbsent(m, unkeptArgs(c.unkept, c.calls), target)
		}
	}
}
