// Package repo makes real git repositories for tests: a bare repository, as on GitHub, and checkouts of it.
package repo

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Files are the contents of a commit's files, by path.
type Files map[string]string

// With returns a copy with the other files, which are added or replace files of the same name. An empty content removes a file.
func (f Files) With(others Files) Files {
	out := maps.Clone(f)
	for name, content := range others {
		if out[name] = content; content == "" {
			delete(out, name)
		}
	}
	return out
}

// Repo is a bare repository.
type Repo struct {
	Dir   string
	t     testing.TB
	known sync.Map // maps refs that were set, and hashes of commits that were made, to commits, so that Resolve rarely starts git
}

// New makes an empty repository, which is removed when the test ends.
func New(t testing.TB) *Repo {
	t.Helper()
	r := &Repo{Dir: filepath.Join(t.TempDir(), "tools.git"), t: t}
	r.must(run("", nil, "init", "--quiet", "--bare", "--initial-branch=main", r.Dir))
	return r
}

// environment returns an environment for git without the user's own settings, in which the same files make the same commits at any
// time. New repositories get no sample hooks, and git does no automatic maintenance.
func environment() []string {
	return []string{
		"GIT_TEMPLATE_DIR=", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Octo", "GIT_AUTHOR_EMAIL=octo@example.test", "GIT_AUTHOR_DATE=1800000000 +0000",
		"GIT_COMMITTER_NAME=Octo", "GIT_COMMITTER_EMAIL=octo@example.test", "GIT_COMMITTER_DATE=1800000000 +0000",
	}
}

func run(dir string, input []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, environment(), bytes.NewReader(input)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(complaint.String()))
	}
	return out, nil
}

func (r *Repo) must(out []byte, err error) string {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Commit makes a commit with the given files and no others, and returns its hash. It changes no branch.
func (r *Repo) Commit(message string, files Files, parents ...string) string {
	r.t.Helper()
	var b bytes.Buffer
	const ref = "refs/made/last"
	fmt.Fprintf(&b, "reset %s\n\ncommit %s\nmark :1\n", ref, ref)
	fmt.Fprintf(&b, "committer Octo <octo@example.test> 1800000000 +0000\ndata %d\n%s\n", len(message), message)
	for i, parent := range parents {
		fmt.Fprintf(&b, "%s %s\n", []string{"from", "merge"}[min(i, 1)], parent)
	}
	b.WriteString("deleteall\n")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", quote(name), len(files[name]), files[name])
	}
	b.WriteString("\nget-mark :1\ndone\n")
	sha := r.must(run(r.Dir, b.Bytes(), "fast-import", "--quiet", "--done", "--force", "--date-format=raw", "--cat-blob-fd=1"))
	r.known.Store(sha, sha)
	return sha
}

// quote returns a path in the quoted form that git reads.
func quote(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name) + `"`
}

// Set makes a ref point to a commit.
func (r *Repo) Set(ref, sha string) {
	r.t.Helper()
	r.must(run(r.Dir, nil, "update-ref", ref, sha))
	r.known.Store(ref, sha)
}

// Resolve returns the hash of the commit that a ref or hash names; "" if there is none.
func (r *Repo) Resolve(ref string) string {
	if sha, ok := r.known.Load(ref); ok {
		return sha.(string)
	}
	out, err := run(r.Dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Has reports whether there is a commit with this whole hash.
func (r *Repo) Has(sha string) bool { return sha != "" && r.Resolve(sha) == sha }

// Checkout makes a working tree of a ref as a workflow does: only the ref's commit, detached, with a history of depth commits.
func (r *Repo) Checkout(dir, ref string, depth int) {
	r.t.Helper()
	r.must(run("", nil, "init", "--quiet", dir))
	r.must(run(dir, nil, "remote", "add", "origin", "file://"+r.Dir))
	r.must(run(dir, nil, "fetch", "--quiet", "--no-tags", fmt.Sprintf("--depth=%d", depth), "origin", ref+":refs/remotes/checked/out"))
	r.must(run(dir, nil, "checkout", "--quiet", "--detach", "refs/remotes/checked/out"))
}
