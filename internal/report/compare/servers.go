package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// compareServers notes renamed servers, removed servers and servers whose catalog was dropped. It reads the tools without a pair,
// and pairs the tools of renamed servers.
func (c *comparer) compareServers(p *toolPairs) {
	dropped := c.droppedCatalogs()
	gone := missingServers(toolsOf(c.before), slices.AppendSeq(toolsOf(c.after), maps.Values(p.hidden)))
	renamed := p.renamedServers(slices.DeleteFunc(slices.Clone(gone), func(name string) bool { return dropped[name] }), c.base)
	for _, name := range gone {
		if name == "" {
			c.namelessGone = true
		} else if renamed[name] == "" && !dropped[name] {
			c.out.ServersGone = append(c.out.ServersGone, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(dropped)) {
		c.out.MayBreak = append(c.out.MayBreak, c.serverBreak(change.CatalogDropped, name, name, fmt.Sprintf(
			"server %q has no catalog any more, so that nobody knows what became of its %s", name, toolCount(c.before, name))))
	}
	for _, name := range slices.Sorted(maps.Keys(renamed)) {
		c.out.Breaking = append(c.out.Breaking, c.serverBreak(change.ServerRenamed, name, renamed[name], fmt.Sprintf(
			"server %q is called %q now, and callers have its name in those of its %s", name, renamed[name], toolCount(c.before, name))))
	}
	c.noteRedirected(func(server string) bool {
		return renamed[server] != "" || dropped[server] || slices.Contains(c.out.ServersGone, server)
	})
	p.pairByKey(func(t placedTool) toolKey { return toolKey{"", cmp.Or(renamed[t.Server], t.Server), t.Name} })
	// The change of a dropped catalog is reported once, and not for each tool.
	p.gone = slices.DeleteFunc(p.gone, func(t placedTool) bool { return dropped[t.Server] })
}

// noteRedirected notes the catalogs that still exist, but that no suite of the head reads for their server: the author of the
// change chose another file to compare. isNoted reports whether another change of a server is noted already.
func (c *comparer) noteRedirected(isNoted func(server string) bool) {
	isServer := lists.SetOf(c.base.Servers, func(s report.DeclaredServer) string { return s.Name })
	isRead := func(was report.Catalog) bool {
		if isServer[was.Name] { // c.after may have the server's catalog only for the base's suites
			return slices.ContainsFunc(c.head.Servers, func(s report.DeclaredServer) bool { return s.Name == was.Name && s.Catalog == was.Path })
		}
		return slices.ContainsFunc(c.after, func(is report.Catalog) bool { return is.Path == was.Path })
	}
	isNoCatalog := map[string]bool{} // suites and recordings, which contain tools besides other data
	for i := range c.base.Cases {
		isNoCatalog[c.base.Cases[i].Suite] = true
		for _, r := range c.base.Cases[i].Recordings {
			isNoCatalog[r.Path] = true
		}
	}
	for _, one := range c.before {
		if isNoted(one.Name) || isNoCatalog[one.Path] || isRead(one) || !c.options.Stands(one.Path) {
			continue
		}
		c.out.MayBreak = append(c.out.MayBreak, c.serverBreak(change.CatalogRedirected, one.Name, one.Name, fmt.Sprintf(
			"the suites do not read the catalog %q any more, which is still there, so that nobody knows what became of its %s",
			one.Path, judge.CountOf(len(one.Tools), "tool"))))
	}
}

func (c *comparer) droppedCatalogs() map[string]bool {
	has, declared := map[string]bool{}, map[string]bool{}
	for _, s := range c.head.Servers {
		declared[s.Name], has[s.Name] = true, has[s.Name] || s.Catalog != ""
	}
	dropped := map[string]bool{}
	for _, s := range c.base.Servers {
		if s.Catalog != "" && declared[s.Name] && !has[s.Name] {
			dropped[s.Name] = true
		}
	}
	return dropped
}

// renamedServers returns the new names of servers that have lost all their tools. Another server is the renamed one if it gained
// tools with at least half of the old names, or if it is new and its tools come from the same catalog.
func (p *toolPairs) renamedServers(gone []string, base *report.Report) map[string]string {
	wasServer := lists.SetOf(toolsOf(base.Catalogs), func(t placedTool) string { return t.Server })
	renamed, taken := map[string]string{}, map[string]bool{}
	for _, old := range gone {
		names, paths := map[string]bool{}, map[string]bool{}
		for _, t := range p.gone {
			if t.Server == old {
				names[t.Name], paths[t.path] = true, true
			}
		}
		same, moved := map[string]int{}, map[string]bool{}
		for _, t := range p.added {
			if names[t.Name] {
				same[t.Server]++
			}
			moved[t.Server] = moved[t.Server] || paths[t.path] && !wasServer[t.Server]
		}
		best := ""
		for _, now := range slices.Sorted(maps.Keys(moved)) {
			isCandidate := now != "" && old != "" && !taken[now]
			isSuccessor := moved[now] || same[now]*2 >= len(names)
			isBetter := best == "" || same[now] > same[best]
			if isCandidate && isSuccessor && isBetter {
				best = now
			}
		}
		if best != "" {
			renamed[old], taken[best] = best, true
		}
	}
	return renamed
}

func toolCount(catalogs []report.Catalog, server string) string {
	return judge.CountOf(lists.Count(toolsOf(catalogs), func(t placedTool) bool { return t.Server == server }), "tool")
}

// serverBreak returns a breaking change of a whole server, at the place where the head declares the server.
func (c *comparer) serverBreak(kind change.BreakKind, name, now, message string) report.Breaking {
	b := report.Breaking{Kind: kind, Server: name, Message: message}
	if s := lists.Find(c.head.Servers, func(s *report.DeclaredServer) bool { return s.Name == now }); s != nil {
		b.Path, b.Line = s.Path, s.Line
	}
	return b
}
