package imports

import (
	"io"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/tempfile"
	"github.com/org/mcp-gates/internal/trace"
)

const (
	maxPart    = 64 << 20  // bytes of the runs in one cassette of an import, except for a single run that is larger
	maxWritten = 128 << 20 // bytes of a run in a cassette, because a cassette of at most 256 MiB can be read
)

// Part has the runs of one cassette of a group.
type Part struct {
	Runs   int
	Broken int // number of Runs that did not end properly
	Calls  int

	stored []tempfile.Chunk
	size   int64
	tally  tally
}

// storedRun is a run in the temporary file.
type storedRun struct {
	tempfile.Chunk
	tally  tally
	broken bool
}

// tally counts values whose number in a cassette is bounded.
type tally struct {
	calls int32
	found int32 // tools that searches returned
	tools int32 // different tools that are not in Group.Tools, which has only the first maxTools
	parts int32 // turns and delegations
}

func (t tally) plus(more tally) tally {
	return tally{t.calls + more.calls, t.found + more.found, t.tools + more.tools, t.parts + more.parts}
}

// fits reports whether a cassette can contain the given number of runs with these counts, and the given number of deferred
// tools.
func (t tally) fits(runs, deferred int) bool {
	return runs <= trace.MaxRuns && int(t.calls+t.found) <= trace.MaxCalls && maxTools+int(t.tools) <= trace.MaxTools &&
		deferred+int(t.found+t.parts) <= trace.MaxParts
}

// Parts divides the runs of a group among cassettes of at most 64 MiB, in order. A cassette has no more runs, calls and tools than
// can be read.
func (g *Group) Parts() []Part {
	var parts []Part
	for _, run := range g.stored {
		if last := len(parts) - 1; last < 0 || !parts[last].hasRoom(run, len(g.deferred)) {
			parts = append(parts, Part{})
		}
		parts[len(parts)-1].add(run)
	}
	return parts
}

func (p *Part) hasRoom(run storedRun, deferred int) bool {
	return p.size+run.Size <= maxPart && p.tally.plus(run.tally).fits(p.Runs+1, deferred)
}

func (p *Part) add(run storedRun) {
	p.stored, p.size, p.tally = append(p.stored, run.Chunk), p.size+run.Size, p.tally.plus(run.tally)
	p.Runs++
	p.Calls += int(run.tally.calls)
	if run.broken {
		p.Broken++
	}
}

// Write writes a cassette.
func (c *Collection) Write(w io.Writer, h trace.Header, p Part) error {
	out := trace.NewWriter(w, h)
	for _, stored := range p.stored {
		out.Copy(c.file.Open(stored))
	}
	return out.Close()
}

// Catalog returns the tools that the runs of a group were offered; nil if the logs do not have them, or the runs differ.
func (g *Group) Catalog() *catalog.Catalog {
	if g.offered.differs {
		return nil
	}
	return g.catalog
}

// estimatedSize returns the estimated size of a run in a cassette, in bytes. Deeply nested values have much indentation.
func estimatedSize(run *trace.Run) int {
	const overhead = 1000 // of a call or a turn, including keys and indentation
	n := overhead + 2*len(run.FinalResponse)
	for i := range run.Calls {
		n += overhead
		if d := run.Calls[i].Detail; d != nil {
			n += indentedSize(d.Args) + 2*len(d.Result) + 2*len(d.Error)
			if d.Search != nil {
				n += 2 * len(d.Search.Query)
			}
		}
	}
	for _, t := range run.Turns {
		n += overhead + 2*len(t.Content)
	}
	return n
}

// indentedSize returns the size of JSON that is indented below a call.
func indentedSize(value []byte) int {
	const least = 10 // least indentation of a call's arguments, in columns
	n, depth := len(value), 1
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"':
			for i++; i < len(value) && value[i] != '"'; i++ {
				if value[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			n += least + 2*depth
		case '}', ']':
			depth--
			n += least + 2*depth
		case ',':
			n += least + 2*depth
		}
	}
	return n
}
