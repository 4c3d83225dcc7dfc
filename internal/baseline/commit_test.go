package baseline

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// sha returns a made-up hash.
func sha(digit string) string { return strings.Repeat(digit, 40) }

func TestBaseOfEvent(t *testing.T) {
	merge := Head{SHA: sha("a"), Parents: []string{sha("b"), sha("c")}}
	tests := []struct {
		name  string
		event Event
		head  Head
		want  string // SHA, or what the error says
	}{
		{"merge commit", Event{HeadSHA: sha("c"), BaseSHA: sha("d")}, merge, sha("b")},
		{"head checked out", Event{HeadSHA: sha("a"), BaseSHA: sha("d")}, Head{SHA: sha("a"), Parents: []string{sha("e")}},
			sha("d")},
		{"head checked out, itself a merge", Event{HeadSHA: sha("a"), BaseSHA: sha("d")}, merge, sha("d")},
		{"merge of another head", Event{HeadSHA: sha("9"), BaseSHA: sha("d")}, merge, sha("d")},
		{"parents the wrong way round", Event{HeadSHA: sha("b"), BaseSHA: sha("d")}, merge, sha("d")},
		{"three parents", Event{HeadSHA: sha("c"), BaseSHA: sha("d")},
			Head{SHA: sha("a"), Parents: []string{sha("b"), sha("c"), sha("d")}}, sha("d")},
		{"merge group", Event{BaseSHA: sha("d")}, merge, sha("d")},
		{"push", Event{Before: sha("d")}, merge, sha("d")},
		{"push of a new branch", Event{Before: sha("0")}, merge, "no baseline: the push made a new branch"},
		{"schedule", Event{}, merge, "no baseline: the event has no base commit"},
		{"the base itself", Event{BaseSHA: sha("a")}, merge, "no baseline: the base is the commit that is checked out"},
		{"no hash", Event{BaseSHA: "--output=x"}, merge, `the event names "--output=x" as its base, which is not a full commit hash`},
		{"short hash", Event{BaseSHA: "abc"}, merge, `the event names "abc" as its base, which is not a full commit hash`},
		{"head unknown", Event{HeadSHA: sha("c"), BaseSHA: sha("d")}, Head{}, sha("d")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := test.event.Base(test.head)
			got := c.SHA
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%+v.Base(%+v):\ngot  %s\nwant %s", test.event, test.head, got, test.want)
			}
		})
	}
}

// branches makes main and topic, which share "fork"; each has a commit of its own, and topic merges main's.
//
//	fork -- main2 (main)
//	   \        \
//	    topic1 -- merged (detached, as GitHub's merge commit: main2 first)
func branches(t *testing.T) (r *testRepo, at map[string]string) {
	r = newRepo(t).write("a.txt", "1")
	at = map[string]string{}
	at["root"] = r.commit("root")
	at["fork"] = r.commit("fork")
	r.git("tag", "v1")
	r.git("checkout", "-q", "-b", "topic")
	at["topic1"] = r.write("b.txt", "2").commit("topic1")
	r.git("checkout", "-q", "main")
	at["main2"] = r.write("c.txt", "3").commit("main2")
	r.git("checkout", "-q", "--detach", "main")
	r.git("merge", "-q", "--no-ff", "-m", "merged", "topic")
	at["merged"] = r.git("rev-parse", "HEAD")
	r.git("update-ref", "refs/pull/1/merge", at["merged"])
	return r, at
}

func TestHolds(t *testing.T) {
	r, at := branches(t)
	tests := []struct {
		checkout string
		wanted   []string
		want     bool
	}{
		{"merged", []string{"merged"}, true},
		{"merged", []string{"topic1"}, true},
		{"merged", []string{"root"}, true},
		{"topic1", []string{"merged", "topic1"}, true},
		{"topic1", []string{"merged"}, false},
		{"main2", []string{"merged", "topic1"}, false},
		{"root", []string{"fork"}, false},
	}
	for _, test := range tests {
		var wanted []string
		for _, name := range test.wanted {
			wanted = append(wanted, at[name])
		}
		r.git("checkout", "-q", "--detach", at[test.checkout])
		head, got, err := r.open(".").Holds(context.Background(), wanted...)
		if err != nil || got != test.want || head.SHA != at[test.checkout] {
			t.Errorf("at %s, want %q: got %t of %+v, error %v", test.checkout, test.wanted, got, head, err)
		}
	}
}

// checkoutMerge fetches the merge commit at a depth, as actions/checkout does.
func checkoutMerge(r *testRepo, depth string) *testRepo {
	r.t.Helper()
	c := &testRepo{t: r.t, dir: realTempDir(r.t), home: r.home}
	c.git("init", "-q", ".")
	c.git("fetch", "-q", "--no-tags", "--depth="+depth, "file://"+r.dir, "+refs/pull/1/merge:refs/remotes/pull/1/merge")
	c.git("checkout", "-q", "refs/remotes/pull/1/merge")
	return c
}

func TestBaseOfAMergeCommitAtAnyDepth(t *testing.T) {
	r, at := branches(t)
	for _, depth := range []string{"1", "2", "10"} {
		t.Run("depth "+depth, func(t *testing.T) {
			repo := checkoutMerge(r, depth).open(".")
			head, err := repo.Head(context.Background())
			want := Head{SHA: at["merged"], Parents: []string{at["main2"], at["topic1"]}}
			if err != nil || !reflect.DeepEqual(head, want) {
				t.Fatalf("Head: error %v, got %+v, want %+v", err, head, want)
			}
			base, err := repo.Find(context.Background(), Event{HeadSHA: at["topic1"], BaseSHA: at["fork"]})
			if err != nil || base.SHA != at["main2"] {
				t.Fatalf("Find = %v, %v, want %s", base, err, at["main2"])
			}
			files, err := repo.Files(context.Background(), base.SHA)
			if depth != "1" {
				if err != nil || readString(t, files, "c.txt") != "3" {
					t.Errorf("Files of the base at depth %s: %v", depth, err)
				}
				return
			}
			var because *Unreadable
			if !errors.As(err, &because) || !strings.Contains(err.Error(), "the clone is shallow") {
				t.Errorf("Files of the base at depth 1: got %v, want an *Unreadable that names the shallow clone", err)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	r, at := branches(t)
	r.git("checkout", "-q", "topic")
	r.git("update-ref", "refs/remotes/origin/release", at["main2"])
	r.git("update-ref", "refs/heads/"+sha("c"), at["root"])
	r.git("checkout", "-q", "--orphan", "unrelated")
	alone := r.commit("unrelated")
	r.git("checkout", "-q", "topic")
	tests := []struct{ ref, want string }{
		{"main", at["fork"]},
		{"heads/main", at["fork"]},
		{"origin/release", at["fork"]},
		{"release", at["fork"]},
		{"topic", at["topic1"]},
		{"HEAD", at["topic1"]},
		{"v1", at["fork"]},
		{"HEAD~1", at["fork"]},
		{"main~1", at["fork"]},
		{at["main2"], at["main2"]},
		{strings.ToUpper(at["main2"]), at["main2"]},
		{at["main2"][:10], at["main2"]},
		{sha("c"), sha("c")}, // and not the branch of that name
		{sha("9"), sha("9")},
		{"nowhere", `commit "nowhere": there is no such revision`},
		{"", `commit "": there is no such revision`},
		{"a\nb", `commit "a\nb": there is no such revision`},
		{"--all", `commit "--all": there is no such revision`},
		{"--output=/tmp/x", `commit "--output=/tmp/x": there is no such revision`},
		{"HEAD:a.txt", `commit "HEAD:a.txt": names a file in a revision, expected a revision`},
		{"unrelated", `commit "unrelated": it has no commit in common with HEAD`},
		{alone, alone},
	}
	repo := r.open(".")
	for _, test := range tests {
		t.Run(test.ref, func(t *testing.T) {
			c, err := repo.Resolve(context.Background(), test.ref)
			got := c.SHA
			var because *Unreadable
			if errors.As(err, &because) {
				got = err.Error()
			}
			if got != test.want || err == nil && c.Ref != test.ref {
				t.Errorf("Resolve(%q):\ngot  %s, ref %q\nwant %s", test.ref, got, c.Ref, test.want)
			}
		})
	}
}

func TestResolveInAShallowClone(t *testing.T) {
	r, at := branches(t)
	c := checkoutMerge(r, "1")
	c.git("fetch", "-q", "--depth=1", "file://"+r.dir, "main:refs/remotes/origin/main")
	_, err := c.open(".").Resolve(context.Background(), "main")
	if err == nil || !strings.Contains(err.Error(), "too shallow") {
		t.Errorf("Resolve(main) at depth 1: got %v, want that the clone is too shallow (base is %s)", err, at["main2"])
	}
}

func TestHeadOfAnEmptyRepository(t *testing.T) {
	var because *Unreadable
	if _, err := newRepo(t).open(".").Head(context.Background()); !errors.As(err, &because) {
		t.Errorf("Head: got %v, want an *Unreadable", err)
	}
}

func TestCancelledContext(t *testing.T) {
	r, at := branches(t)
	repo := r.open(".")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := repo.Resolve(ctx, "main"); !errors.Is(err, context.Canceled) {
		t.Errorf("Resolve: got %v, want %v", err, context.Canceled)
	}
	if _, err := repo.Files(ctx, at["main2"]); !errors.Is(err, context.Canceled) {
		t.Errorf("Files: got %v, want %v", err, context.Canceled)
	}
}
