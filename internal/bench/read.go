package bench

import (
	"math/big"
	"strconv"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Load reads the catalog at a path that a spec names. The path is as written; mistakes about the path itself belong at
// its position.
type Load func(path yamlread.Str) (*catalog.Catalog, source.Errors)

// Read reads the spec in data, the text of file: a catalog (catalog: in place, or catalog_path:), intents, mutations,
// min_accuracy and min_wilson_lower. With mistakes the spec is of no use.
func Read(file string, data []byte, load Load) (Spec, source.Errors) {
	var errs source.Errors
	m := yamlread.Parse(file, data, &errs)
	if m == nil {
		return Spec{}, errs.Sorted()
	}
	cat, problems := readCatalog(m, load)
	errs = append(errs, problems...)
	spec := ReadBlock(m, cat)
	m.Done()
	return spec, errs.Sorted()
}

func readCatalog(m *yamlread.Map, load Load) (*catalog.Catalog, source.Errors) {
	inline, hasInline := m.Value("catalog")
	hasPath := m.Has("catalog_path")
	switch {
	case hasInline && hasPath:
		m.Errorf(m.KeyPos("catalog_path"), `"catalog_path" stands beside "catalog", expected one of the two`)
	case hasInline:
		return InlineCatalog(inline), nil
	case !hasPath:
		m.Errorf(m.Pos(), `"catalog" is missing, expected it or "catalog_path"`)
	default:
		if path := m.Str("catalog_path"); path.Value != "" {
			return load(path)
		}
	}
	return nil, nil
}

// ReadBlock reads the keys of a spec that stand beside its catalog: intents, mutations, min_accuracy and
// min_wilson_lower. The tools that they name must be in cat, unless it is nil because it could not be read.
func ReadBlock(m *yamlread.Map, cat *catalog.Catalog) Spec {
	r := newReader(m, cat)
	r.intents()
	r.mutations()
	r.refuseExcess(m.KeyPos("mutations"))
	one := big.NewRat(1, 1)
	r.spec.MinAccuracy, _ = m.Decimal("min_accuracy", new(big.Rat), one)
	r.spec.MinWilsonLower, _ = m.Decimal("min_wilson_lower", new(big.Rat), one)
	return r.spec
}

// reader reads a spec about one catalog.
type reader struct {
	m     *yamlread.Map
	spec  Spec
	named map[string][]*catalog.Tool // by name and by server.name, in the catalog's order
	names []string                   // keys of named: the bare names, then what only servers tell apart
}

func newReader(m *yamlread.Map, cat *catalog.Catalog) *reader {
	r := &reader{m: m, spec: Spec{Catalog: cat}, named: map[string][]*catalog.Tool{}}
	if cat == nil {
		return r
	}
	for _, t := range cat.Tools {
		r.add(t.Name, t)
		if t.Server != "" {
			r.add(t.Ref().ID(), t)
		}
	}
	return r
}

func (r *reader) add(name string, t *catalog.Tool) {
	if r.named[name] == nil {
		r.names = append(r.names, name)
	}
	r.named[name] = append(r.named[name], t)
}

// tools returns the tools of a name, and reports a name that the catalog lacks; what says what names them.
func (r *reader) tools(what string, name yamlread.Str) []*catalog.Tool {
	found := r.named[name.Value]
	if found == nil && name.Value != "" && r.spec.Catalog != nil {
		r.m.Errorf(name.Pos, "%s %q is not in the catalog%s", what, name.Value, source.DidYouMean(name.Value, r.names))
	}
	return found
}

func (r *reader) intents() {
	if !r.m.Has("intents") {
		r.m.Errorf(r.m.Pos(), `"intents" is missing, expected a list of queries and their gold tools`)
		return
	}
	value, _ := r.m.Value("intents")
	if value.Kind() == yamlread.ListKind && len(value.List()) == 0 {
		value.Errorf(`"intents" must have at least one entry`)
	}
	budget := source.MaxSuite
	for _, block := range r.m.Maps("intents") {
		intent := r.intent(block)
		// A long query that thousands of aliases repeat.
		if budget -= len(intent.Query); budget < 0 {
			value.Errorf("queries are more than %d bytes long together", source.MaxSuite)
			return
		}
		r.spec.Intents = append(r.spec.Intents, intent)
	}
}

func (r *reader) intent(block *yamlread.Map) Intent {
	intent := Intent{Query: block.Str("query").Value}
	gold := block.Strs("gold")
	for _, name := range gold {
		intent.Gold = append(intent.Gold, r.tools("gold tool", name)...)
	}
	if v, ok := block.Value("gold"); !ok {
		block.Errorf(block.Pos(), `"gold" is missing, expected the tools that are right picks`)
	} else if v.Kind() == yamlread.ListKind && len(v.List()) == 0 {
		v.Errorf(`"gold" must name at least one tool`)
	}
	block.Done()
	return intent
}

// mutations reads "mutations": the word auto, or a list.
func (r *reader) mutations() {
	value, ok := r.m.Value("mutations")
	switch {
	case !ok:
	case value.Kind() == yamlread.TextKind && value.Text() == "auto":
		r.spec.Auto = true
	case value.Kind() != yamlread.ListKind:
		value.Errorf(`"mutations" must be a list or auto, found %s`, value.Describe())
	default:
		for _, block := range r.m.Maps("mutations") {
			r.mutation(block)
		}
	}
}

func (r *reader) mutation(block *yamlread.Map) {
	m := Mutation{Tool: r.oneTool(block.Str("tool")), Kind: r.kind(block.Str("kind"))}
	switch m.Kind {
	case Truncate:
		if !block.Has("chars") {
			block.Errorf(block.Pos(), `"chars" is missing: truncate needs the number of characters to keep`)
		}
		m.Chars = block.Int("chars", 0, 0)
	case DropKeyword:
		if !block.Has("word") {
			block.Errorf(block.Pos(), `"word" is missing: drop_keyword needs the word to remove`)
			break
		}
		m.Word = block.Str("word").Value
	case "":
		// What the parameters of an unknown kind ought to be is not known either.
		block.Has("chars")
		block.Has("word")
	}
	block.Done()
	r.spec.Mutations = append(r.spec.Mutations, m)
}

// oneTool returns the tool of a name, the first where one server lists it twice.
func (r *reader) oneTool(name yamlread.Str) *catalog.Tool {
	found := r.tools("tool", name)
	if len(found) == 0 {
		return nil
	}
	for _, t := range found {
		if t.Server != found[0].Server {
			r.m.Errorf(name.Pos, "tool %q is on several servers, expected %q or %q", name.Value, found[0].Ref().ID(), t.Ref().ID())
			return nil
		}
	}
	return found[0]
}

// kind returns a known kind, or "" for anything else, which it reports.
func (r *reader) kind(name yamlread.Str) Kind {
	var valid []string
	for _, kind := range Kinds {
		if name.Value == string(kind) {
			return kind
		}
		valid = append(valid, string(kind))
	}
	if name.Value != "" {
		r.m.Errorf(name.Pos, "kind must be blank, genericize, truncate or drop_keyword, found %s%s",
			strconv.Quote(name.Value), source.DidYouMean(name.Value, valid))
	}
	return ""
}
