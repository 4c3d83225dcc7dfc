package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandFlags are the flags of commands that start a server given after --.
type commandFlags struct {
	command []string
	hasDash bool // -- is given, with or without a command after it
	env     []string
	timeout time.Duration
}

func (f *commandFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.env, "env", nil, "`NAME[=VALUE]` for the environment of the command, besides PATH, HOME, LANG and TMPDIR; repeatable")
	flags.DurationVar(&f.timeout, "timeout", 0, "the longest time for a server's start, and for each answer (default 1m0s)")
}

// cutCommand moves the command after -- from the arguments to f, and returns the other arguments.
func (f *commandFlags) cutCommand(cmd *cobra.Command, args []string) []string {
	at := cmd.ArgsLenAtDash()
	if at < 0 {
		return args
	}
	f.command, f.hasDash = args[at:], true
	return args[:at]
}

func (f *commandFlags) check() error {
	switch {
	case f.hasDash && len(f.command) == 0:
		return errors.New("-- has no command after it")
	case f.timeout < 0:
		return fmt.Errorf("--timeout must be longer than 0, found %s", f.timeout)
	case len(f.env) > 0 && len(f.command) == 0:
		return errors.New("--env is for a command after --, and there is none")
	}
	return nil
}

// liveServer is the configuration of a live server, with the secrets in it.
type liveServer struct {
	config  mcpclient.Config
	redact  redact.Config
	catalog string // path of the catalog that the suite names, relative to the workspace; "" for none
}

// target returns the configuration of the server that the command after -- starts. Values from the environment are secret.
func (f *commandFlags) target(getenv func(string) string) (liveServer, error) {
	t := liveServer{config: mcpclient.Config{Command: f.command, Env: mcpclient.BaseEnv(getenv)}}
	for _, arg := range f.env {
		name, value, isGiven := strings.Cut(arg, "=")
		if name == "" {
			return t, fmt.Errorf("--env must be NAME or NAME=VALUE, found %q", arg)
		}
		if !isGiven {
			if value = getenv(name); value == "" {
				return t, fmt.Errorf("--env %s: the environment variable is not set", name)
			}
			t.redact.Values = append(t.redact.Values, value)
		}
		t.config.Env = append(t.config.Env, name+"="+value)
	}
	f.setTimeouts(&t.config)
	return t, nil
}

// onlyWith returns an error if one of the flags in names was given without what they need. needed names it, such as "a command
// after --", and isGiven says whether it was given.
func onlyWith(flags *pflag.FlagSet, isGiven bool, needed string, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) && !isGiven {
			return fmt.Errorf("--%s needs %s", name, needed)
		}
	}
	return nil
}

func (f *commandFlags) setTimeouts(c *mcpclient.Config) {
	if f.timeout > 0 {
		c.ConnectTimeout, c.CallTimeout = f.timeout, f.timeout
	}
	if f.timeout > 0 || c.CallSetting == "" {
		c.ConnectSetting, c.CallSetting = "--timeout", "--timeout"
	}
}

func (p *program) listTools(ctx context.Context, t liveServer) (mcpclient.Listing, error) {
	ctx, signals := interruptible(ctx, nil)
	defer signals.stop()
	t.config.Hurry = signals.hurry
	return readTools(ctx, t)
}

func readTools(ctx context.Context, t liveServer) (mcpclient.Listing, error) {
	rules, err := redact.New(t.redact)
	if err != nil {
		return mcpclient.Listing{}, err
	}
	list, err := mcpclient.Snapshot(ctx, t.config, mcpclient.Info{Name: "mcp-gates", Version: thisBuild().Version}, rules)
	if err != nil {
		return list, worldError{err}
	}
	return list, nil
}

// listCommand reads the tools of a server that a command starts. The catalog is named after the command.
func (p *program) listCommand(ctx context.Context, f *commandFlags) (*catalog.Catalog, error) {
	server, err := f.target(p.getenv)
	if err != nil {
		return nil, err
	}
	list, err := p.listTools(ctx, server)
	if err != nil {
		return nil, err
	}
	var shapes *redact.Rules
	list.Catalog.File = shapes.File().Text(strings.Join(f.command, " "))
	return list.Catalog, nil
}

type snapshotFlags struct {
	commandFlags
	server, url, transport, tokenEnv string
	workspace, output, against       string
	update, checks                   bool
}

func (p *program) snapshotCommand() *cobra.Command {
	var f snapshotFlags
	cmd := &cobra.Command{
		Use:   "snapshot --server NAME [SUITE] | --url URL | -- COMMAND... | --check [SUITE...]",
		Short: "Write the catalog of a live server, or check that it is still the same",
		Long: `Snapshot starts or contacts an MCP server, and writes its tools and instructions as a catalog. The tools are
sorted by name and have every field that the server advertises. Secrets are removed.

Name a server of a suite, an address or a command. Without a suite argument, snapshot reads the suites that run
would find. A command gets only the variables PATH, HOME, LANG, TMPDIR and those of --env.

With --check, snapshot writes nothing. If a server no longer advertises its snapshot, snapshot prints the
difference and exits with 1. It checks all servers of the suites, or the one that --server names. For a command
or an address, set --against FILE.`,
		Example: `  mcp-gates snapshot -- npx -y @modelcontextprotocol/server-memory > catalogs/memory.json
  mcp-gates snapshot --url http://127.0.0.1:3001/mcp --output catalogs/local.json
  mcp-gates snapshot --server weather --update
  mcp-gates snapshot --check
  mcp-gates snapshot --check --against catalogs/weather.json -- ./server`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.checks {
				return p.checkSnapshots(cmd.Context(), f, f.cutCommand(cmd, args))
			}
			flags := cmd.Flags()
			err := cmp.Or(onlyWith(flags, f.checks, "--check", "against"), onlyWith(flags, f.server != "", "--server", "workspace"))
			if err != nil {
				return err
			}
			return p.runSnapshot(cmd.Context(), f, f.cutCommand(cmd, args))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.server, "server", "", "`NAME` of a server that a suite declares")
	flags.StringVar(&f.url, "url", "", "`ADDRESS` of a server over HTTP")
	flags.StringVar(&f.transport, "transport", "", "with --url: http (streamable HTTP, the default) or sse (the older transport)")
	flags.StringVar(&f.tokenEnv, "bearer-token-env", "", "with --url: `NAME` of the environment variable with the bearer token")
	flags.StringVar(&f.output, "output", "", "`FILE` to write to (default: standard output)")
	flags.BoolVar(&f.update, "update", false, "with --server: write to the catalog that the suite names for the server")
	flags.BoolVar(&f.checks, "check", false, "write nothing; exit with 1 if a server no longer advertises its snapshot")
	flags.StringVar(&f.against, "against", "", "with --check, --url or a command: `FILE` with the snapshot")
	flags.StringVar(&f.workspace, "workspace", ".", "with --server or --check: `folder` of the suites and all that they name")
	f.commandFlags.register(flags)
	return cmd
}

func (p *program) runSnapshot(ctx context.Context, f snapshotFlags, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	t, err := p.snapshotTarget(&f, args)
	if err != nil || p.status != 0 {
		return err
	}
	if f.update && severalFiles(f.workspace, t.catalog) {
		return fmt.Errorf("--update writes one file, and \"catalog\" of %q is %q, whose files their own program writes; give --output instead", f.server, t.catalog)
	}
	if f.update && t.catalog == "" {
		return fmt.Errorf("--update needs a server with \"catalog\", and %q has none; give --output instead", f.server)
	}
	list, err := p.listTools(ctx, t)
	if err != nil {
		return err
	}
	place, err := p.saveSnapshot(&f, t, catalog.Snapshot(list.Catalog))
	if err != nil {
		return worldError{err}
	}
	fmt.Fprintf(p.stderr, "%s, %s%s\n", judge.CountOf(len(list.Catalog.All()), "tool"), judge.CountOf(list.Pages, "page"), report.Safe(place))
	return nil
}

// check returns an error for flags that do not go together.
func (f *snapshotFlags) check(args []string) error {
	if err := f.commandFlags.check(); err != nil {
		return err
	}
	sources := 0
	for _, isGiven := range []bool{f.server != "", f.url != "", len(f.command) > 0} {
		if isGiven {
			sources++
		}
	}
	switch {
	case sources != 1:
		return fmt.Errorf("snapshot takes one of --server NAME, --url URL and -- COMMAND, found %d", sources)
	case len(args) > 0 && f.server == "":
		return fmt.Errorf("a suite argument needs --server, found %q; write a command after --", args[0])
	case len(args) > 1:
		return fmt.Errorf("--server takes one suite at most, found %d", len(args))
	case f.update && f.server == "":
		return errors.New("--update needs --server")
	case f.update && f.output != "":
		return errors.New("--update and --output both say where to write, expected one of them")
	case f.url == "" && (f.transport != "" || f.tokenEnv != ""):
		return errors.New("--transport and --bearer-token-env need --url")
	case !slices.Contains([]string{"", "http", "sse"}, f.transport):
		return fmt.Errorf("unknown --transport %q%s; it is http or sse", f.transport, source.DidYouMean(f.transport, []string{"http", "sse"}))
	}
	return nil
}

// snapshotTarget returns the server to read. Mistakes in suites are reported here, and set the program's status.
func (p *program) snapshotTarget(f *snapshotFlags, args []string) (liveServer, error) {
	switch {
	case len(f.command) > 0:
		return f.target(p.getenv)
	case f.server != "":
		s, server, err := p.findServer(f, args)
		if err != nil || server == nil {
			return liveServer{}, err
		}
		return p.liveServerOf(f, s, server)
	}
	t := liveServer{config: mcpclient.Config{URL: f.url, Transport: f.transport, Headers: http.Header{}}}
	if f.tokenEnv != "" {
		token := strings.TrimSpace(p.getenv(f.tokenEnv))
		if token == "" {
			return t, fmt.Errorf("--bearer-token-env %s: the environment variable is not set", f.tokenEnv)
		}
		t.config.Headers.Set("Authorization", "Bearer "+token)
		t.redact.Values = []string{token}
	}
	f.setTimeouts(&t.config)
	return t, nil
}

func (p *program) liveServerOf(f *snapshotFlags, s *suite.Suite, server *suite.Server) (liveServer, error) {
	dir, err := filepath.Abs(f.workspace)
	if err != nil {
		return liveServer{}, err
	}
	config, secrets, err := live.ServerConfigOf(server, s, dir, p.getenv)
	if err != nil {
		return liveServer{}, fmt.Errorf("%s: server %q: %w", server.Pos, server.Name, err)
	}
	f.setTimeouts(&config)
	t := liveServer{config: config, redact: redact.Config{
		Values: secrets, Keys: s.Redact.Keys, Patterns: s.Redact.Patterns, Allow: s.Redact.Allow,
	}}
	if server.Snapshot != nil {
		t.catalog = server.Snapshot.File
	}
	return t, nil
}

// findServer returns the only server with the name that the flags give, and its suite.
func (p *program) findServer(f *snapshotFlags, args []string) (*suite.Suite, *suite.Server, error) {
	found, err := p.serverSuites(f, args)
	if err != nil || p.status != 0 {
		return nil, nil, err
	}
	var serverSuite *suite.Suite
	var server *suite.Server
	var names []string
	for _, s := range found {
		for _, one := range s.Servers {
			names = append(names, one.Name)
			if one.Name != f.server {
				continue
			}
			if server != nil {
				return nil, nil, fmt.Errorf("server %q is declared in %q and %q, name one of them: mcp-gates snapshot --server %s %s",
					f.server, serverSuite.File, s.File, f.server, serverSuite.File)
			}
			serverSuite, server = s, one
		}
	}
	if server == nil {
		return nil, nil, fmt.Errorf("no suite declares a server %q%s", f.server, source.DidYouMean(f.server, names))
	}
	return serverSuite, server, nil
}

// serverSuites returns the suites that args name, or all that can be found, with only their servers loaded.
func (p *program) serverSuites(f *snapshotFlags, args []string) ([]*suite.Suite, error) {
	workspace, files, err := findSuites(f.workspace, args)
	if err != nil {
		return nil, err
	}
	loader := suite.NewLoader(workspace)
	var found []*suite.Suite
	var errs source.Errors
	for _, file := range files {
		s, problems := loader.Servers(file)
		found, errs = append(found, s), append(errs, problems...)
	}
	p.printMistakes(errs)
	return found, nil
}

// saveSnapshot writes a catalog to the file that the flags name, and returns words for the place.
func (p *program) saveSnapshot(f *snapshotFlags, t liveServer, text []byte) (string, error) {
	file, write := f.output, writing(text)
	var err error
	switch {
	case f.update:
		file = t.catalog
		err = saveInWorkspace(f.workspace, file, write)
	case file != "":
		err = writeFile(file, write)
	default:
		if err := write(p.stdout); err != nil {
			return "", fmt.Errorf("write the catalog: %w", err)
		}
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("write the catalog to %q: %w", file, err)
	}
	return ", written to " + file, nil
}
