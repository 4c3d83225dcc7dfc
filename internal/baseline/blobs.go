package baseline

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// maxBuffered is the size, in bytes, up to which content is read whole from the process that serves all files. What is
// larger is streamed from a process of its own, so that nobody waits for a slow reader.
const maxBuffered = 4 << 20

// blobs reads the content of files from a repository.
type blobs struct {
	repository *Repository
	ctx        context.Context // an fs.FS is handed none when it is read

	mu     sync.Mutex
	server *server // nil before the first file
	err    error   // why no more can be read
}

// open opens the content of one file.
func (b *blobs) open(entry Entry) (io.ReadCloser, error) {
	switch {
	case b.ctx.Err() != nil:
		return nil, b.ctx.Err()
	case entry.Size < 0:
		return nil, errAbsent
	case entry.Size > maxBuffered:
		return b.stream(entry)
	}
	data, err := b.fetch(entry)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// fetch asks the one process for the content. After an error it is out of step and is not asked again.
func (b *blobs) fetch(entry Entry) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && b.server == nil {
		b.server, b.err = startServer(b.ctx, b.repository)
	}
	if b.err != nil {
		return nil, b.err
	}
	data, err := b.server.fetch(entry)
	if err == nil || err == errAbsent {
		return data, err
	}
	b.err = b.server.stop(b.ctx, err)
	return nil, b.err
}

func (b *blobs) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && b.server != nil {
		b.server.stop(b.ctx, nil)
	}
	b.err = fs.ErrClosed
}

// server is a running `git cat-file --batch`.
type server struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Reader
	complaint limited
	kill      context.CancelFunc
}

func startServer(ctx context.Context, r *Repository) (*server, error) {
	running, kill := context.WithCancel(ctx)
	s := &server{cmd: r.command(running, "cat-file", "--batch"), kill: kill}
	s.cmd.Stderr = &s.complaint
	in, err := s.cmd.StdinPipe()
	if err != nil {
		kill()
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		kill()
		return nil, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 64<<10)
	if err := s.cmd.Start(); err != nil {
		kill()
		return nil, err
	}
	return s, nil
}

// fetch returns the content of a file of at most maxBuffered bytes.
func (s *server) fetch(entry Entry) ([]byte, error) {
	if _, err := io.WriteString(s.in, entry.SHA+"\n"); err != nil {
		return nil, err
	}
	header, err := s.out.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	size, err := parseHeader(strings.TrimSuffix(string(header), "\n"), entry.SHA)
	if err != nil {
		return nil, err
	}
	if size != entry.Size {
		return nil, fmt.Errorf("git cat-file: expected %d bytes, found %d", entry.Size, size)
	}
	data := make([]byte, size+1) // and a line end
	if _, err := io.ReadFull(s.out, data); err != nil {
		return nil, err
	}
	return data[:size:size], nil
}

// parseHeader reads the line before an object's content, "HASH blob SIZE", and returns the size.
func parseHeader(line, sha string) (int64, error) {
	if line == sha+" missing" {
		return 0, errAbsent
	}
	digits, found := strings.CutPrefix(line, sha+" blob ")
	size, err := strconv.ParseInt(digits, 10, 64)
	if !found || err != nil || size < 0 {
		return 0, fmt.Errorf("git cat-file: expected the size of a blob, found %.200q", line)
	}
	return size, nil
}

// stop ends the process and returns the better reason for err: what git complained of, if anything.
func (s *server) stop(ctx context.Context, err error) error {
	s.in.Close()
	s.kill()
	s.cmd.Wait() // it was killed, which is no news
	return gitError(ctx, "cat-file", s.complaint.String(), err)
}

// stream starts a process for the content of one large file.
func (b *blobs) stream(entry Entry) (io.ReadCloser, error) {
	ctx, kill := context.WithCancel(b.ctx)
	s := &stream{cmd: b.repository.command(ctx, "cat-file", "blob", entry.SHA), kill: kill, ctx: b.ctx}
	s.cmd.Stderr = &s.complaint
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		kill()
		return nil, err
	}
	s.out = out
	return s, nil
}

// stream is a running `git cat-file blob`.
type stream struct {
	cmd       *exec.Cmd
	out       io.Reader
	complaint limited
	kill      context.CancelFunc
	ctx       context.Context
	ended     error // what reading ended with
}

// Read reads on. The content is whole only when git says so with its exit status.
func (s *stream) Read(p []byte) (int, error) {
	if s.ended != nil {
		return 0, s.ended
	}
	n, err := s.out.Read(p)
	if err != nil {
		s.end(err)
	}
	return n, s.ended
}

func (s *stream) end(err error) {
	if err != io.EOF {
		s.kill()
	}
	if failed := s.cmd.Wait(); failed != nil {
		err = gitError(s.ctx, "cat-file", s.complaint.String(), failed)
	}
	s.kill()
	s.ended = err
}

// Close ends the process, wherever reading is.
func (s *stream) Close() error {
	if s.ended == nil {
		s.kill()
		s.cmd.Wait() // it was killed, which is no news
		s.ended = fs.ErrClosed
	}
	return nil
}
