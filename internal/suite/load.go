package suite

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Loader loads suites from one file system, and loads each catalog that they name only once. It is safe for concurrent use.
type Loader struct {
	// Settings makes the loader fill in [Case.Settings], which takes a tenth of its time and which few reports show. It is set
	// before anything is loaded.
	Settings bool

	// SkipForeign leaves out cases with keys that only other programs' suites have: such cases get [Case.LeftOut] instead of a
	// mistake. It is set before anything is loaded.
	SkipForeign bool

	// Getenv makes the loader prepare live texts: in prompts, models, providers and redact, variables get the values that
	// Getenv returns for their from_env, if those are not empty. In all other texts, and everywhere if Getenv is nil, the
	// defaults are used, as in a replay. It is set before anything is loaded.
	Getenv func(name string) string

	// Version is the version of the program, which is compared with min_version: of a suite. A build that precedes a release,
	// such as 1.0.0-dev, counts as that release. "" or another text satisfies every suite. It is set before anything is loaded.
	Version string

	// Had reports whether a tool that the gates of a case name, but that today's snapshots lack, was offered when the case was
	// recorded, or is in the base. Then the evidence is stale and the suite has no mistake. nil means that no tool was. It is
	// set before anything is loaded.
	Had func(s *Suite, c *Case, tool string) bool

	fsys     fs.FS
	suites   fs.FS             // for suites and the files that they include
	moved    map[string]string // the actual paths of catalogs, by the paths in suites
	catalogs *catalogFiles
}

// catalogFiles keeps the loaded catalogs, by path.
type catalogFiles struct {
	mu     sync.Mutex
	byPath map[string]func() (*catalog.Catalog, error)
}

// NewLoader returns a loader that reads from fsys, the workspace.
func NewLoader(fsys fs.FS) *Loader {
	return &Loader{fsys: fsys, suites: fsys, catalogs: &catalogFiles{byPath: map[string]func() (*catalog.Catalog, error){}}}
}

// From returns a loader with the settings of l that reads suites and the files that they include from suites. All other files,
// such as catalogs, are evidence and come from the workspace of l, whatever their names are. moved maps paths of catalogs in
// suites to their paths in the workspace.
func (l *Loader) From(suites fs.FS, moved map[string]string) *Loader {
	one := *l
	one.suites, one.moved = suites, moved
	return &one
}

// readSuiteFile reads a file that determines how cases are judged. Code that reads a new kind of such files must use this
// method, and add the files to the suite's hash.
func (l *Loader) readSuiteFile(name string) ([]byte, error) {
	return source.ReadFile(l.suites, name, source.MaxSuite)
}

// Load reads the suite in file and the catalogs that it names, and returns all mistakes in them, sorted. Mistakes of single
// tests and entries are also in [Case.Mistakes]; after any other mistake the suite is nil.
func (l *Loader) Load(file string) (*Suite, source.Errors) {
	return l.load(file, (*reader).read)
}

// Servers reads only the variables, the servers and the secrets of the suite in file. It opens no catalog, because the caller
// may be about to write it: a server with catalog: has a Snapshot with the file's path and no tools.
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
	if r.root == nil || len(r.errs) > 0 && r.assignMistakes() {
		return nil, r.errs.Sorted()
	}
	r.finishCases()
	r.suite.Warnings = r.suite.Warnings.Sorted()
	return r.suite, r.errs.Sorted()
}

// Catalog reads the catalog at a workspace-relative path, once for all suites. Mistakes in the file are returned as
// source.Errors.
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

// Stands reports whether a catalog exists at a workspace-relative path.
func (l *Loader) Stands(name string) bool { return catalog.Files{FS: l.fsys, Name: name}.Stand() }

// reader reads one suite.
type reader struct {
	loader   *Loader
	suite    *Suite
	errs     source.Errors
	root     *yamlread.Map
	included []*yamlread.Map // included files; each comes after the files that it includes itself
	dir      string          // of the suite

	entries map[source.Pos]*entry
	inOrder []*entry // in the order of reading
	spans   []span
	loose   *entry // owner of the mistakes that affect no case
	leftOut []*entry
	foreign []foreignUse // keys of mcptest outside of tests
	inAll   []foreignUse // foreign keys in defaults, which count for all tests

	noCatalogs bool // catalogs are not opened: each counts as empty
	brokenYAML bool // parsing the file reported some values, which are empty now

	variables map[string]Variable
	live      map[source.Pos]liveText // texts for the agent of a live run, if they differ from those of a replay
	expanded  int                     // bytes that variables have added to texts so far
	asked     asked
	hints     int // comparisons that hints may still make, see maxHints

	servers     map[string]*Server // nil for a server with mistakes
	serverNames []string           // sorted
	named       map[string]claimed
	ids         map[string]*Case // the last case with each id
	cassettes   []cassette
	snapshots   map[string]*catalog.Catalog // by path
	broken      map[string]bool             // paths of catalogs with mistakes
	tools       map[string][]*catalog.Tool  // by the joined names of a test's servers
	tests       int                         // number of tests read
	gates       []*judge.Gate               // gates that a test may have
	missing     []missingTool
	rules       ruleUse
	defaults    *yamlread.Map
	inherited   []*yamlread.Map          // defaults: of included files, from which defaults inherits
	given       map[string]source.Pos    // position of each name that may be declared only once, by kind and name
	priced      map[string]source.Pos    // position of the key pricing: that has the price, by model
	agents      map[string]*yamlread.Map // the first entry of agents: with each name
	agentNames  []string                 // sorted
}

// maxHints bounds the number of names that are compared for all hints of one suite. Beyond it, mistakes have no hints.
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

// read reads the whole suite. It begins with the variables, because all other texts may contain them.
func (r *reader) read() {
	r.readVariables()
	r.root.Expand(r.expandText)
	r.suite.Name = r.suiteStem()
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
	r.reportMissingDefaults()
	r.reportMissing()
	r.removeModelsFromSecrets()
	r.root.Misplaced("mcpServers", `the servers stand under "servers"`)
	r.root.Done()
	r.reportForeign()
	r.finishIncluded()
	slices.SortStableFunc(r.suite.Catalogs, func(a, b *Catalog) int { return cmp.Compare(a.Path, b.Path) })
}

func (r *reader) suiteStem() string {
	base := path.Base(r.suite.File)
	return strings.TrimSuffix(base, path.Ext(base))
}

func (r *reader) warnf(pos source.Pos, format string, args ...any) {
	r.suite.Warnings.Addf(pos, format, args...)
}

// hint returns a hint at the valid name that is closest to word; "" if none is close, or after maxHints
// comparisons of names.
func (r *reader) hint(word string, valid []string) string {
	if r.hints -= len(valid) + 1; r.hints < 0 {
		return ""
	}
	return source.DidYouMean(clip(word), valid)
}

// maxName bounds names of suites, tests, servers and models, in characters: reports repeat them.
const maxName = 1000

// checkName reports a name that cannot be shown in one line of a report. It returns whether the name can be used.
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

// registerName notes that an entry has a name. If another test or entry has the same name, both get a mistake, because the name is
// ambiguous.
func (r *reader) registerName(name yamlread.Str, e *entry) {
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

// claimed is the position of a name, and the entry that has it.
type claimed struct {
	pos source.Pos
	by  *entry
}

func (r *reader) readPath(v yamlread.Value, key string) (string, bool) {
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

// readSnapshot reads the catalog at the path under key in m, for the server or entry called name. If there is no usable catalog,
// readSnapshot returns nil and has reported the reason; hint is advice for creating a missing file.
func (r *reader) readSnapshot(m *yamlread.Map, key, name, hint string) *catalog.Catalog {
	v, _ := m.Value(key)
	cat := r.readCatalog(v, key, hint)
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

// readCatalog reads the catalog at the path in v, the value of a key. If there is no usable catalog, it returns nil and has
// reported the reason.
func (r *reader) readCatalog(v yamlread.Value, key, hint string) *catalog.Catalog {
	file, ok := r.readPath(v, key)
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
		r.errs = append(r.errs, inFile[:min(len(inFile), r.mistakesToReport(file))]...)
		return nil
	}
	return cat
}

// mistakesToReport returns how many mistakes of a catalog to report. The first key that names the catalog gets all of them, and any
// other key gets one, so that no key looks right.
func (r *reader) mistakesToReport(file string) int {
	if r.broken[file] {
		return 1
	}
	r.broken[file] = true
	return maxListed
}

// maxListed is more than the number of mistakes in any file.
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
	list := lists.Map(names[:min(len(names), most)], func(name string) string { return strconv.Quote(clip(name)) })
	if more := len(names) - most; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
