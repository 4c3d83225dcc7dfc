package redact

import (
	"bytes"
	"errors"
	"io"

	"github.com/org/mcp-gates/internal/source"
)

// Place is a secret in a file. Line and Col are 1-based, and Col counts characters.
type Place struct {
	Rule      string
	Line, Col int
}

// Sizes in bytes of the text that is searched at a time. If a secret is longer than lookAhead, perhaps only its beginning is
// reported. A secret depends on at most lookBehind bytes before it.
const (
	window     = 1 << 20
	lookAhead  = 1 << 16
	lookBehind = 1 << 10
)

var errUTF16 = errors.New("is UTF-16 text, expected UTF-8")

// Scan calls found for every secret in a text, in order. It keeps only a window of the text in memory. The text may be
// of any kind: JSON, JSON Lines, logs.
func (r *Rules) Scan(in io.Reader, found func(Place)) error {
	buf := make([]byte, 0, window)
	at := source.Pos{Line: 1, Col: 1} // position of the beginning of buf
	// All secrets that begin before the greater of fresh and done were reported.
	fresh := 0 // offset in buf of the end of the text whose secrets were reported
	done := 0  // offset in buf of the end of the last secret of the previous window; 0 or less if it had none
	for first := true; ; first = false {
		n, err := io.ReadFull(in, buf[len(buf):window])
		buf = buf[:len(buf)+n]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		if first && (bytes.HasPrefix(buf, []byte("\xff\xfe")) || bytes.HasPrefix(buf, []byte("\xfe\xff"))) {
			return errUTF16
		}
		end := len(buf)
		if !last {
			end -= lookAhead
		}
		done = r.reportSecrets(buf, at, max(fresh, done), end, found)
		if last {
			return nil
		}
		gone := end - lookBehind
		at = at.After(buf[:gone])
		buf = buf[:copy(buf, buf[gone:])]
		fresh, done = lookBehind, done-gone
	}
}

// reportSecrets calls found for each secret of buf that begins in [from, to); at is the position of buf. It returns the end of
// the last secret.
func (r *Rules) reportSecrets(buf []byte, at source.Pos, from, to int, found func(Place)) (done int) {
	counted := 0
	for _, f := range r.Find(string(buf)) {
		if f.Start < from || f.Start >= to {
			continue
		}
		at = at.After(buf[counted:f.Start])
		counted, done = f.Start, f.End
		found(Place{f.Rule, at.Line, at.Col})
	}
	return done
}
