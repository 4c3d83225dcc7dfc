// Package yamlread reads YAML strictly: each key is read by name and type, and a key that was not asked for is reported.
//
// [Parse] converts a file to a [Map]. Its readers ([Map.Str], [Map.Int], [Map.Maps], …) report a missing or wrong value at its
// position and return a usable zero value, so that a caller continues and all mistakes are reported at once. [Map.Done] then
// reports every key that was never asked for: the calls of the readers are the only list of keys.
package yamlread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
	"gopkg.in/yaml.v3"
)

// document is the data that all maps of one file share.
type document struct {
	file  string
	lines lines
	root  *node
	*reading

	isLiteral bool           // [Map.Expand] does not apply to texts
	over      map[*node]*Map // by map of a [Given] with Over: a view of Over, with the entries of the Given before its own
}

// reading is the data that all files that are read together share: see [Map.Join].
type reading struct {
	errs *source.Errors

	stopped bool // a mistake concerns the whole file, see Map.Stopped
	aliased bool // see Map.HasAliases

	expand   func(text string, at source.Pos) string // see Map.Expand; nil keeps texts unchanged
	expanded map[*node]string

	numbers keyNumbers // numbers of the keys that were asked for

	values    int // number of values in the parsed files so far
	merged    int // number of entries that merge keys copied so far
	inherited int // number of values that maps inherited so far

	shared map[reflect.Type]any // see Shared
}

// Parse reads src, the content of file, as one YAML document that is a map. Mistakes are added to errs. The result is nil if
// there is no map to read.
func Parse(file string, src []byte, errs *source.Errors) *Map {
	with := &reading{errs: errs, expanded: map[*node]string{}, numbers: keyNumbers{}}
	return with.parse(file, src)
}

// Join does what [Parse] does for a file that is read together with that of m, which must not be nil. The two files share their
// mistakes, [Map.Expand], [Shared] and the bounds of [Map.Inherit].
func (m *Map) Join(file string, src []byte) *Map {
	return m.doc.reading.parse(file, src)
}

// parse parses a file whose top is a map; nil after a mistake, which was reported.
func (r *reading) parse(file string, src []byte) *Map {
	doc := &document{file: file, reading: r}
	if !doc.checkUTF8(src) {
		return nil
	}
	doc.lines = newLines(src)
	content := doc.decode(src)
	if content == nil {
		return nil
	}
	values := resolver{doc: doc, anchored: map[*yaml.Node]*node{}}
	doc.root = values.resolve(content, 1)
	if r.values += doc.root.size; r.values > maxExpanded && doc.root.kind != BrokenKind {
		doc.stopf(source.Pos{File: file, Line: 1, Col: 1}, "with the files before it holds more than %d values once aliases are followed", maxExpanded)
		return nil
	}
	root := Value{doc: doc, node: doc.root, at: doc.lines.place(content.Line, content.Column)}
	switch root.node.kind {
	case BrokenKind:
		return nil
	case MapKind:
		m, _ := root.Map()
		return m
	}
	root.Errorf("must be a map of keys, found %s", root.Describe())
	return nil
}

// checkUTF8 reports text that the YAML parser would refuse without naming a line, or read as UTF-16.
func (d *document) checkUTF8(src []byte) bool {
	if utf8.Valid(src) {
		return true
	}
	valid := 0
	for valid < len(src) {
		r, size := utf8.DecodeRune(src[valid:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		valid += size
	}
	d.errs.Addf(source.Pos{File: d.file, Line: 1, Col: 1}.After(src[:valid]), "is not valid UTF-8: found byte %#x", src[valid])
	return false
}

// decode returns the content of the only document in src; nil if there is none.
func (d *document) decode(src []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	first, err := decodeNext(dec)
	if errors.Is(err, io.EOF) || err == nil && len(first.Content) == 0 {
		d.errs.Addf(source.Pos{File: d.file, Line: 1, Col: 1}, "is empty, expected a map of keys")
		return nil
	}
	if err != nil {
		d.syntaxError(err)
		return nil
	}
	second, err := decodeNext(dec)
	if err == nil {
		d.stopf(d.pos(d.lines.place(second.Line, second.Column)), "a second document begins here, expected one document in the file")
	} else if !errors.Is(err, io.EOF) {
		d.syntaxError(err)
		return nil
	}
	return first.Content[0]
}

// decodeNext returns the next document. The parser panics on some malformed files: a panic becomes an ordinary mistake in the file.
func decodeNext(dec *yaml.Decoder) (n *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: the parser gave up: %v", r)
		}
	}()
	n = &yaml.Node{}
	err = dec.Decode(n)
	return n, err
}

var lineInError = regexp.MustCompile(`^line (\d+): `)

// syntaxError reports an error of the YAML parser at its line, otherwise at the beginning of the file.
func (d *document) syntaxError(err error) {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	at := place{1, 1}
	if m := lineInError.FindStringSubmatch(msg); m != nil {
		line, _ := strconv.Atoi(m[1])
		at = d.lines.place(line, 1)
		msg = msg[len(m[0]):]
	}
	if strings.Contains(msg, "cannot start any token") {
		msg += "; indent with spaces, and put text that begins with @ or ` in quotes"
	}
	d.errs.Addf(d.pos(at), "is not valid YAML: %s", msg)
}

func (d *document) stopf(pos source.Pos, format string, args ...any) {
	d.stopped = true
	d.errs.Addf(pos, format, args...)
}

func (d *document) pos(p place) source.Pos {
	return source.Pos{File: d.file, Line: int(p.line), Col: int(p.col)}
}

func shorten(s string) string { return source.Shorten(s, 80) }
