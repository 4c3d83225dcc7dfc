package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/finding"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Findability measures whether the searches of clients find tools.
var Findability = &judge.Gate{
	Name: "findability",
	Doc: `Findability: do the searches of clients find the tools

` + "```yaml" + `
findability:
  - name: our tools are found
    server: tickets
    beside: [catalogs/github.json]
    search: [claude-code, codex]
    intents: auto
` + "```" + `

Each entry of this top-level list judges catalogs for clients that [search for tools](find.md).

With ` + "`intents: auto`" + `, each sentence of a tool's description and title is an intent. The query consists of the sentence's content words, and
the right tool is the described tool.

- If there is a base, the sentences come from the **base's** descriptions: a tool's old words must still find the tool. A renamed tool
  counts as the same tool. For an added tool, the sentences come from its new description. The intents of all cases together search at most
  500 million tools.
- Without a base, or if the base is a saved report, the sentences come from today's descriptions.
- A sentence is left out if several tools share it, if it names another tool, or if it has fewer than two content words. Under
  ` + "`claude-code`" + `, a sentence without an ASCII word is left out, too.

If several tools have the same score, the right tool gets the worst of their ranks, because Codex orders such tools at random. A right tool
that a search does not find ranks after all tools. Reports list tools that rank lower than before, but these change no verdict. Tools that
the model is offered from the start are not searched for. The search of Codex also reads argument names, so that a
[manifest](catalogs.md#manifests) is an error for ` + "`codex`" + `.`,
	Keys: []judge.Key{
		{Name: "name", Type: judge.TypeText, Required: true, Doc: "The name of the cases. Each search is a case."},
		{Name: "tags", Type: judge.TypeTexts, Doc: "Words by which `--tag` and `--skip-tag` select the case."},
		{Name: "server", Type: judge.TypeTexts, Doc: "The servers whose tools the search can return. Their tools are read as for `tool_quality`. Set either servers or catalogs."},
		{Name: "catalog", Type: judge.TypeTexts, Doc: "Paths of catalogs whose tools the search can return. A catalog belongs to the declared server with this `catalog:`. If no server declares the catalog, its server is named after the file, or after the glob's folder."},
		{Name: besideKey, Type: judge.TypeTexts, Doc: "Paths of other catalogs whose tools the search can return. These tools are not judged."},
		{Name: searchKey, Type: judge.TypeTexts, Doc: "The searches: " + "`" + strings.Join(toolsearch.Names(), "`, `") + "`. Default: `claude-code` and `codex`."},
		{Name: "intents", Type: judge.TypeAutoMapsFile, Doc: "The intents: `auto` (the default), a list, or a [file](suite.md#intents-in-files).", Keys: intentKeys, OfFile: intentFileKeys},
		{Name: limitKey, Type: judge.TypeWhole, Doc: "The number of search results that the model sees. Default: the number that the client asks for."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   findTargets,
	Default:   findDefault,
	Needs:     judge.NeedCatalog,
	Configure: configureFindability,
}

// Other packages also read these keys of the block.
const (
	besideKey = "beside"
	searchKey = "search"
	limitKey  = "limit"
)

const (
	foundShareTarget = "findability.recall"
	topOneTarget     = "findability.top1"
	worstRankTarget  = "findability.worst_rank"
	lostTarget       = "findability.lost"
	unfoundTarget    = "findability.unfound"
)

var findTargets = []judge.Target{
	{Name: foundShareTarget, Unit: judge.Percent, Doc: "Share of intents for which a right tool ranks within `limit`."},
	{Name: topOneTarget, Unit: judge.Percent, Doc: "Share of intents for which a right tool ranks first."},
	{Name: worstRankTarget, Unit: judge.Number, Doc: "The worst rank of a right tool, over all intents."},
	{Name: lostTarget, Unit: judge.Number, Doc: "Tools that an intent found within `limit` in the base, but does not find now. Absent without a base.", OfChange: true},
	{Name: unfoundTarget, Unit: judge.Number, Doc: "Tools that none of their intents finds within `limit`."},
}

// findDefault expects that no tool is lost since the base. Without a base, it expects that every tool is found.
var findDefault = []judge.Floor{{Target: lostTarget, Bound: "<= 0"}, {Target: unfoundTarget, Bound: "<= 0", Unless: lostTarget}}

// defaultSearches are the clients whose searches are measured if a block names none.
var defaultSearches = []*toolsearch.Client{toolsearch.ClaudeCode, toolsearch.Codex}

// configureFindability reads an entry of findability, except its name and its catalogs.
func configureFindability(block *yamlread.Map, in judge.Context) judge.Plan {
	f := &findability{searches: readSearches(block)}
	const clientsOwn, atLeast = 0, 1
	f.question.Limit = block.Int(limitKey, clientsOwn, atLeast)
	if !isAuto(block) {
		f.question.Intents = bench.ReadIntents(block, benchCatalog(nil, in))
	}
	if len(f.searches) > 0 {
		f.question.Client = f.searches[0]
	}
	return judge.Plan{
		Expect:   judge.ReadExpect(block, findTargets, findDefault),
		Measurer: f,
		Named:    benchNames(bench.Spec{Intents: f.question.Intents}),
	}
}

func isAuto(block *yamlread.Map) bool {
	v, ok := block.Value("intents")
	if !ok {
		return true
	}
	if v.Kind() != yamlread.TextKind {
		return false
	}
	if v.Text() != "auto" {
		v.Errorf(`"intents" must be auto, a list, or a map with "file", found %s`, v.Describe())
	}
	return true
}

// readSearches reads the clients whose searches are measured. Without the key, it returns defaultSearches.
func readSearches(block *yamlread.Map) []*toolsearch.Client {
	v, ok := block.Value(searchKey)
	if !ok {
		return defaultSearches
	}
	if v.IsEmptyList() {
		v.Errorf("%q must name at least one search, found an empty list", searchKey)
	}
	var list []*toolsearch.Client
	for _, name := range block.Strs(searchKey) {
		one := toolsearch.Named(name.Value)
		switch {
		case one == nil:
			block.Errorf(name.Pos, "unknown search %q%s", judge.Clip(name.Value), source.DidYouMean(name.Value, toolsearch.Names()))
		case slices.Contains(list, one):
			block.Errorf(name.Pos, "search %q is given twice", name.Value)
		default:
			list = append(list, one)
		}
	}
	return list
}

type findability struct {
	searches []*toolsearch.Client
	question finding.Question // Now and Base, which have the tools, are not set
}

// Searcher is a Measurer that measures with the search of one of several clients.
type Searcher interface {
	// Searches returns the clients.
	Searches() []*toolsearch.Client
	// Under returns a Measurer that measures with the search of one of the clients.
	Under(*toolsearch.Client) judge.Measurer
	// Asks returns the measured question, without the tools. Its Intents are nil if the intents are sentences of the tools.
	Asks() finding.Question
}

var _ Searcher = (*findability)(nil)

func (f *findability) Searches() []*toolsearch.Client { return f.searches }

func (f *findability) Under(c *toolsearch.Client) judge.Measurer {
	one := *f
	one.question.Client = c
	return &one
}

func (f *findability) Asks() finding.Question { return f.question }

// Measure ranks the right tools of each intent.
func (f *findability) Measure(tr *trace.Trace) judge.Measurement {
	q := f.question
	q.Now.Tools = tr.Catalog
	noBase := "none of its tools is here any more"
	if competing := tr.Competing; competing != nil {
		q.Now.Beside, q.MostWork = competing.Beside, competing.MostWork
		if competing.Base != nil {
			q.Base = &finding.Side{Tools: competing.Base, Beside: competing.BaseBeside}
		} else {
			noBase = competing.NoBase
		}
	}
	if lacks := schemaUnknown(q); lacks != "" {
		return judge.Measurement{Err: lacks}
	}
	r := q.Measure()
	switch {
	case r.Excess > 0:
		return judge.Measurement{Err: fmt.Sprintf("with the tools of the base this searches %d tools, each intent counted, expected at most %d, the share of one case", r.Excess, q.MostWork)}
	case r.Missing != "":
		return judge.Measurement{Err: fmt.Sprintf("gold tool %q is not in the catalog", r.Missing)}
	case len(r.Answers) == 0:
		return judge.Measurement{Err: nothingToTry(r)}
	}
	return findMeasurement(q, r, "the base is not known: "+noBase)
}

// schemaUnknown returns an error message if the search reads schemas and the schema of a tool is unknown; "" otherwise.
func schemaUnknown(q finding.Question) string {
	if !q.Client.NeedsSchemas {
		return ""
	}
	for _, t := range catalog.Merge(q.Now.Tools, q.Now.Beside).Tools {
		if t.SchemaUnknown {
			return fmt.Sprintf("%s searches names of arguments, too, and the schema of tool %q is not known; take a snapshot of the server",
				q.Client.Name, judge.Clip(t.Ref().ID()))
		}
	}
	return ""
}

func nothingToTry(r *finding.Result) string {
	const nothing = "there is nothing to search for: "
	if left := restText(r); left != "" {
		return nothing + strings.TrimPrefix(left, "; ")
	}
	return nothing + "the tools say nothing of themselves"
}
