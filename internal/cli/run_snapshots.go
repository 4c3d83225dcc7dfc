package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// checkSnapshotFlags refuses flags that do not go with --check-snapshots, which starts all servers of the suites, each once. It
// also refuses --check-snapshots under a privileged event, because anybody may have made the change, and the job has secrets.
func (f *runFlags) checkSnapshotFlags(getenv func(string) string) error {
	event := getenv("GITHUB_EVENT_NAME")
	if !f.checkSnapshots {
		return nil
	}
	switch {
	case annotate.Event{Name: event}.Privileged():
		return fmt.Errorf("--check-snapshots is refused under %s: its jobs hold secrets, anybody may have made the change, and the commands "+
			"of a suite could carry them away; use a job under pull_request, as examples/workflows/snapshot.yml does", event)
	case f.list || f.failed != "" || f.stale && !f.live.record:
		return errors.New("--check-snapshots asks all servers of the suites, so it cannot be combined with --list or --failed")
	case f.shard != "":
		return errors.New("--check-snapshots asks each server once, so it cannot be combined with --shard; use a job of its own")
	case f.judgeRun > 0:
		return errors.New("--judge-run judges one recorded run, so it cannot be combined with --check-snapshots")
	}
	return nil
}

// refuseSnapshotCheck refuses to start servers to check their snapshots, because the action's job holds a token that may write.
func (a *action) refuseSnapshotCheck() error {
	if a.getenv("INPUT_CHECK-SNAPSHOTS") == "" {
		return nil
	}
	return errors.New("check-snapshots is not an input of the action, whose job may write: start the servers in a job of its own, " +
		"with mcp-gates run --check-snapshots or mcp-gates snapshot --check, as examples/workflows/snapshot.yml does")
}

// askedServer is a server with its answer, or with the reason why it did not answer.
type askedServer struct {
	heldServer
	mistakes source.Errors
	lines    []string // how it differs from its snapshot
	err      error    // why it could not be asked
}

// askServers asks each server with a snapshot that the suites start with a command. It asks several at the same time, and notes in
// the basis why the change is refused. Under --live-from base, the base's commands are started.
func (p *program) askServers(ctx context.Context, f *runFlags, pipe *pipeline, b *basis, hurry <-chan struct{}) error {
	executed, err := (&liveRun{flags: f.live}).executedFiles(b)
	if err != nil {
		return err
	}
	held, isMistaken, err := p.stdioServers(f, pipe, executed, b.affected)
	if err != nil {
		return err
	}
	if len(held) == 0 {
		if b.affected != nil || isMistaken {
			return nil
		}
		return errors.New("no suite declares a server with both a command and a catalog, so that --check-snapshots checked nothing")
	}
	asked := make([]askedServer, len(held))
	limit := make(chan struct{}, live.DefaultJobs)
	var group sync.WaitGroup
	for i, one := range held {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			one.live.config.Hurry = hurry
			asked[i].heldServer = one
			asked[i].lines, _, asked[i].mistakes, asked[i].err = one.compareTools(ctx)
		})
	}
	group.Wait()
	b.snapshots = snapshotRefusals(asked)
	return nil
}

// stdioServers returns the servers to ask, each once. It skips suites with mistakes, which the report lists. isMistaken is true if
// there is such a suite, if an argument names no suite, or if no suite is found.
func (p *program) stdioServers(f *runFlags, pipe *pipeline, executed fs.FS, affected *check.Affected) (held []heldServer, isMistaken bool, err error) {
	files, err := suite.Find(pipe.files, pipe.options.Suites)
	if err != nil {
		return nil, true, nil
	}
	flags := &snapshotFlags{workspace: f.workspace}
	loader, known := suite.NewLoader(pipe.files), map[string]bool{}
	for _, file := range files {
		if affected != nil && !affected.Suites[file] {
			continue
		}
		s, errs := loader.Servers(file)
		if len(errs) > 0 {
			isMistaken = true
			continue
		}
		if errs := runAs(s, executed, (*suite.Loader).Servers); len(errs) > 0 {
			return nil, false, errs.Err()
		}
		for _, server := range s.Servers {
			key := server.Pos.String()
			if server.Snapshot == nil || len(server.Start.Command) == 0 || known[key] {
				continue
			}
			known[key] = true
			one, err := p.heldServer(flags, s, server)
			if err != nil {
				return nil, false, err
			}
			held = append(held, one)
		}
	}
	return held, isMistaken, nil
}

// Bounds on the lists in a refusal.
const (
	maxAsked       = 10
	maxDifferences = 5
)

// snapshotRefusals returns a refusal for the servers that differ from their snapshots, and one for those that could not be asked.
func snapshotRefusals(asked []askedServer) []report.Refusal {
	var differ, silent []string
	for _, one := range asked {
		switch {
		case len(one.mistakes) > 0:
			silent = append(silent, one.mistakes[0].Error())
		case one.err != nil:
			silent = append(silent, one.file+": "+one.err.Error())
		case len(one.lines) > 0:
			differ = append(differ, one.file+" is not what the server advertises ("+strings.Join(firstOf(one.lines, maxDifferences), ", ")+")"+one.advice())
		}
	}
	var list []report.Refusal
	if len(differ) > 0 {
		list = append(list, report.Refusal{Demand: report.CheckSnapshots, Exit: report.ExitFail, Title: judge.CountOf(len(differ), "old snapshot"),
			Message: "Servers do not advertise their snapshots, which check-snapshots asks for: " + strings.Join(firstOf(differ, maxAsked), "; ")})
	}
	if len(silent) > 0 {
		list = append(list, report.Refusal{Demand: report.CheckSnapshots, Exit: report.ExitWorld, Title: "servers that could not be asked",
			Message: "It is not known whether servers advertise their snapshots, which check-snapshots asks for: " + strings.Join(firstOf(silent, maxAsked), "; ")})
	}
	return list
}
