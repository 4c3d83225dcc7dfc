package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/mcpclient"
)

// interrupts handle the signals Ctrl-C, SIGTERM and SIGHUP during a live run. The first signal ends the run in an orderly way, the
// second signal ends the servers without a grace period, and a third signal kills the program.
type interrupts struct {
	hurry chan struct{} // closed by the second signal
	stop  func()        // ends the handling of signals
}

var errInterrupted = errors.New("interrupted")

// interruptible returns a context that the first signal ends. At the first signal, onSignal is also called; it may be nil.
func interruptible(ctx context.Context, onSignal func()) (context.Context, *interrupts) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the program ignore it
		signal.Notify(signals, syscall.SIGHUP)
	}
	i := &interrupts{hurry: make(chan struct{})}
	i.stop = func() {
		signal.Stop(signals)
		cancel(nil)
	}
	go i.listen(ctx, cancel, signals, onSignal)
	return ctx, i
}

func (i *interrupts) listen(ctx context.Context, cancel context.CancelCauseFunc, signals chan os.Signal, onSignal func()) {
	select {
	case <-signals:
	case <-ctx.Done(): // the work ended without a signal
		return
	}
	cancel(errInterrupted)
	if onSignal != nil {
		onSignal()
	}
	<-signals // without a second signal, this waits until the program ends
	signal.Stop(signals)
	close(i.hurry)
}

// patience is how long the program waits for a server before it prints a note about the wait.
const patience = 3 * time.Second

// noteWaiting prints the server that the program waits for, and its time limits, unless end is called within patience.
func (p *program) noteWaiting(doing, server string, c *mcpclient.Config) (end func()) {
	startLimit := cmp.Or(c.ConnectTimeout, mcpclient.DefaultConnectTimeout)
	answerLimit := cmp.Or(c.CallTimeout, mcpclient.DefaultCallTimeout)
	printed := make(chan struct{})
	timer := time.AfterFunc(patience, func() {
		defer close(printed)
		p.say(fmt.Sprintf("still %s server %q: at most %s for its start, and %s for each answer; Ctrl-C ends the wait", doing, server, startLimit, answerLimit))
	})
	return func() {
		if !timer.Stop() {
			<-printed
		}
	}
}

// cancelTime is how long the program goes on after a signal. A step that is cancelled gets SIGINT, after 7.5 seconds
// SIGTERM, and is killed 2.5 seconds later:
// https://docs.github.com/en/actions/reference/workflow-cancellation-reference
const cancelTime = 3500 * time.Millisecond

// cancelJob ends a job that a signal has cancelled. The check run becomes a failure at once, whatever the evaluation is doing. A
// replay is abandoned. Live runs are waited for as long as there is time: their servers end because ctx did, and the log lists
// the recordings that are kept.
func (a *action) cancelJob(ctx context.Context, ended <-chan struct{}) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	published := make(chan struct{})
	go func() {
		defer close(published)
		a.publisher.Cancel(ctx)
	}()
	a.commands.Fail("the check was interrupted")
	if a.inputs.Mode != annotate.Replay {
		select {
		case <-ended:
		case <-ctx.Done():
		}
	}
	<-published
}
