package history

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// Options select what is evaluated, and in which commits.
type Options struct {
	Head      string                  // hash of the newest commit
	MaxLooked int                     // bound on the commits that are examined; 0 for none
	MaxWork   int                     // bound on evaluated cases and catalogs, see [ErrWork]; 0 for none
	Last      int                     // bound on the commits that the history has: those that change a file which is read; 0 for none
	Since     int64                   // commits before this time are left out, in seconds since 1970; 0 for none
	Until     map[string]bool         // the history ends before these commits
	HasBase   bool                    // the history also has the first commit that Until or Since excludes, whatever that commit changes
	Stop      func(*trend.Point) bool // the history ends with the youngest commit for which it returns true; nil for none
	All       bool                    // follow all parents of a merge, not only the first
	Catalogs  []NamedCatalog          // catalogs to evaluate besides those of suites
	Suites    bool                    // evaluate suites: those that Check names, otherwise those in the usual places
	Check     check.Options           // options for the check of each commit
	Jobs      int                     // number of commits that are evaluated at the same time; at least 1 is used
}

// NamedCatalog is a catalog that no suite names.
type NamedCatalog struct{ Server, Path string }

// ErrWork means that a history needs more evaluations than [Options.MaxWork].
var ErrWork = errors.New("its commits take more evaluations than are made for it")

// Read evaluates a history. It returns an error if the history cannot be read at all. If one commit cannot be evaluated, the
// Gap of its point has the reason.
func Read(ctx context.Context, repository *baseline.History, o Options) (*trend.History, error) {
	r := &reader{ctx: ctx, repository: repository, options: o, memory: newMemory(), childOf: map[string]*state{}}
	r.options.Jobs = max(o.Jobs, 1)
	return r.read()
}

// reader reads a history.
type reader struct {
	ctx        context.Context
	repository *baseline.History
	options    Options
	memory     *memory

	states  []*state // the youngest first
	childOf map[string]*state
	after   int // states[after:] are not yet evaluated

	tooMuch atomic.Bool // a commit was left out because of [Options.MaxWork]
}

// state is a commit while the history is read.
type state struct {
	*trend.Point
	read    string // hash of the content of the files that were read
	at      int    // index in the reader's states
	logged  baseline.Logged
	child   *state // a child of this commit; nil for the youngest commit
	tree    *baseline.Tree
	changes []baseline.Change // changes from this commit to child
	isKnown bool              // changes are known
	names   names             // maps the names of files here to their names in the youngest commit
	asked   map[question]string
	outside bool // the commit is before the history, and is read only because commits of the history are compared with it
}

// batch is the number of commits that are evaluated before Read checks whether it needs more.
const batch = 64

// read walks through the log, and evaluates commits in batches until the history has all commits that it may have.
func (r *reader) read() (*trend.History, error) {
	h := &trend.History{}
	var wrong error
	isCut, err := r.repository.Log(r.options.Head, r.options.All, func(c baseline.Logged) bool {
		outside := r.options.Until[c.Hash] || c.Time < r.options.Since
		h.More = h.More || outside
		if outside && r.options.All {
			return true
		}
		r.addState(c, outside)
		if len(r.states)-r.after == batch {
			wrong = r.evaluate()
		}
		if len(r.states) == r.options.MaxLooked {
			h.More = true
			return false
		}
		return !outside && wrong == nil && !r.hasEnough()
	})
	if _, isUnreadable := errors.AsType[*baseline.Unreadable](err); isUnreadable && len(r.states) > 0 {
		h.Unreadable, err = err.Error(), nil
	}
	if err := cmp.Or(r.ctx.Err(), wrong, err); err != nil {
		return nil, err
	}
	if err := r.evaluate(); err != nil {
		return nil, err
	}
	h.IsCut, h.Looked = isCut, len(r.states)
	r.addPoints(h)
	return h, nil
}

// addState adds a commit to those that are to be evaluated.
func (r *reader) addState(c baseline.Logged, outside bool) {
	s := &state{
		Point: &trend.Point{Commit: trend.Commit{SHA: c.Hash, Author: c.Author, Subject: c.Subject, Date: time.Unix(c.Time, 0).UTC().Format(time.RFC3339)}},
		at:    len(r.states), logged: c, child: r.childOf[c.Hash], outside: outside,
	}
	delete(r.childOf, c.Hash)
	for _, parent := range r.parentsOf(c) {
		if r.childOf[parent] == nil {
			r.childOf[parent] = s
		}
	}
	r.states = append(r.states, s)
}

// evaluate evaluates the added commits. One worker evaluates neighbouring commits one after another, because their files are
// mostly the same.
func (r *reader) evaluate() error {
	pending := r.states[r.after:]
	for _, s := range pending {
		if err := r.readChanges(s); err != nil {
			return err
		}
	}
	size := (len(pending) + r.options.Jobs - 1) / r.options.Jobs
	var workers sync.WaitGroup
	for chunk := range slices.Chunk(pending, max(size, 1)) {
		workers.Go(func() {
			for _, s := range chunk {
				r.evaluateOne(s, chunk[0].at)
			}
		})
	}
	workers.Wait()
	for i, s := range pending {
		s.changes = nil
		if i < len(pending)-1 {
			s.tree, s.asked = nil, nil
		}
	}
	r.after = len(r.states)
	if r.tooMuch.Load() {
		return ErrWork
	}
	return r.ctx.Err()
}

// readChanges reads the files of a commit and the changes from the commit to its child, and notes the names of moved files.
func (r *reader) readChanges(s *state) error {
	tree, err := r.repository.Files(s.logged.Commit)
	if err != nil {
		s.Gap = err.Error()
	}
	s.tree = tree
	hasBoth := s.child != nil && s.child.tree != nil && tree != nil
	if !hasBoth {
		if s.child != nil {
			s.names = s.child.names
		}
		return r.ctx.Err()
	}
	s.changes, err = baseline.Changed(tree, s.child.tree)
	s.isKnown = err == nil
	s.names = s.child.names.namesBefore(s.changes)
	return r.ctx.Err()
}

// evaluateOne evaluates a commit. The same worker has already evaluated the commits from index first up to this one.
func (r *reader) evaluateOne(s *state, first int) {
	if s.tree == nil || r.ctx.Err() != nil {
		return
	}
	child := s.child
	isChildEvaluated := child != nil && (child.at < r.after || child.at >= first)
	if isChildEvaluated && child.asked != nil && s.isKnown && !affectsAnswers(child.asked, s.changes) {
		one := *child.Point
		one.Commit = s.Commit
		s.Point, s.asked, s.read = &one, child.asked, child.read
		return
	}
	if r.options.MaxWork > 0 && r.memory.evaluated.Load() > int64(r.options.MaxWork) {
		r.tooMuch.Store(true)
		return
	}
	files := &watched{tree: s.tree, answers: map[question]string{}}
	c := &commit{memory: r.memory, files: files}
	r.evaluateSuites(c, s)
	for _, named := range r.options.Catalogs {
		c.judgeAlone(named.Server, s.names.nameThen(named.Path), &s.Problems)
	}
	if files.err != nil {
		s.Gap = files.err.Error()
	}
	if s.Gap != "" {
		s.Problems = nil
		return
	}
	s.Cases, s.Catalogs = s.names.renameCases(c.cases), s.names.renameCatalogs(c.named)
	slices.SortFunc(s.Cases, func(a, b *trend.Case) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(s.Catalogs, func(a, b *trend.Catalog) int { return cmp.Compare(a.Path, b.Path) })
	if s.read = files.contentHash(); !files.linked {
		s.asked = files.answers
	}
}

func (r *reader) evaluateSuites(c *commit, s *state) {
	if !r.options.Suites {
		return
	}
	o := r.options.Check
	var err error
	if o.Suites, err = suitesIn(c.files, o.Suites, s.names); err != nil {
		s.Gap = err.Error()
	}
	if len(o.Suites) == 0 {
		return
	}
	o.Recall, o.Settings, o.Digests, o.Only = c, true, true, s.names.idsThen(o.Only)
	found := check.Run(r.ctx, c.files, o)
	for _, p := range found.Problems {
		if p.Path != "" {
			s.Problems = append(s.Problems, p)
		}
	}
	seen := found.Catalogs[len(c.named):] // catalogs of servers without a snapshot, as recordings have them
	for i := range seen {
		c.named = append(c.named, trend.CatalogOf(&seen[i]))
	}
}

// suitesIn returns the suites of a commit: those whose names in the youngest commit are given, otherwise those in the usual
// places. A commit without suites is not an error.
func suitesIn(files fs.FS, named []string, moved names) (list []string, unsearched error) {
	lists := [][]string{nil}
	if len(named) > 0 {
		lists = nil
	}
	for _, name := range named {
		lists = append(lists, []string{moved.nameThen(name)})
	}
	for _, one := range lists {
		found, err := suite.Find(files, one)
		if errors.Is(err, suite.ErrUnsearched) {
			unsearched = err
		}
		list = append(list, found...)
	}
	slices.Sort(list)
	return slices.Compact(list), unsearched
}

// judgeAlone judges a catalog that no suite names, as the command lint does.
func (c *commit) judgeAlone(server, path string, problems *[]report.Problem) {
	key := server + "=" + path
	before := len(c.files.asked)
	c.mu.Lock()
	known := c.memory.alone[key].findResult(c.files)
	c.mu.Unlock()
	if known != nil {
		c.named = append(c.named, known)
		return
	}
	c.files.asked = c.files.asked[:before]
	files := catalog.Files{FS: c.files, Name: path}
	if !files.Stand() {
		return
	}
	cat, err := files.Read()
	if err != nil {
		for _, one := range source.ErrorsOf(err) {
			*problems = append(*problems, report.Problem{Path: one.Pos.File, Line: one.Pos.Line, Col: one.Pos.Col, Message: one.Msg})
		}
		return
	}
	c.evaluated.Add(1)
	cat = cat.Named(server)
	found := report.NewCatalog(cmp.Or(server, path), path, cat, lint.Check(cat))
	found.Tokenize(c.counts.Tool)
	slim := trend.CatalogOf(&found)
	c.named = append(c.named, slim)
	if c.files.err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	keepResult(c.alone, key, c.files.questionsSince(before), slim)
}

// parentsOf returns the parents of a commit that the history follows.
func (r *reader) parentsOf(c baseline.Logged) []string {
	if r.options.All {
		return c.Parents
	}
	return c.Parents[:min(len(c.Parents), 1)]
}

// isStep reports whether a commit changes a file that is read: no evaluated parent has the same content. A commit that
// removes all such files is a step, too.
func (r *reader) isStep(s *state, byHash map[string]*state) bool {
	hasParent := false
	for _, hash := range r.parentsOf(s.logged) {
		parent := byHash[hash]
		if parent != nil && parent.contentHash() == s.contentHash() {
			return false
		}
		hasParent = hasParent || parent != nil
	}
	return hasParent || s.contentHash() != ""
}

// contentHash returns a hash of the files of a commit that were read; for a commit with a gap, its reason.
func (s *state) contentHash() string {
	if s.Gap != "" {
		return "gap: " + s.Gap
	}
	return s.read
}

// chooseStates returns the commits that the history has, the youngest first, and whether there are more.
func (r *reader) chooseStates() (list []*state, more bool) {
	byHash := make(map[string]*state, len(r.states))
	for _, s := range r.states[:r.after] {
		byHash[s.SHA] = s
	}
	for _, s := range r.states[:r.after] {
		if r.options.Stop != nil && !s.outside && r.options.Stop(s.Point) {
			return append(list, s), true
		}
		if s.outside && r.options.HasBase {
			s.IsBase = true
			return append(list, s), true
		}
		if s.outside || !r.isStep(s, byHash) {
			continue
		}
		if len(list) == r.options.Last && r.options.Last > 0 {
			return list, true
		}
		list = append(list, s)
	}
	return list, false
}

// hasEnough reports whether the history has all commits that it may have, so that no older one is needed. The last commit
// counts only once its parent is evaluated, because only then it is known to be a step.
func (r *reader) hasEnough() bool {
	if r.options.Last == 0 && r.options.Stop == nil || r.after < len(r.states) {
		return false
	}
	_, more := r.chooseStates()
	return more
}

func (r *reader) addPoints(h *trend.History) {
	list, more := r.chooseStates()
	h.More = h.More || more
	for _, s := range slices.Backward(list) {
		s.Point.Names = s.names
		h.Points = append(h.Points, s.Point)
	}
}
