package ci

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// me is the user of the token.
const me = 7

// note is a note of a merge request, as GitLab's API gives it.
type note struct {
	ID     int    `json:"id"`
	Body   string `json:"body"`
	Author struct {
		ID int `json:"id"`
	} `json:"author"`
}

func noteOf(id, author int, body string) note {
	n := note{ID: id, Body: body}
	n.Author.ID = author
	return n
}

// gitlab is a stand-in for GitLab's API of notes. It gives one note a page, and keeps what is written.
type gitlab struct {
	notes  []note
	broken bool
	wrote  []string // METHOD PATH BODY
}

func (g *gitlab) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const notes = "/api/v4/projects/5/merge_requests/9/notes"
	switch {
	case r.Header.Get("Private-Token") != "the token":
		http.Error(w, "unauthorized", http.StatusUnauthorized)
	case g.broken:
		http.Error(w, "broken", http.StatusBadGateway)
	case r.Method == http.MethodGet && r.URL.Path == "/api/v4/user":
		fmt.Fprintf(w, `{"id": %d}`, me)
	case r.Method == http.MethodGet && r.URL.Path == notes:
		g.list(w, r.URL.Query().Get("page"))
	case r.Method == http.MethodPost && r.URL.Path == notes, r.Method == http.MethodPut && strings.HasPrefix(r.URL.Path, notes+"/"):
		g.wrote = append(g.wrote, r.Method+" "+strings.TrimPrefix(r.URL.Path, notes)+" "+r.FormValue("body"))
		fmt.Fprint(w, "{}")
	default:
		http.Error(w, r.Method+" "+r.URL.Path, http.StatusNotFound)
	}
}

func (g *gitlab) list(w http.ResponseWriter, page string) {
	var at int
	if _, err := fmt.Sscan(page, &at); err != nil || at < 1 {
		http.Error(w, "page", http.StatusBadRequest)
		return
	}
	next, list := "", []note{}
	if at <= len(g.notes) {
		list = g.notes[at-1 : at]
	}
	if at < len(g.notes) {
		next = fmt.Sprint(at + 1)
	}
	w.Header().Set("X-Next-Page", next)
	json.NewEncoder(w).Encode(list)
}

// TestNote runs the job that writes the note of a merge request, as examples/ci/gitlab/gitlab-ci.yml has it.
func TestNote(t *testing.T) {
	for _, program := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed, so that the note is not written: %v", program, err)
		}
	}
	const marker = "<!-- mcp-gates -->\n"
	for _, test := range []struct {
		name   string
		server gitlab
		token  string
		report string
		fails  bool
		want   []string
	}{
		{name: "first", token: "the token", report: "### fails\n", want: []string{"POST  " + marker + "### fails\n"}},
		{name: "again, on the third page", token: "the token", report: "### passes\n", server: gitlab{notes: []note{
			noteOf(1, me, "another one of the same user"), noteOf(2, 8, marker+"forged"), noteOf(3, me, marker+"### fails\n"),
		}}, want: []string{"PUT /3 " + marker + "### passes\n"}},
		{name: "the marker of another user", token: "the token", report: "x\n", server: gitlab{notes: []note{noteOf(2, 8, marker)}},
			want: []string{"POST  " + marker + "x\n"}},
		{name: "lines that GitLab takes for commands", token: "the token", report: "/approve\n\t /merge\na /b\n@all; echo $(id) `id`\n",
			want: []string{"POST  " + marker + "\\/approve\n\t \\/merge\na /b\n@all; echo $(id) `id`\n"}},
		{name: "no token", report: "x\n"},
		{name: "no report", token: "the token"},
		{name: "a wrong token", token: "another", report: "x\n", fails: true},
		{name: "GitLab is broken", token: "the token", report: "x\n", server: gitlab{broken: true}, fails: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(&test.server)
			defer server.Close()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "mcp-gates.md"), []byte(test.report), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", script(t))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "MCP_GATES_TOKEN="+test.token, "CI_API_V4_URL="+server.URL+"/api/v4",
				"CI_PROJECT_ID=5", "CI_MERGE_REQUEST_IID=9", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
			out, err := cmd.CombinedOutput()
			if (err != nil) != test.fails {
				t.Errorf("got error %v, want one: %t\n%s", err, test.fails, out)
			}
			if diff := cmp.Diff(test.want, test.server.wrote); diff != "" {
				t.Errorf("what was written (-want +got):\n%s\n%s", diff, out)
			}
		})
	}
}

// script returns the last command of the job, before which its tools are installed.
func script(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../examples/ci/gitlab/gitlab-ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Note struct{ Script []string } `yaml:"mcp-gates-note"`
	}
	if err := yaml.Unmarshal(data, &file); err != nil || len(file.Note.Script) != 2 {
		t.Fatalf("the job mcp-gates-note has %d commands, want 2 (%v)", len(file.Note.Script), err)
	}
	return file.Note.Script[1]
}
