package suite

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Servers reads the variables, the servers and what is secret of the suite in file, and nothing else. It opens no catalog,
// for one may be about to be written: a server with catalog: has a Snapshot that has the file's path and no tools.
func (l *Loader) Servers(file string) (*Suite, source.Errors) {
	r := newReader(l, file)
	src, err := source.ReadFile(l.fsys, file, source.MaxSuite)
	if err != nil {
		return nil, mistakes(err)
	}
	r.root = yamlread.Parse(file, src, &r.errs)
	r.brokenYAML = len(r.errs) > 0
	if r.root != nil {
		r.readVariables()
		r.root.Expand(func(text string, at source.Pos) string { return r.expand(text, at, "") })
		r.readRedact()
		r.emptySnapshots()
		r.readServers()
	}
	if len(r.errs) > 0 {
		return nil, r.errs.Sorted()
	}
	return r.suite, nil
}

// emptySnapshots puts empty catalogs in the place of those that the servers name.
func (r *reader) emptySnapshots() {
	v, ok := r.root.Value("servers")
	if !ok || v.Kind() != yamlread.MapKind {
		return
	}
	servers, _ := v.Map()
	for _, e := range servers.Entries() {
		if e.Value.Kind() != yamlread.MapKind {
			continue
		}
		server, _ := e.Value.Map()
		if v, ok := server.Value("catalog"); ok {
			if file, ok := r.path(v, "catalog"); ok {
				r.snapshots[file] = &catalog.Catalog{File: file}
			}
		}
	}
}
