package suite

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// The two spellings of the key for files with shared parts: include takes a list of files, extends a single file.
const (
	includeKey = "include"
	extendsKey = "extends"
)

// Bounds on the files that a suite includes. Together with the suite they hold at most [source.MaxSuite] bytes.
const (
	maxIncluded     = 50
	maxIncludeDepth = 8 // levels of files below the suite, each included by the previous file
)

// suiteKeys are the keys that only the suite itself may have, each with advice for a use in an included file.
var suiteKeys = map[string]string{
	"agents": keepCases, "tests": keepCases, toolQuality: keepCases, toolBench: keepCases, findability: keepCases,
	"name": keepOwn, "min_version": keepOwn, "budget": keepOwn, "redact": keepOwn,
}

const (
	keepCases = "an included file holds no cases; put them into the suite"
	keepOwn   = "an included file does not hold it; put it into the suite"
)

// inclusion reads the files that a suite includes, directly or through other included files.
type inclusion struct {
	*reader
	read     map[string]bool // paths that were read, because a file that is included again is not read again
	bytes    int             // size of all files together, including the suite's
	digests  []byte          // hashes of the included files
	isBroken bool            // a file could not be read, and this was reported
}

// include reads the files that the suite includes, and reports whether all could be read. The argument is the size of the
// suite. If a file is missing, the names that it declares would be mistakes throughout the suite.
func (r *reader) include(bytes int) bool {
	in := inclusion{reader: r, read: map[string]bool{}, bytes: bytes}
	in.includeAll(r.root, []string{r.suite.File})
	if r.loader.Settings && len(in.digests) > 0 {
		r.suite.SHA256 = sha256.Sum256(append(in.digests, r.suite.SHA256[:]...))
	}
	return !in.isBroken
}

// includeAll reads the files that m includes. chain has the path of m's file, preceded by the files that included it.
func (in *inclusion) includeAll(m *yamlread.Map, chain []string) {
	key, ok := m.OneOf(includeKey, extendsKey)
	if !ok {
		return
	}
	v, _ := m.Value(key)
	items := []yamlread.Value{v}
	if key == includeKey && v.Kind() == yamlread.ListKind {
		items = v.List()
	}
	for _, item := range items {
		in.includeOne(item, key, chain)
	}
}

// includeOne reads the file that v names, an entry of key, after the files that this file includes.
func (in *inclusion) includeOne(v yamlread.Value, key string, chain []string) {
	name, ok := in.readPath(v, key)
	switch {
	case !ok:
		in.isBroken = true
	case slices.Contains(chain, name):
		in.refuse(v, "%q leads in a circle: %s", key, includeChain(append(slices.Clip(chain), name)))
	case in.read[name]:
	case len(chain) > maxIncludeDepth:
		in.refuse(v, "%q leads to %q, more than %d files below the suite", key, clip(name), maxIncludeDepth)
	case len(in.read) >= maxIncluded:
		in.refuse(v, "%q names %q, expected at most %d included files", key, clip(name), maxIncluded)
	default:
		in.read[name] = true
		in.readFile(v, name, chain)
	}
}

// includeChain formats a chain of files that include one another.
func includeChain(chain []string) string {
	return strings.Join(lists.Map(chain, func(name string) string { return strconv.Quote(clip(name)) }), " includes ")
}

func (in *inclusion) refuse(v yamlread.Value, format string, args ...any) {
	in.isBroken = true
	v.Errorf(format, args...)
}

func (in *inclusion) readFile(v yamlread.Value, name string, chain []string) {
	src, err := in.loader.readSuiteFile(name)
	if err != nil {
		in.refuse(v, "included file %q: %s", clip(name), source.ErrorsOf(err)[0].Msg)
		return
	}
	if in.bytes += len(src); in.bytes > source.MaxSuite {
		in.refuse(v, "with %q the suite and what it includes hold more than %d bytes", clip(name), source.MaxSuite)
		return
	}
	m := in.root.Join(name, src)
	if m == nil {
		in.isBroken = true
		return
	}
	in.includeAll(m, append(slices.Clip(chain), name))
	in.included = append(in.included, m)
	if in.loader.Settings {
		in.digests = fmt.Appendf(in.digests, "%q %x\n", name, sha256.Sum256(src))
	}
}

// parts returns the maps of the included files and then that of the suite. In defaults:, later maps take precedence.
func (r *reader) parts() []*yamlread.Map {
	return append(slices.Clip(r.included), r.root)
}

func (r *reader) isIncluded(file string) bool {
	return slices.ContainsFunc(r.included, func(m *yamlread.Map) bool { return m.Pos().File == file })
}

// declareOnce notes that a file declares a name of this kind, and returns whether it is the first file. A second declaration is a
// mistake.
func (r *reader) declareOnce(kind string, name yamlread.Str) bool {
	id := kind + " " + name.Value
	if first, twice := r.given[id]; twice {
		r.errs.Addf(name.Pos, "%s %q is given twice, first at %s", kind, clip(name.Value), first)
		return false
	}
	r.given[id] = name.Pos
	return true
}

// joinDefaults returns defaults: of the suite, which inherits from defaults: of the included files, later files first.
func (r *reader) joinDefaults() *yamlread.Map {
	var nearest *yamlread.Map
	for _, m := range slices.Backward(r.parts()) {
		one := m.Map(defaultsKey)
		if nearest == nil {
			nearest = one
			continue
		}
		nearest.Inherit(one)
		r.inherited = append(r.inherited, one)
	}
	return nearest
}

func (r *reader) includePos() source.Pos {
	for _, key := range r.root.Keys() {
		if key.Value == includeKey || key.Value == extendsKey {
			return key.Pos
		}
	}
	return r.root.Pos()
}

func (r *reader) finishIncluded() {
	for _, m := range r.included {
		for key, advice := range suiteKeys { // the mistakes are sorted
			m.Misplaced(key, advice)
		}
		m.Done()
	}
	for _, m := range r.inherited {
		m.Done()
	}
}

// dirOf returns the folder of the file that contains v. Paths in the file are relative to this folder.
func dirOf(v yamlread.Value) string { return path.Dir(v.Pos().File) }
