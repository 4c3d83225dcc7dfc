package gates

import (
	"math/big"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// ToolSelection measures how reliably an agent calls the expected tool over several runs, within a token budget.
var ToolSelection = &judge.Gate{
	Name: "tool_selection",
	Doc: `Selection rate and pass^k: how often is the right tool picked

` + "```yaml" + `
tool_selection:
  expected_tool: get_weather
  min_selection_rate: 80%
  min_pass_hat: {k: 3, rate: 70%}
` + "```" + `

A run succeeds if it calls an expected tool and its tokens do not exceed ` + "`max_total_tokens`" + `. Every ` + "`min_`" + ` bound and ` + "`max_total_tokens`" + ` must
hold.

If c of n runs succeed, ` + "`pass_hat[K]`" + ` is C(c,K) / C(n,K), where C is the binomial coefficient. K is at most n. With more than 1000 runs, K
is at most 100. Reports for people call this figure pass^k.`,
	Keys: []judge.Key{
		{Name: "expected_tool", Type: judge.TypeTexts, Required: true, Doc: "The right tool, or alternatives. [Tables of prompts](suite.md#tables-of-prompts) can also name the tool."},
		{Name: "min_selection_rate", Type: judge.TypeShare, Required: true, Doc: "The minimum of `tool_selection.rate`."},
		{Name: "max_total_tokens", Type: judge.TypeWhole, Doc: "The most tokens that a run may spend. A run without recorded tokens is an error."},
		{Name: "min_pass_hat", Type: judge.TypeMap, Doc: "A bound on `pass_hat[k]`. Fewer than `k` runs are an error.", Keys: []judge.Key{
			{Name: "k", Type: judge.TypeWhole, Required: true, Doc: "The K of `pass_hat[K]`, 1 or more."},
			{Name: "rate", Type: judge.TypeShare, Required: true, Doc: "The minimum of `pass_hat[k]`."},
		}},
		{Name: "min_certified_rate", Type: judge.TypePercent, Doc: "The minimum of `tool_selection.certified_rate`, such as 80 or 80%."},
		judge.MaxDropKey(selectionRate),
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   rateTargets,
	Needs:     judge.NeedRuns,
	Configure: configureToolSelection,
}

// selectionRate is the target of the share of runs that call an expected tool.
const selectionRate = "tool_selection.rate"

var passHatTarget = judge.Target{Name: "tool_selection.pass_hat[K]", Unit: judge.Percent, Doc: "The chance that K of the runs, drawn without replacement, all succeed."}

var rateTargets = []judge.Target{
	{Name: selectionRate, Unit: judge.Percent, Doc: "Share of runs that call an expected tool."},
	{Name: "tool_selection.within_budget_rate", Unit: judge.Percent, Doc: "Share of runs that call an expected tool and stay within `max_total_tokens`."},
	{Name: "tool_selection.certified_rate", Unit: judge.Percent, Doc: "The success rate that the runs [prove](runs-needed.md) at 95 % confidence."},
	passHatTarget,
}

// These keys of the block are judged like expectations, but are not targets.
const (
	minSelectionRate = "min_selection_rate"
	maxTotalTokens   = "max_total_tokens"
	minPassHat       = "min_pass_hat"
	minCertifiedRate = "min_certified_rate"
)

type selectionFloor struct {
	tools        []string // expected tools, as the suite writes them
	members      judge.Members
	minRate      *big.Rat
	budget       int64
	hasBudget    bool
	k            int // k of min_pass_hat; 0 without the key
	passRate     *big.Rat
	minCertified *big.Rat // in percent; nil without the key
	expect       []judge.Expectation
}

func configureToolSelection(block *yamlread.Map, in judge.Context) judge.Plan {
	expected := readMembers(block, "expected_tool")
	f := selectionFloor{tools: memberNames(expected)}
	f.members = judge.NewMembers(f.tools, in.Servers)
	f.readRate(block)
	f.readBudget(block)
	f.readPassHat(block)
	f.readCertified(block)
	f.expect = append(f.expect, judge.ReadExpect(block, rateTargets, nil)...)
	drop := judge.ReadMaxDrop(block, selectionRate)
	block.Done()
	return judge.Plan{
		MaxDrop: drop, Measurer: &f, Expect: f.expect, Members: expected, Named: [][]string{f.tools},
		Sought: soughtTools(block.KeyPos("expected_tool"), f.tools), Servers: in.Servers,
	}
}

// soughtTools returns one Sought with all tools, because each run must call one of them; nil if there are no tools.
func soughtTools(pos source.Pos, tools []string) []judge.Sought {
	if len(tools) == 0 {
		return nil
	}
	return []judge.Sought{{Name: strings.Join(tools, " or "), Line: pos.Line, Members: tools}}
}

func (f *selectionFloor) require(name string, pos source.Pos, m judge.Matcher) {
	f.expect = append(f.expect, judge.Expectation{Target: name, Pos: pos, Matcher: m, ErrorAbsent: true})
}

func (f *selectionFloor) readRate(block *yamlread.Map) {
	rate, ok := requiredRate(block, minSelectionRate)
	if ok {
		f.minRate = rate
		f.require(minSelectionRate, block.KeyPos(minSelectionRate), judge.Bound(">=", rate))
	}
}

func requiredRate(m *yamlread.Map, key string) (*big.Rat, bool) {
	if !m.Has(key) {
		m.Errorf(m.Pos(), "%q is missing, expected a number from 0 to 1", key)
		return nil, false
	}
	return judge.ReadShare(m, key)
}

func (f *selectionFloor) readBudget(block *yamlread.Map) {
	if most, ok := block.Whole(maxTotalTokens, 0); ok {
		f.hasBudget, f.budget = true, int64(most)
		f.require(maxTotalTokens, block.KeyPos(maxTotalTokens), judge.Bound("<=", new(big.Rat).SetInt64(f.budget)))
	}
}

func (f *selectionFloor) readPassHat(block *yamlread.Map) {
	m := block.Map(minPassHat)
	if !m.Has("k") {
		m.Errorf(m.Pos(), `"k" is missing, expected a whole number of 1 or more`)
	}
	k, _ := m.Whole("k", 1)
	rate, ok := requiredRate(m, "rate")
	m.Done()
	if ok {
		f.k, f.passRate = k, rate
		f.require(minPassHat, block.KeyPos(minPassHat), judge.Bound(">=", rate))
		f.expect[len(f.expect)-1].K = k
	}
}

func (f *selectionFloor) readCertified(block *yamlread.Map) {
	if sure, ok := judge.ReadPercent(block, minCertifiedRate); ok {
		f.minCertified = sure
		f.require(minCertifiedRate, block.KeyPos(minCertifiedRate), judge.Bound(">=", sure))
	}
}
