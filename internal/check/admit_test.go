package check

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestAdmission pins that recordings wait for each other only if they are too large to be judged at once, and that one that is
// larger than the whole room is judged alone.
func TestAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a admission
		alone := a.enter(2 * admitted)
		var entered atomic.Int32
		done := make(chan struct{})
		for range 3 {
			go func() {
				leave := a.enter(admitted / 2)
				entered.Add(1)
				<-done
				leave()
			}()
		}
		for _, step := range []struct {
			name string
			do   func()
			want int32
		}{
			{"beside one that is larger than the room", func() {}, 0},
			{"after it", alone, 2},
			{"after one half", func() { done <- struct{}{} }, 3},
		} {
			step.do()
			synctest.Wait()
			if got := entered.Load(); got != step.want {
				t.Errorf("%s: got %d recordings of half the room, want %d", step.name, got, step.want)
			}
		}
		close(done)
	})
}

// TestRecordedBytes pins which recordings count: all that the case names, and those of the base's case that judges in its place.
func TestRecordedBytes(t *testing.T) {
	const search = `{"runs": [{"tool_calls": [{"name": "search"}]}]}`
	suiteOf := func(cassette string) string {
		return "agents: [{name: a, cassette: " + cassette + ", expect: [{tool_names: {contains: search}}]}]\n"
	}
	files := map[string]string{"mcp-gates.yml": suiteOf("a.json"), "a.json": search, "b.json": search + "\n", "c.json": search + "\n\n\n"}
	size := func(names ...string) (n int64) {
		for _, name := range names {
			n += int64(len(files[name]))
		}
		return n
	}
	for _, test := range []struct {
		name, cassette string
		byBase         bool
		want           int64
	}{
		{"one", "a.json", false, size("a.json")},
		{"two, and one that is gone", "[a.json, b.json, gone.json]", false, size("a.json", "b.json")},
		{"of the head", "[b.json, c.json]", false, size("b.json", "c.json")},
		{"of head and base", "[b.json, c.json]", true, size("a.json", "b.json", "c.json")},
		{"the same of both", "a.json", true, size("a.json")},
	} {
		_, judge := RunBase(context.Background(), mapFS(files), Options{Digests: true})
		head := fileEdit{"mcp-gates.yml": "# more\n" + suiteOf(test.cassette)}.of(files)
		c := newChecker(context.Background(), mapFS(head), Options{Digests: true, BaseSuites: judge, ByBase: test.byBase})
		_, selected := c.run()
		if got := c.recordedBytes(selected[0]); got != test.want {
			t.Errorf("%s: got %d bytes, want %d", test.name, got, test.want)
		}
	}
}
