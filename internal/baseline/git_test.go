package baseline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestOpenSaysWhyNot(t *testing.T) {
	r := newRepo(t)
	r.commit("one")
	outside := realTempDir(t)
	path := os.Getenv("PATH")
	tests := []struct {
		name    string
		place   Place
		path    string
		want    error
		wantMsg string
	}{
		{"no PATH", Place{Dir: r.dir}, "", ErrNoGit, "no git program"},
		{"PATH without git", Place{Dir: r.dir}, outside, ErrNoGit, "no git program"},
		{"git in a relative folder", Place{Dir: r.dir}, "bin", ErrNoGit, "no git program"},
		{"no repository", Place{Dir: outside}, path, ErrNoRepository, "not in a git repository"},
		{"no trusted repository", Place{Dir: outside, Trusted: outside}, path, ErrNoRepository, "not in a git repository"},
		{"outside of what is trusted", Place{Dir: r.dir, Trusted: outside}, path, nil, "does not lie in"},
		{"no such folder", Place{Dir: filepath.Join(outside, "gone")}, path, os.ErrNotExist, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.place.Getenv = func(key string) string {
				return map[string]string{"PATH": test.path, "HOME": r.home}[key]
			}
			repo, err := Open(context.Background(), test.place)
			var because *Unreadable
			if !errors.As(err, &because) {
				t.Fatalf("Open = %v, %v, want an *Unreadable", repo, err)
			}
			if test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.wantMsg) {
				t.Errorf("Open: got error %q, want %v with %q", err, test.want, test.wantMsg)
			}
		})
	}
}

// A git program in the workspace must not be run, whatever PATH and the current folder are.
func TestGitOfTheWorkspaceIsNotRun(t *testing.T) {
	r := newRepo(t).write("git", "#!/bin/sh\ntouch planted\n")
	if err := os.Chmod(filepath.Join(r.dir, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(r.dir)
	for _, path := range []string{"", ".", "." + string(filepath.ListSeparator), ".." + string(filepath.Separator) + filepath.Base(r.dir)} {
		if found, err := findGit(path); err == nil {
			t.Errorf("findGit(%q) = %q, want an error", path, found)
		}
	}
}

func TestFolderOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give folders away")
	}
	r := newRepo(t).write("sub/a.txt", "a")
	sha := r.commit("one")
	for _, name := range []string{r.dir, filepath.Join(r.dir, "sub"), filepath.Join(r.dir, ".git")} {
		if err := os.Chown(name, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{r.dir, filepath.Join(r.dir, "sub")} {
		var because *Unreadable
		_, err := Open(context.Background(), Place{Dir: dir, Getenv: r.getenv})
		if !errors.As(err, &because) || !strings.Contains(err.Error(), "dubious ownership") {
			t.Errorf("Open(%q) of another user: got %v, want dubious ownership", dir, err)
		}
		repo, err := Open(context.Background(), Place{Dir: dir, Trusted: r.dir, Getenv: r.getenv})
		if err != nil {
			t.Errorf("Open(%q), trusted: %v", dir, err)
			continue
		}
		if head, err := repo.Head(context.Background()); err != nil || head.SHA != sha {
			t.Errorf("Head = %v, %v, want %s", head, err, sha)
		}
	}
	if found, err := os.ReadDir(r.home); err != nil || len(found) > 0 {
		t.Errorf("HOME holds %v, %v, want nothing: configuration must not be written", found, err)
	}
}

// Git goes on upwards past a .git that is no repository, but what lies above is not trusted.
func TestRepositoryAboveTheTrustedFolder(t *testing.T) {
	r := newRepo(t).write("work/a.txt", "a")
	r.commit("one")
	work := filepath.Join(r.dir, "work")
	if err := os.Mkdir(filepath.Join(work, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if repo, err := Open(context.Background(), Place{Dir: work, Trusted: work, Getenv: r.getenv}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("Open = %+v, %v, want %v", repo, err, ErrNoRepository)
	}
}

// A folder of the workspace that looks like a bare repository could bring settings that run programs.
func TestPlantedBareRepository(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a")
	r.git("init", "-q", "--bare", "planted")
	r.write("planted/config", "[core]\n\tbare = true\n\trepositoryformatversion = 0\n\tfsmonitor = touch "+r.home+"/ran\n")
	dir := filepath.Join(r.dir, "planted")
	for _, trusted := range []string{"", r.dir} {
		repo, err := Open(context.Background(), Place{Dir: dir, Trusted: trusted, Getenv: r.getenv})
		if err == nil && repo.prefix != "planted/" {
			t.Errorf("Open took the planted repository, prefix %q", repo.prefix)
		}
	}
}

func TestEnvironmentIsClean(t *testing.T) {
	getenv := func(key string) string { return "value of " + key }
	got := environment(getenv, "/work space")
	for _, want := range []string{"PATH=value of PATH", "HOME=value of HOME", "GIT_CONFIG_COUNT=4",
		"GIT_CONFIG_KEY_3=safe.directory", "GIT_CONFIG_VALUE_3=/work space", "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1"} {
		if !slices.Contains(got, want) {
			t.Errorf("environment = %q\nwithout %q", got, want)
		}
	}
	if all := strings.Join(environment(getenv, ""), "\n"); strings.Contains(all, "safe.directory") {
		t.Errorf("environment without a trusted folder = %s\nwith safe.directory", all)
	}
}

// What the repository's own settings and refs say does not change what a commit is.
func TestReplacedObjectsAreNotBelieved(t *testing.T) {
	r := newRepo(t).write("a.txt", "true")
	sha := r.commit("one")
	other := r.gitIn(r.dir, "forged", "hash-object", "-w", "--stdin")
	r.git("replace", r.git("rev-parse", sha+":a.txt"), other)
	if got := readString(t, r.files(".", sha), "a.txt"); got != "true" {
		t.Errorf("content of a.txt: got %q, want %q", got, "true")
	}
}

func TestGitErrorIsOneSafeLine(t *testing.T) {
	long := strings.Repeat("x", 1000)
	tests := []struct{ complaint, want string }{
		{"fatal: bad\nmore\n", "git show: bad"},
		{"fatal: a\x1b[31mb\u202e\xff", "git show: a?[31mb??"},
		{"warning: careful\nerror: broken\nfatal: gone", "git show: broken"},
		{"strange\nmore", "git show: strange"},
		{"", "git show: exit"},
		{long, "git show: " + long[:300]},
	}
	for _, test := range tests {
		got := gitError(context.Background(), "show", test.complaint, errors.New("exit"))
		if got.Error() != test.want {
			t.Errorf("gitError(%q): got %q, want %q", test.complaint, got, test.want)
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	var l limited
	for range 3 {
		if n, err := l.Write(make([]byte, maxOutput/2+1)); err != nil || n != maxOutput/2+1 {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if l.Len() != maxOutput {
		t.Errorf("kept %d bytes, want %d", l.Len(), maxOutput)
	}
}
