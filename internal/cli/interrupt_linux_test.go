package cli

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"
)

// The first signal ends the context and leaves servers their time, the second one takes it from them.
func TestInterruptible(t *testing.T) {
	told := 0
	ctx, signals := interruptible(t.Context(), func() { told++ })
	defer signals.stop()
	send := func() {
		t.Helper()
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	wait := func(what string, done <-chan struct{}) {
		t.Helper()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: nothing happened", what)
		}
	}
	send()
	wait("the first signal", ctx.Done())
	if !errors.Is(context.Cause(ctx), errInterrupted) {
		t.Errorf("the context ended because of %v, want %v", context.Cause(ctx), errInterrupted)
	}
	select {
	case <-signals.hurry:
		t.Error("the first signal leaves no time")
	default:
	}
	send()
	wait("the second signal", signals.hurry)
	if told != 1 {
		t.Errorf("it was told of %d times, want once", told)
	}
}
