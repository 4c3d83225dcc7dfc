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

// Collection collects runs in groups by the values of its keys. The runs are kept in a temporary file, so that any number of runs
// takes little memory.
type Collection struct {
	// Unread has a mistake for each of the first hundred runs that a cassette cannot contain; UnreadRuns counts all such runs.
	Unread     source.Errors
	UnreadRuns int

	keys        []Key
	rules       *redact.Rules
	groups      map[[sha256.Size]byte]*Group
	order       []*Group
	promptBytes int // size of the prompts that all groups keep
	file        tempfile.File
	reader      trace.Reader // finds out whether a cassette can contain a run
}

// NewCollection returns an empty collection. The rules redact the runs.
func NewCollection(by []Key, rules *redact.Rules) *Collection {
	return &Collection{keys: by, rules: rules, groups: map[[sha256.Size]byte]*Group{}}
}

// Close removes the temporary file.
func (c *Collection) Close() { c.file.Close() }

// largeRun is the size of a run, in bytes, above which garbage is collected before and after the run is written, and before it
// is read back. Otherwise the garbage of these steps would add up to several times the size of the run. Collecting garbage takes
// less than a millisecond, because a large run consists of a few long texts.
const largeRun = 4 << 20

func collectGarbageIfLarge(size int64) {
	if size > largeRun {
		runtime.GC()
	}
}

// Add adds a run, which the collection owns from then on. A run that a cassette cannot contain is counted as unread and
// dropped.
func (c *Collection) Add(run *Run) error {
	size := estimatedSize(&run.Run)
	if size > maxWritten {
		c.countUnread(run, errTooLarge)
		return nil
	}
	g := c.groupFor(run)
	run.Run.Redact(g.redactor, trace.Tools{}) // store checks the run afterwards, because redacting can make a name too long
	redactServers(g.redactor, &run.Run)
	collectGarbageIfLarge(int64(size))
	defer collectGarbageIfLarge(int64(size))
	stored, unfit, err := c.store(&run.Run)
	switch {
	case err != nil:
		return fmt.Errorf("keep runs in a temporary file: %w", err)
	case unfit != nil:
		c.countUnread(run, unfit)
		return nil
	}
	c.addStored(g, run, stored)
	return nil
}

var errTooLarge = fmt.Errorf("is a run of more than %d bytes in a cassette", maxWritten)

func (c *Collection) countUnread(run *Run, why error) {
	const maxUnread = 100
	c.UnreadRuns++
	if len(c.Unread) < maxUnread {
		c.Unread.Addf(run.Pos, "%s", why)
	}
}

// store writes a run to the temporary file. unfit is the reason why a cassette cannot contain the run; nil if it can.
func (c *Collection) store(run *trace.Run) (stored tempfile.Chunk, unfit, err error) {
	start := c.file.Position()
	if err := trace.WriteRun(&c.file, run); err != nil {
		return stored, nil, err
	}
	stored = c.file.Since(start)
	collectGarbageIfLarge(stored.Size)
	if stored.Size > maxWritten {
		unfit = errTooLarge
	} else if err := c.reader.CheckRun(c.file.Open(stored), stored.Size); err != nil {
		unfit = fmt.Errorf("is a run that a cassette cannot hold: %w", err)
	}
	if unfit != nil {
		c.file.Cut(start)
	}
	return stored, unfit, nil
}

func (c *Collection) addStored(g *Group, run *Run, stored tempfile.Chunk) {
	if c.groups[g.key] == nil {
		c.groups[g.key] = g
		c.order = append(c.order, g)
	}
	g.addTexts(run)
	if g.Prompt.SHA256 == "" {
		g.Prompt = g.promptText(run.Prompt, &c.promptBytes)
	}
	if g.System.SHA256 == "" {
		g.System = g.promptText(run.System, &c.promptBytes)
	}
	g.stored = append(g.stored, storedRun{stored, g.addRun(&run.Run), run.Error != ""})
}

// redactServers removes the secrets from names of servers, which come from a log.
func redactServers(r *redact.Redactor, run *trace.Run) {
	tools := trace.Tools{}
	for i := range run.Calls {
		ref := run.Calls[i].Tool.Ref
		ref.Server = r.Text(ref.Server)
		run.Calls[i].Tool = tools.Of(ref)
		if search := run.Calls[i].Search(); search != nil {
			for k := range search.Tools {
				search.Tools[k].Server = r.Text(search.Tools[k].Server)
			}
		}
	}
}

// groupFor returns the group of a run, or a new group if no run of it has been kept.
func (c *Collection) groupFor(run *Run) *Group {
	sum := sha256.New()
	for _, k := range c.keys {
		value := k.of(run)
		_ = binary.Write(sum, binary.BigEndian, int64(len(value))) // never fails
		_, _ = io.WriteString(sum, value)
	}
	key := [sha256.Size]byte(sum.Sum(nil))
	if g := c.groups[key]; g != nil {
		return g
	}
	g := &Group{key: key, redactor: c.rules.File(), Sets: map[string]int{}}
	for _, k := range c.keys {
		g.Values = append(g.Values, cut(g.redactor.Text(cut(k.of(run), 4*maxText)), maxText))
	}
	return g
}

// Finish returns the groups in the order of their first runs. All runs must have been added.
func (c *Collection) Finish() []*Group {
	var before *Group
	for _, g := range c.order {
		g.finish(before)
		before = g
	}
	return c.order
}
