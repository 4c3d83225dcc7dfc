package baseline

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Files are the files of a commit under the workspace's folder, read from the objects of a local repository. It is safe
// for concurrent use; [Files.Close] ends the processes behind it.
type Files struct {
	*Tree
	blobs *blobs
}

// Files returns the files of the commit sha, a full hash. They are read as long as ctx lives. Every error is an
// [*Unreadable]; content that the clone lacks shows when it is read, in [Tree.Err].
func (r *Repository) Files(ctx context.Context, sha string) (*Files, error) {
	if !IsSHA(sha) {
		return nil, unreadable(nil, "commit %q is not a full hash", sha)
	}
	entries, err := r.list(ctx, sha)
	if err != nil {
		return nil, unreadable(r.notInClone(ctx, err), "commit %s", sha)
	}
	blobs := &blobs{repository: r, ctx: ctx}
	return &Files{Tree: NewTree(entries, blobs.open), blobs: blobs}, nil
}

// Close ends the processes that read objects. What is opened after it fails.
func (f *Files) Close() error {
	f.blobs.close()
	return nil
}

// notInClone says that a clone without history is probably why a commit cannot be listed.
func (r *Repository) notInClone(ctx context.Context, err error) error {
	if ctx.Err() == nil && r.isShallow(ctx) {
		return fmt.Errorf("%w (the clone is shallow; `fetch-depth: 2` on actions/checkout brings the base along)", err)
	}
	return err
}

// maxListing bounds the listing of a tree, in bytes: about a hundred for each file. A tree can be made to name the same
// folders over and over.
const maxListing = 64 << 20

// list returns what the commit holds under the workspace's folder, with paths relative to it.
func (r *Repository) list(ctx context.Context, sha string) ([]Entry, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	args := []string{"ls-tree", "-r", "-t", "-z", "--long", "--full-tree", sha}
	if r.prefix != "" {
		args = append(args, "--", r.prefix)
	}
	var complaint limited
	cmd := r.command(ctx, args...)
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	entries, wrong := parseListing(out, r.prefix)
	if wrong != nil {
		cancel(wrong)
	}
	err = cmd.Wait()
	switch {
	case context.Cause(ctx) != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, gitError(ctx, "ls-tree", complaint.String(), err)
	}
	return entries, nil
}

// parseListing reads what `git ls-tree -z --long` prints, and returns the entries below prefix.
func parseListing(in io.Reader, prefix string) ([]Entry, error) {
	bounded := &io.LimitedReader{R: in, N: maxListing}
	scanner := bufio.NewScanner(bounded)
	scanner.Split(splitRecords)
	var entries []Entry
	for scanner.Scan() {
		entry, err := parseEntry(scanner.Text())
		if err != nil {
			return nil, err
		}
		var inside bool
		if entry.Path, inside = strings.CutPrefix(entry.Path, prefix); inside {
			entries = append(entries, entry)
		}
	}
	if bounded.N == 0 {
		return nil, fmt.Errorf("the list of its files is longer than %d MiB", maxListing>>20)
	}
	return entries, scanner.Err()
}

// splitRecords is a bufio.SplitFunc for records that end in a zero byte.
func splitRecords(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}

// parseEntry reads "MODE TYPE HASH SIZE<tab>PATH". The size is "-" for what has none, and "BAD" for an object that the
// clone lacks.
func parseEntry(record string) (Entry, error) {
	about, name, found := strings.Cut(record, "\t")
	fields := strings.Fields(about)
	if !found || len(fields) != 4 || !IsSHA(fields[2]) {
		return Entry{}, fmt.Errorf("git ls-tree: expected mode, type, hash, size and path, found %.200q", record)
	}
	entry := Entry{Path: name, Mode: fields[0], SHA: fields[2]}
	switch size, err := strconv.ParseInt(fields[3], 10, 64); {
	case fields[3] == "BAD":
		entry.Size = -1
	case fields[3] == "-":
	case err != nil || size < 0:
		return Entry{}, fmt.Errorf("git ls-tree: expected a size, found %.80q", fields[3])
	default:
		entry.Size = size
	}
	return entry, nil
}

var errAbsent = errors.New("its content is not in the local clone")
