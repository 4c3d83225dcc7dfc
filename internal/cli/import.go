package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suggest"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type importFlags struct {
	from                 string
	out, workspace       string
	suites               []string
	serverMap, servers   []string
	builtins, subagents  string
	split, by            string
	strict, dry, suggest bool
	verbose              bool
	draft                string // file name of the draft: suggest.DraftName, unless init sets its own
}

func (p *program) importCommand() *cobra.Command {
	f := importFlags{draft: suggest.DraftName}
	cmd := &cobra.Command{
		Use:   "import IN...",
		Short: "Turn logs of agents into recorded runs (cassettes)",
		Long: `Import reads logs of agents, and writes cassettes without secrets. Each cassette has all runs of one prompt and
one model. With --suite, import writes each run to the cassette of the case that the run fits. --suggest also
writes a draft of a suite, with bounds that the runs meet today.

Logs are files, globs (** included), folders (their .json, .jsonl and .ndjson files, sorted) or - for standard
input. The formats are ` + strings.Join(imports.Names(), ", ") + `.`,
		Example: `  mcp-gates import ~/.claude/projects/-home-me-shop --suggest
  mcp-gates import --from otel 'traces/**/*.jsonl' -o cassettes
  mcp-gates import logs --suite mcp-gates.yml
  mcp-gates import logs --server weather --server-map wx=weather --split turn`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.runImport(cmd.Context(), &f, args) },
	}
	f.register(cmd.Flags())
	return cmd
}

// defaultOut is the folder that cassettes are written to.
const defaultOut = "cassettes"

func (f *importFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.from, "from", imports.Auto, "`format` of the logs; auto recognises the format of each file")
	flags.StringVarP(&f.out, "output", "o", "", "`folder` to write the cassettes to (default \""+defaultOut+"\")")
	flags.StringArrayVar(&f.suites, "suite", nil, "write each run to the cassette of the case that it fits in this `suite` (file, glob or folder); repeatable")
	flags.StringVar(&f.workspace, "workspace", ".", "`folder` that holds the suites")
	flags.StringSliceVar(&f.servers, "server", nil, "`name` of a server: tools with names such as NAME_TOOL belong to the server NAME; repeatable")
	flags.StringArrayVar(&f.serverMap, "server-map", nil, "`PREFIX=SERVER`: tools whose names begin with PREFIX belong to SERVER; repeatable")
	flags.StringVar(&f.builtins, "builtins", builtinsApart, "how the agent's own tools count: `apart` (only for gates that name them), or count (like other tools)")
	flags.StringVar(&f.subagents, "subagents", string(imports.SubagentsInclude), "import calls of sub-agents, or not: `include` or leave-out")
	flags.StringVar(&f.split, "split", string(imports.SplitSession), "unit of one run: a `session`, or a turn (from one user message to the next)")
	flags.StringVar(&f.by, "by", "", "group runs by these `keys`, separated by commas: prompt, model, session, cwd, metadata.KEY (default \"prompt,model\")")
	flags.BoolVar(&f.strict, "strict", false, "write nothing and exit with 2 if a record could not be read")
	flags.BoolVar(&f.suggest, "suggest", false, "write a draft of a suite, "+suggest.DraftName+", beside the folder of the cassettes")
	flags.BoolVar(&f.dry, "dry-run", false, "show what would be written, and write nothing")
	flags.BoolVar(&f.verbose, "verbose", false, "list all records that could not be read")
}

// builtinsApart is the flag value that keeps the agent's own tools out of the judgement.
const builtinsApart = "apart"

type importing struct {
	*program
	flags   *importFlags
	options imports.Options
	by      []imports.Key
	files   *logFiles
	suites  []*suite.Suite
	rules   *redact.Rules
}

func (p *program) runImport(ctx context.Context, f *importFlags, args []string) error {
	in := &importing{program: p, flags: f}
	if err := in.checkFlags(args); err != nil {
		return err
	}
	var errs source.Errors
	in.files, errs = findLogs(args, p.stdin)
	errs = append(errs, in.loadSuites()...)
	if p.printMistakes(errs) {
		return nil
	}
	return in.run(ctx)
}

// checkFlags refuses flags that do not go together or have a wrong value, and sets the options.
func (in *importing) checkFlags(args []string) (err error) {
	f := in.flags
	switch {
	case len(args) == 0:
		return errors.New("import takes one log or more: files, globs, folders or - for standard input, found none")
	case f.dry && f.suggest:
		return errors.New("--suggest cannot be combined with --dry-run: floors are computed from the written cassettes")
	case len(f.suites) > 0 && (f.suggest || f.by != "" || f.out != ""):
		return errors.New("--suite writes to the cassettes of its cases, so it cannot be combined with --suggest, --by or --output")
	}
	for _, one := range []struct {
		flag, value string
		words       []string
	}{
		{"from", f.from, append(imports.Names(), imports.Auto)},
		{"builtins", f.builtins, []string{builtinsApart, trace.BuiltinsCount}},
		{"subagents", f.subagents, []string{string(imports.SubagentsInclude), string(imports.SubagentsLeaveOut)}},
		{"split", f.split, []string{string(imports.SplitSession), string(imports.SplitTurn)}},
	} {
		if !slices.Contains(one.words, one.value) {
			return fmt.Errorf("--%s must be one of %s, found %q%s", one.flag, strings.Join(one.words, ", "), one.value, source.DidYouMean(one.value, one.words))
		}
	}
	if in.by = imports.DefaultKeys; f.by != "" {
		if in.by, err = imports.ReadKeys(f.by); err != nil {
			return fmt.Errorf("--by: %w", err)
		}
	}
	in.options = imports.Options{
		Format: f.from, Servers: f.servers, ServerMap: map[string]string{}, Split: imports.Split(f.split), Subagents: imports.Subagents(f.subagents),
	}
	return in.readServerMap()
}

// readServerMap reads the values of --server-map.
func (in *importing) readServerMap() error {
	for _, one := range in.flags.serverMap {
		prefix, server, ok := strings.Cut(one, "=")
		if !ok || server == "" {
			return fmt.Errorf("--server-map must be PREFIX=SERVER, found %q", one)
		}
		if other, taken := in.options.ServerMap[prefix]; taken && other != server {
			return fmt.Errorf("--server-map gives the prefix %q to %q and to %q", prefix, other, server)
		}
		in.options.ServerMap[prefix] = server
	}
	return nil
}

// loadSuites loads the suites that the runs are for. It adds their servers and their secrets to the known ones.
func (in *importing) loadSuites() source.Errors {
	var secrets redact.Config
	if len(in.flags.suites) > 0 {
		if errs := in.readSuites(); len(errs) > 0 {
			return errs
		}
	}
	for _, s := range in.suites {
		secrets.Keys = append(secrets.Keys, s.Redact.Keys...)
		secrets.Patterns = append(secrets.Patterns, s.Redact.Patterns...)
		secrets.Allow = append(secrets.Allow, s.Redact.Allow...)
	}
	in.addServers()
	rules, err := redact.New(secrets)
	in.rules = rules
	if err != nil {
		return source.ErrorsOf(err)
	}
	return nil
}

func (in *importing) readSuites() (errs source.Errors) {
	workspace, found, err := findSuites(in.flags.workspace, in.flags.suites)
	if err != nil {
		return source.ErrorsOf(err)
	}
	loader := suite.NewLoader(workspace)
	for _, name := range found {
		s, mistakes := loader.Load(name)
		errs = append(errs, mistakes...)
		in.suites = append(in.suites, s)
	}
	return errs
}

// addServers adds the servers of the suites to the known servers. If only one server is known, it gets the calls that name no
// server.
func (in *importing) addServers() {
	for _, s := range in.suites {
		for _, server := range s.Servers {
			in.options.Servers = append(in.options.Servers, server.Name)
		}
		for _, c := range s.Cases {
			in.options.Servers = append(in.options.Servers, c.ServerNames...)
		}
	}
	slices.Sort(in.options.Servers)
	in.options.Servers = slices.Compact(in.options.Servers)
	if len(in.options.Servers) == 1 {
		in.options.Lone = in.options.Servers[0]
	}
}

// run reads the logs, and writes their runs to cassettes and to a draft, unless anything is refused.
func (in *importing) run(ctx context.Context) error {
	runs := imports.NewCollection(in.by, in.rules)
	defer runs.Close()
	defer in.saveMemory()()
	account, err := imports.Read(in.files, in.files.names, in.options, runs.Add)
	if err != nil {
		return worldError{err}
	}
	out := &imported{account: account, groups: runs.Finish()}
	out.unread = in.splitMistakes(account, runs, len(out.groups) > 0 && !in.lacksFile(account))
	if errs, err := in.refusalOf(out); in.printMistakes(errs) || err != nil {
		return err
	}
	errs := in.placeCassettes(out)
	if len(errs) == 0 && len(out.cassettes) == 0 {
		return in.nothingFitsError(out)
	}
	if len(errs) == 0 {
		errs = append(in.setStates(runs, out), in.checkDraft()...)
	}
	if in.printMistakes(errs) {
		return nil
	}
	if err := in.writeCassettes(runs, out); err != nil {
		return worldError{err}
	}
	if err := in.printSummary(out); err != nil || !in.flags.suggest {
		return err
	}
	return in.writeDraft(ctx, out)
}

// lacksFile reports whether a file that the user named does not exist or cannot be opened.
func (in *importing) lacksFile(account *imports.Account) bool {
	return slices.ContainsFunc(account.Mistakes, func(one *source.Error) bool { return one.Pos.Line == 0 && !in.files.found[one.Pos.File] })
}

// splitMistakes returns the mistakes that do not prevent the import, and leaves the others in account.Mistakes. Mistakes in a file
// that the user named prevent the import, unless the runs of the other logs are enough.
func (in *importing) splitMistakes(account *imports.Account, runs *imports.Collection, isEnough bool) source.Errors {
	var blocking, tolerated source.Errors
	for _, mistake := range account.Mistakes {
		if isEnough || in.files.found[mistake.Pos.File] {
			tolerated = append(tolerated, mistake)
			account.Unread++
		} else {
			blocking = append(blocking, mistake)
		}
	}
	account.Mistakes = blocking
	account.Unread += runs.UnreadRuns
	return append(append(tolerated, account.Skipped...), runs.Unread...)
}

// refusalOf returns the reasons why nothing is written: mistakes in single files, and an error about the logs as a whole.
func (in *importing) refusalOf(out *imported) (source.Errors, error) {
	switch {
	case len(out.account.Mistakes) > 0:
		return out.account.Mistakes, nil
	case in.flags.strict && out.account.Unread > 0:
		return out.unread, fmt.Errorf("%s, and --strict is given, so that nothing was written", couldNotBeRead(out.account.Unread))
	case len(out.groups) == 0:
		return out.unread, fmt.Errorf("nothing was imported: %s", cmp.Or(strings.Join(out.leftOut(), "; "), "the logs hold no run"))
	}
	return nil, nil
}

func (in *importing) nothingFitsError(out *imported) error {
	in.printMistakes(out.unread)
	err := writeSafe(in.stderr, func(w io.Writer) error {
		in.writeLines(w, noCase, out.unfit)
		return nil
	})
	return cmp.Or(err, errors.New("nothing was imported: no case of the suites takes a run of the logs"))
}
