package bench

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/stat"
)

// Run runs a benchmark. counter counts cl100k tokens; if it is nil, they are not counted.
func Run(spec Spec, counter Counter) *Result {
	r := newRun(spec, counter)
	r.measure()
	for _, m := range r.mutations() {
		r.result.Effects = append(r.result.Effects, r.try(m))
	}
	if spec.Auto {
		sort.SliceStable(r.result.Effects, func(i, j int) bool {
			a, b := &r.result.Effects[i], &r.result.Effects[j]
			return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(a.Tool, b.Tool)) < 0
		})
	}
	return r.result
}

// run is a benchmark while it runs.
type run struct {
	spec     Spec
	counter  Counter
	tools    []*catalog.Tool
	index    map[*catalog.Tool]int
	labels   []string // by tool: its name in results
	selector *lexical.Selector
	right    []bool // by intent: whether the pick without mutations is right
	smells   []map[string]int
	linting  lint.Config
	result   *Result
}

func newRun(spec Spec, counter Counter) *run {
	r := &run{
		spec: spec, counter: counter, tools: spec.Catalog.Tools,
		labels:  labels(spec.Catalog.Tools),
		index:   map[*catalog.Tool]int{},
		smells:  make([]map[string]int, len(spec.Catalog.Tools)),
		linting: smellsOnly(),
		result:  &Result{Intents: len(spec.Intents)},
	}
	docs := make([]lexical.Doc, len(r.tools))
	for i, t := range r.tools {
		r.index[t] = i
		docs[i] = lexical.Doc{Name: t.Name, Description: t.Description}
	}
	r.selector = lexical.NewSelector(docs, queriesOf(spec.Intents))
	return r
}

// labels returns the tools' names, or server.name for a name that several tools have.
func labels(tools []*catalog.Tool) []string {
	uses := map[string]int{}
	for _, t := range tools {
		uses[t.Name]++
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
		if uses[t.Name] > 1 {
			names[i] = t.Ref().ID()
		}
	}
	return names
}

// smellsOnly returns a configuration with only the rules that find smells. The score does not depend on rules.
func smellsOnly() lint.Config {
	disable := map[string]bool{}
	for _, rule := range lint.Rules {
		disable[rule.ID] = rule.Smell == ""
	}
	return lint.Config{Disable: disable}
}

func (r *run) measure() {
	r.result.Counted = r.counter != nil
	picks := r.selector.Picks()
	r.right = r.rightOf(picks)
	var wrong []int
	for i, right := range r.right {
		if right {
			r.result.Correct++
			continue
		}
		wrong = append(wrong, i)
		r.result.Confusions = append(r.result.Confusions, r.confusion(r.spec.Intents[i], picks[i]))
	}
	r.explain(wrong)
	r.result.WilsonLow, r.result.WilsonHigh = stat.Wilson(r.result.Correct, r.result.Intents)
	quality := lint.Check(r.spec.Catalog, r.linting)
	r.result.MeanScore, r.result.MinScore, r.result.Smells = quality.Mean, quality.Min, quality.Smells
	r.result.SchemasUnknown = r.spec.Catalog.SchemasUnknown() > 0
	if !r.result.SchemasUnknown {
		r.cost()
	}
}

// rightOf returns for each intent whether its pick is one of its gold tools.
func (r *run) rightOf(picks []int) []bool {
	right := make([]bool, len(picks))
	for i, pick := range picks {
		right[i] = pick != lexical.None && slices.Contains(r.spec.Intents[i].Gold, r.tools[pick])
	}
	return right
}

func (r *run) confusion(intent Intent, pick int) Confusion {
	c := Confusion{Query: intent.Query}
	for _, t := range intent.Gold {
		c.Gold = append(c.Gold, r.labels[r.index[t]])
	}
	if pick != lexical.None {
		c.Picked = r.labels[pick]
	}
	return c
}

// mostExplained is the number of tools that are ranked for a wrong pick.
const mostExplained = 3

// explain ranks the first tools for each of the intents whose pick is wrong.
func (r *run) explain(wrong []int) {
	for i, list := range r.selector.Explain(wrong, queriesOf(r.spec.Intents), mostExplained) {
		c := &r.result.Confusions[i]
		for _, ranked := range list {
			words := lists.Map(ranked.Words, func(w lexical.Matched) Word { return Word{w.Word, w.Weight, w.Where()} })
			c.First = append(c.First, Ranked{r.labels[ranked.Doc], ranked.Score, words})
		}
	}
}

func queriesOf(intents []Intent) []string {
	return lists.Map(intents, func(intent Intent) string { return intent.Query })
}

func (r *run) cost() {
	for _, t := range r.tools {
		r.result.WhitespaceTokens += int64(words(t.Name) + words(t.Description) + words(compact(t.InputSchema)))
		if r.counter != nil {
			r.result.SurfaceTokens += int64(r.counter.Tool(t))
		}
	}
}

func words(text string) int {
	n := 0
	for range strings.FieldsSeq(text) {
		n++
	}
	return n
}

func compact(schema jsontext.Value) string {
	if len(schema) == 0 || schema.Kind() == 'n' {
		return ""
	}
	// A schema that is not JSON is returned unchanged.
	text, _ := jsontext.AppendFormat(nil, schema,
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	return string(text)
}

func (r *run) mutations() []Mutation {
	if !r.spec.Auto {
		return r.spec.Mutations
	}
	var all []Mutation
	for _, t := range r.tools {
		for _, kind := range kinds[:autoKinds] {
			all = append(all, Mutation{Tool: t, Kind: kind})
		}
	}
	return all
}

func (r *run) try(m Mutation) Effect {
	i := r.index[m.Tool]
	before, after := m.Tool.Description, m.apply(m.Tool.Description)
	e := Effect{Tool: r.labels[i], Mutation: m, WhitespaceRemoved: words(before) - words(after)}
	if r.counter != nil {
		e.SurfaceRemoved = r.counter.Text(before) - r.counter.Text(after)
	}
	for q, right := range r.rightOf(r.selector.PicksWith(i, after)) {
		if right {
			e.Correct++
		}
		if right != r.right[q] {
			e.Flipped = append(e.Flipped, r.spec.Intents[q].Query)
		}
	}
	e.Lost = r.result.Correct - e.Correct
	e.Smells = r.introduced(i, after)
	return e
}

// introduced returns the smells that tool i has with another description, and lacks with its own.
func (r *run) introduced(i int, description string) map[string]int {
	if r.smells[i] == nil {
		r.smells[i] = r.smellsOf(r.tools[i], r.tools[i].Description)
	}
	added := map[string]int{}
	for smell, n := range r.smellsOf(r.tools[i], description) {
		if n > r.smells[i][smell] {
			added[smell] = n - r.smells[i][smell]
		}
	}
	return added
}

func (r *run) smellsOf(t *catalog.Tool, description string) map[string]int {
	// The copy has no file, because finding the positions of findings takes time, and they are not used.
	changed := &catalog.Tool{
		Server: t.Server, Name: t.Name, Description: description,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations, SchemaUnknown: t.SchemaUnknown, Raw: t.Raw,
	}
	return lint.Check(&catalog.Catalog{Tools: []*catalog.Tool{changed}}, r.linting).Smells
}
