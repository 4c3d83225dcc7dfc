package live

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/model/builtin"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// maxRuns bounds the runs of a case, over all points of its curve.
const maxRuns = 100_000

// suitePlan is what the cases of a suite share.
type suitePlan struct {
	suite   *suite.Suite
	budget  *account
	servers map[string]mcpclient.Config
	rules   *redact.Rules
	secrets []string
	pool    *mcpclient.Pool

	mu    sync.Mutex
	tools map[string]func() (*catalog.Catalog, error) // by server; asks it the first time
}

// plan is how a case is run.
type plan struct {
	*suitePlan
	runner    *Runner
	tested    *suite.Case
	resolved  model.Resolved
	provider  model.Provider
	price     *model.Price // nil where nobody knows it
	budget    *account     // of the case
	maxTurns  int
	maxOutput int
	script    []trace.Run

	mu      sync.Mutex
	over    *overBudgetError // the first call that was not made
	mistake error            // of the suite, which only the servers' tools could show
	held    int64            // bytes of the runs' evidence

	became outcome // of the cassette; 0 where nothing was recorded
	silent bool    // no run called a tool
}

// Prepare reports what would keep the cases from running, at its place, and readies them when there is nothing of that
// kind. It starts nothing.
func (r *Runner) Prepare(s *suite.Suite, cases []*suite.Case) source.Errors {
	var errs source.Errors
	shared := &suitePlan{
		suite:   s,
		budget:  newAccount("budget.per_suite_usd_cents", s.Budget.PerSuite),
		servers: map[string]mcpclient.Config{},
		secrets: slices.Clone(s.Secrets),
		tools:   map[string]func() (*catalog.Catalog, error){},
		pool:    mcpclient.NewPool(r.ctx, r.info()),
	}
	var plans []*plan
	for _, c := range cases {
		shared.prepareServers(r, c, &errs)
		if c.Kind == suite.AgentTest {
			plans = append(plans, shared.prepareCase(r, c, &errs))
		}
	}
	rules, err := redact.New(redact.Config{
		Values: shared.secrets, Keys: s.Redact.Keys, Patterns: s.Redact.Patterns, Allow: s.Redact.Allow,
	})
	if err != nil {
		errs.Addf(source.Pos{File: s.File, Line: 1, Col: 1}, "%s", err)
	}
	shared.rules = rules
	for name, config := range shared.servers {
		config.Rules = rules
		shared.servers[name] = config
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suites[s] = shared
	r.allowed = append(r.allowed, s.Redact.Allow...)
	r.models = append(r.models, s.Models...)
	for _, value := range shared.secrets {
		if !slices.Contains(s.Redact.Allow, value) {
			r.secrets = append(r.secrets, value)
		}
	}
	r.checkShared(plans, &errs)
	if len(errs) > 0 {
		return errs // none of the cases is run
	}
	for _, p := range plans {
		r.plans[p.tested] = p
		r.planned += p.runs()
		if path, ok := p.cassette(); ok {
			r.cassettes[path] = p
		}
	}
	return nil
}

// checkShared reports cases whose recording would take the place of that of another suite's case: which of them stayed
// would be a matter of chance. Within a suite its reader does. The lock is held.
func (r *Runner) checkShared(plans []*plan, errs *source.Errors) {
	if r.options.Save == nil {
		return
	}
	for _, p := range plans {
		path, _ := p.cassette()
		other, taken := r.cassettes[path]
		if !taken {
			continue
		}
		at := source.Pos{File: other.tested.CassettePos.File, Line: other.tested.CassettePos.Line}
		errs.Addf(p.tested.CassettePos, "cassette %q would be recorded for %q at %s, too, and only one of the recordings would stay; "+
			"expected one for each case, or a recording of one suite at a time", path, other.tested.Name, at)
	}
}

// prepareServers works out how the servers of a case are reached.
func (p *suitePlan) prepareServers(r *Runner, c *suite.Case, errs *source.Errors) {
	for _, name := range c.ServerNames {
		if _, done := p.servers[name]; done {
			continue
		}
		i := slices.IndexFunc(c.Servers, func(s *suite.Server) bool { return s.Name == name })
		if i < 0 {
			errs.Addf(c.Pos, "server %q is not declared in \"servers\"%s, which a live run needs", name, source.DidYouMean(name, p.serverNames()))
			continue
		}
		s := c.Servers[i]
		if len(s.Start.Command) == 0 && s.Start.URL == "" {
			if c.Kind == suite.AgentTest {
				errs.Addf(s.Pos, "server %q has neither \"command\" nor \"url\", one of which a live run needs", name)
			}
			continue
		}
		config, secrets, err := ServerConfigOf(s, p.suite, r.options.Dir, r.options.Getenv)
		if err != nil {
			errs.Addf(s.Pos, "server %q %s", name, err)
			continue
		}
		config.Hurry = r.options.Hurry
		p.servers[name] = config
		p.secrets = append(p.secrets, secrets...)
	}
}

func (p *suitePlan) serverNames() []string {
	names := make([]string, len(p.suite.Servers))
	for i, s := range p.suite.Servers {
		names[i] = s.Name
	}
	return names
}

// prepareCase works out which model runs the case, and what it costs.
func (p *suitePlan) prepareCase(r *Runner, c *suite.Case, errs *source.Errors) *plan {
	one := &plan{
		suitePlan: p, runner: r, tested: c,
		budget:    newAccount("budget.per_test_usd_cents", p.suite.Budget.PerTest),
		maxTurns:  orDefault(c.Live.MaxTurns, defaultMaxTurns),
		maxOutput: orDefault(c.Live.MaxOutputTokens, defaultMaxOutputTokens),
	}
	if strings.TrimSpace(c.Prompt) == "" {
		errs.Addf(c.Pos, "\"prompt\" is missing, which a live run needs")
	}
	one.checkServers(errs)
	one.readScript(errs)
	one.resolve(errs)
	if n := one.runs(); n > maxRuns {
		errs.Addf(c.Pos, "the case takes %d runs, a live run makes at most %d of a case", n, maxRuns)
	}
	if r.options.Save != nil {
		one.checkPath(errs)
	}
	return one
}

// checkServers reports a case without servers: an agent without tools calls nothing, which says nothing about it.
// Distractors alone are tools enough where every run is offered some.
func (p *plan) checkServers(errs *source.Errors) {
	if len(p.tested.ServerNames) > 0 || p.distracts() {
		return
	}
	found, declared := "missing", ""
	if p.tested.ServerNames != nil {
		found = "empty"
	}
	if n := len(p.suite.Servers); n > 0 {
		declared = fmt.Sprintf("; the suite declares %d, such as %q", n, p.suite.Servers[0].Name)
	}
	errs.Addf(p.tested.Pos, "\"servers\" is %s, so that the agent has no tools, which a live run needs%s", found, declared)
}

// distracts reports whether every run is offered distractors when there is nothing else to offer.
func (p *plan) distracts() bool {
	inject, offer := p.points()
	if inject == nil || slices.Contains(offer, 0) {
		return false
	}
	all, err := inject(nil)
	return err == nil && len(all) > 0
}

func orDefault(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

// resolve finds the provider and the price of the case's model.
func (p *plan) resolve(errs *source.Errors) {
	c := p.tested
	if c.Model == "" {
		errs.Addf(c.Pos, "\"model\" is missing, which a live run needs (%s needs no key)", trace.ModelLexical)
		return
	}
	texts := &resolver{suite: p.suite, getenv: p.runner.options.Getenv}
	base := texts.text("base_url", c.Live.BaseURL)
	err := texts.problem()
	if err == nil {
		p.secrets = append(p.secrets, texts.secrets...)
		p.resolved, err = model.Resolve(c.Model, c.Live.Provider, base, p.runner.options.Getenv)
	}
	if err == nil {
		p.secrets = append(p.secrets, valuesOf(p.resolved.Env, p.runner.options.Getenv)...)
		p.provider, err = p.newProvider()
	}
	if err != nil {
		errs.Addf(c.Pos, "%s", err)
		return
	}
	p.findPrice()
	p.checkBudget(errs)
}

// newProvider returns what answers for the case. What is secret is known once the whole suite is prepared.
func (p *plan) newProvider() (model.Provider, error) {
	rules := func() *redact.Rules { return p.rules }
	if p.resolved.Provider == model.Builtin {
		return builtin.New(p.resolved.Model, p.script, rules)
	}
	o := p.runner.options
	return model.New(p.resolved, model.Options{Transport: o.Transport, Retry: o.Retry, Rules: rules})
}

// valuesOf returns the values of variables of the environment.
func valuesOf(names []string, getenv func(string) string) []string {
	var values []string
	for _, name := range names {
		values = append(values, getenv(name), strings.TrimSpace(getenv(name)))
	}
	return values
}

// findPrice finds what the model costs: what the suite says, else the provider's list price; nothing for the built-in
// models. Nil when nobody knows.
func (p *plan) findPrice() {
	if price, ok := p.suite.Pricing[p.tested.Model]; ok {
		p.price = &price
		return
	}
	if p.resolved.Provider == model.Builtin {
		p.price = &model.Price{Input: new(big.Rat), Output: new(big.Rat)}
		return
	}
	if price, ok := model.ListPrice(p.resolved.Model); ok && p.resolved.Own {
		p.price = &price
	}
}

// checkBudget reports a budget that nothing could be held against.
func (p *plan) checkBudget(errs *source.Errors) {
	bounded := p.suite.Budget.PerSuite.Known || p.suite.Budget.PerTest.Known
	if bounded && p.price == nil {
		errs.Addf(p.tested.Pos, "model %q has no price, which \"budget\" needs; give it one under \"pricing\"", p.tested.Model)
	}
}

// readScript reads the recorded runs that builtin:script plays.
func (p *plan) readScript(errs *source.Errors) {
	c := p.tested
	switch scripted := c.Model == trace.ModelScript; {
	case scripted && c.Live.Script == "":
		errs.Addf(c.Pos, "\"script\" is missing, which model %q plays: the path of recorded runs", c.Model)
	case scripted:
		tr, mistakes := trace.Read(p.runner.options.FS, []string{c.Live.Script}, trace.KeepArgs|trace.KeepAnswers)
		*errs = append(*errs, mistakes...)
		if len(mistakes) == 0 {
			p.script = tr.Runs
		}
	case c.Live.Script != "":
		errs.Addf(c.Pos, "\"script\" belongs to model %q, and the model is %q", trace.ModelScript, c.Model)
	}
}

// checkPath reports a case whose runs have no one file to go to, or one that is something else than a recording.
func (p *plan) checkPath(errs *source.Errors) {
	c := p.tested
	path, ok := p.cassette()
	if !ok {
		errs.Addf(c.CassettePos, "recording needs one path that ends in .json under \"cassette\", found %s", strings.Join(c.Cassettes, ", "))
		return
	}
	var at *fs.PathError
	switch info, err := fs.Stat(p.runner.options.FS, path); {
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &at): // such as a link that leads out of the workspace
		errs.Addf(c.CassettePos, "cassette %q cannot be written: %s", path, at.Err)
	case err != nil:
		errs.Addf(c.CassettePos, "cassette %q cannot be written: %s", path, err)
	case info.IsDir():
		errs.Addf(c.CassettePos, "cassette %q cannot be written: it is a folder", path)
	default:
		if _, mistakes := trace.Read(p.runner.options.FS, []string{path}, 0); len(mistakes) > 0 {
			errs.Addf(c.CassettePos, "%q is there and cannot be read as a cassette, and recording would overwrite it; remove it first, or name another file", path)
		}
	}
}

// cassette returns the file that the case's runs are recorded in; ok is false when it names no one file.
func (p *plan) cassette() (path string, ok bool) {
	list := p.tested.Cassettes
	if len(list) != 1 || strings.ContainsAny(list[0], `*?[{\`) || !strings.HasSuffix(list[0], ".json") {
		return "", false
	}
	return list[0], true
}

// points returns how many distractors the runs are offered, in order, and the distractors.
func (p *plan) points() (inject func([]*catalog.Tool) ([]*catalog.Tool, error), offer []int) {
	for _, check := range p.tested.Checks {
		if check.Plan.Inject != nil {
			return check.Plan.Inject, check.Plan.Offer
		}
	}
	return nil, nil
}

// runs returns how many runs the case takes, over all points of a curve.
func (p *plan) runs() int {
	_, offer := p.points()
	return p.tested.Runs * max(1, len(offer))
}
