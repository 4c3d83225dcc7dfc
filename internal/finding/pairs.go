package finding

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// pairs match each tool of the base with the same tool in the head.
type pairs struct {
	headOf, baseOf map[*catalog.Tool]*catalog.Tool
	isAdded        map[*catalog.Tool]bool
}

// pairsOf pairs the tools of base and head. A server can have another name in the head.
func pairsOf(base, now *catalog.Catalog) pairs {
	p := pairs{map[*catalog.Tool]*catalog.Tool{}, map[*catalog.Tool]*catalog.Tool{}, map[*catalog.Tool]bool{}}
	names := renamedServers(base, now)
	renamedBase, original := &catalog.Catalog{}, map[*catalog.Tool]*catalog.Tool{}
	for _, t := range base.Tools {
		renamed := *t
		renamed.Server = cmp.Or(names[t.Server], t.Server)
		renamedBase.Tools = append(renamedBase.Tools, &renamed)
		original[&renamed] = t
	}
	matched := catalog.Pairs(renamedBase, now)
	for _, pair := range slices.Concat(matched.Same, matched.Renamed) {
		inBase := original[pair.Base]
		p.headOf[inBase], p.baseOf[pair.Head] = pair.Head, inBase
	}
	for _, t := range now.Tools {
		p.isAdded[t] = p.baseOf[t] == nil
	}
	return p
}

// renamedServers pairs servers that only the base has with servers that only the head has, first those with the most tool names in
// common. Servers without a common tool name are paired only if no other servers are left. It returns names in the head by names in
// the base. The name of a server can come from a file, and change when the file is moved.
func renamedServers(base, now *catalog.Catalog) map[string]string {
	before, after := toolsByServer(base), toolsByServer(now)
	gone, added := serversWithout(before, after), serversWithout(after, before)
	renamed := map[string]string{}
	for len(gone) > 0 && len(added) > 0 {
		from, to, mostShared := 0, 0, -1
		for i, goneName := range gone {
			for k, addedName := range added {
				if n := countShared(before[goneName], after[addedName]); n > mostShared {
					from, to, mostShared = i, k, n
				}
			}
		}
		if mostShared == 0 && (len(gone) > 1 || len(added) > 1) {
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

// serversWithout returns the servers that other lacks, sorted.
func serversWithout(servers, other map[string]map[string]bool) (names []string) {
	for name := range servers {
		if other[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func countShared(a, b map[string]bool) (n int) {
	for name := range a {
		if b[name] {
			n++
		}
	}
	return n
}
