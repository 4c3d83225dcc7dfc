package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/org/mcp-gates/internal/proxy"
	"github.com/org/mcp-gates/internal/proxy/recording"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/spf13/cobra"
)

type proxyFlags struct {
	name        string
	output      string
	http        string
	to          string
	allowRemote bool
	idle        time.Duration
}

func (p *program) proxyCommand() *cobra.Command {
	var f proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy --name SERVER (-- COMMAND [ARGUMENT...] | --http HOST:PORT --to URL)",
		Short: "Record the messages between an MCP client and a server",
		Long: `Proxy passes bytes unchanged between any MCP client and a server. It records the tools, the calls with their
results and errors, and the times, in one file for each session. It removes secrets before it writes (see
docs/proxy.md).

With COMMAND, proxy starts the server, forwards standard input, standard output and signals, and exits with the
server's exit status. With --http, it listens on a loopback address and forwards requests to --to, under the
same path, until SIGINT or SIGTERM.

If a recording fails, proxy reports this once on standard error and still forwards bytes.`,
		Example: `  mcp-gates proxy --name files -- npx -y @modelcontextprotocol/server-filesystem .
  mcp-gates proxy --name tickets -o /home/me/recordings -- node server.js
  mcp-gates proxy --name search --http 127.0.0.1:8931 --to https://search.example/mcp`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.runProxy(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "", "name of the `SERVER` in suites")
	flags.StringVarP(&f.output, "output", "o", "recordings", "write recordings to this `FOLDER`, which is created if missing")
	flags.StringVar(&f.http, "http", "", "listen on this `HOST:PORT` for clients of streamable HTTP")
	flags.StringVar(&f.to, "to", "", "`URL` of the server")
	flags.BoolVar(&f.allowRemote, "allow-remote", false, "allow an address that other machines can reach")
	flags.DurationVar(&f.idle, "idle", time.Minute, "begin a new recording if a client without sessions sent nothing for this `TIME`")
	return cmd
}

// check returns an error for flags that do not go together.
func (f *proxyFlags) check(args []string) error {
	switch isHTTP := f.http != "" || f.to != ""; {
	case f.name == "":
		return errors.New("proxy needs --name SERVER, the name that the server has in suites")
	case len(f.name) > trace.MaxName:
		return fmt.Errorf("--name is %d bytes long, at most %d are read in a cassette", len(f.name), trace.MaxName)
	case isHTTP && len(args) > 0:
		return fmt.Errorf("proxy takes a command or --http and --to, found both; the command is %q", args[0])
	case isHTTP && (f.http == "" || f.to == ""):
		return errors.New("--http HOST:PORT and --to URL go together, found one of them")
	case !isHTTP && len(args) == 0:
		return errors.New("proxy needs a server: a command after --, or --http HOST:PORT and --to URL")
	case f.idle <= 0:
		return fmt.Errorf("--idle must be more than 0, found %s", f.idle)
	case f.output == "":
		return errors.New("--output must name a folder")
	}
	return nil
}

func (p *program) runProxy(ctx context.Context, f proxyFlags, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	rules, err := redact.New(redact.Config{Values: redact.EnvironmentSecrets(os.Environ())})
	if err != nil {
		return err
	}
	options := recording.Options{
		Dir: f.output, Server: f.name, Version: thisBuild().Version, Rules: rules, Idle: f.idle,
		Complain: func(err error) { // the proxy continues
			fmt.Fprintf(p.stderr, "mcp-gates: proxy: %s\n", report.Safe(rules.File().Text(err.Error())))
		},
	}
	if f.http != "" {
		return p.proxyHTTP(ctx, f, options)
	}
	return p.proxyStdio(args, options)
}

func (p *program) proxyStdio(command []string, o recording.Options) error {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passedOn...)
	// Without a handler, SIGPIPE ends this program when the client has gone.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	status, err := proxy.Stdio(proxy.StdioOptions{
		Command: command, Env: os.Environ(), Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr, Signals: signals, Recording: o,
	})
	if err != nil {
		return worldError{fmt.Errorf("proxy: %w", err)}
	}
	p.status = status
	return nil
}

func (p *program) proxyHTTP(ctx context.Context, f proxyFlags, o recording.Options) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	listener, err := proxy.Listen(ctx, f.http, f.allowRemote)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	url, err := proxy.URLOf(listener, f.to)
	if err != nil {
		listener.Close()
		return fmt.Errorf("--to: %w", err)
	}
	fmt.Fprintf(p.stderr, "mcp-gates: proxy listens on %s\n", report.Safe(url))
	if err := proxy.HTTP(ctx, listener, proxy.HTTPOptions{To: f.to, Recording: o}); err != nil {
		return worldError{fmt.Errorf("proxy: %w", err)}
	}
	return nil
}
