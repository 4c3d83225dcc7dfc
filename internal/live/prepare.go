package live

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Prepared is a suite whose cases are ready to run. Its methods may be called concurrently.
type Prepared struct {
	runner  *Runner
	suite   *suite.Suite
	budget  *account
	servers map[string]mcpclient.Config
	rules   *redact.Rules
	secrets []string
	pool    *mcpclient.Pool
	plans   map[*suite.Case]*plan

	mu    sync.Mutex
	tools map[string]func() (*catalog.Catalog, error) // by server; the first call asks the server, later calls return the same result
}

// Prepare prepares the cases of a suite. It reports each mistake that would prevent a case from running, with its place. If there
// is a mistake, no case may run. Prepare starts nothing.
func (r *Runner) Prepare(s *suite.Suite, cases []*suite.Case) (*Prepared, source.Errors) {
	var errs source.Errors
	p := &Prepared{
		runner:  r,
		suite:   s,
		budget:  newAccount("budget.per_suite_usd_cents", s.Budget.PerSuite),
		servers: map[string]mcpclient.Config{},
		secrets: slices.Clone(s.Secrets),
		pool:    mcpclient.NewPool(r.ctx, r.info()),
		plans:   map[*suite.Case]*plan{},
		tools:   map[string]func() (*catalog.Catalog, error){},
	}
	for _, c := range cases {
		p.prepareServers(c, &errs)
		if c.Kind == suite.AgentTest {
			p.plans[c] = p.prepareCase(c, &errs)
		}
	}
	p.setRules(&errs)
	p.checkMadeWith(cases, &errs)
	r.noteSecrets(p)
	r.claimCassettes(p, cases, &errs)
	if len(errs) > 0 {
		return nil, errs
	}
	return p, nil
}

func (p *Prepared) setRules(errs *source.Errors) {
	s := p.suite
	rules, err := redact.New(redact.Config{
		Values: p.secrets, Keys: s.Redact.Keys, Patterns: s.Redact.Patterns, Allow: s.Redact.Allow,
	})
	if err != nil {
		errs.Addf(source.Pos{File: s.File, Line: 1, Col: 1}, "%s", err)
	}
	p.rules = rules
	for name, config := range p.servers {
		config.Rules = rules
		p.servers[name] = config
	}
}

// claimCassettes counts the missing runs of the cases and notes their recordings, unless there are mistakes. Two cases with the
// same recording are a mistake, because chance would decide which recording stays.
func (r *Runner) claimCassettes(p *Prepared, cases []*suite.Case, errs *source.Errors) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.options.Save != nil {
		claimed := maps.Clone(r.cassettes)
		for _, c := range cases {
			checkSharedRecording(p.plans[c], claimed, errs)
		}
	}
	if len(*errs) > 0 {
		return
	}
	for _, one := range p.plans {
		r.planned += one.missingRuns()
		if path, ok := one.recordingPath(); ok {
			r.cassettes[path] = one
		}
	}
}

func checkSharedRecording(p *plan, claimed map[string]*plan, errs *source.Errors) {
	if p == nil {
		return
	}
	path, ok := p.recordingPath()
	if !ok {
		return
	}
	other, isTaken := claimed[path]
	if !isTaken {
		claimed[path] = p
		return
	}
	place := source.Pos{File: other.tested.CassettePos.File, Line: other.tested.CassettePos.Line}
	errs.Addf(p.tested.CassettePos, "cassette %q would be recorded for %q at %s, too, and only one of the recordings would stay; "+
		"expected one for each case, or a recording of one suite at a time", path, other.tested.Name, place)
}

// prepareServers adds the configurations of the case's servers, and reports servers that cannot be started.
func (p *Prepared) prepareServers(c *suite.Case, errs *source.Errors) {
	options := &p.runner.options
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
		if len(name) > trace.MaxName && c.Kind == suite.AgentTest {
			errs.Addf(s.Pos, "the name of the server is %d bytes long, at most %d are read in a cassette", len(name), trace.MaxName)
			continue
		}
		if len(s.Start.Command) == 0 && s.Start.URL == "" {
			if c.Kind == suite.AgentTest {
				errs.Addf(s.Pos, "server %q has neither \"command\" nor \"url\", one of which a live run needs", name)
			}
			continue
		}
		config, secrets, err := ServerConfigOf(s, p.suite, options.Dir, options.Getenv)
		if err != nil {
			errs.Addf(s.Pos, "server %q %s", name, err)
			continue
		}
		if isOwnMock(s.Start.Command) {
			p.runner.note("servers with the command \"mcptest mock\" are this program's mock server")
		}
		config.Hurry = options.Hurry
		if options.Limit != nil {
			options.Limit(&config)
		}
		p.servers[name] = config
		p.secrets = append(p.secrets, secrets...)
	}
}

func (p *Prepared) serverNames() []string {
	return lists.Map(p.suite.Servers, func(s *suite.Server) string { return s.Name })
}

// Close ends the sessions that runs share.
func (p *Prepared) Close() error { return p.pool.Close() }

// Tools returns the tools that a server lists. Each server is asked once, even if it does not answer: otherwise every
// case that judges its tools would wait again.
func (p *Prepared) Tools(ctx context.Context, server *suite.Server) (*catalog.Catalog, error) {
	p.mu.Lock()
	ask := p.tools[server.Name]
	if ask == nil {
		ask = sync.OnceValues(func() (*catalog.Catalog, error) {
			list, err := mcpclient.Snapshot(ctx, p.servers[server.Name], p.runner.info(), p.rules)
			if err != nil {
				return nil, err
			}
			return list.Catalog, nil
		})
		p.tools[server.Name] = ask
	}
	p.mu.Unlock()
	return ask()
}

// Run runs a case and returns its evidence, without secrets. A failure of a run is the run's error. Run itself returns
// an error if the evidence is not whole: the case was interrupted, or its budget was used up.
func (p *Prepared) Run(ctx context.Context, c *suite.Case) (*trace.Trace, error) {
	return p.plans[c].run(ctx)
}
