package suite

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Loader loads suites from one file system, and each catalog that they name once. It is safe for concurrent use.
type Loader struct {
	// Settings asks for [Case.Settings], which take a tenth of a loader's time and few reports show. It is set before
	// anything is loaded.
	Settings bool

	// SkipForeign leaves out what only the suites of other programs have: such cases are [Case.LeftOut], and no mistake. It is set
	// before anything is loaded.
	SkipForeign bool

	// Getenv asks for live texts: in prompts, models, providers and redact, variables have the values that it returns for
	// their from_env, where these are not empty. Elsewhere, and without it everywhere, the defaults stand in, as a replay
	// wants them. It is set before anything is loaded.
	Getenv func(name string) string

	// Version is that of the program, which min_version: of a suite is held against; a build that precedes a release, such as
	// 1.0.0-dev, counts as it. "" and another text suit every suite. It is set before anything is loaded.
	Version string

	// Had reports whether a tool that the gates of a case name, and that today's snapshots lack, was offered when the case was
	// recorded, or is in the base: then the evidence is stale, and the suite has no mistake. nil: none was. It is set before
	// anything is loaded.
	Had func(s *Suite, c *Case, tool string) bool

	fsys     fs.FS
	suites   fs.FS             // of suites and what they include
	moved    map[string]string // where catalogs stand that suites name elsewhere
	catalogs *catalogFiles
}

// catalogFiles are the catalogs that were read, by path.
type catalogFiles struct {
	mu     sync.Mutex
	byPath map[string]func() (*catalog.Catalog, error)
}

// NewLoader returns a loader that reads from fsys, the workspace.
func NewLoader(fsys fs.FS) *Loader {
	return &Loader{fsys: fsys, suites: fsys, catalogs: &catalogFiles{byPath: map[string]func() (*catalog.Catalog, error){}}}
}

// From returns a loader that is set like l, and that reads from suites whatever says how cases are judged: suites, and what they
// include. All else, such as the catalogs that they name, is evidence, and that of the workspace of l, whatever its files are called;
// moved gives the places of catalogs that stand elsewhere there.
func (l *Loader) From(suites fs.FS, moved map[string]string) *Loader {
	one := *l
	one.suites, one.moved = suites, moved
	return &one
}

// readSuiteFile reads a file that says how cases are judged. Whatever reads another kind of such files reads them by this, and adds
// them to the suite's hash.
func (l *Loader) readSuiteFile(name string) ([]byte, error) {
	return source.ReadFile(l.suites, name, source.MaxSuite)
}

// Load reads the suite in file and the catalogs that it names, and returns all mistakes in them, sorted. Those of single tests and
// entries are [Case.Mistakes], too; with any other mistake the suite is nil.
func (l *Loader) Load(file string) (*Suite, source.Errors) {
	return l.load(file, (*reader).read)
}

// Servers reads only the variables, the servers and the secrets of the suite in file. It opens no catalog, because one may
// be about to be written: a server with catalog: has a Snapshot that has the file's path and no tools.
func (l *Loader) Servers(file string) (*Suite, source.Errors) {
	return l.load(file, func(r *reader) {
		r.noCatalogs = true
		r.readVariables()
		r.root.Expand(func(text string, at source.Pos) string { return r.expand(text, at, "") })
		r.readRedact()
		r.readServers()
	})
}

func (l *Loader) load(file string, read func(*reader)) (*Suite, source.Errors) {
	r := newReader(l, file)
	src, err := l.readSuiteFile(file)
	if err != nil {
		return nil, source.ErrorsOf(err)
	}
	if l.Settings {
		r.suite.SHA256 = sha256.Sum256(src)
	}
	r.root = yamlread.Parse(file, src, &r.errs)
	if r.root != nil && r.isNewEnough() && r.include(len(src)) {
		r.brokenYAML = len(r.errs) > 0
		read(r)
	}
	if r.root == nil || len(r.errs) > 0 && r.blame() {
		return nil, r.errs.Sorted()
	}
	r.finishCases()
	r.suite.Warnings = r.suite.Warnings.Sorted()
	return r.suite, r.errs.Sorted()
}

// Catalog reads the catalog at a workspace-relative path, once for all suites. The error is source.Errors for mistakes
// in the file.
func (l *Loader) Catalog(name string) (*catalog.Catalog, error) {
	files := l.catalogs
	files.mu.Lock()
	load := files.byPath[name]
	if load == nil {
		load = sync.OnceValues(catalog.Files{FS: l.fsys, Name: name}.Read)
		files.byPath[name] = load
	}
	files.mu.Unlock()
	return load()
}

// Stands reports whether there is a catalog at a workspace-relative path.
func (l *Loader) Stands(name string) bool { return catalog.Files{FS: l.fsys, Name: name}.Stand() }

// reader reads one suite.
type reader struct {
	loader   *Loader
	suite    *Suite
	errs     source.Errors
	root     *yamlread.Map
	included []*yamlread.Map // files that the suite includes: each after those that it includes, in the order of their lists
	dir      string          // of the suite

	entries map[source.Pos]*entry
	inOrder []*entry // in the order in which they are read
	spans   []span
	loose   *entry // whose mistakes stop nothing
	leftOut []*entry
	foreign []foreignUse // outside of tests
	inAll   []foreignUse // of all tests: in defaults

	noCatalogs bool // no catalog is opened: each counts as empty
	brokenYAML bool // that some values were reported when the file was parsed, and read as nothing

	variables map[string]Variable
	live      map[source.Pos]liveText // texts as the agent of a live run gets them, where a replay differs
	expanded  int                     // bytes that variables made of texts, so far
	asked     asked
	hints     int // comparisons that hints may still cost

	servers     map[string]*Server // nil for one with mistakes
	serverNames []string           // sorted
	named       map[string]claimed
	ids         map[string]*Case // the last case of each
	cassettes   []cassette
	snapshots   map[string]*catalog.Catalog // by path
	broken      map[string]bool             // paths of catalogs with mistakes
	tools       map[string][]*catalog.Tool  // by the names of a test's servers
	tests       int                         // that were read
	gates       []*judge.Gate               // that a test may hold
	missing     []missingTool
	rules       ruleUse
	defaults    *yamlread.Map
	inherited   []*yamlread.Map          // those that defaults inherits: of included files
	given       map[string]source.Pos    // names that one file alone may give, with their kind
	priced      map[string]source.Pos    // pricing: that holds the price, by model
	agents      map[string]*yamlread.Map // entries of agents:, the first of each name
	agentNames  []string                 // sorted
}

// maxHints bounds the names that are compared for all hints of one suite: past that, mistakes come without.
const maxHints = 1_000_000

func newReader(l *Loader, file string) *reader {
	return &reader{
		loader:    l,
		suite:     &Suite{File: file, Pricing: map[string]model.Price{}},
		dir:       path.Dir(file),
		variables: map[string]Variable{},
		entries:   map[source.Pos]*entry{},
		loose:     &entry{},
		live:      map[source.Pos]liveText{},
		hints:     maxHints,
		servers:   map[string]*Server{},
		named:     map[string]claimed{},
		ids:       map[string]*Case{},
		snapshots: map[string]*catalog.Catalog{},
		broken:    map[string]bool{},
		tools:     map[string][]*catalog.Tool{},
		gates:     testGates(),
		rules:     ruleUse{byPath: map[string][]AppliedRules{}, ignores: map[source.Pos]*ignoreUse{}},
		agents:    map[string]*yamlread.Map{},
		given:     map[string]source.Pos{},
		priced:    map[string]source.Pos{},
	}
}

// read reads the whole suite. Variables come first, because all other texts may hold them.
func (r *reader) read() {
	r.readVariables()
	r.root.Expand(r.expandText)
	r.suite.Name = r.stem()
	if name, ok := r.root.OptStr("name"); ok {
		r.checkName(name, "name")
		r.suite.Name = name.Value
	}
	r.readForeign()
	r.readServers()
	r.readPricing()
	r.readBudget()
	r.readRedact()
	r.readTests()
	r.readCatalogCases()
	judge.CheckPatterns(r.root)
	r.checkCassettes()
	r.checkLacking()
	r.reportMissing()
	r.keepSecrets()
	r.root.Misplaced("mcpServers", `the servers stand under "servers"`)
	r.root.Done()
	r.reportForeign()
	r.finishIncluded()
	slices.SortStableFunc(r.suite.Catalogs, func(a, b *Catalog) int { return cmp.Compare(a.Path, b.Path) })
}

func (r *reader) stem() string {
	base := path.Base(r.suite.File)
	return strings.TrimSuffix(base, path.Ext(base))
}

func (r *reader) warnf(pos source.Pos, format string, args ...any) {
	r.suite.Warnings.Addf(pos, format, args...)
}

// hint returns a hint at the valid name that is closest to word, if there is one.
func (r *reader) hint(word string, valid []string) string {
	if r.hints -= len(valid) + 1; r.hints < 0 {
		return ""
	}
	return source.DidYouMean(clip(word), valid)
}

// maxName bounds names of suites, tests, servers and models, in characters: reports repeat them.
const maxName = 1000

// checkName reports a name that reports could not show in one line, and whether it can be used.
func (r *reader) checkName(name yamlread.Str, key string) bool {
	switch n := utf8.RuneCountInString(name.Value); {
	case name.Value == "":
		r.errs.Addf(name.Pos, "%q must not be empty", key)
	case n > maxName:
		r.errs.Addf(name.Pos, "%q is %d characters long, at most %d are read", key, n, maxName)
	case strings.ContainsFunc(name.Value, unicode.IsControl):
		r.errs.Addf(name.Pos, "%q must be one line of text, found %q", key, clip(name.Value))
	default:
		return true
	}
	return false
}

// claim reports a name that another test or entry of the suite has. It is a mistake of both: nobody knows which one is meant.
func (r *reader) claim(name yamlread.Str, e *entry) {
	first, taken := r.named[name.Value]
	if !taken {
		r.named[name.Value] = claimed{name.Pos, e}
		return
	}
	at := fmt.Sprintf("%d:%d", first.pos.Line, first.pos.Col)
	if first.pos.File != name.Pos.File {
		at = first.pos.String()
	}
	r.errs.Addf(name.Pos, "name %q is given twice, first at %s", clip(name.Value), at)
	first.by.mistakes = append(first.by.mistakes, r.errs[len(r.errs)-1])
}

// claimed is where a name stands, and whose it is.
type claimed struct {
	pos source.Pos
	by  *entry
}

func (r *reader) path(v yamlread.Value, key string) (string, bool) {
	s, ok := v.Str()
	if !ok {
		return "", false
	}
	name, err := inWorkspace(dirOf(v), s.Value)
	if err != nil {
		v.Errorf("%q %s", key, err)
	}
	return name, err == nil
}

// snapshot reads the catalog at the path that key of m holds, for the server or entry called name. It returns nil when
// there is none to use, which was reported; hint says what makes a file that is missing.
func (r *reader) snapshot(m *yamlread.Map, key, name, hint string) *catalog.Catalog {
	v, _ := m.Value(key)
	cat := r.catalogAt(v, key, hint)
	if cat != nil && !r.noCatalogs {
		r.useCatalog(cat, v, key, name)
	}
	return cat
}

func (r *reader) useCatalog(cat *catalog.Catalog, v yamlread.Value, key, name string) {
	if r.snapshots[cat.File] != nil {
		return
	}
	if variants := cat.SaysVariants(); variants != "" {
		r.suite.Warnings.Addf(v.Pos(), "%q: %s", key, variants)
	}
	r.snapshots[cat.File] = cat
	r.suite.Catalogs = append(r.suite.Catalogs, &Catalog{Name: name, Path: cat.File, Catalog: cat})
}

// catalogAt reads the catalog at the path in v, the value of a key. It returns nil when there is none to use, which was reported.
func (r *reader) catalogAt(v yamlread.Value, key, hint string) *catalog.Catalog {
	file, ok := r.path(v, key)
	if !ok {
		return nil
	}
	if r.noCatalogs {
		return &catalog.Catalog{File: file}
	}
	file = cmp.Or(r.loader.moved[file], file)
	if cat := r.snapshots[file]; cat != nil {
		return cat
	}
	cat, err := r.loader.Catalog(file)
	var inFile source.Errors
	if err != nil && !errors.As(err, &inFile) {
		problem := source.ErrorsOf(err)[0].Msg
		if !r.loader.Stands(file) {
			problem += hint
		}
		v.Errorf("catalog %q: %s", file, problem)
	}
	if err != nil {
		r.errs = append(r.errs, inFile[:min(len(inFile), r.listed(file))]...)
		return nil
	}
	return cat
}

// listed returns how many mistakes of a catalog are listed: all for the first that names it, and one for each other, so that none
// of them counts as read.
func (r *reader) listed(file string) int {
	if r.broken[file] {
		return 1
	}
	r.broken[file] = true
	return maxListed
}

// maxListed is more than any file has.
const maxListed = 1 << 20

func clip(s string) string {
	const limit = 80
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}

func quoted(names []string) string {
	const most = 5
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, fmt.Sprintf("%q", clip(name)))
	}
	if more := len(names) - most; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
