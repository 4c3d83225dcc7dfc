package suite

import (
	"math/big"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// microDollars is the number of micro-dollars in a dollar.
const microDollars = 1_000_000

func (r *reader) readPricing() {
	for _, part := range r.parts() {
		for _, e := range part.Map("pricing").Entries() {
			m, ok := e.Value.Map()
			if !ok || !r.declareOnce("price of model", e.Key) {
				continue
			}
			r.priced[e.Key.Value] = part.KeyPos("pricing")
			r.suite.Pricing[e.Key.Value] = model.Price{Input: readDollars(m, "input"), Output: readDollars(m, "output")}
			m.Done()
		}
	}
}

func readDollars(m *yamlread.Map, key string) *big.Rat {
	if !m.Has(key) {
		m.Errorf(m.Pos(), "%q is missing, expected dollars per million tokens", key)
	}
	dollars, ok := m.Decimal(key, new(big.Rat), nil)
	if !ok {
		return new(big.Rat)
	}
	return dollars.Mul(dollars, big.NewRat(microDollars, 1))
}

func (r *reader) readBudget() {
	m := r.root.Map("budget")
	if m == nil {
		return
	}
	cents := func(key string) trace.Count {
		if !m.Has(key) {
			return trace.Count{}
		}
		n := m.Int(key, 0, 0)
		r.suiteSetting("budget."+key, strconv.Itoa(n), m.KeyPos(key))
		return trace.Known(int64(n))
	}
	r.suite.Budget = Budget{PerTest: cents("per_test_usd_cents"), PerSuite: cents("per_suite_usd_cents")}
	m.Done()
}

func (r *reader) readRedact() {
	m := r.root.Map("redact")
	if m == nil {
		return
	}
	live := func(key string) []yamlread.Str {
		texts := m.Strs(key)
		if len(texts) > 0 {
			r.suiteSetting("redact."+key, judge.CompactJSON(values(texts)), m.KeyPos(key))
		}
		for i, s := range texts {
			texts[i].Value = r.asLive(s.Value, s.Pos)
		}
		return texts
	}
	for _, s := range live("patterns") {
		if err := judge.CheckPattern(r.root, s); err != nil {
			r.errs.Addf(s.Pos, `an entry of "patterns" must be a regular expression, found %q`, clip(s.Value))
		}
		r.suite.Redact.Patterns = append(r.suite.Redact.Patterns, s.Value)
	}
	r.suite.Redact.Keys = values(live("keys"))
	r.suite.Redact.Allow = values(live("allow"))
	m.Done()
}

// suiteSetting adds a setting of the whole suite with the value of a replay, because the value of a live run may be secret.
func (r *reader) suiteSetting(key, value string, at source.Pos) {
	if r.loader.Settings {
		r.suite.Settings = append(r.suite.Settings, judge.Setting{Key: key, Value: value, File: at.File, Line: at.Line})
	}
}

// values returns the values of texts; nil if there are none.
func values(texts []yamlread.Str) (list []string) {
	for _, s := range texts {
		list = append(list, s.Value)
	}
	return list
}
