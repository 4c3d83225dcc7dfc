package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// Partials keeps partial recordings, by their paths in the workspace.
type Partials interface {
	// Begin creates a file with the text, and returns a writer that appends to it. Each write is stored whole or not at all. If
	// replaces is false, it is an error if the file exists.
	Begin(path string, text []byte, replaces bool) (io.WriteCloser, error)

	Remove(path string) error

	// Tracked reports whether git tracks the file; if so, the file may be another person's.
	Tracked(ctx context.Context, path string) (bool, error)
}

// Kept is a partial recording that exists.
type Kept struct {
	Path             string
	Finished, Broken int // runs
	Runs             int // the smallest number of runs that the recording needs
	Missing          int // number of runs that are still to be made
}

// keeper stores the runs of a case as they end. The methods of a nil keeper do nothing.
type keeper struct {
	plan *plan
	path string
	old  *trace.Partial // the earlier partial recording, whose runs are not made again; nil for none

	isThere bool // the file exists

	mu       sync.Mutex
	broken   []*oneRun // runs that broke before any run finished; without a finished run, no file is written
	hasHead  bool
	redactor *redact.Redactor
	tools    trace.Tools
	waiting  []byte         // lines that are not written yet
	out      io.WriteCloser // writes to the file; nil before the first line is written
	err      error          // why lines could not be written
	added    []*oneRun      // all kept runs, including those in waiting lines; they have only the fields that identify a run
	written  []*oneRun      // the kept runs that are in the file
}

// belongsToCase reports whether the run, finished or broken, belongs to the case. A run that was interrupted, exceeded a budget or
// met a mistake does not belong to it, and counts as missing.
func (o *oneRun) belongsToCase(ctx context.Context) bool {
	if o.err == nil {
		return true
	}
	var over *overBudgetError
	isInterrupted := ctx.Err() != nil && context.Cause(ctx) != o.plan.timeUp
	return o.hasBegun && !o.isRefused && !isInterrupted && !errors.As(o.err, &over)
}

func (k *keeper) add(o *oneRun) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	isFirstOfFile := !k.hasHead && k.old == nil
	isBroken := o.err != nil || o.run.Check() != nil
	if isFirstOfFile && isBroken {
		k.broken = append(k.broken, o)
		return
	}
	if !k.hasHead {
		k.queueHead(o)
	}
	for _, one := range append(k.broken, o) {
		k.addLine(one)
	}
	k.broken = nil
	k.flush()
}

// queueHead queues the head of the partial recording, and the lines of the runs of the earlier partial recording.
func (k *keeper) queueHead(o *oneRun) {
	k.hasHead, k.redactor, k.tools = true, k.plan.shared.rules.File(), trace.Tools{}
	head := &trace.Partial{Header: k.plan.header(), MadeWith: k.plan.madeWith()}
	if k.old != nil {
		head.Header = k.old.Header
		reserveNumbers(k.redactor, k.old)
	} else if o.real != nil {
		setCatalog(&head.Header, o.real, o.distractors)
	}
	redactHeader(k.redactor, &head.Header)
	var out bytes.Buffer
	k.err = head.WriteHead(&out)
	k.waiting = out.Bytes()
	if k.old == nil {
		return
	}
	for i := range k.old.Runs {
		run := k.old.Runs[i]
		run.Run = run.Clone()
		run.Redact(k.redactor, k.tools)
		k.queueLine(&run)
	}
	k.added = k.written
}

// addLine queues a run as a line of the file, without secrets. The run itself keeps its secrets until the recording is written,
// because placeholders are numbered in the order of the recording.
func (k *keeper) addLine(o *oneRun) {
	run := trace.PartialRun{Run: o.run.Clone(), Beside: o.replaces, ProviderModel: k.redactor.Text(o.model), Deferred: slices.Clone(o.deferred)}
	run.Redact(k.redactor, k.tools)
	redactRefs(k.redactor, run.Deferred)
	run.Error, run.Number = mcpclient.SafeText(k.redactor, o.err), o.number
	breakOversized(&run.Run)
	k.queueLine(&run)
	identity := &trace.PartialRun{Run: trace.Run{Number: run.Number, Error: run.Error}, Beside: o.replaces}
	k.added = append(k.added, k.plan.keptRun(identity, nil))
}

func (k *keeper) queueLine(run *trace.PartialRun) {
	var out bytes.Buffer
	if err := run.WriteLine(&out); err != nil {
		k.err = err
		return
	}
	k.waiting = append(k.waiting, out.Bytes()...)
}

// flush writes the waiting lines. If they cannot be written, for example because the disk is full, they wait for the
// next flush.
func (k *keeper) flush() {
	if len(k.waiting) == 0 {
		return
	}
	var err error
	if k.out == nil {
		k.out, err = k.plan.runner().options.Partials.Begin(k.path, k.waiting, k.isThere)
	} else {
		_, err = k.out.Write(k.waiting)
	}
	k.err = err
	if err == nil {
		k.waiting, k.written = nil, k.added
	}
}

// close closes the partial recording. It removes the file if whole is set, because the recording then has all runs.
func (k *keeper) close(whole bool) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.flush()
	if k.out != nil {
		_ = k.out.Close() // each line is already stored
	}
	k.isThere = k.isThere || k.out != nil
	switch {
	case whole && k.isThere:
		if err := k.plan.runner().options.Partials.Remove(k.path); err != nil {
			k.plan.runner().note(fmt.Sprintf("%s cannot be removed: %s", k.path, err))
			return
		}
		k.isThere = false
	case !whole && k.err != nil:
		lost := judge.CountOf(len(k.added)-len(k.written), "run")
		k.plan.runner().note(fmt.Sprintf("%s of %q could not be kept in %s: %s", lost, k.plan.tested.Name, k.path, k.err))
	}
}

func (k *keeper) remaining() (Kept, bool) {
	if k == nil {
		return Kept{}, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.isThere {
		return Kept{}, false
	}
	kept := Kept{Path: k.path, Runs: k.plan.runCount(), Missing: len(k.plan.missing(k.plan.allRuns(), k.written))}
	for _, o := range k.written {
		if o.err != nil {
			kept.Broken++
		} else {
			kept.Finished++
		}
	}
	return kept, true
}

// reserveNumbers makes a redactor avoid all numbers of placeholders in a partial recording.
func reserveNumbers(r *redact.Redactor, old *trace.Partial) {
	var out strings.Builder
	_ = old.WriteHead(&out) // a head that cannot be written has no placeholders
	for i := range old.Runs {
		_ = old.Runs[i].WriteLine(&out)
	}
	for line := range strings.Lines(out.String()) {
		r.Text(line)
	}
}
