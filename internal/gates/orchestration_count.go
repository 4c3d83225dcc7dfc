package gates

import (
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/trace"
)

// orchestrationCount counts over runs. Results that depend only on a tool are computed once for each tool.
type orchestrationCount struct {
	gate   *orchestration
	scorer *scorer
	meter  *judge.Meter
	tools  map[*trace.Tool]*calledTool

	catalog   *catalog.Catalog // nil if no catalog is known
	listing   positions        // positions of the catalog's tools
	injected  positions        // positions of the distractors, which a substitute catalog lacks
	deferred  positions        // positions of deferred tools; the recording may have only their names
	standIn   bool             // the catalog is a substitute, because none was recorded
	succeeded succession

	calls, withArgs, wellFormed, errors, recovered int
	unknownArgs                                    int // calls whose arguments were not recorded
	listed, valid, refused, unknown                int

	unrecovered, invalid, invented map[string]judge.Note
}

type calledTool struct {
	id         string
	score      *toolScore // shared by all calls with the same server and name
	status     toolStatus
	noInput    bool             // the tool is in the catalog, and its schema has no properties
	schema     *schema.Compiled // nil if arguments cannot be checked, or if acceptsAny is true
	acceptsAny bool             // there is no schema, so any arguments fit
}

// toolStatus is whether the catalog has a tool.
type toolStatus int

const (
	toolUnknowable toolStatus = iota // no catalog of its server is known, or the tool was injected, deferred or the agent's own
	toolListed
	toolInvented
)

func newOrchestrationCount(o *orchestration, tr *trace.Trace) *orchestrationCount {
	c := &orchestrationCount{
		gate: o, scorer: newScorer(o.in.Classes, o.in.Servers), tools: map[*trace.Tool]*calledTool{},
		catalog: tr.Catalog, standIn: tr.Recorded == nil, injected: newPositions(tr.Distractors),
		deferred:    newPositions(tr.Deferred),
		unrecovered: map[string]judge.Note{}, invalid: map[string]judge.Note{}, invented: map[string]judge.Note{},
	}
	var calls int
	for i := range tr.Runs {
		calls += len(tr.Runs[i].Calls)
	}
	c.meter = judge.NewMeter(calls)
	c.succeeded = succession{tools: map[*toolScore]int{}, classes: make([]int, len(o.in.Classes))}
	if tr.Catalog != nil {
		c.listing = newPositions(lists.Map(tr.Catalog.Tools, (*catalog.Tool).Ref))
	}
	return c
}

func (c *orchestrationCount) countRun(run *trace.Run) {
	c.scorer.countRun(run)
	c.succeeded.run++
	// The loop goes backwards, so that later successes in the run are known.
	for i := range slices.Backward(run.Calls) {
		call := &run.Calls[i]
		tool := c.findTool(call.Tool)
		c.calls++
		c.countShape(call, tool)
		c.countOutcome(call, tool, run.Number)
		c.countCatalogUse(call, tool, run.Number)
	}
}

func (c *orchestrationCount) countShape(call *trace.Call, tool *calledTool) {
	if call.Args == trace.ArgsUnknown {
		c.unknownArgs++
	}
	if call.Args == trace.ArgsObject || call.Args == trace.ArgsEmpty && tool.noInput {
		c.withArgs++
	}
	if call.Tool.Name != "" && call.Args != trace.ArgsMalformed {
		c.wellFormed++
	}
}

// countOutcome counts a call's success, or its error and whether a later call recovered from it.
func (c *orchestrationCount) countOutcome(call *trace.Call, tool *calledTool, run int) {
	if !c.failed(call) {
		c.succeeded.add(tool.score)
		return
	}
	c.errors++
	if c.succeeded.has(tool.score) {
		c.recovered++
		return
	}
	tally(c.unrecovered, tool.id, run)
}

func (c *orchestrationCount) failed(call *trace.Call) bool {
	pattern := c.gate.errorPattern
	if call.Failed || pattern == nil || call.Detail == nil {
		return call.Failed
	}
	return c.meter.Match(pattern, call.Detail.Result)
}

func (c *orchestrationCount) countCatalogUse(call *trace.Call, tool *calledTool, run int) {
	switch tool.status {
	case toolInvented:
		c.unknown++
		tally(c.invented, tool.id, run)
	case toolListed:
		c.listed++
		switch c.checkArguments(call, tool) {
		case judge.ArgsValid:
			c.valid++
		case judge.ArgsInvalid:
			c.refused++
			tally(c.invalid, tool.id, run)
		}
	}
}

var noArgs = []byte("{}")

func (c *orchestrationCount) checkArguments(call *trace.Call, tool *calledTool) judge.ArgumentCheck {
	switch {
	case tool.schema == nil && !tool.acceptsAny, call.Args == trace.ArgsUnknown:
		return judge.ArgsUnchecked
	case call.Args == trace.ArgsMalformed:
		return judge.ArgsInvalid
	case tool.acceptsAny:
		return judge.ArgsValid
	case call.Args == trace.ArgsEmpty:
		return c.meter.Check(tool.schema, noArgs)
	case call.Detail == nil:
		return judge.ArgsUnchecked
	}
	return c.meter.Check(tool.schema, call.Detail.Args)
}

func (c *orchestrationCount) findTool(tool *trace.Tool) *calledTool {
	return lists.Cached(c.tools, tool, func() *calledTool {
		t := &calledTool{id: tool.ID(), score: c.scorer.findTool(tool)}
		c.setStatus(t, tool.Ref)
		return t
	})
}

func (c *orchestrationCount) setStatus(t *calledTool, ref catalog.Ref) {
	if c.catalog == nil {
		return
	}
	at := c.listing.positionOf(ref)
	isOwn := ref.Server == trace.BuiltinServer && !slices.Contains(c.gate.in.Servers, ref.Server) // no catalog lists an agent's own tools
	switch {
	case at != notFound:
		t.status = toolListed
		c.readSchema(t, c.catalog.Tools[at])
	case c.injected.positionOf(ref) != notFound, c.deferred.positionOf(ref) != notFound: // the tool exists, but its schema is unknown
	case !isOwn && !c.isUnknownServer(ref.Server):
		t.status = toolInvented
	}
}

// isUnknownServer reports whether the tools of a server are unknown: no catalog was recorded, and the server has no snapshot.
func (c *orchestrationCount) isUnknownServer(server string) bool {
	isDeclared := slices.Contains(c.gate.in.Servers, server)
	if !c.standIn || !isDeclared || c.gate.in.SnapshotOf == nil {
		return false
	}
	_, hasSnapshot := c.gate.in.SnapshotOf(server)
	return !hasSnapshot
}

func (c *orchestrationCount) readSchema(t *calledTool, tool *catalog.Tool) {
	isNull := tool.InputSchema.Kind() == 'n'
	t.acceptsAny = len(tool.InputSchema) == 0 || isNull
	doc, ok := judge.DecodeJSON(tool.InputSchema)
	object, _ := doc.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	t.noInput = len(properties) == 0
	if !ok {
		return
	}
	if compiled, err := c.meter.Compile(doc); err == nil {
		t.schema = compiled
	}
}

// succession records the tools and classes with a success later in the run.
type succession struct {
	run     int                // number of the current run, counted from 1
	tools   map[*toolScore]int // for each tool, the last run in which it succeeded
	classes []int              // for each class, the last run in which a member succeeded
}

func (s *succession) add(t *toolScore) {
	s.tools[t] = s.run
	for _, class := range t.classes {
		s.classes[class] = s.run
	}
}

func (s *succession) has(t *toolScore) bool {
	return s.tools[t] == s.run || slices.ContainsFunc(t.classes, func(class int) bool { return s.classes[class] == s.run })
}
