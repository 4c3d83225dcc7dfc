package git

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

// history writes a random history for git fast-import: commits with up to three parents, whose times mostly go forward, and trees
// that change a little from one to the next. Each commit has a branch of its own, c1 and so on.
func history(random *rand.Rand, commits int) string {
	var script strings.Builder
	text := strings.Repeat("a line that stays as it is\n", 40)
	for i := 1; i <= commits; i++ {
		when := 1_700_000_000 + 60*i
		if random.IntN(4) == 0 {
			when -= random.IntN(6000) // a clock that goes wrong
		}
		if random.IntN(8) == 0 {
			when = 1_700_000_000 // many at once
		}
		fmt.Fprintf(&script, "commit refs/heads/c%d\nmark :%d\nauthor b \u00fc <b@example.test> 1 +0000\ncommitter a <a@example.test> %d +0000\ndata 15\n\nsub %d\nject\n\nm\n", i, i, when, i%10)
		var parents []int
		for range 1 + random.IntN(3) {
			if parent := i - 1 - random.IntN(min(i, 8)); parent > 0 && !slices.Contains(parents, parent) {
				parents = append(parents, parent)
			}
		}
		for n, parent := range parents {
			fmt.Fprintf(&script, "%s :%d\n", []string{"from", "merge", "merge"}[n], parent)
		}
		for range 1 + random.IntN(3) {
			name := fmt.Sprintf("d%d/e%d/f%d", random.IntN(3), random.IntN(3), random.IntN(4))
			content := fmt.Sprintf("%s%d\n%s", text, random.IntN(1000), text[:random.IntN(len(text))])
			fmt.Fprintf(&script, "M 100644 inline %s\ndata %d\n%s\n", name, len(content), content)
		}
		script.WriteString("\n")
	}
	return script.String()
}

// forms are the ways in which git keeps the same objects.
var forms = []struct {
	name  string
	flags []string // of git init
	keep  func(*testRepo)
}{
	{"loose", nil, func(*testRepo) {}},
	{"packed", nil, func(r *testRepo) { r.git("gc", "-q", "--aggressive") }},
	{"SHA-256, packed", []string{"--object-format=sha256"}, func(r *testRepo) { r.git("gc", "-q") }},
	{"SHA-256, loose", []string{"--object-format=sha256"}, func(*testRepo) {}},
	{"deltas by hash", nil, func(r *testRepo) { r.git("-c", "repack.usedeltabaseoffset=false", "repack", "-adfq") }},
	{"many packs", nil, func(r *testRepo) {
		for i := 1; i < 20; i++ {
			if _, err := r.try(fmt.Sprintf("c%d\n", i), "pack-objects", "-q", "--revs", ".git/objects/pack/pack"); err != nil {
				r.t.Fatal(err)
			}
		}
		r.git("prune-packed")
		r.git("multi-pack-index", "write")
	}},
}

// The git program is the second implementation.
func TestAgainstGit(t *testing.T) {
	commits := thorough.Size(30, 60)
	for seed := range thorough.Size(1, 4) {
		for _, form := range forms {
			t.Run(fmt.Sprintf("%s, seed %d", form.name, seed), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(seed), 1))
				r := newRepo(t, form.flags...)
				if _, err := r.try(history(random, commits), "fast-import", "--quiet"); err != nil {
					t.Fatal(err)
				}
				form.keep(r)
				o := objects(t, r.dir)
				all := tips(r)
				any := func() string { return fmt.Sprintf("c%d", 1+random.IntN(commits)) }
				for range thorough.Size(10, 25) {
					compareMergeBase(t, r, o, all, any(), any())
				}
				for range thorough.Size(1, 3) {
					compareFiles(t, r, o, any())
					compareLog(t, r, o, any())
				}
			})
		}
	}
}

// tips returns hash and time of each branch.
func tips(r *testRepo) map[string][2]string {
	found := map[string][2]string{}
	for line := range strings.Lines(r.git("for-each-ref", "--format=%(refname:short) %(objectname) %(committerdate:unix)")) {
		fields := strings.Fields(line)
		found[fields[0]] = [2]string{fields[1], fields[2]}
	}
	return found
}

func compareMergeBase(t *testing.T, r *testRepo, o *Objects, all map[string][2]string, one, two string) {
	t.Helper()
	out, err := r.try("", "merge-base", "--all", one, two)
	want := strings.Fields(out)
	if (err != nil) != (len(want) == 0) {
		t.Fatalf("git merge-base --all %s %s: %v, %q", one, two, err, out)
	}
	for _, name := range []string{one, two} {
		if rev, err := o.Resolve(name); err != nil || rev.Ref != "refs/heads/"+name || rev.Hash != all[name][0] {
			t.Fatalf("Resolve(%q) = %+v, %v", name, rev, err)
		}
	}
	got, err := o.MergeBase(all[one][0], all[two][0])
	if len(want) == 0 && err == ErrUnrelated {
		return
	}
	if err != nil || !slices.Contains(want, got) {
		t.Errorf("MergeBase of %s and %s = %s, %v, want one of %q", one, two, got, err, want)
	}
	var times []string
	for _, tip := range all {
		if slices.Contains(want, tip[0]) {
			times = append(times, tip[1])
		}
	}
	slices.Sort(times)
	if again, _ := o.MergeBase(all[two][0], all[one][0]); len(want) == len(slices.Compact(times)) && again != got {
		t.Errorf("MergeBase of %s and %s = %s, and the other way round %s", one, two, got, again)
	}
}

func compareFiles(t *testing.T, r *testRepo, o *Objects, name string) {
	t.Helper()
	rev, err := o.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"", "d1/", "d1/e0/", "d9/"} {
		args := []string{"ls-tree", "-r", "-t", "-z", "--long", "--full-tree", rev.Hash}
		if folder != "" {
			args = append(args, folder)
		}
		listing, err := r.try("", args...)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := o.List(rev.Hash, folder)
		var got, want []string
		for _, e := range entries {
			got = append(got, describe(t, o, e, folder))
		}
		for record := range strings.SplitSeq(strings.TrimSuffix(listing, "\x00"), "\x00") {
			if about, path, _ := strings.Cut(record, "\t"); path != "" && path+"/" != folder && strings.HasPrefix(path, folder) {
				want = append(want, strings.Join(strings.Fields(about), " ")+" "+path)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("List(%s, %q): %v\ngot  %q\nwant %q", name, folder, err, got, want)
		}
		for _, e := range entries {
			compareContent(t, o, e)
		}
	}
}

// compareLog holds the logs of a commit to those of git: the same commits with the same texts, and each before its parents.
func compareLog(t *testing.T, r *testRepo, o *Objects, name string) {
	t.Helper()
	rev, err := o.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{false, true} {
		args := []string{"log", "--first-parent", "--format=%H %an %ct %s", rev.Hash}
		if all {
			args = slices.Delete(args, 1, 2)
		}
		want := slices.Collect(strings.Lines(r.git(args...) + "\n"))
		var got []string
		seen := map[string]bool{}
		isCut, err := o.Log(rev.Hash, all, func(c Logged) bool {
			got = append(got, fmt.Sprintf("%s %s %d %s\n", c.Hash, c.Author, c.Time, c.Subject))
			for _, parent := range c.Parents {
				if seen[parent] {
					t.Errorf("Log(%s, %v): %s comes after its parent %s", name, all, c.Hash, parent)
				}
			}
			seen[c.Hash] = true
			return true
		})
		if all {
			slices.Sort(got)
			slices.Sort(want)
		}
		if err != nil || isCut || !slices.Equal(got, want) {
			t.Errorf("Log(%s, %v) = %v, %v\ngot  %q\nwant %q", name, all, isCut, err, got, want)
		}
	}
}

// describe describes an entry as git ls-tree does.
func describe(t *testing.T, o *Objects, e Entry, folder string) string {
	t.Helper()
	if e.Mode == folderMode {
		return fmt.Sprintf("%s tree %s - %s%s", e.Mode, e.SHA, folder, e.Path)
	}
	size, err := o.Size(e.SHA)
	if err != nil {
		t.Errorf("Size(%s): %v", e.SHA, err)
	}
	return e.Mode + " blob " + e.SHA + " " + strconv.FormatInt(size, 10) + " " + folder + e.Path
}

// compareContent holds the content of a file to its hash.
func compareContent(t *testing.T, o *Objects, e Entry) {
	t.Helper()
	if e.Mode == folderMode {
		return
	}
	in, err := o.Open(e.SHA)
	if err != nil {
		t.Errorf("Open(%s): %v", e.SHA, err)
		return
	}
	defer in.Close()
	got, err := io.ReadAll(in)
	text := fmt.Appendf(nil, "blob %d\x00%s", len(got), got)
	hash := fmt.Sprintf("%x", sha1.Sum(text))
	if len(e.SHA) == hex.EncodedLen(sha256.Size) {
		hash = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	if err != nil || hash != e.SHA {
		t.Errorf("content of %s: %v, its hash is %s", e.SHA, err, hash)
	}
}

// Large files, which are streamed or unpacked to a file, also as deltas of each other.
func TestLargeContent(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	random := rand.New(rand.NewPCG(1, 1))
	one := make([]byte, maxHeld+1<<20)
	for i := range one {
		one[i] = byte(random.IntN(200))
	}
	two := slices.Concat(one[:1<<20], []byte("another text"), one[1<<20+500:], one[:100])
	small := one[:1<<20] // a small one made of a large one
	r := newRepo(t)
	r.write("large", string(one)).write("small", string(small)).commit("one")
	r.write("large", string(two)).write("exact", string(one[:maxHeld])).commit("two")
	for _, packed := range []bool{false, true} {
		if packed {
			r.git("-c", "pack.compression=1", "repack", "-adfq")
		}
		o := objects(t, r.dir)
		for name, want := range map[string][]byte{"HEAD:large": two, "HEAD^:large": one, "HEAD:small": small, "HEAD:exact": one[:maxHeld]} {
			hash := r.git("rev-parse", name)
			size, err := o.Size(hash)
			if err != nil || size != int64(len(want)) {
				t.Errorf("Size of %s, packed %v: %d, %v, want %d", name, packed, size, err, len(want))
			}
			in, err := o.Open(hash)
			if err != nil {
				t.Fatalf("Open of %s, packed %v: %v", name, packed, err)
			}
			got, err := io.ReadAll(in)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("content of %s, packed %v: %d bytes, %v, want %d", name, packed, len(got), err, len(want))
			}
			in.Close()
			in.Close()
		}
	}
	if deltas := r.git("verify-pack", "-s", filepath.Join(r.dir, ".git/objects/pack", packName(t, r))); !strings.Contains(deltas, "chain length") {
		t.Errorf("git packed no large file as a delta: %s", deltas)
	}
}

func packName(t *testing.T, r *testRepo) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.idx"))
	if err != nil || len(found) != 1 {
		t.Fatalf("packs: %q, %v, want one", found, err)
	}
	return filepath.Base(found[0])
}
