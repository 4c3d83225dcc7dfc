package gates

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// TrajectoryAxes measures the order of calls and the flow of data between them. It needs no whole path.
var TrajectoryAxes = &judge.Gate{
	Name: "trajectory_axes",
	Doc: `Trajectory axes: do calls follow the right order, and do arguments come from earlier results

` + "```yaml" + `
trajectory_axes:
  order:
    - {before: find_order, after: refund}
  data_flow:
    - {from: find_order, to: refund.args.order_id}
` + "```" + `

An edge joins two tools. The first tool of a ` + "`data_flow`" + ` edge is its producer. The second tool of any edge is its consumer. A call of the
consumer counts even if it failed. The default of ` + "`axes.order`" + ` applies only with the key ` + "`order`" + `, and the default of ` + "`axes.data_flow`" + ` only
with the key ` + "`data_flow`" + `.

- An ` + "`order`" + ` edge holds if a successful call of ` + "`before`" + ` precedes the first call of ` + "`after`" + `.
- A ` + "`data_flow`" + ` edge holds if every call of the consumer has the argument, and an earlier successful result of the producer supplies the
  argument's value.

A result supplies a value if the value equals a leaf (a text, number, true or false) of the result, or if the value or the leaf contains the
other as whole words. Structured content is read first. Text that is JSON is read as JSON.

Letter case matters. Numbers are compared as numbers. Texts under 3 characters and numbers under 4 digits are too short: they supply nothing
and are not searched for in longer texts. A list or object is supplied if at least one of its values is long enough, and all values that are
long enough are supplied.

| edge | calls (! failed), -> result | held |
|---|---|---|
| order: find before delete | delete(1), find(1), delete(2) | no: the first delete counts |
| data_flow: find to open.args.url | find -> {"id": "A-17"}, open(url: "https://x.test/A-17") | yes |
| data_flow: find to delete.args.id | find -> {"id": 17}, delete(id: 17) | no: 17 is too short |`,
	Keys: []judge.Key{
		{Name: "order", Type: judge.TypeMaps, Doc: "Edges that require two tools to be called in order.", Keys: []judge.Key{
			{Name: "before", Type: judge.TypeText, Required: true, Doc: "The tool that must succeed first."},
			{Name: "after", Type: judge.TypeText, Required: true, Doc: "The consumer: the tool that must be called later."},
		}},
		{Name: "data_flow", Type: judge.TypeMaps, Doc: "Edges from a tool's result to another tool's argument.", Keys: []judge.Key{
			{Name: "from", Type: judge.TypeFlowEnd, Required: true, Doc: "The producer: the name of the tool, or a map.", Keys: []judge.Key{
				{Name: "tool", Type: judge.TypeText, Required: true, Doc: "The producer's name."},
				{Name: "path", Type: judge.TypeText, Doc: "The value's path in the result: `items[0].id`, or `items.id` for every item. Default: anywhere in the result."},
			}},
			{Name: "to", Type: judge.TypeFlowEnd, Required: true, Doc: "The consumer's argument, as a map or as the text `TOOL.args.ARGUMENT`, which is split at its last `.args.`.", Keys: []judge.Key{
				{Name: "tool", Type: judge.TypeText, Required: true, Doc: "The consumer's name."},
				{Name: "arg", Type: judge.TypeText, Required: true, Doc: "The argument's name, or a path such as `filter.ids[0]`."},
			}},
		}},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   axesTargets,
	Default:   axesDefault,
	Needs:     judge.NeedRuns,
	Configure: configureTrajectoryAxes,
}

const (
	orderTarget     = "axes.order"
	dataFlowTarget  = "axes.data_flow"
	unreachedTarget = "axes.unreached"
)

var axesTargets = []judge.Target{
	{Name: orderTarget, Unit: judge.Percent, Doc: "Share of edges of `order` that hold. An edge counts once for each run that called its consumer."},
	{Name: dataFlowTarget, Unit: judge.Percent, Doc: "Share of edges of `data_flow` that hold. An edge counts once for each run that called its consumer."},
	{Name: unreachedTarget, Unit: judge.Number, Doc: "Edges of both kinds whose consumer was not called. An edge counts once for each such run."},
}

var axesDefault = []judge.Floor{{Target: orderTarget, Bound: ">= 100"}, {Target: dataFlowTarget, Bound: ">= 100"}}

// maxEdges bounds the number of edges of a block, because each run is compared with each edge.
const maxEdges = 100

// axisEdge is an edge of order or data_flow, from a producer to a consumer.
type axisEdge struct {
	text     string // text for reports
	line     int
	from, to judge.Members
	fromTool string // name of the producer, as the suite writes it
	flow     bool
	path     *judge.ArgPath // path into the result; nil if the whole result is searched
	arg      judge.ArgPath  // argument of the consumer, for an edge of data_flow
	argText  string
}

type trajectoryAxes struct {
	servers []string
	edges   []axisEdge
	members []judge.Member
	seen    map[string]source.Pos
}

func configureTrajectoryAxes(block *yamlread.Map, in judge.Context) judge.Plan {
	t := trajectoryAxes{servers: in.Servers, seen: map[string]source.Pos{}}
	var def []judge.Floor
	for i, axis := range []struct {
		key  string
		read func(*yamlread.Map) (axisEdge, bool)
	}{{"order", t.readOrder}, {"data_flow", t.readFlow}} {
		if block.Has(axis.key) {
			t.readEdges(block, axis.key, axis.read)
			def = append(def, axesDefault[i])
		}
	}
	if len(def) == 0 {
		block.Errorf(block.Pos(), `"order" and "data_flow" are missing, expected at least one of them`)
	}
	plan := judge.Plan{Measurer: &t, Expect: judge.ReadExpect(block, axesTargets, def), Members: t.members}
	for _, m := range t.members {
		plan.Named = append(plan.Named, []string{m.Name})
	}
	block.Done()
	return plan
}

func (t *trajectoryAxes) readEdges(block *yamlread.Map, key string, read func(*yamlread.Map) (axisEdge, bool)) {
	v, _ := block.Value(key)
	if v.IsEmptyList() {
		v.Errorf("%q is empty, expected at least one edge", key)
	}
	for _, m := range block.Maps(key) {
		edge, ok := read(m)
		m.Done()
		if !ok {
			continue
		}
		id := key + " " + edge.text
		if first, twice := t.seen[id]; twice {
			m.Errorf(m.Pos(), "the edge %q is given twice, first at %d:%d", judge.Clip(edge.text), first.Line, first.Col)
			continue
		}
		t.seen[id] = m.Pos()
		if len(t.edges) == maxEdges {
			m.Errorf(m.Pos(), "there are more than %d edges, expected at most that many", maxEdges)
			return
		}
		edge.line = m.Pos().Line
		t.edges = append(t.edges, edge)
	}
}

func (t *trajectoryAxes) readOrder(m *yamlread.Map) (axisEdge, bool) {
	before, after := m.Str("before"), m.Str("after")
	if before.Value == "" || after.Value == "" {
		return axisEdge{}, false
	}
	if before.Value == after.Value {
		m.Errorf(after.Pos, `"after" is %q like "before", expected another tool`, judge.Clip(after.Value))
		return axisEdge{}, false
	}
	return axisEdge{
		text: before.Value + " before " + after.Value, fromTool: before.Value, from: t.addTool(before), to: t.addTool(after),
	}, true
}

// readFlow reads an edge of data_flow: a path into the result of one tool, and an argument of another.
func (t *trajectoryAxes) readFlow(m *yamlread.Map) (axisEdge, bool) {
	from, path := flowEnd(m, "from", "path")
	to, arg := flowEnd(m, "to", "arg")
	if from.Value == "" || to.Value == "" || arg.Value == "" {
		return axisEdge{}, false
	}
	edge := axisEdge{flow: true, fromTool: from.Value, argText: arg.Value, text: from.Value + " to " + to.Value + ".args." + arg.Value}
	if path.Value != "" {
		read, ok := judge.ParseArgPath(path.Value)
		if !ok {
			m.Errorf(path.Pos, `"path" must be a path such as items.id or items[0].id, found %q`, judge.Clip(path.Value))
			return edge, false
		}
		edge.path, edge.text = &read, from.Value+" at "+path.Value+" to "+to.Value+".args."+arg.Value
	}
	read, ok := judge.ParseArgPath(arg.Value)
	if !ok {
		m.Errorf(arg.Pos, `"arg" must be an argument or a path such as filter.ids[0], found %q`, judge.Clip(arg.Value))
		return edge, false
	}
	edge.arg, edge.from, edge.to = read, t.addTool(from), t.addTool(to)
	return edge, true
}

// flowEnd reads one end of an edge of data_flow: a text, or a map with the key tool and the key that detail names. It returns empty
// texts for a mistake.
func flowEnd(m *yamlread.Map, key, detail string) (tool, part yamlread.Str) {
	v, ok := m.Value(key)
	if !ok {
		m.Errorf(m.Pos(), "%q is missing, expected %s", key, flowEnds[key])
		return tool, part
	}
	needsDetail := detail == "arg" // a path is optional
	if v.Kind() != yamlread.TextKind {
		end, _ := v.Map()
		tool = end.Str("tool")
		if needsDetail {
			part = end.Str(detail)
		} else {
			part, _ = end.OptStr(detail)
		}
		end.Done()
		return tool, part
	}
	if !needsDetail {
		return m.Str(key), part
	}
	text, _ := v.Str()
	const between = ".args."
	at := strings.LastIndex(text.Value, between)
	if at <= 0 || at+len(between) == len(text.Value) {
		v.Errorf("%q must be %s, found %q", key, flowEnds[key], judge.Clip(text.Value))
		return tool, part
	}
	return yamlread.Str{Value: text.Value[:at], Pos: text.Pos}, yamlread.Str{Value: text.Value[at+len(between):], Pos: text.Pos}
}

var flowEnds = map[string]string{
	"from": "the name of a tool, or a map of tool and path", "to": "TOOL.args.ARGUMENT, or a map of tool and arg",
}

// addTool adds a tool to the members of the block, and returns a set with this tool.
func (t *trajectoryAxes) addTool(name yamlread.Str) judge.Members {
	t.members = append(t.members, judge.Member{Name: name.Value, Pos: name.Pos})
	return judge.NewMembers([]string{name.Value}, t.servers)
}

var _ judge.Keeper = (*trajectoryAxes)(nil)

// Keep asks for arguments and results if there is an edge of data_flow.
func (t *trajectoryAxes) Keep() trace.Keep {
	for _, edge := range t.edges {
		if edge.flow {
			return trace.KeepArgs | trace.KeepResults
		}
	}
	return 0
}

// Measure compares each run with each edge.
func (t *trajectoryAxes) Measure(tr *trace.Trace) judge.Measurement {
	c := newAxesCount(t)
	calls := 0
	for i := range tr.Runs {
		calls += len(tr.Runs[i].Calls)
		c.countRun(&tr.Runs[i])
	}
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}, Steps: c.work.Steps()}
	m.Counts = map[string]int{"order": c.order.pairs, "order_held": c.order.held}
	if c.unkept == 0 {
		m.Counts["data_flow"], m.Counts["data_flow_held"] = c.flow.pairs, c.flow.held
	}
	if calls == 0 {
		m.Absent = allAbsent(axesTargets, judge.NoCall)
		return m
	}
	m.Notes = c.notes()
	m.Values[unreachedTarget] = judge.Int(c.unreached, judge.Number)
	m.Detail[unreachedTarget] = fmt.Sprintf("of %s of an edge and a run", judge.CountOf(len(t.edges)*len(tr.Runs), "pair"))
	for target, axis := range map[string]axisCount{orderTarget: c.order, dataFlowTarget: c.flow} {
		switch {
		case axis.pairs > 0:
			m.Values[target] = share(axis.held, axis.pairs)
			m.Detail[target] = fmt.Sprintf("%d of %s held", axis.held, judge.CountOf(axis.pairs, "pair")) + axis.first
		case axis.edges == 0:
			m.Absent[target] = fmt.Sprintf("the block has no %q", strings.TrimPrefix(target, "axes."))
		default:
			m.Absent[target] = "no run called the consumer of an edge"
		}
	}
	if c.unkept > 0 {
		setAbsent(&m, fmt.Sprintf("the log keeps no arguments of %s of a consumer; have the agent log them", judge.CountOf(c.unkept, "call")), dataFlowTarget)
	}
	return m
}
