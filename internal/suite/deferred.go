package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Deferred says that live runs of a case put no tool in front of the model until a search returns it.
type Deferred struct {
	Pos     source.Pos // of deferred:
	Client  *toolsearch.Client
	Limit   int // how many tools a search returns at most
	LimitAt source.Pos
}

// String returns what recordings keep of it; "" of nil.
func (d *Deferred) String() string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("%s, limit %d", d.Client.Name, d.Limit)
}

// readDeferred reads deferred: of a test, whose servers were read before.
func (r *reader) readDeferred(m *yamlread.Map, d *draft) {
	block := deferredBlock(m)
	if block == nil {
		return
	}
	at := block.Pos()
	if slices.Contains(d.ServerNames, trace.BuiltinServer) {
		r.errs.Addf(m.KeyPos("deferred"), `"deferred" has the calls of its search tool recorded for server %q, and a server of the test has that name; expected another name`,
			trace.BuiltinServer)
	}
	limit := block.Int("limit", 0, 1)
	if !block.Has("search") {
		block.Errorf(at, `"search" is missing, expected one of %s`, quoted(toolsearch.Names()))
		block.Done()
		return
	}
	client := toolsearch.Named(judge.ReadChoice(block, "search", toolsearch.Names()...))
	block.Done()
	if client == nil {
		return
	}
	d.Deferred = &Deferred{Pos: at, Client: client, Limit: cmp.Or(limit, client.Limit), LimitAt: at}
	if block.Has("limit") {
		d.Deferred.LimitAt = block.KeyPos("limit")
	}
}

// deferredBlock returns the map of deferred:, nil where there is none; a test writes off where it inherits one.
func deferredBlock(m *yamlread.Map) *yamlread.Map {
	v, ok := m.Value("deferred")
	switch {
	case !ok || v.Kind() == yamlread.TextKind && v.Text() == "off":
		return nil
	case v.Kind() != yamlread.MapKind:
		v.Errorf(`"deferred" must be off or a map, found %s`, v.Describe())
		return nil
	}
	block, _ := v.Map()
	return block
}

func (l *settingList) deferred(d *Deferred) {
	if d == nil {
		return
	}
	l.add("deferred.search", d.Client.Name, d.Pos)
	l.add("deferred.limit", strconv.Itoa(d.Limit), d.LimitAt)
}
