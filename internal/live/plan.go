package live

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/model/builtin"
	"github.com/org/mcp-gates/internal/model/provider"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// maxRuns bounds the runs of a case, for all its numbers of distractors together.
const maxRuns = 100_000

// plan holds the settings and the state of the runs of a case.
type plan struct {
	shared    *Prepared
	tested    *suite.Case
	resolved  model.Resolved
	provider  model.Provider
	price     *model.Price // nil if the price is unknown
	budget    *account     // the budget of the case
	maxTurns  int
	maxOutput int
	script    []trace.Run
	program   *program // nil for the built-in loop

	mu         sync.Mutex
	overBudget *overBudgetError // the error of the first call that the budget forbade
	mistake    error            // the first error of a run that no agent could make, see oneRun.isRefused
	keptBytes  int64            // size of the runs' evidence, in bytes

	saveOutcome outcome // result of saving the cassette; 0 if nothing was recorded
	isSilent    bool    // no run called a tool
	keeper      *keeper // stores the runs as they end; nil if nothing is recorded
	timeUp      error   // the error of runs that are ended because the time of the case is over
}

func (p *plan) runner() *Runner { return p.shared.runner }

// prepareCase returns the plan of a case, and reports the settings that the case lacks for a live run.
func (p *Prepared) prepareCase(c *suite.Case, errs *source.Errors) *plan {
	casePlan := &plan{
		shared: p, tested: c,
		budget:    newAccount("budget.per_test_usd_cents", p.suite.Budget.PerTest),
		maxTurns:  cmp.Or(c.Live.MaxTurns, defaultMaxTurns),
		maxOutput: cmp.Or(c.Live.MaxOutputTokens, defaultMaxOutputTokens),
	}
	if strings.TrimSpace(c.Prompt) == "" {
		errs.Addf(c.Pos, "\"prompt\" is missing, which a live run needs")
	}
	casePlan.checkServers(errs)
	if c.Agent != nil {
		casePlan.prepareProgram(errs)
	} else {
		casePlan.readScript(errs)
		casePlan.resolveModel(errs)
	}
	if n := casePlan.runCount(); n > maxRuns {
		errs.Addf(c.Pos, "the case takes %d runs, a live run makes at most %d of a case", n, maxRuns)
	}
	if p.runner.options.Save != nil {
		casePlan.checkPath(errs)
		casePlan.openKeeper(errs)
	}
	return casePlan
}

// checkServers reports a case without servers: an agent without tools makes no calls, so its runs prove nothing. A case
// whose every run is offered distractors needs no server.
func (p *plan) checkServers(errs *source.Errors) {
	if len(p.tested.ServerNames) > 0 || p.addsDistractors() {
		return
	}
	found, declared := "missing", ""
	if p.tested.ServerNames != nil {
		found = "empty"
	}
	if n := len(p.shared.suite.Servers); n > 0 {
		declared = fmt.Sprintf("; the suite declares %d, such as %q", n, p.shared.suite.Servers[0].Name)
	}
	errs.Addf(p.tested.Pos, "\"servers\" is %s, so that the agent has no tools, which a live run needs%s", found, declared)
}

// addsDistractors reports whether every run is offered at least one distractor.
func (p *plan) addsDistractors() bool {
	inject, offer := p.distractorPoints()
	if inject == nil || slices.Contains(offer, 0) {
		return false
	}
	all, err := inject(nil)
	return err == nil && len(all) > 0
}

func (p *plan) resolveModel(errs *source.Errors) {
	c := p.tested
	texts := &resolver{suite: p.shared.suite, getenv: p.runner().options.Getenv}
	baseURL := texts.text("base_url", c.Live.BaseURL)
	err := texts.problemsError()
	if err == nil {
		p.shared.secrets = append(p.shared.secrets, texts.secrets...)
		choice := model.Choice{Model: c.Model, Provider: c.Live.Provider, BaseURL: baseURL, API: c.Live.API}
		p.resolved, err = model.Resolve(choice, p.runner().options.Getenv)
	}
	if err == nil {
		for _, name := range p.resolved.Env {
			value := p.runner().options.Getenv(name)
			p.shared.secrets = append(p.shared.secrets, value, strings.TrimSpace(value))
		}
		p.provider, err = p.newProvider()
	}
	if err != nil {
		errs.Addf(c.Pos, "%s", err)
		return
	}
	p.findPrice()
	p.checkBudget(errs)
}

// newProvider returns the provider of the case. The provider gets the rules for secrets as a function, because they are
// known only once the whole suite is prepared.
func (p *plan) newProvider() (model.Provider, error) {
	rules := func() *redact.Rules { return p.shared.rules }
	if p.resolved.Provider == model.Builtin {
		return builtin.New(p.resolved.Model, p.script, rules)
	}
	return provider.New(p.resolved, provider.Options{Rules: rules})
}

// findPrice finds the price of the model: the suite's price, otherwise the list price. The price is nil if there is
// neither.
func (p *plan) findPrice() {
	if price, ok := p.shared.suite.Pricing[p.tested.Model]; ok {
		p.price = &price
		return
	}
	if price, ok := model.ListPrice(p.resolved.Model); ok && p.resolved.Own {
		p.price = &price
	}
}

func (p *plan) checkBudget(errs *source.Errors) {
	bounded := p.shared.suite.Budget.PerSuite.Known || p.shared.suite.Budget.PerTest.Known
	switch {
	case p.price != nil:
	case bounded:
		errs.Addf(p.tested.Pos, "model %q has no price, which \"budget\" needs; give it one under \"pricing\"", p.tested.Model)
	case p.runner().budget.bound.Known && p.resolved.Provider != model.Builtin: // built-in agents cost nothing
		errs.Addf(p.tested.Pos, "model %q has no price, which %s needs; give it one under \"pricing\"", p.tested.Model, budgetFlag)
	}
}

func (p *plan) readScript(errs *source.Errors) {
	c := p.tested
	switch scripted := c.Model == trace.ModelScript; {
	case scripted && c.Live.Script == "":
		errs.Addf(c.Pos, "\"script\" is missing, which model %q plays: the path of recorded runs", c.Model)
	case scripted:
		tr, mistakes := trace.Read(p.runner().options.FS, []string{c.Live.Script}, trace.KeepArgs|trace.KeepAnswers)
		*errs = append(*errs, mistakes...)
		if len(mistakes) == 0 {
			p.script = tr.Runs
		}
	case c.Live.Script != "":
		errs.Addf(c.Pos, "\"script\" belongs to model %q, and the model is %q", trace.ModelScript, c.Model)
	}
}

// checkPath reports a case that does not name exactly one file for its recording, or names a file that is not a recording.
func (p *plan) checkPath(errs *source.Errors) {
	c := p.tested
	if c.Log != nil {
		errs.Addf(c.CassettePos, `"cassette" names logs of another program, which recording does not write; expected a path that ends in .json`)
		return
	}
	path, ok := p.recordingPath()
	if !ok {
		errs.Addf(c.CassettePos, "recording needs one path that ends in .json under \"cassette\", found %s", strings.Join(c.Cassettes, ", "))
		return
	}
	switch info, err := fs.Stat(p.runner().options.FS, path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil: // for example, a link leads out of the workspace
		errs.Addf(c.CassettePos, "cassette %q cannot be written: %s", path, cmp.Or(errors.Unwrap(err), err))
	case info.IsDir():
		errs.Addf(c.CassettePos, "cassette %q cannot be written: it is a folder", path)
	default:
		if _, mistakes := trace.Read(p.runner().options.FS, []string{path}, 0); len(mistakes) > 0 {
			errs.Addf(c.CassettePos, "%q is there and cannot be read as a cassette, and recording would overwrite it; remove it first, or name another file", path)
		}
	}
}

// recordingPath returns the file for the recording of the case; ok is false if there is not exactly one.
func (p *plan) recordingPath() (path string, ok bool) {
	if len(p.tested.Cassettes) != 1 {
		return "", false
	}
	path = p.tested.Cassettes[0]
	isGlob := strings.ContainsAny(path, `*?[{\`)
	if isGlob || !strings.HasSuffix(path, ".json") {
		return "", false
	}
	return path, true
}

// distractorPoints returns the function that makes the distractors, and the numbers of distractors for the runs, in order.
func (p *plan) distractorPoints() (inject func([]*catalog.Tool) ([]*catalog.Tool, error), offer []int) {
	for _, check := range p.tested.Checks {
		if injector, ok := check.Plan.Measurer.(judge.Injector); ok {
			return injector.Inject, injector.Offer()
		}
	}
	return nil, nil
}

func (p *plan) runCount() int {
	_, offer := p.distractorPoints()
	return p.tested.Runs * max(1, len(offer))
}
