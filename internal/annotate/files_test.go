package annotate

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/baseline"
)

// fakeCommit is what the tree, the blobs and the tarball are made of.
type fakeCommit struct {
	entries   []map[string]any
	content   map[string]string // by hash
	truncated bool
	archive   map[string]string // by name in the tarball
	elsewhere *httptest.Server
}

func (f *fake) commit(files map[string]string) {
	f.files = &fakeCommit{content: map[string]string{}, archive: map[string]string{"octo-tools-2222222/../../etc/passwd": "root"}}
	for name, content := range files {
		f.addFile(name, "100644", content)
	}
	f.files.elsewhere = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "" {
			f.t.Errorf("the token was sent to another host: %q", got)
		}
		f.files.writeArchive(f.t, w)
	}))
	f.t.Cleanup(f.files.elsewhere.Close)
}

func (f *fake) addFile(name, mode, content string) {
	sum := gitHash("", []byte(content))
	f.files.content[sum] = content
	f.files.entries = append(f.files.entries, map[string]any{
		"path": name, "mode": mode, "type": "blob", "sha": sum, "size": len(content),
	})
	f.files.archive["octo-tools-2222222/"+name] = content
}

func (c *fakeCommit) writeArchive(t *testing.T, w http.ResponseWriter) {
	zipped := gzip.NewWriter(w)
	archive := tar.NewWriter(zipped)
	for name, content := range c.archive {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content)), Typeflag: tar.TypeReg}); err != nil {
			t.Error(err)
		}
		if _, err := archive.Write([]byte(content)); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Error(err)
	}
}

func (f *fake) getTree(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("recursive") != "1" {
		f.t.Error("the tree is not read as a whole")
	}
	f.answer(w, 200, map[string]any{"sha": r.PathValue("sha"), "truncated": f.files.truncated, "tree": f.files.entries})
}

func (f *fake) getBlob(w http.ResponseWriter, r *http.Request) {
	if got := r.Header.Get("Accept"); !strings.Contains(got, "raw") {
		f.t.Errorf("Accept is %q", got)
	}
	content, ok := f.files.content[r.PathValue("sha")]
	if !ok {
		f.refuse(w, 404, "Not Found")
		return
	}
	w.Write([]byte(content))
}

func (f *fake) getTarball(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, f.files.elsewhere.URL+"/octo-tools.tar.gz?token=short", http.StatusFound)
}

// count returns how many requests begin so.
func (f *fake) count(start string) int {
	n := 0
	for _, r := range f.requests {
		if strings.HasPrefix(r, start) {
			n++
		}
	}
	return n
}

func mustRead(t *testing.T, tree fs.FS, name, want string) {
	t.Helper()
	got, err := fs.ReadFile(tree, name)
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

// TestFilesFromWorkspace pins that what the workspace has is not fetched, and what differs is.
func TestFilesFromWorkspace(t *testing.T) {
	f := newFake(t)
	f.commit(map[string]string{"suites/a.yml": "same", "suites/b.yml": "base", "gone.json": "{}"})
	workspace := fstest.MapFS{
		"suites/a.yml": {Data: []byte("same")}, "suites/b.yml": {Data: []byte("head")},
	}
	tree, err := f.client().Files(t.Context(), otherSHA, workspace)
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, tree, "suites/a.yml", "same")
	mustRead(t, tree, "suites/b.yml", "base")
	mustRead(t, tree, "gone.json", "{}")
	mustRead(t, tree, "gone.json", "{}")
	if got := f.count("GET"); got != 3 {
		t.Errorf("%d requests, want 3: the tree and two blobs\n%v", got, f.requests)
	}
	if err := tree.Err(); err != nil {
		t.Error(err)
	}
}

// TestFilesTwice pins that the tarball serves a file of which the workspace has a copy only at another path.
func TestFilesTwice(t *testing.T) {
	f := newFake(t)
	files, workspace := map[string]string{}, fstest.MapFS{}
	for i := range maxSingles + 20 {
		content := fmt.Sprint("content ", i)
		files[fmt.Sprint("a/", i)], files[fmt.Sprint("z/", i)] = content, content
		workspace[fmt.Sprint("z/", i)] = &fstest.MapFile{Data: []byte(content)}
	}
	f.commit(files)
	tree, err := f.client().Files(t.Context(), otherSHA, workspace)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		mustRead(t, tree, name, content)
	}
	if got, want := f.count("GET"), maxBlobs+2; got != want {
		t.Errorf("%d requests, want %d: the tree, some blobs and the tarball", got, want)
	}
}

// TestFilesByTarball pins that many files come in one piece, without the token, and by what they hold.
func TestFilesByTarball(t *testing.T) {
	f := newFake(t)
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("c/%02d.json", i)] = fmt.Sprintf("content %d", i)
	}
	f.commit(files)
	f.files.archive["octo-tools-2222222/c/20.json"] = "rewritten for export"
	tree, err := f.client().Files(t.Context(), otherSHA, fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		name := fmt.Sprintf("c/%02d.json", i)
		mustRead(t, tree, name, files[name])
	}
	if got := f.count("GET /repos/octo/tools/git/blobs"); got != maxBlobs+1 {
		t.Errorf("%d blobs were fetched by themselves, want %d and the one that was rewritten", got, maxBlobs)
	}
	if got := f.count("GET /repos/octo/tools/tarball"); got != 1 {
		t.Errorf("%d tarballs, want 1", got)
	}
}

// TestFilesOfTwoCommits pins that head and base, both read through the API, share what they have in common, and that
// the two together take few requests.
func TestFilesOfTwoCommits(t *testing.T) {
	f := newFake(t)
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("c/%02d.json", i)] = fmt.Sprintf("content %d", i)
	}
	f.commit(files)
	c := f.client()
	for range 2 {
		tree, err := c.Files(t.Context(), otherSHA, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range files {
			mustRead(t, tree, name, content)
		}
	}
	if got, want := f.count("GET"), 2+maxBlobsBare+1; got != want {
		t.Errorf("%d requests, want %d: two trees, %d blobs and a tarball\n%v", got, want, maxBlobsBare, f.requests)
	}
}

func TestFilesLinks(t *testing.T) {
	f := newFake(t)
	f.commit(map[string]string{"suites/a.yml": "a"})
	f.addFile("link.yml", "120000", "suites/a.yml")
	f.addFile("out.yml", "120000", "../../etc/passwd")
	tree, err := f.client().Files(t.Context(), otherSHA, nil)
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, tree, "link.yml", "a")
	if _, err := fs.ReadFile(tree, "out.yml"); err == nil {
		t.Error("a link out of the tree is followed")
	}
}

// TestFilesLinkInWorkspace pins that a link that the workspace has is not fetched.
func TestFilesLinkInWorkspace(t *testing.T) {
	f := newFake(t)
	f.commit(map[string]string{"suites/a.yml": "a"})
	f.addFile("link.yml", "120000", "suites/a.yml")
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(dir+"/suites", 0o700), os.WriteFile(dir+"/suites/a.yml", []byte("a"), 0o600),
		os.Symlink("suites/a.yml", dir+"/link.yml")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tree, err := f.client().Files(t.Context(), otherSHA, root.FS())
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, tree, "link.yml", "a")
	if len(f.requests) != 1 {
		t.Errorf("requests are %v, want the tree alone", f.requests)
	}
}

// TestGitHash pins the names of blobs, as git hash-object gives them.
func TestGitHash(t *testing.T) {
	for _, want := range []string{
		"ce013625030ba8dba906f756967f9e9ca394464a", "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4",
	} {
		if got := gitHash(want, []byte("hello\n")); got != want {
			t.Errorf("hash is %s, want %s", got, want)
		}
	}
}

// TestFilesUnreadable pins the reasons for which a commit's files cannot be read.
func TestFilesUnreadable(t *testing.T) {
	t.Run("truncated", func(t *testing.T) {
		f := newFake(t)
		f.commit(nil)
		f.files.truncated = true
		_, err := f.client().Files(t.Context(), otherSHA, nil)
		var unreadable *baseline.Unreadable
		if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), "more files than the API lists") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("gone", func(t *testing.T) {
		f := newFake(t)
		f.commit(nil)
		f.fail(fault{match: "GET /repos/octo/tools/git/trees", status: 404, body: "Not Found"})
		if _, err := f.client().Files(t.Context(), otherSHA, nil); err == nil || !strings.Contains(err.Error(), "cannot be listed") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("no SHA", func(t *testing.T) {
		if _, err := newFake(t).client().Files(t.Context(), "main/../..", nil); err == nil {
			t.Error("a path is taken for a SHA")
		}
	})
	t.Run("pointer", func(t *testing.T) {
		f := newFake(t)
		f.commit(map[string]string{"c.json": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"})
		checkUnreadable(t, f, "Git LFS pointer")
	})
	t.Run("forged", func(t *testing.T) {
		f := newFake(t)
		f.commit(map[string]string{"c.json": "{}"})
		for sum := range f.files.content {
			f.files.content[sum] = "something else"
		}
		checkUnreadable(t, f, "something other than its content")
	})
	t.Run("no tarball", func(t *testing.T) {
		f := newFake(t)
		f.commit(map[string]string{"c.json": "{}"})
		for i := range maxBlobs {
			f.addFile(fmt.Sprintf("b%d.json", i), "100644", fmt.Sprint(i))
		}
		f.fail(fault{match: "GET /repos/octo/tools/tarball", status: 404, body: "Not Found"})
		tree, err := f.client().Files(t.Context(), otherSHA, fstest.MapFS{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range maxBlobs {
			mustRead(t, tree, fmt.Sprintf("b%d.json", i), fmt.Sprint(i))
		}
		if _, err := fs.ReadFile(tree, "c.json"); err == nil || tree.Err() == nil || !strings.Contains(err.Error(), "tarball") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("outage", func(t *testing.T) {
		f := newFake(t)
		f.commit(map[string]string{"c.json": "{}"})
		f.fail(fault{match: "GET /repos/octo/tools/git/blobs", times: 99, status: 502})
		checkUnreadable(t, f, "502")
	})
}

func checkUnreadable(t *testing.T, f *fake, want string) {
	t.Helper()
	tree, err := f.client().Files(t.Context(), otherSHA, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(tree, "c.json"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want it to say %q", err, want)
	}
	if tree.Err() == nil {
		t.Error("the tree has no error")
	}
}

// TestFilesEnd pins that reading ends with the context.
func TestFilesEnd(t *testing.T) {
	f := newFake(t)
	f.commit(map[string]string{"c.json": "{}"})
	ctx, cancel := context.WithCancel(t.Context())
	tree, err := f.client().Files(ctx, otherSHA, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := fs.ReadFile(tree, "c.json"); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that the context ended", err)
	}
}
