package history

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// memory keeps the results of all commits. It is safe for concurrent use.
type memory struct {
	counts check.Counts

	mu       sync.Mutex
	suites   map[string][]*loadedSuite // by file; the most recent first
	bySuite  map[*suite.Suite]*loadedSuite
	cases    map[string]*tree[trend.Case]    // by the key of keyOf
	catalogs map[string]*trend.Catalog       // by the key of keyOfCatalog
	alone    map[string]*tree[trend.Catalog] // catalogs that no suite names, by server and path

	evaluated atomic.Int64 // number of cases and catalogs that were evaluated
}

func newMemory() *memory {
	return &memory{
		suites: map[string][]*loadedSuite{}, bySuite: map[*suite.Suite]*loadedSuite{}, cases: map[string]*tree[trend.Case]{},
		catalogs: map[string]*trend.Catalog{}, alone: map[string]*tree[trend.Catalog]{},
	}
}

// maxSuites is the number of versions of one suite file that are kept, each with its catalogs. The oldest is dropped.
const maxSuites = 3

// loadedSuite is a version of a suite, with the questions about files that its loading asked.
type loadedSuite struct {
	suite  *suite.Suite // nil if it has mistakes
	errs   source.Errors
	asked  []answered
	id     string // hash of asked
	others string // hash of asked without the answers about the suite's own file
}

// commit evaluates one commit, and reuses the results in memory. It is a check.Recall.
type commit struct {
	*memory
	files *watched
	cases []*trend.Case // evaluated or reused in this commit
	named []*trend.Catalog
}

var _ check.Recall = (*commit)(nil)

// Counts returns the token counts that all commits share.
func (c *commit) Counts() *check.Counts { return &c.counts }

// Suite returns the suite in a file. It calls load only if no kept version was loaded from the same files.
func (c *commit) Suite(file string, load func() (*suite.Suite, source.Errors)) (*suite.Suite, source.Errors) {
	c.mu.Lock()
	known := slices.Clone(c.suites[file])
	c.mu.Unlock()
	for _, one := range known {
		before := len(c.files.asked)
		if c.files.answersAsBefore(one.asked) {
			return one.suite, one.errs
		}
		c.files.asked = c.files.asked[:before]
	}
	before := len(c.files.asked)
	s, errs := load()
	if c.files.err != nil {
		return s, errs
	}
	asked := c.files.questionsSince(before)
	c.keepSuite(file, &loadedSuite{suite: s, errs: errs, asked: asked, id: digest(asked), others: digest(asked, file)})
	return s, errs
}

func (m *memory) keepSuite(file string, one *loadedSuite) {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := append([]*loadedSuite{one}, m.suites[file]...)
	for _, old := range kept[min(len(kept), maxSuites):] {
		delete(m.bySuite, old.suite)
	}
	m.suites[file] = kept[:min(len(kept), maxSuites)]
	if one.suite != nil {
		m.bySuite[one.suite] = one
	}
}

// keyOf returns a key for a case: a hash of everything that decides its result except the files that its evaluation reads; "" if
// that is not known.
func (m *memory) keyOf(s *suite.Suite, one *suite.Case) string {
	m.mu.Lock()
	loaded := m.bySuite[s]
	m.mu.Unlock()
	if loaded == nil {
		return ""
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %q %q %q %q %d\n", loaded.others, s.File, one.ID, one.Name, one.Model, one.Kind)
	for _, setting := range one.Settings {
		fmt.Fprintf(hash, "%q %q\n", setting.Key, setting.Value)
	}
	for _, mistake := range one.Mistakes {
		fmt.Fprintf(hash, "%q\n", mistake.Msg)
	}
	if one.LeftOut != nil {
		fmt.Fprintf(hash, "%q\n", one.LeftOut.Reason)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Case returns the result of a case, and notes its figures. It calls evaluate only if no kept result fits.
func (c *commit) Case(s *suite.Suite, one *suite.Case, evaluate func() (report.Case, bool)) report.Case {
	key := c.keyOf(s, one)
	before := len(c.files.asked)
	if known := c.knownCase(key); known != nil {
		c.cases = append(c.cases, known)
		return report.Case{ID: known.ID, Suite: known.Suite, Name: known.Name, Model: report.Optional(known.Model), Verdict: known.Verdict}
	}
	c.files.asked = c.files.asked[:before]
	c.evaluated.Add(1)
	found, alone := evaluate()
	slim := trend.CaseOf(&found)
	c.cases = append(c.cases, slim)
	if alone && key != "" && c.files.err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		keepResult(c.memory.cases, key, c.files.questionsSince(before), slim)
	}
	return found
}

// knownCase returns the kept result with the same settings and files; nil if there is none.
func (c *commit) knownCase(key string) *trend.Case {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.memory.cases[key].findResult(c.files)
}

// Catalog returns the result of a catalog that suites name, and notes its figures. It calls judge only if no kept result fits.
func (c *commit) Catalog(path string, of []*suite.Suite, judge func() report.Catalog) report.Catalog {
	key := c.keyOfCatalog(path, of)
	c.mu.Lock()
	known := c.catalogs[key]
	c.mu.Unlock()
	if known != nil && key != "" {
		c.named = append(c.named, known)
		return report.Catalog{Name: known.Name, Path: known.Path}
	}
	c.evaluated.Add(1)
	found := judge()
	slim := trend.CatalogOf(&found)
	c.named = append(c.named, slim)
	if key != "" && c.files.err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.catalogs[key] = slim
	}
	return found
}

// keyOfCatalog returns a key for a catalog, made of the files of the suites that name it; "" if these are not known.
func (m *memory) keyOfCatalog(path string, of []*suite.Suite) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := []string{path}
	for _, s := range of {
		loaded := m.bySuite[s]
		if loaded == nil {
			return ""
		}
		key = append(key, loaded.id)
	}
	return strings.Join(key, "\n")
}
