package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testRepo is a repository in a temporary folder, and what the git program does to it: the second implementation.
type testRepo struct {
	t   testing.TB
	dir string
}

func newRepo(t testing.TB, flags ...string) *testRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: there is no git program to compare with")
	}
	r := &testRepo{t, realTempDir(t)}
	r.git(append([]string{"init", "-q", "-b", "main"}, flags...)...)
	return r
}

func realTempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// git runs git in the repository and returns what it prints.
func (r *testRepo) git(args ...string) string {
	r.t.Helper()
	out, err := r.try("", args...)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func (r *testRepo) try(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=",
		"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always",
		"GIT_CONFIG_KEY_2=fastimport.unpackLimit", "GIT_CONFIG_VALUE_2=1000000",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.test", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.test", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
	}
	out, err := cmd.Output()
	return strings.TrimSuffix(string(out), "\n"), err
}

// write writes a file into the work tree, or into .git.
func (r *testRepo) write(name, text string) *testRepo {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
	return r
}

// commit commits everything and returns the hash.
func (r *testRepo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// objects opens the objects of the repository around a folder.
func objects(t testing.TB, dir string) *Objects {
	t.Helper()
	r, err := Find(dir, "")
	if err != nil {
		t.Fatalf("Find(%q): %v", dir, err)
	}
	o, err := r.Objects(context.Background())
	if err != nil {
		t.Fatalf("Objects of %q: %v", dir, err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}
