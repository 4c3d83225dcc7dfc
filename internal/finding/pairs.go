package finding

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// pairs are the tools of both sides that are one.
type pairs struct {
	now, was map[*catalog.Tool]*catalog.Tool
	added    map[*catalog.Tool]bool
}

// pairsOf pairs the tools of base and head. A server can have another name in the head.
func pairsOf(base, now *catalog.Catalog) pairs {
	p := pairs{map[*catalog.Tool]*catalog.Tool{}, map[*catalog.Tool]*catalog.Tool{}, map[*catalog.Tool]bool{}}
	names := renamedServers(base, now)
	called, original := &catalog.Catalog{}, map[*catalog.Tool]*catalog.Tool{}
	for _, t := range base.Tools {
		one := *t
		one.Server = cmp.Or(names[t.Server], t.Server)
		called.Tools = append(called.Tools, &one)
		original[&one] = t
	}
	became := catalog.Pairs(called, now)
	for _, pair := range slices.Concat(became.Same, became.Renamed) {
		was := original[pair.Base]
		p.now[was], p.was[pair.Head] = pair.Head, was
	}
	for _, t := range now.Tools {
		p.added[t] = p.was[t] == nil
	}
	return p
}

// renamedServers returns the names in the head of servers whose name only the base has. It takes the server, among those that
// only the head has, with the most tools of the same names. If one server is left in each of base and head, these are paired.
// The name of a server can be that of a file, which can be moved.
func renamedServers(base, now *catalog.Catalog) map[string]string {
	before, after := toolsByServer(base), toolsByServer(now)
	gone, added := serversWithout(before, after), serversWithout(after, before)
	renamed := map[string]string{}
	for len(gone) > 0 && len(added) > 0 {
		from, to, most := 0, 0, -1
		for i, was := range gone {
			for k, is := range added {
				if n := shared(before[was], after[is]); n > most {
					from, to, most = i, k, n
				}
			}
		}
		if most == 0 && (len(gone) > 1 || len(added) > 1) {
			break
		}
		renamed[gone[from]] = added[to]
		gone, added = slices.Delete(gone, from, from+1), slices.Delete(added, to, to+1)
	}
	return renamed
}

func toolsByServer(cat *catalog.Catalog) map[string]map[string]bool {
	servers := map[string]map[string]bool{}
	for _, t := range cat.Tools {
		if servers[t.Server] == nil {
			servers[t.Server] = map[string]bool{}
		}
		servers[t.Server][t.Name] = true
	}
	return servers
}

// serversWithout returns the servers that the other side lacks, sorted.
func serversWithout(servers, other map[string]map[string]bool) (names []string) {
	for name := range servers {
		if other[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func shared(a, b map[string]bool) (n int) {
	for name := range a {
		if b[name] {
			n++
		}
	}
	return n
}
