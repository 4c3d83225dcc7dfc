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

// Deferred configures live runs in which the model sees a tool only after a search returns it.
type Deferred struct {
	Pos     source.Pos // of deferred:
	Client  *toolsearch.Client
	Limit   int // maximum number of tools that a search returns
	LimitAt source.Pos
}

// String returns the text for recordings; "" for nil.
func (d *Deferred) String() string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("%s, limit %d", d.Client.Name, d.Limit)
}

// readDeferred reads deferred: of a test. The test's servers must have been read before.
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

// deferredBlock returns the map of deferred:, or nil if there is none. The value off cancels an inherited map.
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

func (l *settingList) addDeferred(d *Deferred) {
	if d == nil {
		return
	}
	l.add("deferred.search", d.Client.Name, d.Pos)
	l.add("deferred.limit", strconv.Itoa(d.Limit), d.LimitAt)
}
