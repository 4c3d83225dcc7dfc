package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Load has the functions that read the files that a spec names. They get the path as written, and report a path that is wrong at
// its position.
type Load struct {
	Catalog func(path yamlread.Str) (*catalog.Catalog, source.Errors)
	File    Open
}

// ReadFile reads the spec in the file name of files, and the catalog that it names by a path relative to the spec. If there are
// mistakes, the spec must not be used.
func ReadFile(files fs.FS, name string) (Spec, source.Errors) {
	data, err := source.ReadFile(files, name, source.MaxSuite)
	if err != nil {
		return Spec{}, source.ErrorsOf(err)
	}
	within := func(at yamlread.Str) (string, *source.Error) {
		file := path.Join(path.Dir(name), filepath.ToSlash(at.Value))
		if path.IsAbs(at.Value) || filepath.IsAbs(at.Value) || file == ".." || strings.HasPrefix(file, "../") {
			return "", &source.Error{Pos: at.Pos, Msg: fmt.Sprintf("%q lies outside the workspace", at.Value)}
		}
		return file, nil
	}
	return Read(name, data, Load{
		Catalog: func(at yamlread.Str) (*catalog.Catalog, source.Errors) {
			file, outside := within(at)
			if outside != nil {
				return nil, source.Errors{outside}
			}
			cat, err := catalog.Files{FS: files, Name: file}.Read()
			var inFile source.Errors
			if err != nil && !errors.As(err, &inFile) {
				return nil, source.Errors{{Pos: at.Pos, Msg: fmt.Sprintf("catalog %q: %s", file, source.ErrorsOf(err)[0].Msg)}}
			}
			return cat, inFile
		},
		File: func(v yamlread.Value) (string, []byte, bool) { return openIntents(files, v, within) },
	})
}

// openIntents reads the file of intents at the path in a value.
func openIntents(files fs.FS, v yamlread.Value, within func(yamlread.Str) (string, *source.Error)) (file string, data []byte, ok bool) {
	at, ok := v.Str()
	if !ok {
		return "", nil, false
	}
	file, outside := within(at)
	if outside != nil {
		v.Errorf("%s", outside.Msg)
		return "", nil, false
	}
	data, err := source.ReadFile(files, file, source.MaxSuite)
	if err != nil {
		v.Errorf("intents %q: %s", file, source.ErrorsOf(err)[0].Msg)
	}
	return file, data, err == nil
}

// Read reads the spec in data, the text of file: a catalog (catalog: or catalog_path:), intents, mutations,
// min_accuracy and min_wilson_lower. If there are mistakes, the spec must not be used.
func Read(file string, data []byte, load Load) (Spec, source.Errors) {
	var errs source.Errors
	m := yamlread.Parse(file, data, &errs)
	if m == nil {
		return Spec{}, errs.Sorted()
	}
	cat, problems := readCatalog(m, load.Catalog)
	errs = append(errs, problems...)
	m, list := WithIntents(m, cat, load.File)
	spec := ReadBlock(m, cat)
	if list != nil {
		spec.LeftOut = list.LeftOut()
	}
	m.Done()
	return spec, errs.Sorted()
}

// readCatalog returns the catalog that the file contains, or that load reads from the path in the file.
func readCatalog(m *yamlread.Map, load func(yamlread.Str) (*catalog.Catalog, source.Errors)) (*catalog.Catalog, source.Errors) {
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

// ReadBlock reads the keys of a spec other than its catalog: intents, mutations, min_accuracy and min_wilson_lower. The tools that
// they name must be in cat. If cat is nil, names are not checked.
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

// ReadIntents reads the intents of m. The tools that they name must be in cat; if cat is nil, names are not checked.
func ReadIntents(m *yamlread.Map, cat *catalog.Catalog) []Intent {
	r := newReader(m, cat)
	r.intents()
	return r.spec.Intents
}

type reader struct {
	m     *yamlread.Map
	spec  Spec
	names *names
}

func newReader(m *yamlread.Map, cat *catalog.Catalog) *reader {
	return &reader{m: m, spec: Spec{Catalog: cat}, names: namesOf(cat)}
}

// report reports the mistake in a name. It does nothing if the name is "" or if there is no catalog.
func (r *reader) report(name yamlread.Str, err error) {
	if err != nil && name.Value != "" && r.spec.Catalog != nil {
		r.m.Errorf(name.Pos, "%s", err)
	}
}

// intents reads the list of intents. It bounds the total size of the queries, because aliases can repeat them.
func (r *reader) intents() {
	if !r.m.Has("intents") {
		r.m.Errorf(r.m.Pos(), `"intents" is missing, expected a list of queries and their gold tools`)
		return
	}
	value, _ := r.m.Value("intents")
	if value.Kind() == yamlread.MapKind { // WithIntents reported why it could not replace the map by intents
		return
	}
	if value.Kind() == yamlread.TextKind && value.Text() != "" {
		value.Errorf(`"intents" must be a list, or a map that names a file of them, found %q; write {file: %s}`, source.Shorten(value.Text(), 80), source.Shorten(value.Text(), 80))
		return
	}
	if value.IsEmptyList() {
		value.Errorf(`"intents" must have at least one entry`)
	}
	budget := source.MaxSuite
	for _, block := range r.m.Maps("intents") {
		intent := r.intent(block)
		budget -= len(intent.Query)
		if budget < 0 { // thousands of aliases can repeat a long query
			value.Errorf("queries are more than %d bytes long together", source.MaxSuite)
			return
		}
		r.spec.Intents = append(r.spec.Intents, intent)
	}
}

func (r *reader) intent(block *yamlread.Map) Intent {
	intent := Intent{Query: block.Str("query").Value, MaxRank: block.Int("max_rank", 0, 1), Pos: block.Pos()}
	gold := block.Strs("gold")
	for _, name := range gold {
		found, err := r.names.find("gold tool", name.Value)
		r.report(name, err)
		intent.Gold, intent.Names = append(intent.Gold, found...), append(intent.Names, name.Value)
	}
	if v, ok := block.Value("gold"); !ok {
		block.Errorf(block.Pos(), `"gold" is missing, expected the tools that are right picks`)
	} else if v.IsEmptyList() {
		v.Errorf(`"gold" must name at least one tool`)
	}
	block.Done()
	return intent
}

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
	name := block.Str("tool")
	tool, err := r.names.tool(name.Value)
	r.report(name, err)
	m := Mutation{Tool: tool, Name: name.Value, Kind: r.kind(block.Str("kind"))}
	switch m.Kind {
	case truncate:
		if !block.Has("chars") {
			block.Errorf(block.Pos(), `"chars" is missing: truncate needs the number of characters to keep`)
		}
		m.Chars = block.Int("chars", 0, 0)
	case dropKeyword:
		if !block.Has("word") {
			block.Errorf(block.Pos(), `"word" is missing: drop_keyword needs the word to remove`)
			break
		}
		m.Word = block.Str("word").Value
	case "":
		// The parameters of an unknown kind are not known either.
		block.Has("chars")
		block.Has("word")
	}
	block.Done()
	r.spec.Mutations = append(r.spec.Mutations, m)
}

// kind returns the kind with a name. It reports an unknown name, and returns "" for it.
func (r *reader) kind(name yamlread.Str) Kind {
	if kind := Kind(name.Value); slices.Contains(kinds, kind) {
		return kind
	}
	if name.Value != "" {
		valid := lists.Map(kinds, func(kind Kind) string { return string(kind) })
		r.m.Errorf(name.Pos, "kind must be blank, genericize, truncate or drop_keyword, found %s%s",
			strconv.Quote(name.Value), source.DidYouMean(name.Value, valid))
	}
	return ""
}
