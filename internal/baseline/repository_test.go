package baseline

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testRepo is a repository in a temporary folder, and what tests do to it with git.
type testRepo struct {
	t    testing.TB
	dir  string
	home string
}

func newRepo(t testing.TB) *testRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git program, so nothing of this package was tested against repositories")
	}
	r := &testRepo{t: t, dir: realTempDir(t), home: realTempDir(t)}
	r.git("init", "-q", "-b", "main", ".")
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
func (r *testRepo) git(args ...string) string { return r.gitIn(r.dir, "", args...) }

func (r *testRepo) gitIn(dir, stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "GIT_CONFIG_NOSYSTEM=1",
		// Quicker: no samples in repositories, and nothing is tidied up after a commit.
		"GIT_TEMPLATE_DIR=", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.test", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.test", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write writes files into the workspace: pairs of name and content.
func (r *testRepo) write(pairs ...string) *testRepo {
	r.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		name := filepath.Join(r.dir, filepath.FromSlash(pairs[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pairs[i+1]), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
	return r
}

func (r *testRepo) link(target, name string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Symlink(target, full); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits everything and returns the hash.
func (r *testRepo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// clone clones the repository with more flags, the way actions/checkout does: over a transport.
func (r *testRepo) clone(flags ...string) *testRepo {
	r.t.Helper()
	c := &testRepo{t: r.t, dir: realTempDir(r.t), home: r.home}
	r.git("config", "uploadpack.allowFilter", "true")
	r.git("config", "uploadpack.allowAnySHA1InWant", "true")
	args := append([]string{"clone", "-q"}, flags...)
	r.gitIn(c.dir, "", append(args, "file://"+r.dir, ".")...)
	return c
}

// open opens the repository at a folder below its top.
func (r *testRepo) open(folder string) *Repository {
	r.t.Helper()
	repo, err := Open(Place{Dir: filepath.Join(r.dir, filepath.FromSlash(folder))})
	if err != nil {
		r.t.Fatalf("Open(%q): %v", folder, err)
	}
	return repo
}

// files opens the files of a commit, below a folder.
func (r *testRepo) files(folder, sha string) *Files {
	r.t.Helper()
	files, err := r.open(folder).Files(context.Background(), sha)
	if err != nil {
		r.t.Fatalf("Files(%q): %v", sha, err)
	}
	r.t.Cleanup(func() { files.Close() })
	return files
}

func readString(t *testing.T, fsys fs.FS, name string) string {
	t.Helper()
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		t.Fatalf("ReadFile(%q): %v", name, err)
	}
	return string(data)
}
