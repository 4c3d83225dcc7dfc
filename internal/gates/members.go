package gates

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// Members is a set of tools as a suite names them: bare, for a tool of that name on any server, or qualified as
// server.name.
type Members struct {
	ids   map[string]bool // match a call's qualified id
	names map[string]bool // match a call's bare name, too
}

// NewMembers returns the set of members. A member that begins with one of the declared servers and a dot is meant for
// that server alone.
func NewMembers(members []string, servers []string) Members {
	set := Members{ids: map[string]bool{}, names: map[string]bool{}}
	for _, m := range members {
		set.ids[m] = true
		if !qualified(m, servers) {
			set.names[m] = true
		}
	}
	return set
}

// Names reports whether one of the members names the tool. An id is never split at a dot: names of servers and of tools
// hold dots.
func (m Members) Names(ref catalog.Ref) bool {
	return m.ids[ref.ID()] || m.names[ref.Name]
}

// qualified reports whether member begins with one of the declared servers, which are sorted, and a dot.
func qualified(member string, servers []string) bool {
	for i := 1; i < len(member); i++ {
		if member[i] != '.' {
			continue
		}
		if _, declared := slices.BinarySearch(servers, member[:i]); declared {
			return true
		}
	}
	return false
}
