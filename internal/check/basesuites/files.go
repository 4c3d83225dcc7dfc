package basesuites

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// files are the head's files for a case of the base. If the head still has a file at the base's path, that file is used, even if
// the head's suite names another. Otherwise the file was moved, and the path in the head's suite is used.
type files struct {
	head    *suite.Loader
	renamed Names // servers that the head has renamed

	servers []*suite.Server  // servers of the case, under the names of the base's suite
	names   []string         // names of the servers, including undeclared servers; nil if neither suite names a server
	catalog *catalog.Catalog // catalog that the case judges; nil if it judges runs
	fault   string           // reason why a file cannot be read; "" if all can
}

func findFiles(base Entry, head Head) *files {
	f := &files{head: head.Files, renamed: Names{servers: renamedServers(head.Files, base.Suite.Servers, head.Suite.Servers)}}
	f.servers = f.serversOf(base.Servers, head.Servers)
	f.names = f.namesOf(base.ServerNames, head.ServerNames)
	f.catalog = f.renamed.Catalog(head.Catalog)
	asksServer := head.Live && len(base.Servers) > 0 && base.Servers[0].Startable() // a live check does not use the snapshot
	cat := base.Case.Catalog
	isFile := cat != nil && cat.File != "" && cat.File != base.Suite.File
	if isFile && !asksServer && head.Files.Stands(cat.File) {
		f.catalog = f.readCatalog(cat.File, serverOf(base.Case))
	}
	return f
}

// serverOf returns the server of the catalog that a case judges; "" if the case names no server.
func serverOf(c *suite.Case) string {
	if len(c.Files) == 1 {
		return c.Files[0].Server
	}
	return strings.Join(c.ServerNames, "")
}

// readCatalog returns the catalog at a path of the head, with the given server for every tool. If the file cannot be read, it
// sets f.fault and returns an empty catalog.
func (f *files) readCatalog(path, server string) *catalog.Catalog {
	cat, err := f.head.Catalog(path)
	if err != nil {
		f.fault = cmp.Or(f.fault, fmt.Sprintf("catalog %q: %s", path, source.ErrorsOf(err)[0].Msg))
		return &catalog.Catalog{File: path}
	}
	return cat.Named(server)
}

// serversOf returns the servers of the base with the head's files, followed by the servers that only the head has.
func (f *files) serversOf(base, head []*suite.Server) (list []*suite.Server) {
	onlyHead := map[string]*suite.Server{} // servers of the head that were not yet paired, by the base's names
	for _, s := range f.renamed.serversOf(head) {
		onlyHead[s.Name] = s
	}
	for _, b := range base {
		now := onlyHead[b.Name]
		delete(onlyHead, b.Name)
		if one := f.currentServer(b, now); one != nil {
			list = append(list, one)
		}
	}
	for _, s := range head {
		if one := onlyHead[f.renamed.oldServer(s.Name)]; one != nil {
			list = append(list, one)
		}
	}
	return list
}

// currentServer returns a server of the base with its current snapshot. now is the same server in the head; nil if the head
// lacks it. The result is nil if the head has neither the server nor its snapshot.
func (f *files) currentServer(base, now *suite.Server) *suite.Server {
	if base.Snapshot == nil {
		return now
	}
	isSame := now != nil && now.Snapshot != nil && now.Snapshot.File == base.Snapshot.File
	if isSame || !f.head.Stands(base.Snapshot.File) {
		return now
	}
	one := *base
	one.Snapshot = f.readCatalog(base.Snapshot.File, base.Name)
	return &one
}

// OnCatalogs returns a case of the head whose servers have the catalogs that the base's suite names, if these files still exist. So
// a change cannot avoid FailOnStale by naming another file.
func OnCatalogs(was *Was, head *suite.Case, loader *suite.Loader) *suite.Case {
	f := &files{head: loader}
	one := *head
	one.Servers = slices.Clone(one.Servers)
	for i, now := range one.Servers {
		if base := serverIn(was.Suite.Servers, now.Name); base != nil {
			one.Servers[i] = f.currentServer(base, now)
		}
	}
	return &one
}

func (f *files) namesOf(base, head []string) []string {
	if base == nil && head == nil {
		return nil
	}
	names := lists.Map(f.servers, func(s *suite.Server) string { return s.Name })
	for _, name := range head {
		if one := f.renamed.oldServer(name); !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	return names
}

// renamedServers pairs the servers that only the base has with those that only the head has, if they have the same snapshot, or
// are started in the same way.
func renamedServers(files *suite.Loader, base, head []*suite.Server) (renamed report.ServerRenames) {
	added := without(head, base)
	for _, b := range without(base, head) {
		at := slices.IndexFunc(added, func(h *suite.Server) bool { return isSameServer(files, b, h) })
		if at >= 0 {
			renamed = append(renamed, report.ServerRename{Old: b.Name, New: added[at].Name})
			added = slices.Delete(added, at, at+1)
		}
	}
	lists.SortStable(renamed, func(a, b *report.ServerRename) int { return cmp.Compare(a.New, b.New) })
	return renamed
}

func without(a, b []*suite.Server) []*suite.Server {
	named := lists.SetOf(b, func(s *suite.Server) string { return s.Name })
	return slices.DeleteFunc(slices.Clone(a), func(s *suite.Server) bool { return named[s.Name] })
}

func serverIn(servers []*suite.Server, name string) *suite.Server {
	at := slices.IndexFunc(servers, func(one *suite.Server) bool { return one.Name == name })
	if at < 0 {
		return nil
	}
	return servers[at]
}

func isSameServer(files *suite.Loader, base, head *suite.Server) bool {
	was, is := base.Snapshot, head.Snapshot
	switch {
	case was == nil || is == nil:
		return was == is && reflect.DeepEqual(base.Start, head.Start)
	case was.File == is.File:
		return true
	}
	return !files.Stands(was.File) && report.HaveMoved(toolNames(was), toolNames(is))
}

func toolNames(cat *catalog.Catalog) []string {
	return lists.Map(cat.Tools, func(t *catalog.Tool) string { return t.Name })
}
