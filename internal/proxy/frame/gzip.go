package frame

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxUnzipped is the number of bytes that are read of a decompressed body.
const maxUnzipped = 4 * MaxMessage

// isGzip reports whether a body is compressed. Some servers compress although they were asked not to.
func isGzip(header http.Header) bool {
	coding := strings.ToLower(strings.TrimSpace(header.Get("Content-Encoding")))
	return coding == "gzip" || coding == "x-gzip"
}

// newGzip returns a splitter for a compressed body. When the body has ended, inner gets the messages. A body that is
// too long, or that cannot be decompressed to its end, ends with a message that is not kept.
func newGzip(inner *Splitter) *Splitter {
	s := &Splitter{inner: inner}
	s.write = s.add
	return s
}

// unzip ends a compressed body. If the body was cut, the messages before the cut are read.
func (s *Splitter) unzip(isCut bool) {
	body, size := s.buf, s.size
	s.buf, s.size = nil, 0
	if size == 0 || s.isSkipping {
		return
	}
	if size > MaxMessage {
		s.inner.emit(nil, size)
		return
	}
	isWhole := s.inner.decompress(body)
	if !isWhole && !isCut {
		s.inner.emit(nil, size)
	}
}

func (s *Splitter) decompress(body []byte) bool {
	plain, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return false
	}
	buf := make([]byte, 32<<10)
	for size, n := 0, 0; size <= maxUnzipped && err == nil; size += n {
		n, err = plain.Read(buf)
		s.Write(buf[:n])
	}
	isWhole := errors.Is(err, io.EOF)
	s.Close(!isWhole)
	return isWhole
}
