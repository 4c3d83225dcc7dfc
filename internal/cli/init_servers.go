package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/clients"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suggest"
	"github.com/org/mcp-gates/internal/suite"
	"golang.org/x/term"
)

// catalogsDir is the folder for catalogs, below the workspace.
const catalogsDir = "catalogs"

// findServers returns the servers for the suite. A file that cannot be read is a mistake.
func (in *initializing) findServers() ([]suggest.Served, source.Errors, error) {
	f := in.flags
	switch {
	case f.catalog != "":
		c, name, errs := in.readGivenCatalog()
		if len(errs) > 0 {
			return nil, errs, nil
		}
		return in.servedByCatalog(c, name), nil, nil
	case len(f.command) > 0 || f.url != "":
		s := clients.Given(f.command, f.env, f.url, f.tokenEnv)
		return in.selectServers([]clients.Server{s})
	}
	var found [][]clients.Server
	var errs source.Errors
	for _, file := range in.clientFiles() {
		if isMissing(file.files, file.name) {
			continue
		}
		data, err := source.ReadFile(file.files, file.name, clients.MaxFile)
		if err != nil {
			errs = append(errs, source.ErrorsOf(err)...)
			continue
		}
		servers, mistakes := clients.Read(file.shown, data, filepath.ToSlash(in.dir))
		found, errs = append(found, servers), append(errs, mistakes...)
	}
	if len(errs) > 0 {
		return nil, errs, nil
	}
	return in.selectServers(clients.Merge(found...))
}

// clientFile is a file that may hold servers.
type clientFile struct {
	files       fs.FS
	name, shown string
}

// clientFiles returns the configuration files to read: those of the workspace, or of the client that --from-client names.
func (in *initializing) clientFiles() (files []clientFile) {
	if in.flags.fromClient == "" {
		for _, name := range clients.Files {
			files = append(files, clientFile{in.files, name, name})
		}
		return files
	}
	for _, name := range clients.Find(in.flags.fromClient, in.getenv) {
		files = append(files, clientFile{os.DirFS(path.Dir(name)), path.Base(name), name})
	}
	return files
}

func isMissing(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return errors.Is(err, fs.ErrNotExist)
}

// selectServers returns the servers that --server selects, or all of them, and prints why unusable servers are left out.
func (in *initializing) selectServers(servers []clients.Server) (all []suggest.Served, _ source.Errors, _ error) {
	var names []string
	for _, s := range servers {
		names = append(names, s.Name)
		if len(in.flags.servers) > 0 && !slices.Contains(in.flags.servers, s.Name) {
			continue
		}
		if s.Unusable != "" {
			in.print("left out server %q (%s): %s", s.Name, s.Pos, s.Unusable)
			continue
		}
		one := suggest.Served{Server: s}
		if s.Pos.File != "" {
			one.From = "found in " + s.Pos.String()
		}
		for _, key := range s.Left {
			in.print("server %q (%s): a suite has nothing like %q, which was left out", s.Name, s.Pos, key)
		}
		all = append(all, one)
	}
	for _, name := range in.flags.servers {
		if !slices.Contains(names, name) {
			return nil, nil, unknownNameError("server", name, "servers", names)
		}
	}
	if len(all) == 0 {
		return nil, nil, in.noServerError()
	}
	return all, nil, nil
}

func (in *initializing) noServerError() error {
	const give = "; give the command that starts one (mcp-gates init -- COMMAND), --url, --catalog, --from-client or --from"
	if in.flags.fromClient != "" {
		return fmt.Errorf("no server found in the configuration of %s (%s)%s", in.flags.fromClient, strings.Join(clients.Find(in.flags.fromClient, in.getenv), ", "), give)
	}
	return fmt.Errorf("no server found in %s%s", strings.Join(clients.Files, ", "), give)
}

// servedByCatalog returns one server with the tools of --catalog: nothing is started. name is the file's path in the workspace; ""
// for any other catalog, such as standard input, which is copied.
func (in *initializing) servedByCatalog(c *catalog.Catalog, name string) (all []suggest.Served) {
	base := strings.TrimSuffix(filepath.Base(in.flags.catalog), filepath.Ext(in.flags.catalog))
	one := suggest.Served{Server: clients.Server{Name: base}, From: "from " + filepath.ToSlash(in.flags.catalog), Catalog: name, Tools: c.Tools, Hidden: c.Hidden, Instructions: c.Instructions}
	if name == "" {
		one.Catalog = in.freePath(catalogsDir, base)
		one.Copied = true
	}
	return append(all, one)
}

// freePath returns the path of a JSON file in a folder of the workspace. The file does not exist yet, and no other server has the
// same path, even if the names of several servers have the same slug.
func (in *initializing) freePath(dir, name string) string {
	slug := cmp.Or(suite.Slug(name), "server")
	file := path.Join(dir, slug+".json")
	for n := 2; slices.Contains(in.newFiles, file) || !isMissing(in.files, file); n++ {
		file = path.Join(dir, fmt.Sprintf("%s-%d.json", slug, n))
	}
	in.newFiles = append(in.newFiles, file)
	return file
}

func (in *initializing) printPlan(found []suggest.Served) error {
	for _, s := range found {
		if s.Tools == nil {
			in.print("would start or reach %s", in.describe(&s))
			s.Catalog = in.freePath(catalogsDir, s.Name)
		}
		if s.Tools == nil || s.Copied {
			in.print("would write %s", s.Catalog)
		}
	}
	in.print("would write %s", suiteFile)
	in.print("would write %s, unless it is there", workflowFile)
	return nil
}

func (in *initializing) describe(s *suggest.Served) string {
	name := func(part clients.Part) string { return "$" + part.Env }
	how := quotedCommand(lists.Map(s.Command, func(word clients.Text) string { return word.Expand(name) }))
	if s.URL != nil {
		how = s.URL.Expand(name)
	}
	how = fmt.Sprintf("%q: %s", s.Name, how)
	if variables := s.Variables(); len(variables) > 0 {
		how += " (with " + strings.Join(variables, ", ") + ")"
	}
	if s.From != "" {
		how += ", " + s.From
	}
	return how
}

// readServers starts one server after another, if the user agrees, and reads their tools.
func (in *initializing) readServers(found []suggest.Served) (served []suggest.Served, err error) {
	answers := bufio.NewReader(in.stdin)
	for _, s := range found {
		if in.interrupted {
			in.print("left out: server %q, because init was interrupted", s.Name)
			continue
		}
		if s.Tools != nil {
			served = append(served, s)
			continue
		}
		agreed, err := in.askToStart(answers, &s)
		if err != nil {
			return nil, err
		}
		if !agreed {
			continue
		}
		list, err := in.toolsOf(&s)
		if err != nil {
			in.print("left out: %s", err)
			in.broken = true
			continue
		}
		s.Tools, s.Hidden = append([]*catalog.Tool{}, list.Catalog.Tools...), list.Catalog.Hidden
		s.Instructions = list.Catalog.Instructions
		s.Catalog = in.freePath(catalogsDir, s.Name)
		in.print("server %q has %s", s.Name, judge.CountOf(len(s.Tools), "tool"))
		served = append(served, s)
	}
	switch {
	case len(served) == 0 && in.broken:
		return nil, worldError{errors.New("no server could be read, so that nothing was written")}
	case len(served) == 0:
		return nil, errors.New("no server was started, so that nothing was written")
	}
	return served, nil
}

// toolsOf starts or reaches a server and reads its tools.
func (in *initializing) toolsOf(s *suggest.Served) (mcpclient.Listing, error) {
	ctx, signals := interruptible(in.ctx, nil)
	defer signals.stop()
	target := in.target(s)
	target.config.Hurry = signals.hurry
	defer in.noteWaiting("listing the tools of", s.Name, &target.config)()
	list, err := readTools(ctx, target)
	in.interrupted = errors.Is(context.Cause(ctx), errInterrupted)
	return list, err
}

func (in *initializing) askToStart(answers *bufio.Reader, s *suggest.Served) (bool, error) {
	verb := "start"
	if s.URL != nil {
		verb = "reach"
	}
	in.print("%s %s", verb, in.describe(s))
	if in.flags.yes {
		return true, nil
	}
	file, isFile := in.stdin.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return false, errors.New("standard input is not a terminal, so that nobody can agree to it: give --yes")
	}
	fmt.Fprintf(in.stdout, "  %s it now? [y/N] ", verb)
	answer, err := answers.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, worldError{err}
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

// environment returns a function that reads a variable of the environment. If the variable is not set, the function returns the
// value in the client's configuration file.
func (in *initializing) environment(servers ...suggest.Served) func(string) string {
	return func(name string) string {
		if value := in.getenv(name); value != "" {
			return value
		}
		for _, s := range servers {
			if value := s.Values[name]; value != "" {
				return value
			}
		}
		return ""
	}
}

// target returns the configuration to start a server. Values that are read from the environment are redacted from all output.
func (in *initializing) target(s *suggest.Served) liveServer {
	getenv := in.environment(*s)
	t := liveServer{config: mcpclient.Config{Name: s.Name, Dir: filepath.Join(in.dir, filepath.FromSlash(s.Cwd)), Transport: s.Transport, Headers: http.Header{}}}
	value := func(part clients.Part) string {
		if set := getenv(part.Env); set != "" {
			t.redact.Values = append(t.redact.Values, set)
			return set
		}
		return part.Default
	}
	for _, word := range s.Command {
		t.config.Command = append(t.config.Command, word.Expand(value))
	}
	if s.URL != nil {
		t.config.URL = s.URL.Expand(value)
	} else {
		t.config.Env = mcpclient.BaseEnv(in.getenv)
	}
	for _, v := range s.Env {
		t.config.Env = append(t.config.Env, v.Name+"="+v.Value.Expand(value))
	}
	for _, h := range s.Headers {
		t.config.Headers.Set(h.Name, h.Value.Expand(value))
	}
	in.flags.setTimeouts(&t.config)
	return t
}

// recorder returns a function that records the case of a draft in a live run. That function returns the files that the run would
// have written, by name, and the report; nil for both if the user interrupts.
func (in *initializing) recorder(served []suggest.Served) suggest.Record {
	return func(files fs.FS, file, server string) (map[string][]byte, *report.Report) {
		if in.interrupted {
			return nil, nil
		}
		written := map[string][]byte{}
		ctx, signals := interruptible(in.ctx, nil)
		defer signals.stop()
		var timeouts mcpclient.Config // only shown while the program waits for the run
		in.flags.setTimeouts(&timeouts)
		defer in.noteWaiting("recording a case with", server, &timeouts)()
		runner := live.NewRunner(ctx, live.Options{
			Getenv: in.environment(served...), FS: files, Dir: in.dir, Version: thisBuild().Version, Jobs: 1, Hurry: signals.hurry,
			Limit: in.flags.setTimeouts,
			Save: func(name string, write func(io.Writer) error) error {
				var out bytes.Buffer
				err := write(&out)
				written[name] = out.Bytes()
				return err
			},
		})
		r := check.Run(ctx, files, check.Options{
			Suites: []string{file}, Filter: suggest.RecordedCase, Getenv: runner.Getenv, Jobs: 1,
			Live: func(s *suite.Suite, cases []*suite.Case) (check.LiveSuite, source.Errors) {
				return runner.Prepare(s, cases)
			},
		})
		if errors.Is(context.Cause(ctx), errInterrupted) {
			in.interrupted = true
			return nil, nil
		}
		return written, r
	}
}

// readGivenCatalog reads the tools of --catalog. name is the file's path in the workspace; "" for any other catalog.
func (in *initializing) readGivenCatalog() (c *catalog.Catalog, name string, errs source.Errors) {
	c, errs = in.readWholeCatalog(in.ctx, in.flags.catalog)
	if len(errs) > 0 {
		return nil, "", errs
	}
	full, err := filepath.Abs(in.flags.catalog)
	if err != nil {
		return c, "", nil
	}
	if name, err := inWorkspace(in.dir, full); err == nil {
		if _, err := fs.Stat(in.files, name); err == nil {
			return c, name, nil
		}
	}
	return c, "", nil
}

func quotedCommand(words []string) string {
	quoted := slices.Clone(words)
	for i, word := range quoted {
		if word == "" || strings.ContainsAny(word, " \t\n\"'\\$`*?[]{}()<>|&;#~!") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

func variablesOf(served []suggest.Served) (names []string) {
	for _, s := range served {
		names = append(names, s.Variables()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
