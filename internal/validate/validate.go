// Package validate reads files as the program reads them, and reports the mistakes in them. It runs nothing.
//
// [Files] recognises each file by its ending and its keys, and reads it with the reader of that kind. To add a kind, add a row
// to kinds.
package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mock"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

type kind struct {
	name, plural string
	isJSON       bool
	keys         []string // a file with any of these keys is of this kind; nil matches all other files with this ending
	read         func(r *reader, name string) source.Errors
}

// kinds are the kinds of files, in the order of comparison.
var kinds = []kind{
	{"manifest", "manifests", false, []string{"mock_server"}, (*reader).checkManifest},
	{"suite", "suites", false, []string{"agents", "tests", "tool_quality", "tool_bench", "findability", "servers", "defaults"}, (*reader).checkSuite},
	{"benchmark", "benchmarks", false, []string{"intents", "catalog_path", "mutations"}, (*reader).checkBenchmark},
	{"suite", "suites", false, nil, (*reader).checkSuite},
	{"report", "reports", true, []string{"report"}, (*reader).checkReport},
	{"catalog", "catalogs", true, []string{"tools", "result", "servers", "inputSchema", "description"}, (*reader).checkCatalog},
	{"cassette", "cassettes", true, nil, (*reader).checkCassette},
}

type reader struct {
	files  fs.FS
	suites *suite.Loader // reads each catalog once for all suites
}

// Files reads files and returns all mistakes in them, sorted and without repeats, including those in the catalogs of suites.
// read lists the number of files of each kind, such as "2 suites, 1 catalog". version is the version of the program, which is
// compared with min_version: of a suite.
func Files(files fs.FS, names []string, version string) (mistakes source.Errors, read string) {
	r := &reader{files, suite.NewLoader(files)}
	r.suites.Version = version
	counts := map[string]int{}
	var parts []string
	for _, name := range names {
		k := r.kindOf(name)
		counts[k.name]++
		mistakes = append(mistakes, k.read(r, name)...)
	}
	for _, k := range kinds {
		switch n := counts[k.name]; {
		case n == 1:
			parts = append(parts, "1 "+k.name)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, k.plural))
		}
		delete(counts, k.name) // a kind can have several rows
	}
	isSame := func(a, b *source.Error) bool { return *a == *b }
	return slices.CompactFunc(mistakes.Sorted(), isSame), strings.Join(parts, ", ")
}

// kindOf returns the kind of a file. The last kind of each ending matches any file.
func (r *reader) kindOf(name string) kind {
	keys, isJSON := keysOf(r.files, name)
	hasKey := func(key string) bool { return slices.Contains(keys, key) }
	index := slices.IndexFunc(kinds, func(k kind) bool {
		fitsKeys := k.keys == nil || slices.ContainsFunc(k.keys, hasKey)
		return k.isJSON == isJSON && fitsKeys
	})
	return kinds[index]
}

// keysOf returns the top-level keys of a file up to the first error, and whether it is JSON by its ending.
func keysOf(fsys fs.FS, name string) (keys []string, isJSON bool) {
	switch path.Ext(name) {
	case ".json", ".jsonl":
		return jsonKeys(fsys, name), true
	}
	data, err := source.ReadFile(fsys, name, source.MaxSuite)
	if err != nil {
		return nil, false // the reader reports the error
	}
	var ignored source.Errors
	for _, e := range yamlread.Parse(name, data, &ignored).Entries() {
		keys = append(keys, e.Key.Value)
	}
	return keys, false
}

func (r *reader) checkSuite(name string) source.Errors {
	_, mistakes := r.suites.Load(name)
	return mistakes
}

func (r *reader) checkManifest(name string) source.Errors {
	data, mistakes := r.readContent(name, source.MaxSuite)
	if mistakes == nil {
		_, mistakes = mock.ReadManifest(name, data)
	}
	return mistakes
}

func (r *reader) checkBenchmark(name string) source.Errors {
	_, mistakes := bench.ReadFile(r.files, name)
	return mistakes
}

func (r *reader) checkCatalog(name string) source.Errors {
	data, mistakes := r.readContent(name, source.MaxCatalog)
	if mistakes == nil {
		_, mistakes = catalog.Read(name, data)
	}
	return mistakes
}

func (r *reader) checkCassette(name string) source.Errors {
	_, mistakes := trace.Read(r.files, []string{name}, 0)
	return mistakes
}

func (r *reader) checkReport(name string) source.Errors {
	data, mistakes := r.readContent(name, source.MaxCassette)
	if mistakes == nil {
		if _, err := report.Read(bytes.NewReader(data)); err != nil {
			mistakes = source.Errors{asMistake(name, err)}
		}
	}
	return mistakes
}

// readContent returns the content of a file of at most limit bytes, or the error.
func (r *reader) readContent(name string, limit int64) ([]byte, source.Errors) {
	data, err := source.ReadFile(r.files, name, limit)
	if err != nil {
		return nil, source.Errors{asMistake(name, err)}
	}
	return data, nil
}

// asMistake converts an error about a file to a mistake in the file.
func asMistake(name string, err error) *source.Error {
	var at *source.Error
	if errors.As(err, &at) {
		return at
	}
	return &source.Error{Pos: source.Pos{File: name}, Msg: err.Error()}
}
