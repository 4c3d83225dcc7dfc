package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkouts is a repository with a pull request that lowers a floor, of which a test checks out one commit or another.
type checkouts struct {
	*testing.T
	dir                       string
	base, head, merge, beyond string // beyond is what main has in the meantime
}

func (c *checkouts) git(args ...string) string {
	c.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+c.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=",
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.test", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.test")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *checkouts) write(name, text string) {
	c.Helper()
	name = filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		c.Fatal(err)
	}
}

// commit commits a floor, and returns the commit.
func (c *checkouts) commit(floor string) string {
	c.Helper()
	c.write("mcp-gates.yml", "agents: [{name: finds, cassette: run.json, tool_selection: {expected_tool: find, min_selection_rate: "+floor+"}}]\n")
	c.git("add", "-A")
	c.git("commit", "-qm", floor)
	return c.git("rev-parse", "HEAD")
}

// newRepository returns an empty repository.
func newRepository(t *testing.T) *checkouts {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git program")
	}
	c := &checkouts{T: t, dir: t.TempDir()}
	c.git("init", "-qb", "main", ".")
	return c
}

func newCheckouts(t *testing.T) *checkouts {
	t.Helper()
	c := newRepository(t)
	c.write("run.json", `{"tool_calls": [{"name": "find"}]}`)
	c.base = c.commit("0.9")
	c.git("checkout", "-qb", "topic")
	c.head = c.commit("0.1")
	c.git("checkout", "-q", "--detach", "main")
	c.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	c.merge = c.git("rev-parse", "HEAD")
	c.git("checkout", "-q", "main")
	c.git("commit", "-qm", "beyond", "--allow-empty")
	c.beyond = c.git("rev-parse", "HEAD")
	return c
}

// copy returns a copy for a test, which is quicker than to make all again.
func (c *checkouts) copy(t *testing.T) *checkouts {
	t.Helper()
	same := *c
	same.T, same.dir = t, filepath.Join(t.TempDir(), "workspace")
	if err := os.CopyFS(same.dir, os.DirFS(c.dir)); err != nil {
		t.Fatal(err)
	}
	return &same
}

// act runs the action for an event with more variables, NAME=VALUE, and returns its exit status and log.
func (c *checkouts) act(event, sha string, payload any, env ...string) (status int, log string) {
	c.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		c.Fatal(err)
	}
	file := filepath.Join(c.TempDir(), "event.json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		c.Fatal(err)
	}
	return c.actIn(c.T, append(env, "GITHUB_EVENT_PATH="+file, "GITHUB_EVENT_NAME="+event, "GITHUB_SHA="+sha)...)
}

// actIn runs the action with more variables, and returns its exit status and log.
func (c *checkouts) actIn(t *testing.T, env ...string) (status int, log string) {
	t.Helper()
	vars := map[string]string{"PATH": os.Getenv("PATH"), "HOME": c.dir, "GITHUB_WORKSPACE": c.dir}
	for _, one := range env {
		name, value, _ := strings.Cut(one, "=")
		vars[name] = value
	}
	var stdout, stderr stream
	status = run([]string{"action", "--dry-run"}, func(name string) string { return vars[name] }, strings.NewReader(""), &stdout, &stderr)
	return status, string(stdout.all()) + string(stderr.all())
}

type object = map[string]any

// TestActionWorkspace pins that a workspace without the change is not judged in its place.
func TestActionWorkspace(t *testing.T) {
	t.Parallel()
	const weakened, stray = "weakens its own judge, which fail-on-weakened does not allow", "which does not have the change"
	pull := func(c *checkouts) (string, string, any) {
		return "pull_request", c.merge, object{"pull_request": object{"number": 7, "base": object{"sha": c.base}, "head": object{"sha": c.head}}}
	}
	push := func(c *checkouts) (string, string, any) { return "push", c.head, object{"before": c.base} }
	group := func(c *checkouts) (string, string, any) {
		return "merge_group", c.merge, object{"merge_group": object{"base_sha": c.base, "head_sha": c.merge}}
	}
	dispatch := func(c *checkouts) (string, string, any) { return "workflow_dispatch", c.beyond, object{} }
	at := func(which func(*checkouts) string) func(*checkouts) {
		return func(c *checkouts) { c.git("checkout", "-q", "--detach", which(c)) }
	}
	base, beyond := at(func(c *checkouts) string { return c.base }), at(func(c *checkouts) string { return c.beyond })
	head, merge := at(func(c *checkouts) string { return c.head }), at(func(c *checkouts) string { return c.merge })
	then := func(first func(*checkouts), more func(*checkouts)) func(*checkouts) {
		return func(c *checkouts) { first(c); more(c) }
	}
	shallow := func(c *checkouts) { // as actions/checkout leaves it
		from, sha := c.dir, c.git("rev-parse", "HEAD")
		c.dir = c.TempDir()
		c.git("init", "-q", ".")
		c.git("fetch", "-q", "--depth=2", "file://"+from, sha)
		c.git("checkout", "-q", "FETCH_HEAD")
	}
	noRepository := func(c *checkouts) {
		if err := os.RemoveAll(filepath.Join(c.dir, ".git")); err != nil {
			c.Fatal(err)
		}
	}
	tests := []struct {
		name     string
		event    func(*checkouts) (event, sha string, payload any)
		checkout func(*checkouts)
		env      string // besides INPUT_FAIL-ON-WEAKENED
		want     int
		says     string
	}{
		{"the merge commit", pull, merge, "", 1, weakened},
		{"the merge commit, shallow", pull, then(merge, shallow), "", 1, weakened},
		{"the head commit", pull, head, "", 1, weakened},
		{"the base", pull, base, "", 3, stray},
		{"the base, shallow", pull, then(base, shallow), "", 3, stray},
		{"the tip of main", pull, beyond, "", 3, stray},
		{"the tip of main, compared with a branch", pull, beyond, "INPUT_BASELINE=topic", 3, stray},
		{"a commit of a step on top", pull, then(head, func(c *checkouts) { c.git("commit", "-qm", "recorded", "--allow-empty") }), "", 1, weakened},
		{"main merged by a step", pull, then(head, func(c *checkouts) { c.git("merge", "-q", "-m", "m", "main") }), "", 1, weakened},
		{"no repository", pull, noRepository, "", 3, "the workspace is not in a git repository"},
		{"no repository, nothing asked", pull, noRepository, "INPUT_FAIL-ON-WEAKENED=false", 0, "the workspace is not in a git repository"},
		{"fail-on-breaking, the base", pull, base, "INPUT_FAIL-ON-WEAKENED=false INPUT_FAIL-ON-BREAKING=true", 3, stray},
		{"gates-from, the base", pull, base, "INPUT_FAIL-ON-WEAKENED=false INPUT_GATES-FROM=base", 3, stray},
		{"nothing asked, the base", pull, base, "INPUT_FAIL-ON-WEAKENED=false", 0, "::warning::The change is not judged: "},
		{"push", push, head, "", 1, weakened},
		{"push, the base", push, base, "", 3, stray},
		{"merge group", group, merge, "", 1, weakened},
		{"merge group, the base", group, base, "", 3, stray},
		{"another commit by hand", dispatch, head, "INPUT_BASELINE=main", 1, weakened},
	}
	all := newCheckouts(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := all.copy(t)
			event, sha, payload := test.event(c)
			test.checkout(c)
			status, log := c.act(event, sha, payload, append([]string{"INPUT_FAIL-ON-WEAKENED=true"}, strings.Fields(test.env)...)...)
			if status != test.want || !strings.Contains(log, test.says) {
				t.Errorf("exit status %d, want %d and %q; log:\n%s", status, test.want, test.says, log)
			}
		})
	}
}
