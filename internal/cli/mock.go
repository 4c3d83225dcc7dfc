package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/org/mcp-gates/internal/mock"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/spf13/cobra"
)

type mockFlags struct {
	from     string
	fault    string
	http     string
	pageSize int
}

func (p *program) mockCommand() *cobra.Command {
	var f mockFlags
	cmd := &cobra.Command{
		Use:   "mock --tools-from FILE",
		Short: "Serve the tools of a manifest or a catalog over MCP",
		Long: `Mock is an MCP server for trying agents and clients. FILE is a manifest or a catalog. A manifest (.yml, .yaml)
contains tools with scripted answers, resources and prompts (see docs/mock.md). The tools of a catalog (.json)
answer with their name and arguments.

Mock speaks MCP over standard input and output until its input closes. With --http, it serves any number of
clients over streamable HTTP, and prints its address on standard error. SIGINT and SIGTERM also end mock, with
status 0.

Faults, for --fault:
` + mock.FaultUsage(),
		Example: `  mcp-gates mock --tools-from examples/mock/weather.yml
  mcp-gates mock --tools-from catalogs/weather.json --fault recover-after:2
  mcp-gates mock --tools-from catalogs/weather.json --http 8080`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.runMock(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "tools-from", "", "manifest or catalog `FILE` to serve")
	flags.StringVar(&f.fault, "fault", "none", "`FAULT` that the server simulates")
	flags.StringVar(&f.http, "http", "", "serve over streamable HTTP at this `ADDRESS`; a port alone is on 127.0.0.1, port 0 is any free port")
	flags.IntVar(&f.pageSize, "page-size", 0, "number of tools, resources or prompts on a page of a list; 0: the number in FILE, or all")
	return cmd
}

// runMock serves a manifest or a catalog on standard input and output, or over HTTP.
func (p *program) runMock(ctx context.Context, f mockFlags, args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("mock takes no arguments, found %q; write the file after --tools-from", args)
	case f.from == "":
		return errors.New("mock needs --tools-from FILE, a manifest (.yml, .yaml) or a catalog (.json, or a folder of such files)")
	case f.pageSize < 0:
		return fmt.Errorf("--page-size must be 0 or more, found %d", f.pageSize)
	}
	fault, err := mock.ParseFault(f.fault)
	if err != nil {
		return fmt.Errorf("--fault: %w", err)
	}
	definition, errs := p.readMock(ctx, f.from)
	if p.printMistakes(errs) {
		return nil
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	server := mock.New(definition, mock.Options{Fault: fault, PageSize: f.pageSize})
	if f.http != "" {
		return p.mockHTTP(ctx, server, f.http)
	}
	if err := server.Serve(ctx, p.stdin, p.stdout); err != nil {
		return worldError{fmt.Errorf("mock: read from the client: %w", err)}
	}
	return nil
}

// readMock reads the definition of a mock server: a manifest or a catalog, by the ending of the name.
func (p *program) readMock(ctx context.Context, file string) (*mock.Definition, source.Errors) {
	shown := filepath.ToSlash(file)
	switch strings.ToLower(filepath.Ext(file)) {
	case ".yml", ".yaml":
		data, err := p.readInput(file, source.MaxSuite)
		if err != nil {
			return nil, mistakeIn(shown, err)
		}
		return mock.ReadManifest(shown, data)
	case ".json", ".snap", "":
		cat, errs := p.readWholeCatalog(ctx, file)
		if len(errs) > 0 {
			return nil, errs
		}
		return mock.FromCatalog(cat), nil
	}
	return nil, source.Errors{{Pos: source.Pos{File: shown}, Msg: "must be a manifest (.yml, .yaml) or a catalog (.json, or a folder of such files)"}}
}

func (p *program) mockHTTP(ctx context.Context, server *mock.Server, address string) error {
	address, err := mock.ListenAddress(address)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return worldError{fmt.Errorf("mock: %w", err)}
	}
	fmt.Fprintf(p.stderr, "mcp-gates: mock listens on %s\n", report.Safe(mock.URL(listener)))
	if err := server.ServeHTTP(ctx, listener); err != nil {
		return worldError{fmt.Errorf("mock: %w", err)}
	}
	return nil
}
