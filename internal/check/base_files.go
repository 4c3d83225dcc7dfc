package check

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// baseFiles are the head's files that a case of the base names. What stands at a path of the base is the file, whatever the
// head's suite names in its place. Where the path is empty the file was moved, and the head's suite says where to.
type baseFiles struct {
	head    *checker
	renamed baseNames

	servers []*suite.Server  // of the case, by the names that the base's suite has for them
	names   []string         // of servers, and of those of the case that are not declared; nil where neither suite names any
	catalog *catalog.Catalog // of a case that judges one
	fault   string           // why a file cannot be read; "" when all can
}

// baseNames are the names of the base for servers that have another name in the head, by that.
type baseNames map[string]string

// findFiles finds the files of the case of the base that judges the evidence of the head's.
func (b *baseCase) findFiles(c *checker, head selectedCase, e evidence) *baseFiles {
	f := &baseFiles{head: c}
	f.renamed = f.renamedServers(b.suite.Servers, head.suite.Servers)
	f.servers = f.serversOf(b.Servers, head.Servers)
	f.names = f.namesOf(b.ServerNames, head.ServerNames)
	f.catalog = f.renamed.catalog(e.catalog)
	if cat := b.namedCatalog(); cat != nil && !b.asksServer(e) && (catalog.Files{FS: c.fsys, Name: cat.File}).Stand() {
		f.catalog = f.read(cat.File, strings.Join(b.ServerNames, ""))
	}
	return f
}

// namedCatalog returns the catalog that the case names by its path; nil for none, and for tools that stand in the suite itself.
func (b *baseCase) namedCatalog() *catalog.Catalog {
	if cat := b.Case.Catalog; cat != nil && cat.File != b.suite.File {
		return cat
	}
	return nil
}

// asksServer reports whether the case judges the tools that a server has now, and not its snapshot.
func (b *baseCase) asksServer(e evidence) bool {
	return e.live && len(b.Servers) > 0 && b.Servers[0].Startable()
}

// read returns the catalog at a path of the head, every tool under the server's name.
func (f *baseFiles) read(path, server string) *catalog.Catalog {
	cat, err := f.head.loader.Catalog(path)
	if err != nil {
		f.fault = cmp.Or(f.fault, fmt.Sprintf("catalog %q: %s", path, problemsOf(err)[0].Message))
		return &catalog.Catalog{File: path}
	}
	if server == "" {
		return cat
	}
	return cat.Named(server)
}

// serversOf returns the servers of the base as the head's files have them, and after them those that only the head has.
func (f *baseFiles) serversOf(base, head []*suite.Server) (list []*suite.Server) {
	ofHead := map[string]*suite.Server{}
	for _, s := range head {
		ofHead[f.renamed.of(s.Name)] = s
	}
	for _, b := range base {
		now := ofHead[b.Name]
		delete(ofHead, b.Name)
		if one := f.server(b, now); one != nil {
			list = append(list, one)
		}
	}
	for _, s := range head {
		if one := f.renamed.of(s.Name); ofHead[one] == s {
			list = append(list, f.renamed.server(s))
		}
	}
	return list
}

// server returns a server of the base, which is now in the head, with its snapshot of today; nil where nothing is left of it.
func (f *baseFiles) server(base, now *suite.Server) *suite.Server {
	isSame := now != nil && now.Snapshot != nil && base.Snapshot != nil && now.Snapshot.File == base.Snapshot.File
	if base.Snapshot == nil || isSame || !(catalog.Files{FS: f.head.fsys, Name: base.Snapshot.File}).Stand() {
		return f.renamed.server(now)
	}
	one := *base
	one.Snapshot = f.read(base.Snapshot.File, base.Name)
	return &one
}

// onBaseCatalogs returns a case of the head with the catalogs that the base's suite names for its servers, as far as they are still
// there: a floor that no suite can lower is not lowered by naming another file.
func (c *checker) onBaseCatalogs(head selectedCase) selectedCase {
	if c.options.FailOnStale == suite.StaleDefault || head.base == nil {
		return head
	}
	f := &baseFiles{head: c}
	one := *head.Case
	one.Servers = slices.Clone(one.Servers)
	for i, now := range one.Servers {
		at := slices.IndexFunc(head.base.suite.Servers, func(b *suite.Server) bool { return b.Name == now.Name })
		if at >= 0 {
			one.Servers[i] = f.server(head.base.suite.Servers[at], now)
		}
	}
	head.Case = &one
	return head
}

// namesOf returns the names of a case's servers.
func (f *baseFiles) namesOf(base, head []string) []string {
	if base == nil && head == nil {
		return nil
	}
	names := []string{}
	for _, s := range f.servers {
		names = append(names, s.Name)
	}
	for _, name := range head {
		if one := f.renamed.of(name); !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	return names
}

// renamedServers pairs servers whose name the other side lacks: those that have one snapshot, or that are started in one way.
func (f *baseFiles) renamedServers(base, head []*suite.Server) baseNames {
	renamed := baseNames{}
	gone, added := without(base, head), without(head, base)
	for _, b := range gone {
		at := slices.IndexFunc(added, func(h *suite.Server) bool { return renamed[h.Name] == "" && f.isSame(b, h) })
		if at >= 0 {
			renamed[added[at].Name] = b.Name
		}
	}
	return renamed
}

// without returns the servers of a whose names b lacks.
func without(a, b []*suite.Server) []*suite.Server {
	named := map[string]bool{}
	for _, s := range b {
		named[s.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(s *suite.Server) bool { return named[s.Name] })
}

// isSame reports whether two servers of different names are one.
func (f *baseFiles) isSame(base, head *suite.Server) bool {
	was, is := base.Snapshot, head.Snapshot
	switch {
	case was == nil || is == nil:
		return was == is && reflect.DeepEqual(base.Start, head.Start)
	case was.File == is.File:
		return true
	}
	return !(catalog.Files{FS: f.head.fsys, Name: was.File}).Stand() && report.HaveMoved(toolNames(was), toolNames(is))
}

func toolNames(cat *catalog.Catalog) []string {
	names := make([]string, len(cat.Tools))
	for i, t := range cat.Tools {
		names[i] = t.Name
	}
	return names
}

// of returns the base's name for a server of the head.
func (n baseNames) of(server string) string { return cmp.Or(n[server], server) }

// ref returns a tool of the head under the base's name for its server, and whether that is another one.
func (n baseNames) ref(ref catalog.Ref) (catalog.Ref, bool) {
	was, renamed := n[ref.Server]
	if renamed {
		ref.Server = was
	}
	return ref, renamed
}

// names returns what a case of the head names, as the base's suite would write it.
func (n baseNames) names(list nameSet) nameSet {
	out := slices.Clone(list)
	for i, name := range out {
		for server, was := range n {
			if tool, ok := strings.CutPrefix(name, server+"."); ok {
				out[i] = was + "." + tool
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// catalog returns the tools under the base's names for their servers; nil for nil.
func (n baseNames) catalog(cat *catalog.Catalog) *catalog.Catalog {
	if len(n) == 0 {
		return cat
	}
	return oldCatalog(cat, n.ref)
}

// server returns a server of the head under the base's name; nil for nil.
func (n baseNames) server(s *suite.Server) *suite.Server {
	if s == nil || n[s.Name] == "" {
		return s
	}
	one := *s
	one.Name, one.Snapshot = n[s.Name], n.catalog(s.Snapshot)
	return &one
}

// renames lists the servers.
func (n baseNames) renames() (list report.ServerRenames) {
	for _, name := range slices.Sorted(maps.Keys(n)) {
		list = append(list, report.ServerRename{Old: n[name], New: name})
	}
	return list
}
