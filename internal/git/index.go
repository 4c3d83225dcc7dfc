package git

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// https://git-scm.com/docs/index-format describes the index: a header, the entries sorted by name, extensions, a hash.

// indexEntry is the number of bytes of an entry before its hash: times, device, inode, mode, owner, group and size.
const indexEntry = 40

// Bits of the flags of an entry.
const (
	isExtended = 0x4000
	nameLength = 0x0fff // length of the name in bytes; 0x0fff also stands for a longer name
)

// maxIndexName is the greatest length in bytes of a name in an index.
const maxIndexName = 1 << 16

// Stages reports whether the index has a file, given by its path from the top of the work tree: the file is committed,
// or it was added for the next commit. Files inside a folder or a submodule that is a single entry of the index count,
// too. An index in an unknown format is an error; a missing index is empty. Upper and lower case are equal, as on some
// file systems.
func (r *Repository) Stages(name string) (bool, error) {
	file, err := os.Open(filepath.Join(r.own, "index"))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	in := &indexReader{in: bufio.NewReaderSize(file, 1<<16), hashSize: r.hashSize}
	found, err := in.find(name)
	if err != nil {
		return false, fmt.Errorf("read the index of git: %w", unexpected(err))
	}
	return found, nil
}

type indexReader struct {
	in       *bufio.Reader
	hashSize int
	version  uint32
	name     []byte // name of the last entry; in version 4 the next entry shares its beginning
}

// find reports whether there is an entry for the file name, or for a folder above it.
func (r *indexReader) find(name string) (bool, error) {
	var head struct {
		Magic          [4]byte
		Version, Count uint32
	}
	if err := binary.Read(r.in, binary.BigEndian, &head); err != nil {
		return false, err
	}
	if string(head.Magic[:]) != "DIRC" || head.Version < 2 || head.Version > 4 {
		return false, fmt.Errorf("it has the version %q %d, which is not read", head.Magic[:], head.Version)
	}
	r.version = head.Version
	found, name := false, strings.ToLower(name)
	for range head.Count {
		if err := r.readEntry(); err != nil {
			return false, err
		}
		at := strings.ToLower(strings.TrimSuffix(string(r.name), "/")) // a folder that is not checked out ends with a slash
		found = found || name == at || strings.HasPrefix(name, at+"/")
	}
	if found {
		return true, nil
	}
	return false, r.checkExtensions()
}

func (r *indexReader) readEntry() error {
	if _, err := r.in.Discard(indexEntry + r.hashSize); err != nil {
		return err
	}
	size := indexEntry + r.hashSize + 2
	flags, err := r.uint16()
	if err == nil && flags&isExtended != 0 {
		size += 2
		_, err = r.uint16()
	}
	if err != nil {
		return err
	}
	if r.version == 4 {
		return r.readShortName()
	}
	if err := r.readName(0); err != nil {
		return err
	}
	if length := int(flags & nameLength); length < nameLength && length != len(r.name) {
		return fmt.Errorf("a name has %d bytes, and its entry says %d", len(r.name), length)
	}
	// "1-8 nul bytes as necessary to pad the entry to a multiple of eight bytes while keeping the name NUL-terminated"
	size += len(r.name)
	_, err = r.in.Discard(7 - size%8)
	return err
}

// readShortName reads a name of version 4: the number of bytes to remove from the end of the previous name, and the text to
// add.
func (r *indexReader) readShortName() error {
	lacks, n := 0, 0
	for {
		b, err := r.in.ReadByte()
		if err != nil {
			return err
		}
		// As in a pack, each further byte adds one.
		if lacks = lacks<<7 | int(b&0x7f); b&0x80 == 0 {
			break
		}
		if lacks++; n > 3 {
			return errors.New("a name is cut by too much")
		}
		n++
	}
	if lacks > len(r.name) {
		return errors.New("a name is cut by more than it has")
	}
	return r.readName(len(r.name) - lacks)
}

// readName reads a name up to its end; it begins with the first kept bytes of the previous name.
func (r *indexReader) readName(kept int) error {
	r.name = r.name[:kept]
	for {
		b, err := r.in.ReadByte()
		if err != nil {
			return err
		}
		if b == 0 {
			return nil
		}
		if r.name = append(r.name, b); len(r.name) > maxIndexName {
			return fmt.Errorf("a name has more than %d bytes", maxIndexName)
		}
	}
}

func (r *indexReader) uint16() (uint16, error) {
	var b [2]byte
	_, err := io.ReadFull(r.in, b[:])
	return binary.BigEndian.Uint16(b[:]), err
}

// checkExtensions reports an extension that puts entries into another file.
func (r *indexReader) checkExtensions() error {
	for {
		head, err := r.in.Peek(8)
		if err != nil || len(head) < 8 {
			return nil // no extension is left: the hash at the end alone has more than 8 bytes
		}
		if bytes.HasPrefix(head, []byte("link")) {
			return errors.New("it is split into two files, which is not read")
		}
		size := int64(binary.BigEndian.Uint32(head[4:]))
		rest, err := r.in.Peek(r.hashSize + 1)
		if err != nil || len(rest) <= r.hashSize {
			return nil
		}
		if _, err := io.CopyN(io.Discard, r.in, 8+size); err != nil {
			return err
		}
	}
}
