package annotate

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/source"
)

// Bounds on fetching a commit's files: the first files are fetched one by one, and the rest together in a tarball.
const (
	maxBlobs     = 7         // files fetched one by one with a workspace; a job sends at most fifteen requests in all
	maxBlobsBare = 4         // files fetched one by one without a workspace, for head and base together
	maxSingles   = 100       // all files fetched one by one, including those that the tarball lacks
	maxKept      = 256 << 20 // bytes of a tarball's files that are kept; files that do not fit are fetched one by one
	maxUnpacked  = 4 << 30   // bytes of a tarball that are read
	maxFetched   = source.MaxCassette
	maxTreeFiles = 1_000_000
)

// Files returns the files of a commit, which are read through the API on demand. If the workspace has the same content at the
// same path, by its git hash, the file is read from there. A few other files are fetched one by one, and the rest with one
// tarball. workspace may be nil. Content that was fetched for one commit of the client is reused for the others. ctx bounds all
// of this, including later reads.
//
// A commit with more files than the API lists cannot be read. Neither can content that is kept in Git LFS, which the tree's Err
// reports.
func (c *Client) Files(ctx context.Context, sha string, workspace fs.FS) (*baseline.Tree, error) {
	if !baseline.IsSHA(sha) {
		return nil, fmt.Errorf("%q is not the SHA of a commit", clip(sha, maxQuoted))
	}
	tree, _, err := c.api.Git.GetTree(ctx, c.owner, c.repo, sha, true)
	if err != nil {
		return nil, &baseline.Unreadable{Reason: "the files of commit " + sha + " cannot be listed", Err: err}
	}
	if tree.GetTruncated() || len(tree.Entries) > maxTreeFiles {
		return nil, &baseline.Unreadable{Reason: "commit " + sha + " has more files than the API lists; check it out with git instead"}
	}
	entries := make([]baseline.Entry, 0, len(tree.Entries))
	for _, e := range tree.Entries {
		size := int64(-1)
		if e.Size != nil {
			size = int64(*e.Size)
		}
		entries = append(entries, baseline.Entry{Path: e.GetPath(), Mode: e.GetMode(), Size: size, SHA: checkedSHA(e.GetSHA())})
	}
	f := &fetcher{client: c, contents: &c.contents, ctx: ctx, sha: sha, workspace: workspace, wanted: map[string][]baseline.Entry{}}
	f.fetchTarball = sync.OnceValue(f.readTarball)
	for _, e := range entries {
		f.wanted[e.SHA] = append(f.wanted[e.SHA], e)
	}
	return baseline.NewTree(entries, f.open), nil
}

// contents is the content that was fetched for any commit. The lock is held while content is fetched.
type contents struct {
	mu    sync.Mutex
	kept  map[string][]byte // by hash
	size  int64             // size of the kept files, in bytes
	blobs int               // number of files fetched one by one
}

func (c *contents) add(sum string, data []byte) {
	if c.kept == nil {
		c.kept = map[string][]byte{}
	}
	c.kept[sum] = data
	c.size += int64(len(data))
}

// fetcher fetches the content of a commit's files. It stores a context, because readers of an fs.FS do not pass one.
type fetcher struct {
	*contents
	client    *Client
	ctx       context.Context
	sha       string
	workspace fs.FS
	wanted    map[string][]baseline.Entry // entries of the commit by hash; entries with equal content share a hash

	fetchTarball func() error // fetches the commit's tarball at its first call, and keeps its files up to the bound
}

func (f *fetcher) open(e baseline.Entry) (io.ReadCloser, error) {
	if e.SHA == "" {
		return nil, errors.New("the API lists no object for it")
	}
	data, ok := f.fromWorkspace(e)
	if !ok {
		f.mu.Lock()
		defer f.mu.Unlock()
		var err error
		if data, err = f.fetch(e); err != nil {
			return nil, err
		}
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// fromWorkspace returns the content of the workspace's file at the same path; ok is false if its hash differs.
func (f *fetcher) fromWorkspace(e baseline.Entry) (data []byte, ok bool) {
	if f.workspace == nil {
		return nil, false
	}
	var err error
	if e.Mode == "120000" {
		var target string
		target, err = fs.ReadLink(f.workspace, e.Path)
		data = []byte(target)
	} else {
		data, err = source.ReadFile(f.workspace, e.Path, maxFetched)
	}
	return data, err == nil && gitHash(e.SHA, data) == e.SHA
}

// gitHash returns git's hash of a file with this content: a SHA-256 if like is as long as one, otherwise a SHA-1.
func gitHash(like string, content []byte) string {
	sum, _ := source.BlobSum(bytes.NewReader(content), int64(len(content)), like) // reading from memory never fails
	return sum
}

// fetch returns the content of an entry: kept content if there is any, otherwise the file alone, otherwise the file from the
// tarball.
func (f *fetcher) fetch(e baseline.Entry) ([]byte, error) {
	if data, ok := f.kept[e.SHA]; ok {
		return data, nil
	}
	if e.Size > maxFetched {
		return nil, fmt.Errorf("is %d bytes long, at most %d are read", e.Size, maxFetched)
	}
	if f.blobs >= f.maxBlobs() {
		if err := f.fetchTarball(); err != nil {
			return nil, fmt.Errorf("fetch the commit's tarball from GitHub: %w", err)
		}
		if data, ok := f.kept[e.SHA]; ok {
			return data, nil
		}
	}
	if f.blobs >= maxSingles { // such files are missing in the tarball, or exceeded maxKept
		return nil, fmt.Errorf("more than %d files have to be fetched by themselves; check the commit out with git instead", maxSingles)
	}
	f.blobs++
	data, _, err := f.client.api.Git.GetBlobRaw(f.ctx, f.client.owner, f.client.repo, e.SHA)
	if err != nil {
		return nil, fmt.Errorf("fetch it from GitHub: %w", err)
	}
	if gitHash(e.SHA, data) != e.SHA {
		return nil, errors.New("GitHub sent something other than its content")
	}
	f.add(e.SHA, data)
	return data, nil
}

// maxBlobs returns the number of files that are fetched one by one before the tarball is fetched.
func (f *fetcher) maxBlobs() int {
	if f.workspace == nil {
		return maxBlobsBare
	}
	return maxBlobs
}

func (f *fetcher) readTarball() error {
	address := fmt.Sprintf("repos/%s/%s/tarball/%s", f.client.owner, f.client.repo, f.sha)
	req, err := f.client.api.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	// The request is redirected to another host, to which the transport does not send the token.
	resp, err := f.client.api.BareDo(f.ctx, req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return f.unpack(resp.Body)
}

// unpack keeps files by the hash of their content, not by their names: an archive can contain any name, and files may be
// rewritten for export.
func (f *fetcher) unpack(r io.Reader) error {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("unpack it: %w", err)
	}
	archive := tar.NewReader(io.LimitReader(unzipped, maxUnpacked))
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpack it: %w", err)
		}
		if header.Typeflag == tar.TypeReg && f.size+header.Size <= maxKept {
			if err := f.keep(archive, header.Size); err != nil {
				return fmt.Errorf("unpack it: %w", err)
			}
		}
	}
}

func (f *fetcher) keep(r io.Reader, size int64) error {
	data, err := io.ReadAll(io.LimitReader(r, size))
	if err != nil {
		return err
	}
	sum := gitHash(f.sha, data)
	for _, e := range f.wanted[sum] {
		if _, ok := f.fromWorkspace(e); !ok && f.kept[sum] == nil {
			f.add(sum, data)
		}
	}
	return nil
}
