package annotate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report/markdown"
)

const key = "00112233445566778899aabbccddeeff"

func request(body string) commentRequest {
	return commentRequest{Number: 7, HeadSHA: headSHA, Key: key, Body: body, Mode: CommentAlways}
}

// TestComment follows one comment over several runs.
func TestComment(t *testing.T) {
	f := newFake(t)
	for i := range 130 {
		f.addComment("someone", "User", fmt.Sprint("chat ", i))
	}
	c := f.client()
	for _, step := range []struct{ body, did string }{
		{"first", commentCreated}, {"first", commentUnchanged}, {"second", commentUpdated}, {"second", commentUnchanged},
	} {
		got, err := c.comment(t.Context(), request(step.body))
		if err != nil {
			t.Fatal(err)
		}
		if got.Did != step.did || got.URL == "" {
			t.Errorf("%s: %+v, want it %s", step.body, got, step.did)
		}
	}
	if n := len(f.comments); n != 131 {
		t.Fatalf("%d comments, want 131", n)
	}
	if got, want := f.comments[130].Body, "<!-- mcp-gates:v1 key="+key+" -->\n\nsecond"; got != want {
		t.Errorf("the comment is %q, want %q", got, want)
	}
}

// TestCommentModes pins when a comment is made, and that an earlier one is brought up to date.
func TestCommentModes(t *testing.T) {
	for _, test := range []struct {
		mode            string
		failed, changed bool
		first, earlier  string
	}{
		{CommentAlways, false, false, commentCreated, commentUpdated},
		{CommentChanges, false, false, commentNotWanted, commentUpdated},
		{CommentChanges, false, true, commentCreated, commentUpdated},
		{CommentChanges, true, false, commentCreated, commentUpdated},
		{CommentFailures, false, true, commentNotWanted, commentUpdated},
		{CommentFailures, true, false, commentCreated, commentUpdated},
		{CommentOff, true, true, commentNotWanted, commentNotWanted},
	} {
		t.Run(fmt.Sprint(test.mode, test.failed, test.changed), func(t *testing.T) {
			q := request("new")
			q.Mode, q.Failed, q.Changed = test.mode, test.failed, test.changed
			for _, want := range []string{test.first, test.earlier} {
				f := newFake(t)
				if want == test.earlier {
					f.addComment(actionsBot, "Bot", marker(key)+"\r\n\r\nold")
				}
				got, err := f.client().comment(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if got.Did != want && test.first != test.earlier {
					t.Errorf("%s, want %s", got.Did, want)
				}
			}
		})
	}
}

// TestCommentAuthors pins whose comments are changed: the marker alone proves nothing.
func TestCommentAuthors(t *testing.T) {
	for name, test := range map[string]struct {
		login, kind string
		me, viewer  string
		ours        bool
	}{
		"the workflow":                 {login: actionsBot, kind: "Bot", ours: true},
		"somebody":                     {login: "mallory", kind: "User"},
		"somebody of that name":        {login: actionsBot, kind: "User"},
		"the token's user":             {login: "Robot", kind: "User", me: "robot", ours: true},
		"another than the token's":     {login: "mallory", kind: "User", me: "robot"},
		"the token's app":              {login: "gates[bot]", kind: "Bot", viewer: "gates[bot]", ours: true},
		"another than the token's app": {login: "other[bot]", kind: "Bot", viewer: "gates[bot]"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.me, f.viewer = test.me, test.viewer
			theirs := f.addComment(test.login, test.kind, marker(key)+"\n\nold")
			f.addComment(test.login, test.kind, "> "+marker(key)+"\n\nquoted")
			got, err := f.client().comment(t.Context(), request("new"))
			if err != nil {
				t.Fatal(err)
			}
			want, comments := commentCreated, 3
			if test.ours {
				want, comments = commentUpdated, 2
			}
			if got.Did != want || len(f.comments) != comments || (theirs.Edits > 0) != test.ours {
				t.Errorf("%s, %d comments, %d edits of theirs; want %s, %d", got.Did, len(f.comments), theirs.Edits, want, comments)
			}
		})
	}
}

// TestCommentDuplicates pins that the oldest stays and that comments of other keys are left alone.
func TestCommentDuplicates(t *testing.T) {
	f := newFake(t)
	first := f.addComment(actionsBot, "Bot", marker(key)+"\n\nnew")
	other := f.addComment(actionsBot, "Bot", marker("ff")+"\n\nother")
	f.addComment(actionsBot, "Bot", marker(key)+"\n\nagain")
	planted := f.addComment("mallory", "User", marker(key)+"\n\nplanted")
	if _, err := f.client().comment(t.Context(), request("new")); err != nil {
		t.Fatal(err)
	}
	if want := []*fakeComment{first, other, planted}; !slices.Equal(f.comments, want) {
		t.Errorf("comments are %v, want %v", f.comments, want)
	}
	if first.Edits != 0 {
		t.Error("an unchanged body was sent")
	}
}

func TestCommentNotWritten(t *testing.T) {
	for want, set := range map[string]func(*fake){
		commentOutdated: func(f *fake) { f.head = otherSHA },
		commentClosed:   func(f *fake) { f.state = "closed" },
	} {
		for _, earlier := range []bool{true, false} {
			f := newFake(t)
			if earlier {
				f.addComment(actionsBot, "Bot", marker(key)+"\n\nof the newer head")
			}
			set(f)
			got, err := f.client().comment(t.Context(), request("old"))
			if err != nil {
				t.Fatal(err)
			}
			if got.Did != want || f.count("PATCH")+f.count("POST") > 0 {
				t.Errorf("%s with %v, want %s", got.Did, f.requests, want)
			}
		}
	}
}

// TestCommentFaults pins that there is one comment, with the new body, whatever goes wrong on the way.
func TestCommentFaults(t *testing.T) {
	const post, patch, list = "POST /repos/octo/tools/issues", "PATCH /repos/octo/tools/issues", "GET /repos/octo/tools/issues"
	for name, faults := range map[string][]fault{
		"create 502 before":      {{match: post, status: 502}},
		"create 502 after":       {{match: post, status: 502, after: true}},
		"create cut off after":   {{match: post, after: true}},
		"create cut off before":  {{match: post}},
		"create 429":             {{match: post, status: 429, header: map[string]string{"Retry-After": "3"}}},
		"list 500 and 503":       {{match: list, status: 500}, {match: list, status: 503}},
		"update 502 after":       {{match: patch, status: 502, after: true}},
		"update 502 before":      {{match: patch, times: 3, status: 502}},
		"secondary limit":        {{match: list, status: 403, body: "You have exceeded a secondary rate limit. Please wait"}},
		"pull request 504, then": {{match: "GET /repos/octo/tools/pulls", status: 504}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			if strings.Contains(name, "update") {
				f.addComment(actionsBot, "Bot", marker(key)+"\n\nold")
			}
			f.fail(faults...)
			if _, err := f.client().comment(t.Context(), request("new")); err != nil {
				t.Fatal(err)
			}
			if len(f.comments) != 1 || f.comments[0].Body != marker(key)+"\n\nnew" {
				t.Errorf("comments are %v, want one", f.comments)
			}
		})
	}
}

// TestCommentLength pins that GitHub takes the longest comment that is rendered.
func TestCommentLength(t *testing.T) {
	f := newFake(t)
	if _, err := f.client().comment(t.Context(), request(strings.Repeat("x", markdown.CommentLimit))); err != nil {
		t.Fatal(err)
	}
}

func TestFindPullRequest(t *testing.T) {
	f := newFake(t)
	e := Event{Name: workflowRun, HeadSHA: headSHA, HeadRepo: "Someone/tools"}
	pr, ok, err := f.client().FindPullRequest(t.Context(), e)
	if err != nil || !ok || pr.Number != 7 || pr.MergeSHA != otherSHA {
		t.Errorf("found %+v, %v, %v", pr, ok, err)
	}
	e.HeadRepo = "mallory/tools"
	if _, ok, err := f.client().FindPullRequest(t.Context(), e); ok || err != nil {
		t.Errorf("a pull request of another repository is found: %v", err)
	}
	if got := e.WithPullRequest(pr); got.Number != 7 || got.BaseSHA != otherSHA || got.HeadSHA != headSHA {
		t.Errorf("the event with its pull request is %+v", got)
	}
	parents, err := f.client().Parents(t.Context(), otherSHA)
	if want := []string{headSHA, otherSHA}; err != nil || !slices.Equal(parents, want) {
		t.Errorf("parents are %v, %v, want %v", parents, err, want)
	}
}

// TestCommentHealing pins that a second comment that cannot be deleted is said, and that the first is up to date.
func TestCommentHealing(t *testing.T) {
	f := newFake(t)
	first := f.addComment(actionsBot, "Bot", marker(key)+"\n\nold")
	f.addComment(actionsBot, "Bot", marker(key)+"\n\nold")
	f.fail(fault{match: "DELETE", status: 403, body: notAccessible})
	got, err := f.client().comment(t.Context(), request("new"))
	if err == nil || !strings.Contains(err.Error(), "delete a second comment") || got.Did != commentUpdated || first.Edits != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
