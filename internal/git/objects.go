package git

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ErrAbsent means that the clone lacks an object.
var ErrAbsent = errors.New("is not in the local clone")

// kind is the kind of an object, by its number in packs.
type kind byte

const (
	commitKind kind = iota + 1
	treeKind
	blobKind
	tagKind
)

var kindNames = []string{"", "commit", "tree", "blob", "tag"}

func (k kind) String() string { return kindNames[k] }

// Objects are the objects of a repository. They are safe for concurrent use: only one object is searched for at a time,
// but large objects are read concurrently.
type Objects struct {
	repository *Repository
	ctx        context.Context // needed because the fs.FS that reads content passes no context

	mu      sync.Mutex
	folders []string // folders of objects: the repository's own, and those from which it borrows
	lacking []string // missing folders from which it would borrow
	packs   []*pack  // the pack in which the last object was found is the first
	files   map[string]*os.File
	inflate inflater
	bases   bases
	closed  bool
}

// Objects opens the objects of the repository. They can be read until ctx ends.
func (r *Repository) Objects(ctx context.Context) (*Objects, error) {
	o := &Objects{repository: r, ctx: ctx, files: map[string]*os.File{}, bases: bases{}}
	if err := o.findPacks(); err != nil {
		return nil, err
	}
	return o, nil
}

// Close closes all files. Further objects cannot be opened.
func (o *Objects) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.closeFiles()
	return nil
}

func (o *Objects) closeFiles() {
	for _, file := range o.files {
		file.Close()
	}
	clear(o.files)
}

func (o *Objects) checkOpen() error {
	if o.closed {
		return fs.ErrClosed
	}
	return o.ctx.Err()
}

// findPacks finds the packs of the repository, and of those from which it borrows objects.
func (o *Objects) findPacks() error {
	o.folders, o.lacking, o.packs = nil, nil, nil
	o.closeFiles()
	clear(o.bases) // the keys of bases contain packs, which are closed now
	if err := o.addFolders(filepath.Join(o.repository.common, "objects"), 0); err != nil {
		return err
	}
	for _, folder := range o.folders {
		entries, err := os.ReadDir(filepath.Join(folder, "pack"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, entry := range entries {
			if name, ok := strings.CutSuffix(entry.Name(), ".idx"); ok {
				o.packs = append(o.packs, &pack{path: filepath.Join(folder, "pack", name), hashSize: o.repository.hashSize})
			}
		}
	}
	return nil
}

// Bounds on the folders from which objects are borrowed. Git also follows only five in a chain.
const (
	maxBorrowDepth = 5
	maxFolders     = 100
)

// addFolders adds a folder of objects, and the folders that its file info/alternates names. These can be anywhere, because a clone
// that borrows from another clone names it by its path. Only objects are read there.
func (o *Objects) addFolders(folder string, depth int) error {
	switch {
	case slices.Contains(o.folders, folder):
		return nil
	case !isFolder(folder):
		o.lacking = append(o.lacking, folder)
		return nil
	case depth > maxBorrowDepth || len(o.folders) == maxFolders:
		return fmt.Errorf("objects are borrowed from more than %d folders, or through more than %d", maxFolders, maxBorrowDepth)
	}
	o.folders = append(o.folders, folder)
	text, err := readSmall(filepath.Join(folder, "info", "alternates"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' || err != nil {
			continue
		}
		err = o.addFolders(resolvePath(folder, line), depth+1)
	}
	return err
}

// maxFiles bounds the number of open files: containers often allow a thousand, and each pack needs two. If more are open, all
// are closed when the next is requested.
const maxFiles = 64

// openFile returns an open file, and opens it if necessary. The file stays open at least until the next call of openPackFiles,
// openIndex or closeFiles.
func (o *Objects) openFile(name string) (*os.File, error) {
	if file := o.files[name]; file != nil {
		return file, nil
	}
	if about, err := os.Stat(name); err == nil && !about.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file", name) // opening a pipe would never end
	}
	file, err := os.Open(name)
	if err == nil {
		o.files[name] = file
	}
	return file, err
}

func (o *Objects) openPackFiles(p *pack) (file, idx *os.File, err error) {
	if idx, err = o.openIndex(p); err != nil {
		return nil, nil, err
	}
	file, err = o.openFile(p.path + ".pack")
	return file, idx, err
}

// place is where an object is.
type place struct {
	pack   *pack
	offset int64  // in the pack
	loose  string // path of its own file if no pack has it
}

// find finds an object. If it is missing, find reads the folders again, because git may just have packed it.
func (o *Objects) find(hash string) (place, error) {
	if err := o.checkOpen(); err != nil {
		return place{}, err
	}
	if len(hash) != 2*o.repository.hashSize || !isHex(hash) {
		return place{}, fmt.Errorf("%.80q is not the hash of an object here", hash)
	}
	at, err := o.findOnce(hash)
	if !errors.Is(err, fs.ErrNotExist) {
		return at, err
	}
	if err := o.findPacks(); err != nil {
		return place{}, err
	}
	if at, err = o.findOnce(hash); errors.Is(err, fs.ErrNotExist) {
		return place{}, o.absentError()
	}
	return at, err
}

func (o *Objects) absentError() error {
	if len(o.lacking) > 0 {
		return fmt.Errorf("%w, which borrows from %q, and that is not there", ErrAbsent, o.lacking[0])
	}
	return ErrAbsent
}

// findOnce finds an object in the known packs and folders. The pack in which it was found comes first next time.
func (o *Objects) findOnce(hash string) (place, error) {
	name := bytesOf(hash)
	for i, p := range o.packs {
		idx, err := o.openIndex(p)
		if err != nil {
			return place{}, err
		}
		offset, found, err := p.find(idx, name)
		if err != nil {
			return place{}, err
		}
		if found {
			o.packs[0], o.packs[i] = o.packs[i], o.packs[0]
			return place{pack: p, offset: offset}, nil
		}
	}
	for _, folder := range o.folders {
		file := filepath.Join(folder, hash[:2], hash[2:])
		if _, err := os.Stat(file); err == nil {
			return place{loose: file}, nil
		}
	}
	return place{}, fs.ErrNotExist
}

func (o *Objects) openIndex(p *pack) (*os.File, error) {
	if len(o.files) > maxFiles {
		o.closeFiles()
	}
	return o.openFile(p.path + ".idx")
}

func bytesOf(hash string) []byte {
	name, _ := hex.DecodeString(hash)
	return name
}

// hashesWithPrefix returns the hashes of the objects that begin with digits, each once.
func (o *Objects) hashesWithPrefix(digits string) ([]string, error) {
	var hashes []string
	for _, p := range o.packs {
		idx, err := o.openIndex(p)
		if err == nil {
			hashes, err = p.addHashesWithPrefix(idx, digits, hashes)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, folder := range o.folders {
		entries, err := os.ReadDir(filepath.Join(folder, digits[:2]))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			hash := digits[:2] + entry.Name()
			if len(hash) == 2*o.repository.hashSize && isHex(hash) && strings.HasPrefix(hash, digits) {
				hashes = append(hashes, hash)
			}
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes), nil
}

// readLooseHeader reads "KIND SIZE" and a zero byte, which precede the content of a loose object.
func readLooseHeader(in *bufio.Reader) (kind, int64, error) {
	var header []byte
	for len(header) < 32 {
		b, err := in.ReadByte()
		if err != nil {
			return 0, 0, err
		}
		if b == 0 {
			break
		}
		header = append(header, b)
	}
	name, digits, _ := strings.Cut(string(header), " ")
	size, err := strconv.ParseUint(digits, 10, 63)
	found := slices.Index(kindNames, name)
	if err != nil || found < 1 {
		return 0, 0, fmt.Errorf("expected the kind and the size of an object, found %q", header)
	}
	return kind(found), int64(size), nil
}

// Size returns the size of a file's content, in bytes; 0 on an error.
func (o *Objects) Size(hash string) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at, err := o.find(hash)
	if err != nil {
		return 0, err
	}
	if at.pack == nil {
		file, err := os.Open(at.loose)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		_, size, err := o.inflate.startLoose(file)
		return size, err
	}
	file, idx, err := o.openPackFiles(at.pack)
	if err != nil {
		return 0, err
	}
	e, err := at.pack.readEntry(file, idx, at.offset)
	size := e.size
	if err == nil && e.base != 0 {
		_, size, err = o.readDeltaHeader(file, e)
	}
	if err != nil {
		return 0, at.pack.brokenError("content", err)
	}
	return size, nil
}

// read returns the content of an object, at most max bytes.
func (o *Objects) read(hash string, max int64) (kind, []byte, error) {
	k, content, err := o.open(hash)
	if err != nil {
		return 0, nil, err
	}
	defer content.Close()
	if known, ok := content.(*bytesContent); ok {
		return k, known.text[:min(int64(len(known.text)), max)], nil
	}
	text, err := io.ReadAll(io.LimitReader(content, max))
	return k, text, err
}

// Open opens the content of a file.
func (o *Objects) Open(hash string) (io.ReadCloser, error) {
	k, content, err := o.open(hash)
	if err == nil && k != blobKind {
		content.Close()
		return nil, fmt.Errorf("is a %s, expected a file", k)
	}
	return content, err
}
