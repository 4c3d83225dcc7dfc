package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// pack is a pack and its index. An index is searched in its file and not held in memory, because that of a large
// repository has gigabytes.
type pack struct {
	path     string // without its ending
	hashSize int
	fanout   [256]uint32 // number of hashes whose first byte is this byte or a smaller one
	loaded   bool
}

// hashesAt is the offset of the hashes in an index: after its first eight bytes and the fanout.
const hashesAt = 8 + 256*4

func (p *pack) load(idx io.ReaderAt) error {
	if p.loaded {
		return nil
	}
	start := make([]byte, hashesAt)
	if _, err := idx.ReadAt(start, 0); err != nil {
		return p.brokenError("index", err)
	}
	if !bytes.HasPrefix(start, []byte("\377tOc\000\000\000\002")) {
		return p.brokenError("index", errors.New("expected version 2; `git repack -ad` writes it"))
	}
	last := uint32(0)
	for i := range p.fanout {
		p.fanout[i] = binary.BigEndian.Uint32(start[8+4*i:])
		if p.fanout[i] < last {
			return p.brokenError("index", errors.New("its counts go down"))
		}
		last = p.fanout[i]
	}
	p.loaded = true
	return nil
}

func (p *pack) brokenError(part string, err error) error {
	return fmt.Errorf("%s of %q: %w", part, filepath.Base(p.path)+".pack", unexpected(err))
}

func (p *pack) bucket(first byte) (from, to uint32) {
	if first > 0 {
		from = p.fanout[first-1]
	}
	return from, p.fanout[first]
}

// step is the number of hashes that are read at once.
const step = 64

// search returns the first place in the index whose hash is not below hash, and the hashes that were read from there on.
func (p *pack) search(idx io.ReaderAt, hash []byte) (at uint32, rest []byte, err error) {
	from, to := p.bucket(hash[0])
	one := make([]byte, p.hashSize)
	for to-from > step {
		middle := from + (to-from)/2
		if _, err := idx.ReadAt(one, hashesAt+int64(middle)*int64(p.hashSize)); err != nil {
			return 0, nil, p.brokenError("index", err)
		}
		if bytes.Compare(one, hash) < 0 {
			from = middle + 1
		} else {
			to = middle
		}
	}
	end := min(to+1, p.fanout[255]) // the hash at place to may be the first that is not below
	hashes := make([]byte, int(end-from)*p.hashSize)
	if _, err := idx.ReadAt(hashes, hashesAt+int64(from)*int64(p.hashSize)); err != nil {
		return 0, nil, p.brokenError("index", err)
	}
	for ; len(hashes) > 0 && bytes.Compare(hashes[:p.hashSize], hash) < 0; from++ {
		hashes = hashes[p.hashSize:]
	}
	return from, hashes, nil
}

func (p *pack) find(idx io.ReaderAt, hash []byte) (offset int64, found bool, err error) {
	if err := p.load(idx); err != nil {
		return 0, false, err
	}
	at, rest, err := p.search(idx, hash)
	if err != nil || !bytes.HasPrefix(rest, hash) {
		return 0, false, err
	}
	offset, err = p.readOffset(idx, at)
	return offset, err == nil, err
}

// readOffset returns the offset in the pack of the object at a place of the index. After the hashes, the index has
// checksums, offsets, and the offsets with more than 31 bits.
func (p *pack) readOffset(idx io.ReaderAt, at uint32) (int64, error) {
	count := int64(p.fanout[255])
	offsets := hashesAt + count*int64(p.hashSize+4)
	var word [8]byte
	if _, err := idx.ReadAt(word[:4], offsets+4*int64(at)); err != nil {
		return 0, p.brokenError("index", err)
	}
	short := binary.BigEndian.Uint32(word[:4])
	if short>>31 == 0 {
		return int64(short), nil
	}
	if _, err := idx.ReadAt(word[:], offsets+4*count+8*int64(short&^(1<<31))); err != nil {
		return 0, p.brokenError("index", err)
	}
	long := binary.BigEndian.Uint64(word[:])
	if long > math.MaxInt64/2 {
		return 0, p.brokenError("index", fmt.Errorf("offset %d", long))
	}
	return int64(long), nil
}

// addHashesWithPrefix adds the hashes in the pack that begin with digits.
func (p *pack) addHashesWithPrefix(idx io.ReaderAt, digits string, hashes []string) ([]string, error) {
	if err := p.load(idx); err != nil {
		return nil, err
	}
	first := bytesOf(digits + strings.Repeat("0", 2*p.hashSize-len(digits)))
	at, _, err := p.search(idx, first)
	one := make([]byte, p.hashSize)
	for ; err == nil && at < p.fanout[255]; at++ {
		if _, err := idx.ReadAt(one, hashesAt+int64(at)*int64(p.hashSize)); err != nil {
			return nil, p.brokenError("index", err)
		}
		hash := hex.EncodeToString(one)
		if !strings.HasPrefix(hash, digits) {
			break
		}
		hashes = append(hashes, hash)
	}
	return hashes, err
}

// Kinds of entries in a pack.
const (
	offsetDelta kind = 6
	hashDelta   kind = 7
)

// entry is the entry of a pack for an object: the object itself, or its difference from another.
type entry struct {
	kind kind  // kind of the object; 0 for a delta
	size int64 // unpacked size of the object or of the delta, in bytes
	data int64 // offset of the compressed data
	base int64 // offset of the other object; 0 for an object itself
}

func (p *pack) readEntry(file, idx *os.File, offset int64) (entry, error) {
	start := make([]byte, 64)
	n, err := file.ReadAt(start, offset)
	if err != nil && err != io.EOF {
		return entry{}, err
	}
	in := bytes.NewReader(start[:n])
	e, err := p.parseEntry(in, idx, offset)
	e.data = offset + int64(n) - int64(in.Len())
	return e, err
}

// parseEntry parses the header of an object in the pack: its kind, its size, and the base of a delta.
func (p *pack) parseEntry(in *bytes.Reader, idx *os.File, offset int64) (e entry, err error) {
	first, err := in.ReadByte()
	if err != nil {
		return e, err
	}
	size := uint64(first & 15)
	if first&128 != 0 {
		rest, err := binary.ReadUvarint(in)
		if err != nil || rest > math.MaxInt64>>4 {
			return e, errors.New("expected the size of an object")
		}
		size |= rest << 4
	}
	e.size = int64(size)
	switch number := kind(first >> 4 & 7); number {
	case offsetDelta:
		e.base, err = readBaseDistance(in)
		e.base = offset - e.base
		if err == nil && (e.base <= 0 || e.base >= offset) {
			err = errors.New("a delta of something outside of the pack")
		}
		return e, err
	case hashDelta:
		hash := make([]byte, p.hashSize)
		if _, err := io.ReadFull(in, hash); err != nil {
			return e, err
		}
		found := false
		if e.base, found, err = p.find(idx, hash); err == nil && !found {
			err = fmt.Errorf("a delta of %x, which is not in the pack", hash)
		}
		return e, err
	case commitKind, treeKind, blobKind, tagKind:
		e.kind = number
		return e, nil
	default:
		return e, fmt.Errorf("an object of the unknown kind %d", number)
	}
}

// readBaseDistance reads the distance from a delta back to its base; each further byte adds one to the value before.
func readBaseDistance(in *bytes.Reader) (int64, error) {
	b, err := in.ReadByte()
	distance := int64(b & 127)
	for err == nil && b&128 != 0 {
		if distance > math.MaxInt64>>9 {
			return 0, errors.New("a delta of something outside of the pack")
		}
		b, err = in.ReadByte()
		distance = (distance+1)<<7 | int64(b&127)
	}
	return distance, err
}
