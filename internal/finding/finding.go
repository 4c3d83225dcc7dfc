// Package finding measures whether the tools of a catalog are found by the searches of clients that do not show every tool to the
// model. A [Question] has the tools of head and base, and the intents; [Question.Measure] ranks the right tools of each intent in
// both. The intents are a list, or the promises of the tools: see [toolsearch.Promises]. The searches are algorithms, and no
// model is asked.
package finding

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/toolsearch"
)

// Side holds the tools that a client searches, in the base or in the head.
type Side struct {
	Tools  *catalog.Catalog // the tools that are judged
	Beside *catalog.Catalog // tools that compete with them; nil for none
}

// Question asks how well tools are found.
type Question struct {
	Client  *toolsearch.Client
	Limit   int            // number of results that the model sees; 0 for the client's default
	Intents []bench.Intent // nil for the promises of the tools: those of the base if there is one, otherwise the current ones
	Now     Side
	Base    *Side // nil without a base

	MostWork int // bound on intents × tools in base and head, if there is a base; 0 for no bound
}

// Result holds how well tools are found.
type Result struct {
	Limit   int
	Among   int // number of tools that compete
	Answers []Answer

	LeftOut toolsearch.LeftOut // sentences of descriptions that are not intents
	Removed int                // intents of tools that are gone
	Eager   int                // tools that the client puts in front of the model from the start
	Missing string             // a right tool that neither head nor base has; "" for none

	Excess int // intents × tools, if they exceed the bound and nothing was tried; 0 otherwise

	Compared bool // there is a base, and the head still has some of its tools

	now, base  *field
	pairs, all pairs // pairs of the judged tools, and of all tools including those that compete
}

// Answer holds the ranks of the right tools of an intent. A rank is the worst that ties allow, from 1; if the intent finds none of
// the tools, the rank is the number of searched tools plus one.
type Answer struct {
	bench.Intent
	Tool *catalog.Tool // the first right tool, in the head
	Rank int
	Was  int // rank in the base; 0 if the base does not have the tool, and without a base

	limit, wasLimit int // the last rank that counts as found, in the head and in the base
}

// Found reports whether a right tool is within the limit.
func (a *Answer) Found() bool { return a.Rank <= a.limit }

// WasFound reports whether a right tool was within the limit in the base.
func (a *Answer) WasFound() bool { return 0 < a.Was && a.Was <= a.wasLimit }

// Lost reports whether an intent was found in the base, and is not now.
func (a *Answer) Lost() bool { return a.WasFound() && !a.Found() }

// Unfound counts the tools that none of their intents finds.
func (r *Result) Unfound() int {
	found := map[*catalog.Tool]bool{}
	for i := range r.Answers {
		a := &r.Answers[i]
		found[a.Tool] = found[a.Tool] || a.Found()
	}
	n := 0
	for _, isFound := range found {
		if !isFound {
			n++
		}
	}
	return n
}

// measurement is a question that is being answered.
type measurement struct {
	Question
	Result
}

// field is the index of one side for searches.
type field struct {
	Side
	index *toolsearch.Index
	names map[string][]*catalog.Tool // tools by name, and by server and name
}

func newField(c *toolsearch.Client, s Side) *field {
	f := &field{Side: s, index: c.Index(toolsearch.ServersOf(catalog.Merge(s.Tools, s.Beside))), names: map[string][]*catalog.Tool{}}
	for _, t := range s.Tools.Tools {
		f.names[t.Name] = append(f.names[t.Name], t)
		if id := t.Ref().ID(); id != t.Name {
			f.names[id] = append(f.names[id], t)
		}
	}
	return f
}

// rank returns the best rank that any of tools has for query.
func (f *field) rank(query string, tools []*catalog.Tool) int {
	return slices.Min(f.index.Ranks(query, tools...))
}

// Measure ranks the right tools of every intent.
func (q Question) Measure() *Result {
	m := &measurement{Question: q, Result: Result{now: newField(q.Client, q.Now)}}
	m.Result.Limit = cmp.Or(q.Limit, q.Client.Limit)
	m.Among = m.now.index.Len()
	if q.Base != nil {
		m.pairs = pairsOf(q.Base.Tools, q.Now.Tools)
	}
	if len(m.pairs.headOf) > 0 {
		m.base, m.Compared = newField(q.Client, *q.Base), true
		m.all = pairsOf(catalog.Merge(q.Base.Tools, q.Base.Beside), catalog.Merge(q.Now.Tools, q.Now.Beside))
	}
	for _, t := range q.Now.Tools.Tools {
		if q.Client.IsEager(t) {
			m.Eager++
		}
	}
	if work := m.countWork(); q.MostWork > 0 && work > q.MostWork {
		m.Excess = work
		return &m.Result
	}
	if q.Intents == nil {
		m.answerPromises()
	} else {
		m.answerList()
	}
	return &m.Result
}

// countWork returns the number of intents times the number of tools in base and head. Without a base it returns 0, because the
// suite's reader has checked the bound.
func (m *measurement) countWork() int {
	if m.base == nil {
		return 0
	}
	intents := len(m.Intents)
	if m.Intents == nil {
		for _, t := range m.Base.Tools.Tools {
			if m.pairs.headOf[t] != nil {
				intents += toolsearch.MostPromises(t)
			}
		}
	}
	return intents * (m.now.index.Len() + m.base.index.Len())
}

func (m *measurement) answerList() {
	for _, intent := range m.Intents {
		now, base := m.rightTools(intent)
		switch {
		case len(now) == 0 && len(base) > 0:
			m.Removed++
		case len(now) == 0:
			m.Missing = cmp.Or(m.Missing, intent.Names[0])
		case slices.ContainsFunc(now, m.Client.IsEager):
			// The model sees an eager tool, whatever a search returns.
		default:
			m.addAnswer(intent, now, base)
		}
	}
}

// rightTools returns the right tools of an intent of a list, now and in the base. A tool that was renamed is right under both
// names.
func (m *measurement) rightTools(intent bench.Intent) (now, base []*catalog.Tool) {
	addTool := func(list *[]*catalog.Tool, t *catalog.Tool) {
		if t != nil && !slices.Contains(*list, t) {
			*list = append(*list, t)
		}
	}
	for _, name := range intent.Names {
		for _, t := range m.now.names[name] {
			addTool(&now, t)
			addTool(&base, m.pairs.baseOf[t])
		}
		if m.base == nil || len(m.now.names[name]) > 0 {
			continue
		}
		for _, t := range m.base.names[name] {
			addTool(&base, t)
			addTool(&now, m.pairs.headOf[t])
		}
	}
	return now, base
}

// answerPromises answers the intents that the tools promise. It searches for a tool of the base with the sentences of the base,
// and for a new tool with the tool's own sentences.
func (m *measurement) answerPromises() {
	if m.base == nil {
		list, left := toolsearch.Promises(m.Now.Tools.Tools, m.Client)
		m.LeftOut = left
		for _, p := range list {
			m.addAnswer(promiseIntent(p), []*catalog.Tool{p.Tool}, nil)
		}
		return
	}
	list, left := toolsearch.Promises(m.Base.Tools.Tools, m.Client)
	m.LeftOut = left
	for _, p := range list {
		now := m.pairs.headOf[p.Tool]
		switch {
		case now == nil:
			m.Removed++
		case !m.Client.IsEager(now):
			m.addAnswer(promiseIntent(p), []*catalog.Tool{now}, []*catalog.Tool{p.Tool})
		}
	}
	own, _ := toolsearch.Promises(m.Now.Tools.Tools, m.Client)
	for _, p := range own {
		if m.pairs.isAdded[p.Tool] && !m.Client.IsEager(p.Tool) {
			m.addAnswer(promiseIntent(p), []*catalog.Tool{p.Tool}, nil)
		}
	}
}

func promiseIntent(p toolsearch.Promise) bench.Intent {
	return bench.Intent{Query: p.Query, Names: []string{p.Tool.Ref().ID()}}
}

func (m *measurement) addAnswer(intent bench.Intent, now, base []*catalog.Tool) {
	a := Answer{Intent: intent, Tool: now[0], Rank: m.now.rank(intent.Query, now)}
	limit := m.Result.Limit
	if intent.MaxRank > 0 {
		limit = min(limit, intent.MaxRank)
	}
	a.limit = min(limit, m.Among) // a tool behind all others is not found
	if len(base) > 0 {            // the rank is 0 if the model saw the tool without a search
		a.Was = max(1, m.base.rank(intent.Query, base))
		a.wasLimit = max(1, min(limit, m.base.index.Len()))
	}
	m.Answers = append(m.Answers, a)
}

// Before returns the tools that rank before the right tool of an intent, but not more than most. overtook is the first of them
// that the change added, or that ranks there because the change edited it; nil if there is none.
func (r *Result) Before(a *Answer, most int) (tools []*catalog.Tool, overtook *catalog.Tool) {
	for _, found := range r.now.index.Search(a.Query, min(a.Rank-1, most)) {
		if found.Tool == a.Tool {
			continue
		}
		tools = append(tools, found.Tool)
		if overtook == nil && r.hasOvertaken(a, found.Tool) {
			overtook = found.Tool
		}
	}
	return tools, overtook
}

// hasOvertaken reports whether a tool ranks before the right tool of an intent because the change added or edited it.
func (r *Result) hasOvertaken(a *Answer, t *catalog.Tool) bool {
	old := r.all.baseOf[t]
	if old == nil {
		return r.all.isAdded[t]
	}
	isChanged := string(old.JSON()) != string(t.JSON())
	return isChanged && r.base.rank(a.Query, []*catalog.Tool{old}) > a.Was
}
