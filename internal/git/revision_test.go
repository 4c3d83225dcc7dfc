package git

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// named makes a repository with names of every kind.
func named(t *testing.T, flags ...string) *testRepo {
	r := newRepo(t, flags...)
	first := r.write("a.txt", "a").commit("one")
	r.git("tag", "light")
	r.git("tag", "-m", "annotated", "v1.0")
	r.git("tag", "-m", "a tag of a tag", "v1.0-again", "v1.0")
	r.git("tag", "-m", "a tag of a file", "of-file", first+":a.txt")
	r.git("branch", "packed/branch")
	r.git("pack-refs", "--all")
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.txt", "b").commit("two")
	r.git("checkout", "-q", "main")
	r.write("b.txt", "c").commit("three")
	r.git("merge", "-q", "--no-ff", "-m", "merged", "topic")
	r.git("branch", "abcd")
	r.git("update-ref", "refs/remotes/origin/main", first)
	r.git("update-ref", "refs/remotes/origin/release", "topic")
	r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release")
	r.git("update-ref", "refs/pull/1/merge", "main")
	r.git("update-ref", "ORIG_HEAD", "topic")
	r.write(".git/FETCH_HEAD", first+"\t\tbranch 'main' of https://example.test/r\n")
	return r
}

var expressions = []string{
	"main", "topic", "heads/main", "refs/heads/main", "origin/main", "origin", "remotes/origin/main", "refs/remotes/origin/release",
	"HEAD", "@", "HEAD~1", "HEAD~", "HEAD^", "HEAD^2", "HEAD^^", "HEAD~1^1~0", "HEAD^2~1", "HEAD~2", "HEAD~9", "HEAD^3", "@~1",
	"main^0", "main^{commit}", "main^{}", "v1.0", "v1.0^{}", "v1.0^{commit}", "v1.0~0", "v1.0^", "v1.0-again", "tags/light", "light",
	"of-file", "packed/branch", "refs/heads/packed/branch", "refs/pull/1/merge", "pull/1/merge", "FETCH_HEAD", "ORIG_HEAD", "ORIG_HEAD^",
	"abcd", "nowhere", "MERGE_HEAD", "config", "refs", "refs/", "refs/heads", "heads/", "/main", "main/", "../HEAD", "main..topic",
	"HEAD~99999999999999999999", "^main", "~1", "--all", "-1", "main ", " main", "ma*n", "objects/info", "logs/HEAD", "HEAD^x", "a\x00b",
	"refs/heads/../../HEAD", "refs/heads/main/below", "main^{tag}", "v1.0-1-g00", "-1-gabcdef0", "v1.0-1-g" + strings.Repeat("a", 99), strings.Repeat("x", 5000),
}

func TestResolveAsGitDoes(t *testing.T) {
	for _, flags := range [][]string{nil, {"--object-format=sha256"}} {
		r := named(t, flags...)
		all := expressions
		for _, name := range []string{"main", "topic", "v1.0"} {
			hash := r.git("rev-parse", name)
			all = append(all, hash, strings.ToUpper(hash), hash[:7], "v1.0-2-g"+hash[:7], hash[:39], strings.ToUpper(hash[:10])+"^", hash[:3])
		}
		all = append(all, r.git("rev-parse", "HEAD:a.txt")[:12]) // of a file
		for _, packed := range []bool{false, true} {
			if packed {
				r.git("gc", "-q")
			}
			o := objects(t, r.dir)
			for _, expression := range all {
				want := ""
				if !strings.Contains(expression, "\x00") { // which no argument can have
					want, _ = r.try("", "rev-parse", "-q", "--verify", "--end-of-options", expression+"^{commit}")
				}
				if !isHex(want) {
					want = "" // a range
				}
				got, err := o.Resolve(expression)
				if err == nil {
					got.Hash, err = o.followTags(got.Hash)
				}
				if got.Hash != want && (err == nil || want != "") {
					t.Errorf("Resolve(%.80q), packed %v: got %q, %v, want %q", expression, packed, got.Hash, err, want)
				}
			}
		}
	}
}

// The full name says whether a branch was meant.
func TestNamesInFull(t *testing.T) {
	r := named(t)
	o := objects(t, r.dir)
	for expression, want := range map[string]string{
		"main": "refs/heads/main", "@": "refs/heads/main", "origin": "refs/remotes/origin/release", "packed/branch": "refs/heads/packed/branch",
		"main^0": "", "main~1": "", r.git("rev-parse", "main"): "", "v1.0": "refs/tags/v1.0", "FETCH_HEAD": "FETCH_HEAD",
	} {
		if got, err := o.Resolve(expression); err != nil || got.Ref != want {
			t.Errorf("Resolve(%q) = %+v, %v, want the reference %q", expression, got, err, want)
		}
	}
}

func TestRevisionsThatAreNotRead(t *testing.T) {
	r := named(t)
	r.git("replace", "main", "topic")
	o := objects(t, r.dir)
	for expression, want := range map[string]string{
		"main@{1}": `"@{"`, "@{u}": `"@{"`, "main@{upstream}~1": `"@{"`, ":/three": `":/"`, "HEAD^{/three}": `"^{/"`, "HEAD^!": `"^!"`,
		"HEAD:a.txt": "names a file in a revision", "main^{tree}": `"^{tree}"`, "of-file": "is a blob, expected a commit",
	} {
		if got, err := o.Resolve(expression); err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrNoRevision) {
			t.Errorf("Resolve(%q) = %+v, %v, want an error with %q", expression, got, err, want)
		}
	}
	for _, expression := range []string{"nowhere", "", "report.json", "out/report:2.json", "my report.json", "--output=x", "nowhere~1"} {
		if got, err := o.Resolve(expression); !errors.Is(err, ErrNoRevision) {
			t.Errorf("Resolve(%q) = %+v, %v, want %v", expression, got, err, ErrNoRevision)
		}
	}
}

// A tag, a branch and a remote's branch of one name can lead elsewhere than the name promises. Git takes the first.
func TestAmbiguousNames(t *testing.T) {
	r := named(t)
	topic := r.git("rev-parse", "topic")
	r.git("tag", "-m", "of the same commit", "topic", "topic")
	r.git("tag", "packed/branch", "main")
	r.git("branch", "origin/main", "main")
	r.write(".git/refs/heads/HEAD", topic+"\n")
	o := objects(t, r.dir)
	for name, want := range map[string]string{
		"packed/branch": "refs/tags/packed/branch and refs/heads/packed/branch",
		"origin/main^":  "refs/heads/origin/main and refs/remotes/origin/main",
		topic[:7]:       "refs/heads/" + topic[:7] + " and " + topic,
	} {
		if name == topic[:7] {
			r.git("branch", name, "main")
		}
		if got, err := o.Resolve(name); err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrNoRevision) {
			t.Errorf("Resolve(%q) = %+v, %v, want that it is %s", name, got, err, want)
		}
	}
	for _, name := range []string{"topic", "refs/heads/packed/branch", "tags/packed/branch", "HEAD", "@"} {
		if got, err := o.Resolve(name); err != nil || got.Hash != r.git("rev-parse", name+"^0") {
			t.Errorf("Resolve(%q) = %+v, %v", name, got, err)
		}
	}
}

func TestAmbiguousBeginning(t *testing.T) {
	r := newRepo(t)
	o := objects(t, r.dir)
	shared := ""
	seen := map[string]bool{}
	for i := 0; shared == "" && i < 3000; i += 300 { // two of some hundred share four digits
		var script strings.Builder
		for n := range 300 {
			script.WriteString("commit refs/heads/main\ncommitter a <a@example.test> " + strings.Repeat("1", 9) + " +0000\ndata 9\n")
			script.WriteString("commit" + string(rune('a'+n%26)) + string(rune('a'+n/26)) + string(rune('a'+i/300)) + "\n")
		}
		if _, err := r.try(script.String(), "fast-import", "--quiet"); err != nil {
			t.Fatal(err)
		}
		for hash := range strings.SplitSeq(r.git("rev-list", "main"), "\n") {
			if seen[hash[:4]] {
				shared = hash[:4]
			}
			seen[hash[:4]] = true
		}
	}
	if got, err := o.Resolve(shared); err == nil || !strings.Contains(err.Error(), "expected more digits") {
		t.Errorf("Resolve(%q) = %+v, %v, want that it begins two hashes", shared, got, err)
	}
}

// Repositories as clones, work trees and submodules keep them.
func TestLayouts(t *testing.T) {
	r := named(t)
	want := r.git("rev-parse", "topic")
	tests := []struct {
		name string
		make func(dir string) // makes a work tree with topic checked out
	}{
		{"work tree", func(dir string) { r.git("worktree", "add", "-q", dir, "topic") }},
		{"work tree, relative", func(dir string) {
			r.git("worktree", "add", "-q", "-f", dir, "topic")
			text, err := os.ReadFile(filepath.Join(dir, ".git"))
			if err != nil {
				t.Fatal(err)
			}
			rel, err := filepath.Rel(dir, strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir: ")))
			if err != nil || os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+rel+"\n"), 0o644) != nil {
				t.Fatal(err)
			}
		}},
		{"borrowed objects", func(dir string) { r.git("clone", "-q", "--shared", "-b", "topic", r.dir, dir) }},
		{"objects borrowed twice", func(dir string) {
			r.git("clone", "-q", "--shared", "-b", "topic", r.dir, dir+"-between")
			r.git("clone", "-q", "--shared", "-b", "topic", dir+"-between", dir)
		}},
		{"repository elsewhere", func(dir string) { r.git("clone", "-q", "--separate-git-dir", dir+".git", "-b", "topic", r.dir, dir) }},
		{"a link to the repository", func(dir string) {
			r.git("clone", "-q", "-b", "topic", r.dir, dir)
			if err := errors.Join(os.Rename(filepath.Join(dir, ".git"), dir+".git"), os.Symlink(dir+".git", filepath.Join(dir, ".git"))); err != nil {
				t.Fatal(err)
			}
		}},
		{"submodule", func(dir string) {
			outer := newRepo(t)
			outer.git("submodule", "--quiet", "add", "-b", "topic", r.dir, "sub")
			if err := os.Rename(outer.dir, filepath.Dir(dir)); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(realTempDir(t), "outer", "sub")
			if test.name != "submodule" {
				if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			test.make(dir)
			o := objects(t, dir)
			rev, err := o.Resolve("HEAD")
			if err != nil || rev.Hash != want || rev.Ref != "refs/heads/topic" || o.repository.Prefix != "" {
				t.Fatalf("HEAD is %+v, %v, want %s; prefix %q", rev, err, want, o.repository.Prefix)
			}
			entries, err := o.List(rev.Hash, "")
			if err != nil || len(entries) != 1 {
				t.Fatalf("List = %+v, %v, want a.txt", entries, err)
			}
			if _, err := o.Open(entries[0].SHA); err != nil {
				t.Error(err)
			}
		})
	}
}

// With another work tree than the folder of .git, the paths of a commit would be looked for in the wrong place.
func TestWorkTreeElsewhere(t *testing.T) {
	for _, setting := range []string{"[core]\n\tworktree = %s\n", "[core] WorkTree = \"%s\"\n"} {
		r := newRepo(t).write("sub/a.txt", "a")
		for dir, want := range map[string]bool{r.dir: true, "..": true, r.dir + "/sub": false, "../sub": false, "/nowhere": false} {
			r.write(".git/config", strings.ReplaceAll(setting, "%s", dir))
			_, err := Find(filepath.Join(r.dir, "sub"), "")
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "core.worktree") {
				t.Errorf("Find with the work tree %q: %v", dir, err)
			}
		}
	}
}

// A repository that cannot be read is not passed over for one above it.
func TestRepositoryThatCannotBeRead(t *testing.T) {
	folder := func(path string) error { return os.MkdirAll(path, 0o755) }
	for name, make := range map[string]func(git string) error{
		"a link to itself": func(git string) error { return os.Symlink(".git", git) },
		"a folder as its config": func(git string) error {
			return errors.Join(folder(git+"/objects"), folder(git+"/refs"), os.WriteFile(git+"/HEAD", nil, 0o644), folder(git+"/config"))
		},
		"no permission": func(git string) error { return errors.Join(folder(git), os.Chmod(git, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no permission" && (os.Geteuid() == 0 || runtime.GOOS == "windows") {
				t.Skip("SKIPPED: everything may be read; the other cases stand for it")
			}
			below := filepath.Join(named(t).dir, "below")
			if err := errors.Join(folder(below), make(filepath.Join(below, ".git"))); err != nil {
				t.Fatal(err)
			}
			if r, err := Find(below, ""); err == nil || errors.Is(err, ErrNoRepository) {
				t.Errorf("Find: %+v, %v; want a reason why it cannot be read", r, err)
			}
		})
	}
}

// A link or a submodule may hold what is looked for: that is not nothing.
func TestFolderThatIsNone(t *testing.T) {
	r := newRepo(t)
	r.write("real/sub/a.txt", "a").write("file", "f")
	if err := os.Symlink("real", filepath.Join(r.dir, "link")); err != nil {
		t.Skip("SKIPPED: no symbolic links")
	}
	r.git("add", "-A")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+made(1)+",module")
	r.git("commit", "-q", "-m", "one")
	commit := r.git("rev-parse", "HEAD")
	o := objects(t, r.dir)
	for folder, want := range map[string]string{
		"link/": "link", "link/sub/": "link", "real/sub/": "", "file/": "", "nowhere/": "", "real/nowhere/": "", "module/": "submodule",
	} {
		_, err := o.List(commit, folder)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), "is a "+want+" there, expected a folder") {
			t.Errorf("List of %q: %v, want %q", folder, err, want)
		}
	}
}

func TestShallowClone(t *testing.T) {
	r := named(t)
	dir := realTempDir(t)
	r.git("clone", "-q", "--depth", "2", "file://"+r.dir, dir)
	o := objects(t, dir)
	if !o.repository.IsShallow() || objects(t, r.dir).repository.IsShallow() {
		t.Error("IsShallow says the wrong thing")
	}
	if _, err := o.Resolve("HEAD~1"); err != nil {
		t.Errorf("Resolve(HEAD~1): %v", err)
	}
	if _, err := o.Resolve("HEAD~2"); err == nil || !strings.Contains(err.Error(), "the clone is shallow and ends at ") {
		t.Errorf("Resolve(HEAD~2): %v, want that the clone ends there", err)
	}
	one := r.git("rev-parse", "main^1")
	two := r.git("rev-parse", "main^2")
	if got, err := o.MergeBase(one, two); err != ErrShallow {
		t.Errorf("MergeBase = %s, %v, want %v", got, err, ErrShallow)
	}
}
