package git

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/org/mcp-gates/internal/tempfile"
)

// Bounds on one object.
const (
	maxHeld     = 4 << 20   // bytes held in memory: a larger object is streamed, or, for deltas, unpacked to a temporary file
	maxUnpacked = 256 << 20 // bytes of an object in a temporary file: the program reads no larger file
	maxChain    = 4095      // deltas of deltas, the limit of git's pack.depth
)

// content is the content of an object.
type content interface {
	io.ReadCloser
	io.ReaderAt
	Size() int64
}

// bytesContent is content in memory.
type bytesContent struct {
	*bytes.Reader
	text []byte
}

func inMemory(text []byte) *bytesContent { return &bytesContent{bytes.NewReader(text), text} }

func (*bytesContent) Close() error { return nil }

// fileContent is content in a temporary file.
type fileContent struct {
	*io.SectionReader
	file *tempfile.File
}

func (f *fileContent) Close() error {
	f.file.Close()
	return nil
}

// open opens an object. If its pack has disappeared, git has just repacked the objects, and open looks again.
func (o *Objects) open(hash string) (kind, io.ReadCloser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at, err := o.find(hash)
	if err != nil {
		return 0, nil, err
	}
	k, in, err := o.openAt(at)
	if errors.Is(err, os.ErrNotExist) && o.findPacks() == nil {
		if at, err = o.find(hash); err == nil {
			k, in, err = o.openAt(at)
		}
	}
	return k, in, err
}

// openAt opens an object: a large one that is no delta as a stream, any other as a whole.
func (o *Objects) openAt(at place) (kind, io.ReadCloser, error) {
	if at.pack == nil {
		return o.openLoose(at.loose)
	}
	file, idx, err := o.openPackFiles(at.pack)
	if err != nil {
		return 0, nil, err
	}
	e, err := at.pack.readEntry(file, idx, at.offset)
	if err != nil {
		return 0, nil, at.pack.brokenError("content", err)
	}
	if e.base == 0 && e.size > maxHeld {
		return o.streamPacked(at.pack, e)
	}
	k, unpacked, err := o.unpack(at.pack, at.offset)
	return k, unpacked, err
}

// openLoose opens an object in a file of its own. A small one is read at once, a large one as a stream.
func (o *Objects) openLoose(name string) (kind, io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, nil, err
	}
	k, size, err := o.inflate.startLoose(file)
	if err == nil && size <= maxHeld {
		defer file.Close()
		text, err := o.inflate.readRest(size)
		return k, inMemory(text), err
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	in := &stream{ctx: o.ctx, file: file}
	if err == nil {
		err = in.start(bufio.NewReader(file))
	}
	if err == nil {
		_, in.left, err = readLooseHeader(in.text)
	}
	if err != nil {
		file.Close()
		return 0, nil, err
	}
	return k, in, nil
}

// streamPacked opens a large object through its own file, so that several can be read at the same time.
func (o *Objects) streamPacked(p *pack, e entry) (kind, io.ReadCloser, error) {
	file, err := os.Open(p.path + ".pack")
	if err != nil {
		return 0, nil, err
	}
	in := &stream{ctx: o.ctx, file: file, left: e.size}
	if err := in.start(bufio.NewReader(sectionFrom(file, e.data))); err != nil {
		file.Close()
		return 0, nil, p.brokenError("content", err)
	}
	return e.kind, in, nil
}

func sectionFrom(file *os.File, at int64) io.Reader { return io.NewSectionReader(file, at, 1<<62) }

// stream is a large object that is being read.
type stream struct {
	ctx  context.Context
	file *os.File
	text *bufio.Reader
	left int64
}

func (s *stream) start(in *bufio.Reader) error {
	unpacked, err := zlib.NewReader(in)
	if err != nil {
		return err
	}
	s.text = bufio.NewReaderSize(unpacked, 64<<10)
	return nil
}

// Read reads from the stream. It returns an error if the content does not have the size in its header.
func (s *stream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.text.Read(p)
	s.left -= int64(n)
	switch {
	case err == io.EOF && s.left > 0:
		err = io.ErrUnexpectedEOF
	case s.left < 0:
		return 0, errTooLong
	}
	return n, err
}

// Close closes the file. It may be called several times.
func (s *stream) Close() error {
	if err := s.file.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}

var errTooLong = errors.New("is longer than it says")

// inflater unpacks objects one after the other with the same buffers.
type inflater struct {
	packed *bufio.Reader
	zlib   io.ReadCloser
	text   *bufio.Reader
	copied []byte // buffer for the parts that a delta copies from its base
}

func (f *inflater) start(in io.Reader) error {
	if f.packed == nil {
		f.packed, f.text = bufio.NewReader(in), bufio.NewReader(nil)
	}
	f.packed.Reset(in)
	var err error
	if f.zlib == nil {
		f.zlib, err = zlib.NewReader(f.packed)
	} else {
		err = f.zlib.(zlib.Resetter).Reset(f.packed, nil)
	}
	f.text.Reset(f.zlib)
	return err
}

func (f *inflater) startLoose(file *os.File) (kind, int64, error) {
	if about, err := file.Stat(); err != nil || !about.Mode().IsRegular() {
		return 0, 0, fmt.Errorf("object %q is not a regular file", file.Name())
	}
	if err := f.start(file); err != nil {
		return 0, 0, err
	}
	return readLooseHeader(f.text)
}

func (f *inflater) readRest(size int64) ([]byte, error) {
	text := make([]byte, size)
	if _, err := io.ReadFull(f.text, text); err != nil {
		return nil, unexpected(err)
	}
	if _, err := f.text.ReadByte(); err != io.EOF { // reading to the end also compares the checksum
		return nil, cmp.Or(err, errTooLong)
	}
	return text, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
