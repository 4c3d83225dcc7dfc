package cli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/clients"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suggest"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/cobra"
)

type initFlags struct {
	commandFlags
	workspace, url, tokenEnv string
	catalog, fromClient      string
	servers, logs            []string
	yes, dry                 bool
}

func (p *program) initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init [-- COMMAND... | --url URL | --catalog FILE | --from LOGS]",
		Short: "Write a first suite for your servers, and the workflow that checks it",
		Long: `Init finds the servers of the workspace (` + strings.Join(clients.Files, ", ") + `),
or reads a command, an address or a catalog. It asks before it starts a server. It writes the tools of each
server to catalogs/, and drafts mcp-gates.yml and .github/workflows/mcp-gates.yml. Then it runs the suite and
prints the next steps. With --from, it uses the runs in logs of agents instead of servers.

The draft expects that descriptions stay as good as today, and that the tools' tokens grow by at most a tenth.
It uses sentences of each description as requests that must lead to the description's tool. It has one recorded
case, for which init calls tools that only read.

Init overwrites nothing, and copies no values of env and headers: the suite reads them from the environment.`,
		Example: `  mcp-gates init
  mcp-gates init -- npx -y @modelcontextprotocol/server-memory
  mcp-gates init --url https://example.test/mcp --bearer-token-env TOKEN
  mcp-gates init --from-client cursor --server github
  mcp-gates init --from ~/.claude/projects/-home-me-shop`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if rest := f.cutCommand(cmd, args); len(rest) > 0 {
				return fmt.Errorf("init takes no arguments, found %q; write a command after --", rest[0])
			}
			return p.runInit(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.workspace, "workspace", ".", "`folder` to write to")
	flags.StringVar(&f.url, "url", "", "`ADDRESS` of a server over HTTP")
	flags.StringVar(&f.tokenEnv, "bearer-token-env", "", "with --url: `NAME` of the environment variable with the bearer token")
	flags.StringVar(&f.catalog, "catalog", "", "`FILE` with the tools of a server; init starts no server")
	flags.StringVar(&f.fromClient, "from-client", "", "use the servers in your configuration of this `client`: "+strings.Join(clients.Names(), ", "))
	flags.StringSliceVar(&f.servers, "server", nil, "use only the servers of these `names`; repeatable")
	flags.StringArrayVar(&f.logs, "from", nil, "begin with the runs in these `logs` of agents (see import); repeatable")
	flags.BoolVar(&f.yes, "yes", false, "start the servers without asking")
	flags.BoolVar(&f.dry, "dry-run", false, "show which servers would be started and which files written, and do nothing")
	f.commandFlags.register(flags)
	return cmd
}

// check returns an error for flags that do not go together.
func (f *initFlags) check() error {
	if err := f.commandFlags.check(); err != nil {
		return err
	}
	var given []string
	for _, one := range []struct {
		name    string
		isGiven bool
	}{{"-- COMMAND", len(f.command) > 0}, {"--url", f.url != ""}, {"--catalog", f.catalog != ""}, {"--from-client", f.fromClient != ""}, {"--from", len(f.logs) > 0}} {
		if one.isGiven {
			given = append(given, one.name)
		}
	}
	switch {
	case len(given) > 1:
		return fmt.Errorf("init takes one of them, found %s", strings.Join(given, " and "))
	case f.tokenEnv != "" && f.url == "":
		return errors.New("--bearer-token-env needs --url")
	case f.fromClient != "" && !slices.Contains(clients.Names(), f.fromClient):
		return unknownNameError("client", f.fromClient, "clients", clients.Names())
	case len(f.logs) > 0 && f.dry:
		return errors.New("--from cannot be combined with --dry-run: floors are computed from the written cassettes")
	}
	return nil
}

type initializing struct {
	*program
	flags *initFlags
	dir   string // the workspace, absolute
	files fs.FS
	ctx   context.Context

	newFiles  []string // paths of catalogs that are to be written
	broken    bool     // a server was left out, because its tools could not be read
	unchecked bool     // the existing workflow does not check the workspace

	advice []string // next steps for the user, besides those that are the same in all workspaces
	later  string   // the last of the next steps; "" for none

	interrupted bool // a signal was received, so no further server is started
}

// suiteFile is the suite that init writes.
const suiteFile = "mcp-gates.yml"

func (p *program) runInit(ctx context.Context, f *initFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	dir, err := filepath.Abs(f.workspace)
	if err != nil {
		return err
	}
	files, err := openWorkspace(f.workspace)
	if err != nil {
		return err
	}
	if found, err := suite.Find(files, nil); len(found) > 0 {
		return fmt.Errorf("there is a suite already: %s; check it with mcp-gates run%s", strings.Join(found[:min(3, len(found))], ", "), workspaceFlag(f.workspace))
	} else if !errors.Is(err, suite.ErrNone) {
		return err
	}
	in := &initializing{program: p, flags: f, dir: dir, files: files, ctx: ctx}
	if len(f.logs) > 0 {
		return in.fromLogs()
	}
	return in.fromServers()
}

// fromServers writes a suite for the servers that are found: their snapshots, a starter suite and a workflow.
func (in *initializing) fromServers() error {
	found, errs, err := in.findServers()
	if in.printMistakes(errs) || err != nil {
		return err
	}
	if in.flags.dry {
		return in.printPlan(found)
	}
	served, err := in.readServers(found)
	if err != nil {
		return err
	}
	starter, err := suggest.NewStarter(in.ctx, in.files, suiteFile, served, in.recorder(served))
	if err != nil {
		return worldError{err}
	}
	if err := in.saveAll(starter.Files); err != nil {
		return err
	}
	in.advise(served, starter.Files)
	return in.finish(served, starter.Left)
}

// advise adds next steps for the user: to read the recording, to mend the descriptions, and to update the snapshot when a server
// changes.
func (in *initializing) advise(served []suggest.Served, files map[string][]byte) {
	workspace := in.flags.workspace
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(name, "cassettes/") {
			in.advice = append(in.advice, fmt.Sprintf("read %s before you commit it: it has what the server returned", shownIn(workspace, name)))
		}
	}
	first := &served[0]
	lint := quotedCommand([]string{"mcp-gates", "lint", shownIn(workspace, first.Catalog)})
	in.advice = append(in.advice, lint+" lists what to mend in the descriptions")
	if first.Copied || len(first.Command) == 0 && first.URL == nil {
		return
	}
	snapshot := quotedCommand([]string{"mcp-gates", "snapshot", "--server", first.Name, "--update"}) + workspaceFlag(workspace)
	in.later = fmt.Sprintf("when the server has changed: %s, then mcp-gates run%s", snapshot, workspaceFlag(workspace))
}

// saveAll writes all files, even if a signal comes meanwhile.
func (in *initializing) saveAll(files map[string][]byte) error {
	_, signals := interruptible(in.ctx, nil)
	defer signals.stop()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := in.saveNew(in.dir, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// saveNew writes a file that must not be there yet.
func (in *initializing) saveNew(dir, name string, text []byte) error {
	shown := shownIn(in.shownDir(dir), name)
	files, err := openWorkspace(dir)
	if err != nil {
		return worldError{err}
	}
	if _, err := fs.Stat(files, name); !errors.Is(err, fs.ErrNotExist) {
		in.print("%s is there already, and was left as it is", shown)
		return nil
	}
	if err := saveInWorkspace(dir, name, writing(text)); err != nil {
		return worldError{fmt.Errorf("write %q: %w", shown, err)}
	}
	in.print("wrote %s", shown)
	return nil
}

func (in *initializing) shownDir(dir string) string {
	if dir == in.dir {
		return in.flags.workspace
	}
	if rel, err := filepath.Rel(in.dir, dir); err == nil {
		return path.Join(filepath.ToSlash(in.flags.workspace), filepath.ToSlash(rel))
	}
	return dir
}

func (in *initializing) print(format string, args ...any) {
	fmt.Fprintln(in.stdout, report.Safe(fmt.Sprintf(format, args...)))
}

func (in *initializing) printNext(variables []string) {
	in.print("")
	in.print("Next:")
	in.print("  read %s, and raise its floors", suiteFile)
	in.print("  put what your users say into its intents and prompts")
	for _, line := range in.advice {
		in.print("  %s", line)
	}
	if len(variables) > 0 {
		in.print("  live runs and snapshots read %s from the environment; a replay needs none of them", strings.Join(variables, ", "))
	}
	in.print("  commit the files, open a pull request, and require the check \"mcp-gates\"")
	if in.later != "" {
		in.print("  %s", in.later)
	}
}

func (in *initializing) finish(served []suggest.Served, left []string) error {
	if err := in.writeWorkflow(served); err != nil {
		return err
	}
	for _, line := range left {
		in.print("%s", line)
	}
	in.print("")
	run := in.runCommand()
	run.SetArgs([]string{"--workspace", in.flags.workspace})
	if err := run.ExecuteContext(in.ctx); err != nil {
		return err
	}
	in.printNext(variablesOf(served))
	if in.unchecked {
		in.status = max(in.status, report.ExitUser)
	}
	if in.broken || in.interrupted {
		in.status = max(in.status, report.ExitWorld)
	}
	return nil
}

func (in *initializing) fromLogs() error {
	out := filepath.Join(in.flags.workspace, defaultOut)
	f := &importFlags{
		from: "auto", out: out, workspace: in.flags.workspace, builtins: builtinsApart, servers: in.flags.servers,
		subagents: "include", split: "session", suggest: true, draft: suiteFile,
	}
	if err := in.runImport(in.ctx, f, in.flags.logs); err != nil || in.status != report.ExitPass {
		return err
	}
	if _, err := fs.Stat(in.files, suiteFile); err != nil {
		return errors.New("no suite was drafted: no run called a tool that a gate could look for")
	}
	return in.finish(nil, nil)
}

// workflow is examples/workflows/pull-request.yml without its first comment; a test compares the two.
//
//go:embed init_workflow.yml
var workflow string

// workflowFile is a place in which GitHub looks for workflows.
const workflowFile = ".github/workflows/mcp-gates.yml"

// writeWorkflow writes the workflow at the top of the workspace's repository. An existing workflow is kept; if it does not
// check the workspace, the user is told what to add to it.
func (in *initializing) writeWorkflow(served []suggest.Served) error {
	top := repositoryOf(in.dir)
	rel, err := filepath.Rel(top, in.dir)
	if err != nil {
		return worldError{err}
	}
	text, folder := workflow, fmt.Sprintf("working-directory: %q", filepath.ToSlash(rel))
	if rel != "." {
		text = strings.TrimRight(text, "\n") + "\n        with:\n          " + folder + "\n"
	}
	files, err := openWorkspace(top)
	if err != nil {
		return worldError{err}
	}
	old, err := fs.ReadFile(files, workflowFile)
	if err == nil && !checksFolder(string(old), rel, folder) {
		in.unchecked = true
		in.print("%s does not check this folder: add a job with %s to it", shownIn(in.shownDir(top), workflowFile), folder)
		return nil
	}
	if err != nil {
		text += in.jobFor(served, filepath.ToSlash(rel))
	}
	return in.saveNew(top, workflowFile, []byte(text))
}

// checksFolder reports whether a workflow already checks the workspace, as far as its text shows. rel is the workspace's path in
// the repository, and folder is the line of a workflow that names it.
func checksFolder(text, rel, folder string) bool {
	if rel == "." {
		return strings.Contains(text, "mcp-gates") && !strings.Contains(text, "working-directory:")
	}
	namesFolder := strings.Contains(text, folder)
	checksAllSuites := strings.Contains(text, "mcp-gates") && !strings.Contains(text, "working-directory:") && !strings.Contains(text, "suite:")
	return namesFolder || checksAllSuites && suite.IsSearched(filepath.ToSlash(rel))
}

// repositoryOf returns the nearest folder, from dir upwards, that has a .git; dir itself if none has.
func repositoryOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
