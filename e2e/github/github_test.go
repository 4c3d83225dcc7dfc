package github

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/repo"
)

const writer = "ghs_writer"

var dotCom = sync.OnceValues(func() (*Contract, error) { return LoadContract("../openapi", DotCom) })

// contract loads the description; without it the test is skipped.
func contract(t *testing.T) *Contract {
	t.Helper()
	c, err := dotCom()
	if errors.Is(err, ErrNoContract) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// start returns a server with one commit, which is the head of pull request 7.
func start(t *testing.T) (s *Server, head string) {
	t.Helper()
	r := repo.New(t)
	head = r.Commit("first", repo.Files{"a.txt": "one\n", "folder/b.txt": "two\n"})
	r.Set("refs/heads/main", head)
	r.Set("refs/pull/7/head", head)
	s = New(t, Config{Repo: r, Contract: contract(t)})
	s.AddPull(Pull{Number: 7, HeadRepo: "octo/tools", HeadRef: "topic", BaseRef: "main"})
	s.Allow(ActionsToken(writer, "checks: write", "pull-requests: write"))
	s.Allow(ActionsToken("ghs_reader", "checks: read"))
	s.Allow(Token{Value: "ghp_octocat", Login: "octocat", Permissions: map[string]string{"checks": "write", "pull-requests": "write"}})
	return s, head
}

// send returns the status of the answer, and what it holds.
func send(t *testing.T, s *Server, token, method, path string, body any) (int, map[string]any) {
	t.Helper()
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body)
	}
	req, err := http.NewRequest(method, s.URL()+path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	json.Unmarshal(answer, &fields) // lists and archives are no object
	return resp.StatusCode, fields
}

type object = map[string]any

func annotations(n int) []object {
	list := make([]object, n)
	for i := range list {
		list[i] = object{"path": "a.txt", "start_line": i + 1, "end_line": i + 1, "annotation_level": "notice", "message": "m"}
	}
	return list
}

func output(annotations []object) object {
	return object{"title": "t", "summary": "s", "annotations": annotations}
}

const runs = "/repos/octo/tools/check-runs"

func TestChecksAreStrict(t *testing.T) {
	_, head := start(t)
	one := annotations(1)
	with := func(key string, value any) object {
		a := object{}
		for k, v := range one[0] {
			a[k] = v
		}
		a[key] = value
		return object{"name": "n", "head_sha": head, "conclusion": "failure", "output": output([]object{a})}
	}
	for _, test := range []struct {
		name string
		body object
		want int
	}{
		{"good", object{"name": "n", "head_sha": head, "status": "completed", "conclusion": "success"}, 201},
		{"annotated", object{"name": "n", "head_sha": head, "conclusion": "failure", "output": output(annotations(50))}, 201},
		{"51 annotations", object{"name": "n", "head_sha": head, "conclusion": "failure", "output": output(annotations(51))}, 422},
		{"no name", object{"head_sha": head}, 422},
		{"another type", object{"name": 1, "head_sha": head}, 422},
		{"unknown property", object{"name": "n", "head_sha": head, "colour": "red"}, 422},
		{"unknown commit", object{"name": "n", "head_sha": strings.Repeat("a", 40)}, 422},
		{"no summary", object{"name": "n", "head_sha": head, "conclusion": "failure", "output": object{"title": "t"}}, 422},
		{"summary too long", object{"name": "n", "head_sha": head, "conclusion": "failure", "output": object{"title": "t", "summary": strings.Repeat("x", 65536)}}, 422},
		{"text too long", object{"name": "n", "head_sha": head, "conclusion": "failure", "output": object{"title": "t", "summary": "s", "text": strings.Repeat("é", 40000)}}, 422},
		{"in progress", object{"name": "n", "head_sha": head, "status": "in_progress"}, 422},
		{"queued", object{"name": "n", "head_sha": head}, 422},
		{"neutral", object{"name": "n", "head_sha": head, "status": "completed", "conclusion": "neutral"}, 422},
		{"no conclusion", object{"name": "n", "head_sha": head, "status": "completed"}, 422},
		{"level", with("annotation_level", "error"), 422},
		{"absolute path", with("path", "/a.txt"), 422},
		{"dotted path", with("path", "./a.txt"), 422},
		{"line 0", with("start_line", 0), 422},
		{"end before start", with("end_line", 0), 422},
		{"title too long", with("title", strings.Repeat("x", 256)), 422},
		{"message too long", with("message", strings.Repeat("x", 64<<10+1)), 422},
		{"above U+FFFF", with("message", "\U0001f600"), 422},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _ := start(t)
			got, _ := send(t, s, writer, "POST", runs, test.body)
			if got != test.want || (len(s.Problems()) > 0) != (test.want != 201) {
				t.Errorf("%v: status %d, problems %q, want status %d", test.body, got, s.Problems(), test.want)
			}
		})
	}
}

func TestUpdatesAppendAnnotations(t *testing.T) {
	s, head := start(t)
	_, made := send(t, s, writer, "POST", runs, object{"name": "n", "head_sha": head, "conclusion": "failure"})
	path := runs + "/" + jsonNumber(made["id"])
	if got, _ := send(t, s, writer, "PATCH", path, object{"name": "n", "status": "in_progress"}); got != 422 {
		t.Errorf("a check run was opened again: status %d", got)
	}
	for range 2 {
		if got, _ := send(t, s, writer, "PATCH", path, object{"name": "n", "output": output(annotations(30))}); got != 200 {
			t.Fatalf("update: status %d, problems %q", got, s.Problems())
		}
	}
	send(t, s, writer, "PATCH", path, object{"name": "n", "status": "completed", "conclusion": "success"})
	k := s.Checks()[0]
	if len(k.Annotations) != 60 || len(k.Batches) != 2 || k.Status != "completed" || k.Summary != "s" {
		t.Errorf("check run %+v, want 60 annotations in 2 batches, and a summary that stays", k)
	}
}

func jsonNumber(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

func TestTokens(t *testing.T) {
	s, head := start(t)
	good := object{"name": "n", "head_sha": head, "conclusion": "success"}
	for _, test := range []struct {
		token, method, path string
		body                any
		want                int
	}{
		{writer, "POST", runs, good, 201},
		{"ghs_reader", "POST", runs, good, 403},
		{"ghp_octocat", "POST", runs, good, 201},
		{"ghs_unknown", "POST", runs, good, 401},
		{"ghs_reader", "GET", "/repos/octo/tools/pulls/7", nil, 200},
		{"ghs_reader", "POST", "/repos/octo/tools/issues/7/comments", object{"body": "b"}, 403},
		{writer, "GET", "/user", nil, 403},
		{"ghp_octocat", "GET", "/user", nil, 200},
		{writer, "POST", "/graphql", object{"query": "query{viewer{login}}"}, 200},
	} {
		if got, answer := send(t, s, test.token, test.method, test.path, test.body); got != test.want {
			t.Errorf("%s %s by %s: status %d, %v, want %d", test.method, test.path, test.token, got, answer, test.want)
		}
	}
}

func TestComments(t *testing.T) {
	s, _ := start(t)
	const comments = "/repos/octo/tools/issues/7/comments"
	for _, test := range []struct {
		body string
		want int
	}{{"b", 201}, {strings.Repeat("é", 65536), 201}, {strings.Repeat("x", 65537), 422}, {" ", 422}} {
		if got, _ := send(t, s, writer, "POST", comments, object{"body": test.body}); got != test.want {
			t.Errorf("a body of %d bytes: status %d, want %d", len(test.body), got, test.want)
		}
	}
	other := s.AddComment(7, "mallory", "mine")
	send(t, s, writer, "PATCH", "/repos/octo/tools/issues/comments/"+jsonNumber(other.ID), object{"body": "yours"})
	if problems := strings.Join(s.Problems(), "\n"); !strings.Contains(problems, "comment of mallory") {
		t.Errorf("somebody's comment was changed and the problems are %q", problems)
	}
}

func TestLimits(t *testing.T) {
	s, _ := start(t)
	s.Limit(Limit{Skip: 1, Status: 429, Wait: 50 * time.Millisecond})
	for i, want := range []int{200, 429, 429} {
		if got, _ := send(t, s, writer, "GET", "/repos/octo/tools/pulls/7", nil); got != want {
			t.Errorf("request %d: status %d, want %d", i, got, want)
		}
	}
	if len(s.Problems()) != 1 {
		t.Errorf("problems %q, want that of the request that did not wait", s.Problems())
	}
	time.Sleep(60 * time.Millisecond)
	if got, _ := send(t, s, writer, "GET", "/repos/octo/tools/pulls/7", nil); got != 200 {
		t.Errorf("after the limit: status %d", got)
	}
}

func TestFaults(t *testing.T) {
	s, head := start(t)
	s.Fail(Fault{Operation: "checks/create", Status: 502})
	s.Fail(Fault{Operation: "checks/create", Status: 502, After: true})
	s.Fail(Fault{Operation: "checks/create", After: true})
	for i, want := range []struct{ status, made int }{{502, 0}, {502, 1}, {0, 2}, {201, 3}} {
		got, _ := send(t, s, writer, "POST", runs, object{"name": "n", "head_sha": head, "conclusion": "success"})
		if got != want.status || len(s.Checks()) != want.made {
			t.Errorf("request %d: status %d and %d check runs, want %+v", i, got, len(s.Checks()), want)
		}
	}
}

func TestUnknownRequests(t *testing.T) {
	for _, path := range []string{"/repos/octo/tools/labels", "/repos/octo/tools/pulls?colour=red", "/repos/octo/tools/pulls?state=ajar"} {
		s, _ := start(t)
		if got, _ := send(t, s, writer, "GET", path, nil); got < 400 || len(s.Problems()) == 0 {
			t.Errorf("GET %s: status %d, problems %q, want a refusal", path, got, s.Problems())
		}
	}
}

func TestEnterpriseDescription(t *testing.T) {
	contract(t)
	if _, err := LoadContract("../openapi", Enterprise); err != nil {
		t.Error(err)
	}
}

func TestContents(t *testing.T) {
	s, head := start(t)
	_, commit := send(t, s, writer, "GET", "/repos/octo/tools/git/commits/"+head, nil)
	if parents := commit["parents"].([]any); len(parents) != 0 {
		t.Errorf("parents %v, want none", parents)
	}
	_, tree := send(t, s, writer, "GET", "/repos/octo/tools/git/trees/"+head+"?recursive=1", nil)
	if list := tree["tree"].([]any); len(list) != 3 || tree["truncated"] != false {
		t.Errorf("tree %v, want two files and a folder", tree)
	}
	if got, _ := send(t, s, writer, "GET", "/repos/octo/tools/tarball/"+head, nil); got != 200 || s.Downloads() != 1 {
		t.Errorf("tarball: status %d after %d downloads", got, s.Downloads())
	}
	if problems := s.Problems(); len(problems) != 0 {
		t.Errorf("problems %q", problems) // the standard client takes the token off when it is redirected
	}
}
