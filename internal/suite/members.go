package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

func (r *reader) checkMembers(d *draft) {
	if d.StaleCatalog == StaleIgnore {
		return
	}
	for _, m := range slices.Concat(d.Members, d.Listed) {
		servers, name, known := r.serversMeant(d, m.Name)
		if !known || slices.ContainsFunc(servers, func(s *Server) bool { return s.tools[name(s)] }) {
			continue
		}
		r.missing = append(r.missing, missingTool{d, m, servers, name})
	}
}

// missingTool is a tool that a gate of a test names, but that no server in question lists.
type missingTool struct {
	test    *draft
	member  judge.Member
	servers []*Server
	name    func(*Server) string // the tool's name on that server
}

func (s *Server) hidesTool(name string) bool {
	return slices.ContainsFunc(s.Snapshot.Hidden, func(t *catalog.Tool) bool { return t.Name == name })
}

// reportMissing reports each tool that no server lists. If the tool is in the base, or in the recording of a test that names it,
// the cases that name it list it in Lost instead. reportMissing runs after all cases were read, because it needs their recordings.
func (r *reader) reportMissing() {
	if len(r.missing) == 0 {
		return
	}
	cases := map[casePlace][]*Case{}
	for _, c := range r.suite.Cases {
		cases[c.place()] = append(cases[c.place()], c)
	}
	explained := map[string]bool{}
	if r.loader.Had != nil && !r.root.Stopped() {
		for _, m := range r.missing {
			name := m.member.Name
			had := func(c *Case) bool { return !m.test.of.faulty && r.loader.Had(r.suite, c, name) }
			explained[name] = explained[name] || slices.ContainsFunc(cases[m.test.place()], had)
		}
	}
	for _, m := range r.missing {
		if !explained[m.member.Name] {
			r.attributeTo(m.test.of, func() { r.reportMissingTool(m) })
			continue
		}
		for _, c := range cases[m.test.place()] {
			c.Lost = append(c.Lost, m.member.Name)
		}
	}
}

// serversMeant returns the servers that may have the tool that a member names, the tool's name on each of them, and whether all
// tools of these servers are known. A member that begins with a declared server and a dot refers to that server; server names
// can contain dots, so several servers may match. Any other member refers to the servers of the test.
func (r *reader) serversMeant(d *draft, member string) (servers []*Server, name func(*Server) string, known bool) {
	for i := range len(member) {
		if member[i] == '.' && r.servers[member[:i]] != nil {
			servers = append(servers, r.servers[member[:i]])
		}
	}
	name = func(s *Server) string { return member[len(s.Name)+1:] }
	known = true
	if len(servers) == 0 {
		servers = d.Servers
		name = func(*Server) string { return member }
		known = len(servers) > 0 && len(servers) == len(d.ServerNames)
	}
	hasNone := func(s *Server) bool { return s.Snapshot == nil }
	return servers, name, known && !slices.ContainsFunc(servers, hasNone)
}

// reportMissingTool reports a tool that none of servers lists. By default, a name that does not begin with a declared server only
// gets a warning: it may be a tool of another server, one of several that do the job. With stale_catalog: fail every missing tool
// is a mistake, and with stale_catalog: warn every one gets a warning.
func (r *reader) reportMissingTool(missing missingTool) {
	d, m, servers := missing.test, missing.member, missing.servers
	files := lists.Map(servers, func(s *Server) string { return s.Snapshot.File })
	qualified := r.bareName(m.Name) != m.Name
	why := "not in " + strings.Join(slices.Compact(files), " or ")
	if at := slices.IndexFunc(servers, func(s *Server) bool { return s.hidesTool(missing.name(s)) }); at >= 0 {
		why = fmt.Sprintf(`hidden from models in %s: its _meta.ui.visibility lacks "model"`, servers[at].Snapshot.File)
	} else {
		why += r.hint(m.Name, r.toolNames(servers, qualified))
	}
	isWarning := d.StaleCatalog == StaleWarn || d.StaleCatalog != StaleFail && !qualified
	if isWarning {
		r.warnf(m.Pos, "tool %q is %s", clip(m.Name), why)
		return
	}
	r.errs.Addf(m.Pos, "tool %q is %s", clip(m.Name), why)
}

// toolNames returns the tools of servers under the names that a suite can use; nil if hints have used up their bound.
func (r *reader) toolNames(servers []*Server, qualified bool) []string {
	if r.hints < 0 {
		return nil
	}
	var names []string
	for _, s := range servers {
		for _, t := range s.Snapshot.Tools {
			if qualified {
				names = append(names, s.Name+"."+t.Name)
			} else {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// bareName returns a member without the declared server that it begins with. If several match, it removes the longest.
func (r *reader) bareName(member string) string {
	for i := len(member) - 1; i > 0; i-- {
		if member[i] == '.' && r.servers[member[:i]] != nil {
			return member[i+1:]
		}
	}
	return member
}
