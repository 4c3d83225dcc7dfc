package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/org/mcp-gates/internal/thorough"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// packed is an entry of a pack that a test makes.
type packed struct {
	hash string // as the index has it, true or not
	kind kind
	base string // hash of what a delta is made of
	size int64  // as it is announced; -1 for that of the data
	data []byte
}

func deflate(data []byte) []byte {
	var out bytes.Buffer
	w, _ := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// writePack writes a pack and its index into the repository.
func (r *testRepo) writePack(entries ...packed) {
	r.t.Helper()
	pack := bytes.NewBufferString("PACK\x00\x00\x00\x02")
	binary.Write(pack, binary.BigEndian, uint32(len(entries)))
	offsets := map[string]uint32{}
	deflater, _ := zlib.NewWriterLevel(pack, zlib.BestSpeed) // one for all: it has a megabyte of tables
	for _, e := range entries {
		offsets[e.hash] = uint32(pack.Len())
		size := uint64(len(e.data))
		if e.size >= 0 {
			size = uint64(e.size)
		}
		first := byte(e.kind)<<4 | byte(size&15)
		if size >>= 4; size > 0 {
			pack.WriteByte(first | 128)
			pack.Write(binary.AppendUvarint(nil, size))
		} else {
			pack.WriteByte(first)
		}
		if e.kind == hashDelta {
			pack.Write(bytesOf(e.base))
		}
		deflater.Reset(pack)
		deflater.Write(e.data)
		deflater.Close()
	}
	pack.Write(make([]byte, 20))
	slices.SortFunc(entries, func(a, b packed) int { return strings.Compare(a.hash, b.hash) })
	idx := bytes.NewBufferString("\377tOc\x00\x00\x00\x02")
	for first := range 256 {
		n := 0
		for _, e := range entries {
			if int(bytesOf(e.hash)[0]) <= first {
				n++
			}
		}
		binary.Write(idx, binary.BigEndian, uint32(n))
	}
	for _, e := range entries {
		idx.Write(bytesOf(e.hash))
	}
	idx.Write(make([]byte, 4*len(entries)))
	for _, e := range entries {
		binary.Write(idx, binary.BigEndian, offsets[e.hash])
	}
	idx.Write(make([]byte, 40))
	r.write(".git/objects/pack/pack-test.pack", pack.String()).write(".git/objects/pack/pack-test.idx", idx.String())
}

func made(n int) string { return fmt.Sprintf("%x", sha1.Sum(fmt.Append(nil, n))) }

// delta makes a delta from the sizes of its base and of its result, and its commands.
func deltaOf(from, to int, commands string) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(from)), uint64(to)), commands...)
}

// loose writes a loose object under a hash that need not be its own.
func (r *testRepo) loose(hash, header string, content []byte) {
	r.write(".git/objects/"+hash[:2]+"/"+hash[2:], string(deflate(append([]byte(header+"\x00"), content...))))
}

// Objects that are damaged or made to cost much end in an error, and in bounded memory.
func TestHostileObjects(t *testing.T) {
	const copyAll = "\xf0\x00\x00\x04" // copies 256 KiB from the beginning
	base := bytes.Repeat([]byte{'x'}, 256<<10)
	chain := []packed{{made(0), blobKind, "", -1, []byte("x")}}
	for i := range maxChain + 1 {
		chain = append(chain, packed{made(i + 1), hashDelta, made(i), -1, deltaOf(1, 1, "\x01x")})
	}
	tests := []struct {
		name string
		make func(*testRepo)
		want string
	}{
		{"a delta of itself", func(r *testRepo) {
			r.writePack(packed{made(1), hashDelta, made(1), -1, deltaOf(1, 1, "\x01x")})
		}, "a chain of more than 4095 deltas"},
		{"deltas in a circle", func(r *testRepo) {
			r.writePack(packed{made(1), hashDelta, made(2), -1, deltaOf(1, 1, "\x01x")}, packed{made(2), hashDelta, made(1), -1, deltaOf(1, 1, "\x01x")})
		}, "a chain of more than 4095 deltas"},
		{"a long chain", func(r *testRepo) {
			entries := slices.Clone(chain)
			entries[len(entries)-1].hash = made(1)
			entries[1].hash = made(maxChain + 1)
			entries[2].base = made(maxChain + 1)
			r.writePack(entries...)
		}, "a chain of more than 4095 deltas"},
		{"a delta of nothing", func(r *testRepo) {
			r.writePack(packed{made(1), hashDelta, made(9), -1, deltaOf(1, 1, "\x01x")})
		}, "which is not in the pack"},
		{"a delta that makes 1 TiB", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base},
				packed{made(1), hashDelta, made(0), -1, deltaOf(len(base), 1<<40, strings.Repeat(copyAll, 10000))})
		}, "an object of 1099511627776 bytes that deltas are made of, at most 268435456 are read"},
		{"a delta that makes more than it says", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base},
				packed{made(1), hashDelta, made(0), -1, deltaOf(len(base), 100, strings.Repeat(copyAll, 1000))})
		}, "is longer than it says"},
		{"a delta that makes less than it says", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base}, packed{made(1), hashDelta, made(0), -1, deltaOf(len(base), 100, "\x01x")})
		}, "unexpected EOF"},
		{"a delta that goes on", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base}, packed{made(1), hashDelta, made(0), -1, deltaOf(len(base), 1, "\x01x\x01x")})
		}, "is longer than it says"},
		{"a delta that copies from behind the end", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, []byte("x")}, packed{made(1), hashDelta, made(0), -1, deltaOf(1, 256<<10, copyAll)})
		}, "unexpected EOF"},
		{"a delta of another size", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base}, packed{made(1), hashDelta, made(0), -1, deltaOf(5, 1, "\x01x")})
		}, "a delta of 5 bytes, and its base has 262144"},
		{"an unknown command", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base}, packed{made(1), hashDelta, made(0), -1, deltaOf(len(base), 9, "\x00")})
		}, "unknown command"},
		{"a delta without sizes", func(r *testRepo) {
			r.writePack(packed{made(0), blobKind, "", -1, base}, packed{made(1), hashDelta, made(0), -1, bytes.Repeat([]byte{0xff}, 20)})
		}, "a delta without sizes"},
		{"an unknown kind", func(r *testRepo) { r.writePack(packed{made(1), 5, "", -1, base}) }, "unknown kind 5"},
		{"a size of 2^60", func(r *testRepo) { r.writePack(packed{made(1), blobKind, "", 1 << 60, base}) }, "unexpected EOF"},
		{"a size that is too small", func(r *testRepo) { r.writePack(packed{made(1), blobKind, "", 5, base}) }, "longer than it says"},
		{"a loose size of 2^60", func(r *testRepo) { r.loose(made(1), "blob 1152921504606846976", base) }, "unexpected EOF"},
		{"a loose size that is too small", func(r *testRepo) { r.loose(made(1), "blob 5", base) }, "longer than it says"},
		{"a loose size below 0", func(r *testRepo) { r.loose(made(1), "blob -5", base) }, "expected the kind and the size"},
		{"a large loose one that is longer", func(r *testRepo) { r.loose(made(1), "blob 5000000", make([]byte, 6000000)) }, "longer than it says"},
		{"no header", func(r *testRepo) { r.loose(made(1), strings.Repeat("blob", 1000), base) }, "expected the kind and the size"},
		{"a tree", func(r *testRepo) { r.loose(made(1), "tree 0", nil) }, "is a tree, expected a file"},
		{"no zlib", func(r *testRepo) { r.write(".git/objects/"+made(1)[:2]+"/"+made(1)[2:], "text") }, "zlib"},
		{"a folder", func(r *testRepo) { r.write(".git/objects/"+made(1)[:2]+"/"+made(1)[2:]+"/x", "") }, "not a regular file"},
		{"an index of version 1", func(r *testRepo) { r.write(".git/objects/pack/pack-1.idx", strings.Repeat("\x00", 2000)) }, "expected version 2"},
		{"an index that is cut", func(r *testRepo) {
			r.writePack(packed{made(1), blobKind, "", -1, base})
			if err := os.Truncate(filepath.Join(r.dir, ".git/objects/pack/pack-test.idx"), 1040); err != nil {
				r.t.Fatal(err)
			}
		}, "unexpected EOF"},
		{"a pack that is cut", func(r *testRepo) {
			r.writePack(packed{made(1), blobKind, "", -1, base})
			if err := os.Truncate(filepath.Join(r.dir, ".git/objects/pack/pack-test.pack"), 30); err != nil {
				r.t.Fatal(err)
			}
		}, "unexpected EOF"},
		{"an index without a pack", func(r *testRepo) {
			r.writePack(packed{made(1), blobKind, "", -1, base})
			if err := os.Remove(filepath.Join(r.dir, ".git/objects/pack/pack-test.pack")); err != nil {
				r.t.Fatal(err)
			}
		}, "no such file"},
		{"borrowing from itself", func(r *testRepo) { r.write(".git/objects/info/alternates", r.dir+"/.git/objects\n./\n") }, "not in the local clone"},
		{"borrowing from what is not there", func(r *testRepo) { r.write(".git/objects/info/alternates", "/nowhere/objects\n") },
			`is not in the local clone, which borrows from "/nowhere/objects", and that is not there`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRepo(t)
			test.make(r)
			o := objects(t, r.dir)
			_, _ = o.Size(made(1))
			grown := allocated(func() {
				in, err := o.Open(made(1))
				if err == nil {
					_, err = io.Copy(io.Discard, in)
					in.Close()
				}
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("Open: %v, want %q", err, test.want)
				}
			})
			if grown > 64<<20 {
				t.Errorf("%d MiB were allocated", grown>>20)
			}
		})
	}
}

// allocated returns how many bytes were allocated while a function ran.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A large file is streamed, wherever it is; one that a delta makes is unpacked to a temporary file.
func TestLargeObjectsTakeLittleMemory(t *testing.T) {
	thorough.Unraced(t, "it takes five seconds, on one goroutine")
	const size = 16 << 20
	zeros := make([]byte, size)
	r := newRepo(t)
	r.loose(made(1), fmt.Sprintf("blob %d", size), zeros)
	r.writePack(packed{made(2), blobKind, "", -1, zeros}, packed{made(3), hashDelta, made(2), -1, deltaOf(size, size, "\xf0\xff\xff\xff\x90\x01")})
	o := objects(t, r.dir)
	for n := 1; n <= 3; n++ {
		grown := allocated(func() {
			in, err := o.Open(made(n))
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if read, err := io.Copy(io.Discard, in); err != nil || read != size {
				t.Errorf("object %d: %d bytes, %v, want %d", n, read, err, size)
			}
		})
		if grown > 8<<20 {
			t.Errorf("object %d took %d MiB", n, grown>>20)
		}
	}
}

// A tree can name the same folders over and over.
func TestListingIsBounded(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	r := newRepo(t)
	below := made(0)
	r.loose(below, "tree 0", nil)
	for level := 1; level <= 8; level++ {
		var text strings.Builder
		for i := range 100 {
			fmt.Fprintf(&text, "40000 %0200d\x00%s", i, bytesOf(below))
		}
		below = made(level)
		r.loose(below, fmt.Sprintf("tree %d", text.Len()), []byte(text.String()))
	}
	text := "tree " + below + "\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nm\n"
	r.loose(made(99), fmt.Sprintf("commit %d", len(text)), []byte(text))
	if entries, err := objects(t, r.dir).List(made(99), ""); err == nil || !strings.Contains(err.Error(), "longer than 64 MiB") {
		t.Errorf("List: %d entries, %v, want that there are too many", len(entries), err)
	}
}

// What stands behind the bound of one folder is not nothing.
func TestLongFolder(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	r := newRepo(t)
	text := strings.Repeat("100644 "+strings.Repeat("a", 1<<20-28)+"\x00"+string(bytesOf(made(0))), maxListing>>20) + "40000 b\x00" + string(bytesOf(made(0)))
	r.loose(made(1), fmt.Sprintf("tree %d", len(text)), []byte(text))
	commit := "tree " + made(1) + "\n"
	r.loose(made(2), fmt.Sprintf("commit %d", len(commit)), []byte(commit))
	if entries, err := objects(t, r.dir).List(made(2), "b/"); err == nil || !strings.Contains(err.Error(), "is longer than 64 MiB") {
		t.Errorf("List: %d entries, %v, want that the folder is too long", len(entries), err)
	}
}

func TestHostileTreesAndCommits(t *testing.T) {
	tree := "tree " + made(2) + "\n"
	tests := []struct{ commit, tree, want string }{
		{tree + "committer a <a> 1 +0000\n\nm", "100644 a\x00short", "expected mode, name and hash"},
		{tree + "committer a <a> 1 +0000\n\nm", "0100644x a\x00" + strings.Repeat("h", 20), "expected mode, name and hash"},
		{tree + "committer a <a> 1 +0000\n\nm", "no end", "expected mode, name and hash"},
		{"parent " + made(2) + "\n" + tree, "", "expected the lines of a commit"},
		{"tree short\n", "", "expected the lines of a commit"},
		{"", "", "a commit without a tree"},
		{tree + "author " + strings.Repeat("x", 2*maxHeader), "", ""},
		{tree + "\nparent " + made(3) + "\n", "", ""},
	}
	for _, test := range tests {
		r := newRepo(t)
		r.loose(made(1), fmt.Sprintf("commit %d", len(test.commit)), []byte(test.commit))
		r.loose(made(2), fmt.Sprintf("tree %d", len(test.tree)), []byte(test.tree))
		_, err := objects(t, r.dir).List(made(1), "")
		if got := fmt.Sprint(err); (err == nil) != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("List of %.80q: %s, want %q", test.commit, got, test.want)
		}
	}
}

func TestHostileReferences(t *testing.T) {
	hash := made(1)
	tests := []struct{ name, text, want string }{
		{"refs/heads/loop", "ref: refs/heads/loop\n", "no hash in the 5 references"},
		{"refs/heads/out", "ref: ../../secret\n", "leads to \"../../secret\", expected a reference"},
		{"refs/heads/config", "ref: config\n", "expected a reference"},
		{"refs/heads/empty", "", "expected a hash, found \"\""},
		{"refs/heads/short", hash[:20] + "\n", "expected a hash"},
		{"refs/heads/large", strings.Repeat("x", maxSmall+1), "at most 16777216 are read"},
		{"packed-refs", strings.Repeat("x", 1<<20), "read \"" /* a line without an end */},
		{"reftable/tables.list", "", "reftable, which is not read"},
	}
	for _, test := range tests {
		r := newRepo(t).write(".git/"+test.name, test.text)
		name := strings.TrimPrefix(test.name, "refs/heads/")
		if _, err := objects(t, r.dir).Resolve(strings.ReplaceAll(name, "/", "-")); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Resolve with %s: %v, want %q", test.name, err, test.want)
		}
	}
	r := newRepo(t)
	for _, text := range []string{"gitdir: /nowhere\n", "gitdir: \n", "", "/nowhere"} {
		r.write("sub/.git", text)
		if _, err := Find(filepath.Join(r.dir, "sub"), ""); err == nil || errors.Is(err, ErrNoRepository) {
			t.Errorf("Find with %q in .git: %v, want an error about the file", text, err)
		}
	}
}

// Tags of tags, and commits that are their own parents, which no true hash allows.
func TestCircles(t *testing.T) {
	r := newRepo(t)
	tag := "object " + made(1) + "\ntype tag\n"
	r.loose(made(1), fmt.Sprintf("tag %d", len(tag)), []byte(tag))
	one := "tree " + made(9) + "\nparent " + made(2) + "\ncommitter a <a> 1 +0000\n\n"
	r.loose(made(2), fmt.Sprintf("commit %d", len(one)), []byte(one))
	two := "tree " + made(9) + "\ncommitter a <a> 1 +0000\n\n"
	r.loose(made(3), fmt.Sprintf("commit %d", len(two)), []byte(two))
	o := objects(t, r.dir)
	if _, err := o.Resolve(made(1)); err == nil || !strings.Contains(err.Error(), "no commit among the first 100 objects") {
		t.Errorf("Resolve of a tag of itself: %v", err)
	}
	if _, err := o.MergeBase(made(2), made(3)); err != ErrUnrelated {
		t.Errorf("MergeBase with a commit that is its own parent: %v, want %v", err, ErrUnrelated)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancelled, err := o.repository.Objects(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := cancelled.Resolve(made(2) + "~1000000000"); !errors.Is(err, context.Canceled) {
		t.Errorf("a way without an end: %v, want %v", err, context.Canceled)
	}
}

// Histories, folders that objects are borrowed from, and open files have bounds.
func TestBounds(t *testing.T) {
	r := newRepo(t)
	if _, err := r.try(history(rand.New(rand.NewPCG(1, 1)), 30), "fast-import", "--quiet"); err != nil {
		t.Fatal(err)
	}
	r.git("repack", "-adq")
	o := objects(t, r.dir)
	one, err := o.Resolve("c1")
	if err != nil {
		t.Fatal(err)
	}
	last, err := o.Resolve("c30")
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{objects: o, max: 10, seen: map[string]*visit{}}
	if _, err := w.findCommon(one.Hash, []string{last.Hash}); err == nil || !strings.Contains(err.Error(), "more than 10 commits") {
		t.Errorf("a walk past its bound: %v", err)
	}

	below := filepath.Join(r.dir, ".git/objects")
	name := strings.TrimSuffix(filepath.Join(below, "pack", packName(t, r)), ".idx")
	for i := range 2 * maxFiles {
		copied := filepath.Join(below, "pack", fmt.Sprintf("pack-%d", i))
		if err := errors.Join(os.Link(name+".idx", copied+".idx"), os.Link(name+".pack", copied+".pack")); err != nil {
			t.Fatal(err)
		}
	}
	many := objects(t, r.dir)
	for _, hash := range []string{made(1), last.Hash} { // the first is in none
		_, err := many.Commit(hash)
		if hash == last.Hash && err != nil || len(many.files) > maxFiles+2 {
			t.Errorf("Commit(%s): %v, %d open files", hash, err, len(many.files))
		}
	}

	for i := range maxBorrowDepth + 1 {
		lender := newRepo(t)
		lender.write(".git/objects/info/alternates", below+"\n")
		below = filepath.Join(lender.dir, ".git/objects")
		found, err := Find(lender.dir, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = found.Objects(context.Background())
		if (err != nil) != (i == maxBorrowDepth) {
			t.Errorf("Objects borrowed through %d: %v", i+1, err)
		}
	}
}

// Git may pack objects, or borrow others, while they are read.
func TestRepackedMeanwhile(t *testing.T) {
	r := newRepo(t)
	for i := range 20 {
		r.write(fmt.Sprintf("f%d", i), strings.Repeat(fmt.Sprint(i), 1000))
	}
	commit := r.commit("one")
	o := objects(t, r.dir)
	entries, err := o.List(commit, "")
	if err != nil {
		t.Fatal(err)
	}
	read := func(when string) {
		for _, e := range entries {
			in, err := o.Open(e.SHA)
			if err != nil {
				t.Fatalf("Open of %s, %s: %v", e.Path, when, err)
			}
			in.Close()
		}
	}
	read("loose")
	r.git("repack", "-adq")
	read("packed")
	o.closeFiles()
	r.write("more", "m").commit("two")
	r.git("repack", "-adfq")
	read("packed again")
}
