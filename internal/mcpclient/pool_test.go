package mcpclient

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

func TestPool(t *testing.T) {
	t.Parallel()
	c := faultConfig(t, "good")
	pool := NewPool(t.Context(), testClient)
	var wg sync.WaitGroup
	sessions := make([]*Session, 20)
	for i := range sessions {
		wg.Go(func() {
			s, giveBack, err := pool.Session(t.Context(), c)
			if err != nil {
				t.Errorf("Session: %v", err)
				return
			}
			defer giveBack()
			want := fmt.Sprintf(`{"i":%d}`, i)
			if got, err := s.Call(t.Context(), "b", []byte(want)); err != nil || got.Text != want {
				t.Errorf("Call: got %+v, %v, want %s", got, err, want)
			}
			sessions[i] = s
		})
	}
	wg.Wait()
	for _, s := range sessions {
		if s != sessions[0] {
			t.Fatal("there is more than one session")
		}
	}
	if err := pool.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, _, err := pool.Session(t.Context(), c); err == nil {
		t.Error("the closed pool gave a session")
	}
}

func TestPoolReplacesWhatBroke(t *testing.T) {
	t.Parallel()
	c := faultConfig(t, "exit-call")
	pool := NewPool(t.Context(), testClient)
	defer pool.Close()
	first, giveFirst, err := pool.Session(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Call(t.Context(), "b", nil); err == nil {
		t.Fatal("the call succeeded")
	}
	second, giveSecond, err := pool.Session(t.Context(), c)
	if err != nil || second == first {
		t.Fatalf("got the session %p, %v, want another than %p", second, err, first)
	}
	giveFirst()
	giveFirst() // once is enough, and twice no harm
	if _, err := second.Tools(t.Context()); err != nil {
		t.Errorf("Tools: %v", err)
	}
	giveSecond()
	third, giveThird, err := pool.Session(t.Context(), c)
	if err != nil || third != second {
		t.Errorf("got the session %p, %v, want %p", third, err, second)
	}
	giveThird()
}

// That a call of one run takes too long does not end what another run does in the same session.
func TestPoolLeavesOthersTheirSession(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t, httpKinds[0].handler())
	c := Config{Name: "web", URL: url}
	pool := NewPool(t.Context(), testClient)
	defer pool.Close()
	s, giveBack, err := pool.Session(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.Call(impatient, "wait", nil); err == nil {
		t.Fatal("the call succeeded")
	}
	other, giveOther, err := pool.Session(t.Context(), c)
	if err != nil || other == s {
		t.Fatalf("got the session %p, %v, want another than %p", other, err, s)
	}
	defer giveOther()
	if got, err := s.Call(t.Context(), "echo", nil); err != nil || got.Text != "{}" {
		t.Errorf("Call in the old session: got %+v, %v", got, err)
	}
	giveBack()
}

func TestPoolFailure(t *testing.T) {
	t.Parallel()
	pool := NewPool(t.Context(), testClient)
	for range 2 {
		_, _, err := pool.Session(t.Context(), faultConfig(t, "exit-start"))
		wantError(t, err, "exit status 3")
	}
	mute := faultConfig(t, "mute")
	mute.Name, mute.ConnectTimeout = "mute", 300*time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	within(t, func() {
		_, _, err := pool.Session(ctx, mute)
		wantError(t, err, "initialize: context deadline exceeded")
	})
	within(t, func() {
		if err := pool.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}
