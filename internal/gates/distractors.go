package gates

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Distractors measures whether an agent finds the right tool among irrelevant ones.
var Distractors = &judge.Gate{
	Name: "distractors",
	Doc: `Distractors: does the agent pick the right tools among distractors

` + "```yaml" + `
distractors:
  count: 8
  source: {from: catalog}
  correct: get_weather
` + "```" + `

Distractors are tools that an agent is offered beside the tools of its servers. A call to a ` + "`correct`" + ` tool is a correct hit. Any other call
to a distractor that the run was offered is a distractor hit. If the call or the list of distractors has no server, only tool names are
compared.

| ` + "`source`" + ` | distractors |
|---|---|
| ` + "`{from: catalog}`" + ` | the first tools of a bundled list of irrelevant tools, on a server ` + "`distractor`" + `. The suite must not declare a server of this name |
| ` + "`{from: near_duplicate, of: [get_product]}`" + ` | imitations of all tools in ` + "`of`" + `, with the same descriptions and schemas but new names. These kinds of names are used in turn, each for all tools: with ` + "`_v2`" + `, with ` + "`_internal`" + `, in the other case (` + "`getProduct`" + `), in the plural or singular (` + "`get_products`" + `), with ` + "`legacy_`" + ` in front, with ` + "`_beta`" + `. Names that the server already has are skipped |

A run is scored against the distractors in its recording. If the recording has none, the run is scored against the distractors of these
settings. If a run was offered fewer distractors than ` + "`count`" + `, the gate is an error.

With ` + "`curve: [0, 4, 8]`" + `, mcp-gates makes live runs with each of these numbers of distractors. The report draws [a curve](live.md#the-curve).
All gates of the test judge only the runs with ` + "`count`" + ` distractors. A run without a recorded number counts as a run with the largest number.`,
	Keys: []judge.Key{
		{Name: "count", Type: judge.TypeWhole, Required: true, Doc: "The number of distractors, 0 or more."},
		{Name: "source", Type: judge.TypeMap, Required: true, Doc: "The source of the distractors.", Keys: []judge.Key{
			{Name: "from", Type: "catalog | near_duplicate", Required: true, Doc: "The bundled list, or imitations."},
			{Name: "of", Type: judge.TypeTexts, Doc: "The tools to imitate: `name` (on the first server with this tool) or `server.name`. Required for near_duplicate, refused for catalog."},
		}},
		{Name: "correct", Type: judge.TypeTexts, Doc: "The right tools. If there are none, only distractor hits count."},
		{Name: "complexity", Type: "serial | parallel", Doc: "A label by which reports group accuracy. It changes no verdict."},
		{Name: "curve", Type: judge.TypeWholes, Doc: "The numbers of distractors for live runs. `count` must be one of these numbers."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   distractorTargets,
	Default:   distractorDefault,
	Needs:     judge.NeedRuns,
	Configure: configureDistractors,
}

const (
	accuracyTarget  = "distractors.accuracy"
	choseTarget     = "distractors.chose_distractor"
	certifiedTarget = "distractors.certified_lower"
)

var distractorTargets = []judge.Target{
	{Name: accuracyTarget, Unit: judge.Percent, Doc: "correct hits / (correct hits + distractor hits). If there are no hits, the figure is 100 if `correct` is empty. Otherwise it is 0, or absent if no run called a tool."},
	{Name: choseTarget, Unit: judge.Number, Doc: "Distractor hits in all runs."},
	{Name: certifiedTarget, Unit: judge.Percent, Doc: "The [certified rate](runs-needed.md) of runs without a distractor hit. Unless `correct` is empty, these runs also need a correct hit."},
}

var distractorDefault = []judge.Floor{{Target: accuracyTarget, Bound: ">= 50"}}

type distractors struct {
	in         judge.Context
	count      int
	imitate    []string // tools that near duplicates imitate; nil if the bundled list is used
	correct    []string
	curve      []int // numbers of distractors, ascending; nil if the block has no curve
	complexity string
}

func configureDistractors(block *yamlread.Map, in judge.Context) judge.Plan {
	d := distractors{in: in}
	if !block.Has("count") {
		block.Errorf(block.Pos(), `"count" is missing, expected a whole number of 0 or more`)
	}
	d.count, _ = block.Whole("count", 0)
	d.readCurve(block)
	of := d.readSource(block)
	correct := uniqueMembers(block, block.Strs("correct"))
	d.correct = memberNames(correct)
	d.complexity = judge.ReadChoice(block, "complexity", "serial", "parallel")
	plan := judge.Plan{
		Measurer: &d,
		Expect:   judge.ReadExpect(block, distractorTargets, distractorDefault),
		Members:  slices.Concat(correct, of),
		Named:    d.namedTools(),
		Sought:   soughtTools(block.KeyPos("correct"), d.correct), Servers: d.in.Servers,
	}
	if d.curve != nil {
		plan.Measurer = onCurve{&d}
	}
	block.Done()
	return plan
}

// onCurve is a distractors block with a curve. All gates of the case judge only the runs with count distractors.
type onCurve struct{ *distractors }

// Selects reports whether a run was offered count distractors.
func (d onCurve) Selects(run *trace.Run) bool { return d.pointOf(run) == d.count }

var (
	_ judge.Injector = (*distractors)(nil)
	_ judge.Labeller = (*distractors)(nil)
	_ judge.Selector = onCurve{}
)

// Offer returns the points of the curve.
func (d *distractors) Offer() []int { return d.curve }

// Complexity returns the label of the task.
func (d *distractors) Complexity() string { return d.complexity }

// namedTools returns the lists for Plan.Named: one list with all right tools, because one of them must exist, and one list for each
// tool to imitate.
func (d *distractors) namedTools() [][]string {
	var names [][]string
	if len(d.correct) > 0 {
		names = append(names, d.correct)
	}
	for _, tool := range d.imitate {
		names = append(names, []string{tool})
	}
	return names
}

// readSource reads the key source, and returns the tools under its key "of".
func (d *distractors) readSource(block *yamlread.Map) []judge.Member {
	if !block.Has("source") {
		block.Errorf(block.Pos(), `"source" is missing, expected {from: catalog} or {from: near_duplicate, of: [TOOL]}`)
	}
	m := block.Map("source")
	if m == nil {
		return nil
	}
	defer m.Done()
	if !m.Has("from") {
		m.Errorf(m.Pos(), `"from" is missing, expected catalog or near_duplicate`)
	}
	from := judge.ReadChoice(m, "from", "catalog", "near_duplicate")
	of := uniqueMembers(m, m.Strs("of"))
	switch {
	case from == "near_duplicate" && !m.Has("of"):
		m.Errorf(m.Pos(), `"of" is missing, expected the tools to imitate`)
	case from == "near_duplicate" && len(of) == 0:
		m.Errorf(m.KeyPos("of"), `"of" names no tool, expected at least one to imitate`)
	case from == "catalog" && m.Has("of"):
		m.Errorf(m.KeyPos("of"), `"of" belongs to near_duplicate, and "from" is catalog`)
	}
	switch from {
	case "near_duplicate":
		d.imitate = memberNames(of)
	case "catalog":
		d.checkBundled(block, m)
	}
	return of
}

func (d *distractors) checkBundled(block, m *yamlread.Map) {
	if listed := len(bundled()); d.largestPoint() > listed {
		key := "count"
		if d.count <= listed {
			key = "curve"
		}
		block.Errorf(block.KeyPos(key), "%q asks for %d distractors, but the bundled list has %d", key, d.largestPoint(), listed)
	}
	if slices.Contains(d.in.Servers, distractorServer) {
		m.Errorf(m.KeyPos("from"), "the bundled distractors are served as %q, expected no server of that name", distractorServer)
	}
}

func (d *distractors) readCurve(block *yamlread.Map) {
	v, ok := block.Value("curve")
	if !ok {
		return
	}
	list := v.List()
	seen := map[int]bool{}
	for _, item := range list {
		n, ok := wholeOf(item)
		switch {
		case !ok:
			item.Errorf(`an entry of "curve" must be a whole number of 0 or more, found %s`, item.Describe())
		case seen[n]:
			item.Errorf(`"curve" holds %d twice`, n)
		default:
			d.curve = append(d.curve, n)
			seen[n] = true
		}
	}
	slices.Sort(d.curve)
	isRight := v.Kind() == yamlread.ListKind && len(d.curve) == len(list) // otherwise a mistake was reported
	if isRight && !slices.Contains(d.curve, d.count) {
		v.Errorf(`"curve" must hold the %d of "count"`, d.count)
	}
}

// maxPoint is the greatest point that a curve can have. No client offers more tools.
const maxPoint = 1_000_000

// wholeOf returns a value as a whole number from 0 to maxPoint.
func wholeOf(v yamlread.Value) (int, bool) {
	r, ok := v.Rat()
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	if strings.ContainsAny(v.Text(), ".eE") { // 4.0 and 4e0 are not written as whole numbers
		return 0, false
	}
	n := r.Num().Int64()
	return int(n), n >= 0 && n <= maxPoint
}

func (d *distractors) largestPoint() int {
	return slices.Max(slices.Concat(d.curve, []int{d.count}))
}

func (d *distractors) pointOf(run *trace.Run) int {
	if run.Offered.Known {
		return int(min(run.Offered.N, maxPoint+1))
	}
	return d.largestPoint()
}
