package git

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStagesAsGitDoes holds what the index is read to have against the list of the git program, in each version of the format.
func TestStagesAsGitDoes(t *testing.T) {
	long := strings.Repeat("d/", 2100) + "long" // its length does not fit the flags
	names := []string{"a", "a.json", "a.json.partial", "ab", "b/c.json.partial", "b/cc", "b/d/e f", "z"}
	for _, flags := range [][]string{nil, {"--object-format=sha256"}} {
		for _, version := range []string{"2", "3", "4"} {
			t.Run(strings.Join(append(flags, version), " "), func(t *testing.T) {
				r := newRepo(t, flags...)
				for _, name := range names {
					r.write(name, name)
				}
				r.git("add", "a", "a.json.partial", "b")
				r.git("rm", "-q", "--cached", "b/cc")
				hash := r.git("hash-object", "-w", "a")
				r.git("update-index", "--add", "--cacheinfo", "100644,"+hash+","+long)
				r.git("update-index", "--add", "--cacheinfo", "160000,"+hash+",module")
				if version == "3" {
					r.git("add", "-N", "z") // whose entry has more flags
				} else {
					r.git("update-index", "--index-version", version)
				}
				if head, err := os.ReadFile(filepath.Join(r.dir, ".git", "index")); err != nil || string(head[7]) != string(rune(version[0]-'0')) {
					t.Fatalf("the index has not version %s: %v", version, err)
				}
				listed := strings.Split(r.git("ls-files"), "\n")
				for _, name := range append(names, long, "module", "gone", "b/d", "a.json.partial2") {
					got, want := r.stages(name), slices.Contains(listed, name)
					if got != want {
						t.Errorf("%q: got %t, want %t", name, got, want)
					}
				}
				if !r.stages("module/x") || !r.stages("A.json.PARTIAL") {
					t.Error("a file of a submodule, or one in upper case, is not found")
				}
			})
		}
	}
}

func (r *testRepo) stages(name string) bool {
	r.t.Helper()
	found, err := r.tryStages(name)
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

func (r *testRepo) tryStages(name string) (bool, error) {
	r.t.Helper()
	repository, err := Find(r.dir, "")
	if err != nil {
		r.t.Fatal(err)
	}
	return repository.Stages(name)
}

// TestIndexOfAnotherForm pins that nobody takes an index for empty that is not read in full.
func TestIndexOfAnotherForm(t *testing.T) {
	r := newRepo(t)
	if r.stages("a") {
		t.Error("a file is found without an index")
	}
	r.write("a", "a").write("b", "b")
	r.git("add", "a", "b")
	index := filepath.Join(r.dir, ".git", "index")
	whole, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 40 {
		if err := os.WriteFile(index, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := r.tryStages("c"); err == nil && n < 150 {
			t.Fatalf("an index of %d bytes is read", n)
		}
	}
	version := slices.Clone(whole)
	binary.BigEndian.PutUint32(version[4:], 9)
	for _, text := range []string{string(version), "no index at all"} {
		if err := os.WriteFile(index, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := r.tryStages("c"); err == nil {
			t.Errorf("%q is read", text[:8])
		}
	}
	if err := os.WriteFile(index, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	r.git("update-index", "--split-index")
	if _, err := r.tryStages("c"); err == nil || !strings.Contains(err.Error(), "split") {
		t.Errorf("an index of two files: %v, want an error that says so", err)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("x", 62) + "\x00name\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "index"), content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = (&Repository{own: dir, hashSize: 20}).Stages("name")
	})
}
