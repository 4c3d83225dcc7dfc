package git

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/org/mcp-gates/internal/tempfile"
)

// bases are objects to which deltas were applied, kept for further deltas, because the objects of one tree share most
// of their chain.
type bases map[baseKey]baseContent

type baseKey struct {
	pack   *pack
	offset int64
}

type baseContent struct {
	kind kind
	text []byte
}

// Bounds on the kept bases: bytes of a base, and number of bases; 64 MiB in all.
const (
	maxBase  = 256 << 10
	maxBases = 256
)

func (b bases) keep(p *pack, offset int64, k kind, text []byte) {
	if len(text) > maxBase {
		return
	}
	if len(b) >= maxBases {
		clear(b)
	}
	b[baseKey{p, offset}] = baseContent{k, text}
}

// delta is an entry of a pack that holds the difference from another entry.
type delta struct {
	entry
	offset int64
}

// unpack returns the object at an offset of a pack: the first object of its chain, after applying each delta.
func (o *Objects) unpack(p *pack, offset int64) (kind, content, error) {
	file, idx, err := o.openPackFiles(p)
	if err != nil {
		return 0, nil, err
	}
	k, now, chain, err := o.readChain(p, file, idx, offset)
	for i := len(chain) - 1; i >= 0 && err == nil; i-- {
		before := now
		now, err = o.applyDelta(file, chain[i].entry, before)
		before.Close()
		if held, ok := now.(*bytesContent); ok && err == nil {
			o.bases.keep(p, chain[i].offset, k, held.text)
		}
		err = cmp.Or(err, o.checkOpen())
	}
	if err != nil && now != nil {
		now.Close()
	}
	if err != nil {
		return 0, nil, p.brokenError("content", err)
	}
	return k, now, nil
}

// readChain follows a chain of deltas from an offset back to its first object. It returns this object or a kept result of one
// of the deltas, and the deltas that remain to be applied to it, the last first.
func (o *Objects) readChain(p *pack, file, idx *os.File, offset int64) (kind, content, []delta, error) {
	var chain []delta
	for {
		if kept, ok := o.bases[baseKey{p, offset}]; ok {
			return kept.kind, inMemory(kept.text), chain, nil
		}
		e, err := p.readEntry(file, idx, offset)
		if err != nil {
			return 0, nil, nil, err
		}
		if e.base == 0 {
			k, whole, err := o.readWhole(p, file, e, offset)
			return k, whole, chain, err
		}
		if len(chain) == maxChain {
			return 0, nil, nil, fmt.Errorf("a chain of more than %d deltas", maxChain)
		}
		chain = append(chain, delta{e, offset})
		offset = e.base
	}
}

func (o *Objects) readWhole(p *pack, file *os.File, e entry, offset int64) (kind, content, error) {
	if err := o.inflate.start(sectionFrom(file, e.data)); err != nil {
		return 0, nil, err
	}
	if e.size > maxHeld {
		whole, err := writeToFile(e.size, func(out io.Writer) error {
			_, err := io.CopyN(out, o.inflate.text, e.size)
			return unexpected(err)
		})
		return e.kind, whole, err
	}
	text, err := o.inflate.readRest(e.size)
	if err != nil {
		return 0, nil, err
	}
	o.bases.keep(p, offset, e.kind, text)
	return e.kind, inMemory(text), nil
}

func writeToFile(size int64, write func(io.Writer) error) (content, error) {
	if size > maxUnpacked {
		return nil, fmt.Errorf("an object of %d bytes that deltas are made of, at most %d are read", size, maxUnpacked)
	}
	file := &tempfile.File{}
	out := bufio.NewWriterSize(file, 256<<10)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &fileContent{io.NewSectionReader(file, 0, size), file}, nil
}

func (o *Objects) readDeltaHeader(file *os.File, e entry) (from, to int64, err error) {
	if err := o.inflate.start(sectionFrom(file, e.data)); err != nil {
		return 0, 0, err
	}
	for _, size := range []*int64{&from, &to} {
		n, err := binary.ReadUvarint(o.inflate.text)
		if err != nil || n > 1<<62 {
			return 0, 0, errors.New("a delta without sizes")
		}
		*size = int64(n)
	}
	return from, to, nil
}

func (o *Objects) applyDelta(file *os.File, e entry, base content) (content, error) {
	from, to, err := o.readDeltaHeader(file, e)
	switch {
	case err != nil:
		return nil, err
	case from != base.Size():
		return nil, fmt.Errorf("a delta of %d bytes, and its base has %d", from, base.Size())
	case to > maxHeld:
		return writeToFile(to, func(out io.Writer) error { return o.inflate.patch(base, out, to) })
	}
	var out bytes.Buffer
	out.Grow(int(to))
	if err := o.inflate.patch(base, &out, to); err != nil {
		return nil, err
	}
	return inMemory(out.Bytes()), nil
}

// patch writes the result of a delta's commands: parts of the base, and new text.
func (f *inflater) patch(base io.ReaderAt, out io.Writer, size int64) error {
	if f.copied == nil {
		f.copied = make([]byte, 32<<10)
	}
	delta := f.text
	for size > 0 {
		command, err := delta.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		if command == 0 {
			return errors.New("a delta with an unknown command")
		}
		var in io.Reader = delta
		length := int64(command)
		if command&128 != 0 {
			var at int64
			if at, length, err = readCopied(delta, command); err != nil {
				return err
			}
			in = io.NewSectionReader(base, at, length)
		}
		if size -= length; size < 0 {
			return errTooLong
		}
		if n, err := io.CopyBuffer(onlyWriter{out}, io.LimitReader(in, length), f.copied); err != nil || n < length {
			return unexpected(cmp.Or(err, io.EOF))
		}
	}
	if _, err := delta.ReadByte(); err != io.EOF {
		return cmp.Or(err, errTooLong)
	}
	return nil
}

// onlyWriter prevents io.CopyBuffer from using another buffer for each command.
type onlyWriter struct{ io.Writer }

// readCopied returns the part of the base that a command copies: the bits of the command show which bytes of the offset and
// the length follow.
func readCopied(delta *bufio.Reader, command byte) (at, length int64, err error) {
	var bytes [7]int64
	for i := range bytes {
		if command>>i&1 == 0 {
			continue
		}
		b, err := delta.ReadByte()
		if err != nil {
			return 0, 0, unexpected(err)
		}
		bytes[i] = int64(b)
	}
	at = bytes[0] | bytes[1]<<8 | bytes[2]<<16 | bytes[3]<<24
	return at, cmp.Or(bytes[4]|bytes[5]<<8|bytes[6]<<16, 1<<16), nil
}
