package suite

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/yamlread"
)

// besideKey is the key of the catalogs that compete with those of an entry of findability.
const besideKey = "beside"

func (r *reader) addSearches(c *Case, m *yamlread.Map, plan judge.Plan, of gates.Searcher) {
	r.readBeside(m, c)
	if !r.countSearched(c, of) {
		return
	}
	for _, client := range of.Searches() {
		one := *c
		one.Model, one.Matrix, one.Checks = client.Name, true, nil
		one.ID = one.id(r.suite.File)
		under := plan
		under.Measurer = of.Under(client)
		r.addCheck(&one, m, judge.Check{Gate: gates.Findability, Pos: m.Pos(), Plan: under})
		if r.loader.Settings {
			one.Checks[0].Settings = searchSettings(one.Checks[0], under.Measurer.(gates.Searcher))
		}
		one.Settings = r.caseSettings(&one, m)
		r.addCase(&one)
	}
	m.Done()
}

func (r *reader) countSearched(c *Case, of gates.Searcher) bool {
	all := catalog.Merge(c.Catalog, c.Beside)
	if all == nil {
		return true
	}
	intents := len(of.Asks().Intents)
	if of.Asks().Intents == nil && c.Catalog != nil {
		for _, t := range c.Catalog.Tools {
			intents += toolsearch.MostPromises(t)
		}
	}
	work := intents * len(all.Tools) * len(of.Searches())
	return r.countWithin(&r.asked.searched, work, MaxSearched, c.Pos, "the entries up to here search more than %d tools, each intent counted, expected at most that many in one suite")
}

// readJudged reads the catalogs that an entry of findability judges. It returns their tools, each under its server's name; nil if
// a server has no snapshot or a catalog cannot be used.
func (r *reader) readJudged(m *yamlread.Map, c *Case) *catalog.Catalog {
	key, ok := m.OneOf("server", "catalog")
	if !ok {
		r.errs.Addf(m.Pos(), `"server" and "catalog" are missing, expected one of them`)
		return nil
	}
	var cats []*catalog.Catalog
	known, seen := true, map[string]bool{}
	for _, item := range itemsOf(m, key) {
		name, ok := item.Str()
		if !ok {
			known = false
			continue
		}
		if seen[name.Value] {
			item.Errorf("%s %q is given twice", key, clip(name.Value))
			continue
		}
		seen[name.Value] = true
		var cat *catalog.Catalog
		if key == "server" {
			cat = r.snapshotNamed(name, c)
		} else if cat = r.readCatalog(item, key, ""); cat != nil {
			r.useCatalog(cat, item, key, c.Name)
			if slices.ContainsFunc(c.Files, func(f CatalogFile) bool { return f.Path == cat.File }) {
				item.Errorf("catalog %q is given twice", clip(cat.File))
				continue
			}
			server := r.serverOfCatalog(cat.File)
			if twice := slices.IndexFunc(c.Files, func(f CatalogFile) bool { return f.Server == server }); twice >= 0 {
				item.Errorf("catalogs %q and %q are both of server %q, expected one; \"servers\" can name them", clip(c.Files[twice].Path), clip(cat.File), clip(server))
				continue
			}
			c.Files, cat = append(c.Files, CatalogFile{cat.File, server}), cat.Named(server)
		}
		known = known && cat != nil
		cats = append(cats, cat)
	}
	switch {
	case !known || len(cats) == 0:
		return nil
	case len(cats) == 1:
		return cats[0]
	}
	return catalog.Merge(cats...)
}

func itemsOf(m *yamlread.Map, key string) []yamlread.Value {
	v, ok := m.Value(key)
	switch {
	case !ok:
		return nil
	case v.Kind() != yamlread.ListKind:
		return []yamlread.Value{v}
	case v.IsEmptyList():
		v.Errorf("%q must have at least one entry", key)
	}
	return v.List()
}

func (r *reader) snapshotNamed(name yamlread.Str, c *Case) *catalog.Catalog {
	if !r.checkName(name, "server") {
		return nil
	}
	c.ServerNames = append(c.ServerNames, name.Value)
	s := r.serverNamed(name)
	if s == nil {
		return nil
	}
	c.Servers = append(c.Servers, s)
	if s.Snapshot != nil {
		c.Files = append(c.Files, CatalogFile{s.Snapshot.File, s.Name})
	}
	return s.Snapshot
}

// readBeside reads the catalogs whose tools compete but are not judged, each tool under its server's name.
func (r *reader) readBeside(m *yamlread.Map, c *Case) {
	var cats []*catalog.Catalog
	for _, item := range itemsOf(m, besideKey) {
		cat := r.readCatalog(item, besideKey, "")
		if cat == nil {
			continue
		}
		if slices.ContainsFunc(slices.Concat(c.Files, c.BesideFiles), func(f CatalogFile) bool { return f.Path == cat.File }) {
			item.Errorf("catalog %q is given twice", clip(cat.File))
			continue
		}
		server := r.serverOfCatalog(cat.File)
		c.BesideFiles = append(c.BesideFiles, CatalogFile{cat.File, server})
		cats = append(cats, cat.Named(server))
	}
	c.Beside = catalog.Merge(cats...)
}

// serverOfCatalog returns the name of the server with the catalog at a path: a declared server, otherwise the name of the file,
// or of the folder if the path is a glob.
func (r *reader) serverOfCatalog(file string) string {
	for _, s := range r.suite.Servers {
		if s.Snapshot != nil && s.Snapshot.File == file {
			return s.Name
		}
	}
	return stem(file)
}

func stem(file string) string {
	for strings.ContainsAny(path.Base(file), `*?[{\`) && strings.Contains(file, "/") {
		file = path.Dir(file)
	}
	base := path.Base(file)
	return cmp.Or(strings.TrimSuffix(base, path.Ext(base)), base)
}

func searchSettings(check judge.Check, s gates.Searcher) []judge.Setting {
	prefix := gates.Findability.Name + "."
	asks, at := s.Asks(), check.Settings[0]
	own := []string{prefix + "intents", prefix + "limit"}
	list := slices.DeleteFunc(slices.Clone(check.Settings), func(one judge.Setting) bool { return slices.Contains(own, one.Key) })
	add := func(key, value string) {
		list = append(list, judge.Setting{Key: prefix + key, Value: value, File: at.File, Line: at.Line})
	}
	add("search", asks.Client.Name)
	add("limit", strconv.Itoa(cmp.Or(asks.Limit, asks.Client.Limit)))
	if asks.Intents == nil {
		add("intents", "auto")
	}
	for _, intent := range asks.Intents {
		add("intents.gold["+judge.CompactJSON(intent.Query)+"]", judge.CompactJSON(intent.Names))
	}
	return append(list, intentSettings(prefix+"intents", asks.Intents, at)...)
}
