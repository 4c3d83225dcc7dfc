package annotate

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/source"
)

// How a commit's files are fetched: some one by one, and then all that differ from the workspace at once.
const (
	maxBlobs     = 7         // beside a workspace: with all else that a job asks for, it makes at most fifteen requests
	maxBlobsBare = 4         // without one, for head and base together
	maxSingles   = 100       // with those that the tarball lacks
	maxKept      = 256 << 20 // bytes of a tarball's files that are kept; what does not fit is fetched by itself
	maxUnpacked  = 4 << 30   // bytes of a tarball that are looked at
	maxFetched   = source.MaxCassette
	maxTreeFiles = 1_000_000
)

// Files returns the files of a commit, read through the API as they are asked for. A file whose content the workspace
// has at the same path, by its git hash, is read from there; a few others are fetched by themselves, and the rest with
// one tarball. workspace may be nil. Content that was fetched for one commit of the client serves the others. ctx ends
// all of it, during later reads, too.
//
// A commit with more files than the API lists cannot be read, nor can content that is kept in Git LFS, which the tree's
// Err reports.
func (c *Client) Files(ctx context.Context, sha string, workspace fs.FS) (*baseline.Tree, error) {
	if !baseline.IsSHA(sha) {
		return nil, fmt.Errorf("%q is not the SHA of a commit", clip(sha, maxName))
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
	for _, e := range entries {
		f.wanted[e.SHA] = append(f.wanted[e.SHA], e)
	}
	return baseline.NewTree(entries, f.open), nil
}

// contents are what was fetched for any commit. The lock is held while something is fetched.
type contents struct {
	mu    sync.Mutex
	kept  map[string][]byte // by hash
	size  int64             // of what is kept
	blobs int               // fetched by themselves
}

func (c *contents) add(sum string, data []byte) {
	if c.kept == nil {
		c.kept = map[string][]byte{}
	}
	c.kept[sum] = data
	c.size += int64(len(data))
}

// fetcher gets the content of a commit's files. Readers of an fs.FS pass no context, so it holds one.
type fetcher struct {
	*contents
	client    *Client
	ctx       context.Context
	sha       string
	workspace fs.FS
	wanted    map[string][]baseline.Entry // by hash, which those with equal content share

	tarball sync.Once
	lost    error // why there is no tarball
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

// fromWorkspace returns the content of the workspace's file at the same path; ok is false where it has another one.
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

// gitHash returns the name of a blob: its SHA-1, or SHA-256 in repositories whose names are as long as like.
func gitHash(like string, content []byte) string {
	h := sha1.New()
	if len(like) == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// fetch returns the content of an entry from what is kept, else by itself, else with the tarball.
func (f *fetcher) fetch(e baseline.Entry) ([]byte, error) {
	if data, ok := f.kept[e.SHA]; ok {
		return data, nil
	}
	if e.Size > maxFetched {
		return nil, fmt.Errorf("is %d bytes long, at most %d are read", e.Size, maxFetched)
	}
	if f.blobs >= f.maxBlobs() {
		if err := f.fetchTarball(); err != nil {
			return nil, err
		}
		if data, ok := f.kept[e.SHA]; ok {
			return data, nil
		}
	}
	if f.blobs >= maxSingles { // what is not exported, and what did not fit
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

// maxBlobs returns how many files are fetched by themselves before the tarball is.
func (f *fetcher) maxBlobs() int {
	if f.workspace == nil {
		return maxBlobsBare
	}
	return maxBlobs
}

// fetchTarball keeps the files of the commit's tarball, as far as they fit. It is fetched once.
func (f *fetcher) fetchTarball() error {
	f.tarball.Do(func() {
		if err := f.readTarball(); err != nil {
			f.lost = fmt.Errorf("fetch the commit's tarball from GitHub: %w", err)
		}
	})
	return f.lost
}

func (f *fetcher) readTarball() error {
	address := fmt.Sprintf("repos/%s/%s/tarball/%s", f.client.owner, f.client.repo, f.sha)
	req, err := f.client.api.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	// It is redirected to another host, to which the transport sends no token.
	resp, err := f.client.api.BareDo(f.ctx, req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return f.unpack(resp.Body)
}

// unpack keeps files by the hash of what they hold, whatever their names: an archive can name anything, and files may
// be rewritten for export.
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
