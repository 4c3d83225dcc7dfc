package check

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/tokens"
)

// counts counts the tokens of tools. Loading the vocabulary takes longer than most checks, so that it begins early and
// only when it is needed; and many cassettes hold the same tools, so that each is counted once.
type counts struct {
	counter func() *tokens.Counter
	known   sync.Map // from toolKey to int
}

func newCounts() *counts {
	return &counts{counter: sync.OnceValue(tokens.Load)}
}

// begin starts loading the vocabulary in the background.
func (c *counts) begin() { c.counter() }

// text returns the tokens of a text.
func (c *counts) text(s string) int { return c.counter().Text(s) }

// tool returns the surface tokens of a tool.
func (c *counts) tool(t *catalog.Tool) int {
	key := toolKey(t)
	if n, ok := c.known.Load(key); ok {
		return n.(int)
	}
	n := c.counter().Tool(t)
	c.known.Store(key, n)
	return n
}

// toolKey identifies the counted parts of a tool.
func toolKey(t *catalog.Tool) [sha256.Size]byte {
	hash := sha256.New()
	var size [8]byte
	for _, part := range [][]byte{[]byte(t.Name), []byte(t.Description), t.InputSchema} {
		binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
		hash.Write(size[:])
		hash.Write(part)
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

// surface returns the surface tokens of a catalog.
func (c *counts) surface(cat *catalog.Catalog) int64 {
	var sum int64
	for _, t := range cat.Tools {
		sum += int64(c.tool(t))
	}
	return sum
}
