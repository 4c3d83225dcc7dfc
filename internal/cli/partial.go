package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// partials is the path of the workspace, in which partial recordings are kept.
type partials string

// Begin writes a temporary file and renames it, so that nobody reads a part of it, and no link is followed. If replaces is false,
// it creates the file under its name, which fails if the name exists.
func (p partials) Begin(name string, text []byte, replaces bool) (io.WriteCloser, error) {
	root, err := os.OpenRoot(string(p))
	if err != nil {
		return nil, reason(err)
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return nil, reason(err)
	}
	write := writing(text)
	if replaces {
		if err := writeInRoot(root, name, write); err != nil {
			return nil, reason(err)
		}
		return openAppended(root, name)
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, reason(err)
	}
	if err := write(file); err != nil {
		file.Close()
		root.Remove(name)
		return nil, reason(err)
	}
	return &appended{file, int64(len(text))}, nil
}

// openAppended opens the file that was just written, unless something else has taken its place.
func openAppended(root *os.Root, name string) (io.WriteCloser, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, reason(err)
	}
	file, err := root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return nil, reason(err)
	}
	after, err := file.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = errors.New("it was replaced in the meantime")
	}
	if err != nil {
		file.Close()
		return nil, reason(err)
	}
	return &appended{file, after.Size()}, nil
}

type appended struct {
	file *os.File
	size int64
}

// Write writes all of text or nothing. On a full disk, a part of a line would spoil the next line.
func (a *appended) Write(text []byte) (int, error) {
	if _, err := a.file.WriteAt(text, a.size); err != nil {
		return 0, errors.Join(reason(err), a.file.Truncate(a.size))
	}
	a.size += int64(len(text))
	return len(text), nil
}

func (a *appended) Close() error { return a.file.Close() }

// Remove removes a file, and follows no link.
func (p partials) Remove(name string) error {
	root, err := os.OpenRoot(string(p))
	if err != nil {
		return reason(err)
	}
	defer root.Close()
	return reason(root.Remove(name))
}

// Tracked reports whether git tracks the file. It asks the repository that contains the file's folder, so that links to other
// places do not matter.
func (p partials) Tracked(ctx context.Context, name string) (bool, error) {
	file := filepath.Join(string(p), filepath.FromSlash(name))
	repository, err := baseline.Open(baseline.Place{Dir: filepath.Dir(file)})
	if errors.Is(err, baseline.ErrNoRepository) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return repository.Tracks(ctx, path.Base(name))
}

func (f *runFlags) checkResume() error {
	if !f.live.resume {
		return nil
	}
	comparesWithBase := f.baseline != "" || f.baseFlag() != ""
	failsOnStale := f.failOnStale != "" && f.failOnStale != annotate.StaleNone
	choosesCases := f.shard != "" || f.failed != "" || f.affected || f.stale || f.checkSnapshots
	switch {
	case !f.live.record:
		return errors.New("--resume needs --record")
	case comparesWithBase || f.failOn != annotate.FailOnGate || failsOnStale:
		return errors.New("--resume makes the runs that recordings lack and compares nothing, so it cannot be combined with --baseline, --fail-on, " +
			"--fail-on-weakened, --fail-on-breaking, --fail-on-stale or --gates-from: use them to check the recordings once these are whole")
	case choosesCases:
		return errors.New("--resume says which cases are run, so it cannot be combined with --shard, --failed, --affected, --stale or --check-snapshots")
	}
	return nil
}

// casesToResume returns the cases whose recordings are missing or lack runs. If there are none, it prints this and returns nil.
func (p *program) casesToResume(workspace fs.FS, suites []string) (map[string]bool, error) {
	files, err := suite.Find(workspace, suites)
	if err != nil {
		return nil, err
	}
	only := map[string]bool{}
	hasMistakes := false
	loader := suite.NewLoader(workspace)
	loader.Getenv = p.getenv
	for _, name := range files {
		s, errs := loader.Load(name)
		hasMistakes = hasMistakes || len(errs) > 0
		if s == nil {
			continue
		}
		for _, c := range s.Cases {
			if lacksRuns(workspace, c) {
				only[c.ID] = true
			}
		}
	}
	if len(only) > 0 || hasMistakes { // the check reports the mistakes
		return only, nil
	}
	p.say("no recording lacks runs, so nothing is resumed")
	return nil, nil
}

// lacksRuns reports whether the recording of a case is missing or not whole. It returns false for a case that cannot be recorded.
func lacksRuns(workspace fs.FS, c *suite.Case) bool {
	if c.Kind != suite.AgentTest || c.Log != nil || len(c.Cassettes) != 1 {
		return false
	}
	if source.Stands(workspace, c.Cassettes[0]+trace.PartialSuffix) {
		return true
	}
	canBeRecorded := c.HasPrompt && (c.Model != "" || c.Agent != nil)
	return canBeRecorded && !source.Stands(workspace, c.Cassettes[0])
}

func listKept(r live.Recordings, say func(line string)) {
	const maxShown = 200
	for _, kept := range r.Kept[:min(len(r.Kept), maxShown)] {
		line := fmt.Sprintf("%s keeps %s", kept.Path, judge.CountOf(kept.Finished, "finished run"))
		if kept.Broken > 0 {
			line += fmt.Sprintf(" and %d that broke", kept.Broken)
		}
		resuming := fmt.Sprintf("makes %d more", kept.Missing)
		if kept.Missing == 0 {
			resuming = "writes the recording once they suffice"
		}
		say(fmt.Sprintf("%s; the case asks for %d, and %q %s", line, kept.Runs, trace.ResumeCommand, resuming))
	}
	if more := len(r.Kept) - maxShown; more > 0 {
		say(fmt.Sprintf("and %d more", more))
	}
}
