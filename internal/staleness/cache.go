package staleness

import (
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
)

// Cache stores comparisons of tools, because most cases of a check have the same catalog in their recordings. It does not change
// any result. The zero value is empty.
type Cache struct {
	mu     sync.Mutex
	diffs  map[string][]*toolDiff
	hashes sync.Map // maps the result of todayKey to a func() string
}

// maxDiffs bounds the number of comparisons that are stored for one list of servers.
const maxDiffs = 8

// todayKey identifies the current tools of a case by its servers and the files of their snapshots.
func (in *Input) todayKey() string {
	var names []string
	for _, name := range in.ServerNames { // names and files have no line breaks
		names = append(names, name)
		if server := in.Server(name); server != nil && server.Snapshot != nil {
			names = append(names, server.Snapshot.File)
		}
		names = append(names, "")
	}
	return strings.Join(names, "\n")
}

func (c *Cache) sharedDiff(in *Input, was *catalog.Catalog, named []catalog.Ref) *toolDiff {
	key := in.todayKey()
	c.mu.Lock()
	for _, d := range c.diffs[key] {
		if catalog.SameTools(d.was, was) && slices.Equal(d.named, named) {
			c.mu.Unlock()
			return d
		}
	}
	c.mu.Unlock()
	d := newToolDiff(in.Case, was, named)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.diffs == nil {
		c.diffs = map[string][]*toolDiff{}
	}
	if len(c.diffs[key]) < maxDiffs {
		c.diffs[key] = append(c.diffs[key], d)
	}
	return d
}

func (c *Cache) todayHash(in *Input) string {
	one := in.Case // the function must not keep the runs of in
	hash, _ := c.hashes.LoadOrStore(in.todayKey(), sync.OnceValue(func() string { return one.Snapshots().SHA256() }))
	return hash.(func() string)()
}
