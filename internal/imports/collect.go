package imports

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/tempfile"
	"github.com/org/mcp-gates/internal/trace"
)

// Collection gathers runs into groups, one for a cassette. The runs wait in a temporary file, so that however many there are
// they take little memory.
type Collection struct {
	// Unread are runs that a cassette cannot hold.
	Unread source.Errors

	by     []Key
	rules  *redact.Rules
	groups map[[sha256.Size]byte]*Group
	order  []*Group
	kept   int // bytes of prompts
	file   tempfile.File
}

// NewCollection returns an empty collection; rules say what is taken out of the runs.
func NewCollection(by []Key, rules *redact.Rules) *Collection {
	return &Collection{by: by, rules: rules, groups: map[[sha256.Size]byte]*Group{}}
}

// Close gives the temporary file back.
func (c *Collection) Close() { c.file.Close() }

// largeRun is the size, in bytes, from which on memory is collected before and after a run is written: reading it has left about
// as much, writing it takes twice as much, and the next line would come on top. A collection takes less than a millisecond, for
// a large run is a few long texts.
const largeRun = 4 << 20

// Add adds a run, which is the collection's from then on.
func (c *Collection) Add(run *Run) error {
	size := writtenSize(&run.Run)
	if size > maxWritten {
		c.Unread.Addf(run.Pos, "is a run of more than %d bytes in a cassette", maxWritten)
		return nil
	}
	g := c.group(run)
	g.note(run)
	run.Run.Redact(g.redactor, trace.Tools{})
	redactServers(g.redactor, &run.Run)
	if g.Prompt.SHA256 == "" {
		g.Prompt = g.textOf(run.Prompt, &c.kept)
	}
	if g.System.SHA256 == "" {
		g.System = g.textOf(run.System, &c.kept)
	}
	g.count(&run.Run)
	if size > largeRun {
		runtime.GC()
		defer runtime.GC()
	}
	end := c.file.Position()
	if err := trace.WriteRun(&c.file, &run.Run); err != nil {
		return fmt.Errorf("keep runs in a temporary file: %w", err)
	}
	g.stored = append(g.stored, storedRun{c.file.Since(end), len(run.Calls), run.Error != ""})
	return nil
}

// redactServers takes the secrets out of names of servers, which are those of a log.
func redactServers(r *redact.Redactor, run *trace.Run) {
	tools := trace.Tools{}
	for i := range run.Calls {
		ref := run.Calls[i].Tool.Ref
		ref.Server = r.Text(ref.Server)
		run.Calls[i].Tool = tools.Of(ref)
		if d := run.Calls[i].Detail; d != nil {
			for k := range d.Found {
				d.Found[k].Server = r.Text(d.Found[k].Server)
			}
		}
	}
}

// group returns the group of a run.
func (c *Collection) group(run *Run) *Group {
	sum := sha256.New()
	for _, k := range c.by {
		value := k.of(run)
		_ = binary.Write(sum, binary.BigEndian, int64(len(value))) // which never fails
		_, _ = io.WriteString(sum, value)
	}
	key := [sha256.Size]byte(sum.Sum(nil))
	if g := c.groups[key]; g != nil {
		return g
	}
	g := &Group{key: key, redactor: c.rules.File(), Sets: map[string]int{}}
	for _, k := range c.by {
		g.Values = append(g.Values, cut(g.redactor.Text(cut(k.of(run), 4*maxText)), maxText))
	}
	c.groups[key] = g
	c.order = append(c.order, g)
	return g
}

// Finish returns the groups in the order of their first runs, once all runs have been added.
func (c *Collection) Finish() []*Group {
	for _, g := range c.order {
		g.finish()
	}
	return c.order
}
