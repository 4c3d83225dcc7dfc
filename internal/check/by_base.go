package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// verdictSuites are the base's suites with the head's evidence: each is read as the base has it, and with the head's catalogs. They
// give the verdicts under [Options.ByBase].
type verdictSuites struct {
	head   *checker
	base   *BaseSuites
	loaded map[string]*baseSuite // by path; the ones that differ in the head
	files  []string              // of loaded, sorted
	places map[string]string     // of catalogs that have moved
}

// baseSuite is a suite of the base, or why it cannot be read.
type baseSuite struct {
	*suite.Suite // nil with mistakes that concern all of it
	errs         source.Errors
	byID         map[string]*suite.Case
}

// takeOver has the base's suites judge the selected cases that they have and that may be judged otherwise in the head. It adds the
// cases that only the base has, which are vanished.
func (b *BaseSuites) takeOver(head *checker, selected []selectedCase, vanished []*report.Case, r *report.Report) []selectedCase {
	v := &verdictSuites{head: head, base: b, loaded: map[string]*baseSuite{}}
	for i := range selected {
		if one := &selected[i]; one.differs() {
			v.loaded[one.was.suite.File] = nil // read below
		}
	}
	for _, one := range vanished {
		v.loaded[one.Suite] = nil
	}
	for _, file := range b.report.Unread {
		v.loaded[file] = nil
	}
	v.load(selected)
	head.ofBaseToo = v.all()
	v.refuse(r)
	for i := range selected {
		one := &selected[i]
		if one.differs() {
			one.as = v.instead(*one)
		}
		isNew := one.was == nil || one.differs() && one.as == nil
		one.replays = isNew && head.options.OnlyBaseRuns
	}
	isUnread := func(one *report.Case) bool { return slices.Contains(r.Unread, one.Suite) } // nobody knows what it has
	return v.addRemoved(selected, slices.DeleteFunc(vanished, isUnread))
}

// differs reports whether the base's case that is paired with this one stands in another suite file, or in one that reads otherwise,
// what it includes being a part of it.
func (s selectedCase) differs() bool {
	return s.was != nil && (s.was.suite.File != s.suite.File || s.was.suite.SHA256 != s.suite.SHA256)
}

// load reads the suites of the base that differ.
func (b *verdictSuites) load(selected []selectedCase) {
	for file := range b.loaded {
		b.files = append(b.files, file)
	}
	slices.Sort(b.files)
	b.places = b.moved(selected)
	loader := b.head.loader.From(b.base.checker.fsys, b.places)
	read := make([]*baseSuite, len(b.files))
	parallel(len(b.files), b.head.options.Jobs, func(i int) {
		one := &baseSuite{byID: map[string]*suite.Case{}}
		if one.Suite, one.errs = loader.Load(b.files[i]); one.Suite != nil {
			for _, c := range slices.Backward(one.Cases) {
				one.byID[c.ID] = c // the first of each
			}
		}
		read[i] = one
	})
	for i, file := range b.files {
		b.loaded[file] = read[i]
	}
}

// all returns all suites of the base, with the head's evidence: those that read the same are the head's own. There is none where
// all do.
func (b *verdictSuites) all() (list []*suite.Suite) {
	if len(b.files) == 0 {
		return nil
	}
	for _, file := range b.files {
		if one := b.loaded[file]; one.Suite != nil {
			list = append(list, one.Suite)
		}
	}
	for _, own := range b.head.suites {
		isSame := func(s *suite.Suite) bool { return s.File == own.File && s.SHA256 == own.SHA256 }
		if b.loaded[own.File] == nil && slices.ContainsFunc(b.base.suites(), isSame) {
			list = append(list, own)
		}
	}
	return list
}

// moved returns the head's places of the base's catalogs whose files are gone from the head: the same server, or the entry that
// judges the catalog, has the new one. A file that is still there has not moved.
func (b *verdictSuites) moved(selected []selectedCase) map[string]string {
	moved := map[string]string{}
	note := func(was, is *catalog.Catalog) {
		if was == nil || is == nil || is.File == was.File || is.File == "" || moved[was.File] != "" {
			return
		}
		if !(catalog.Files{FS: b.head.fsys, Name: was.File}).Stand() {
			moved[was.File] = is.File
		}
	}
	type pair struct{ was, is *suite.Suite }
	known := map[pair]bool{}
	for _, one := range selected {
		if !one.differs() {
			continue
		}
		if p := (pair{one.was.suite, one.suite}); !known[p] {
			known[p] = true
			b.movedServers(p.was, p.is, note)
		}
		if one.Case.Catalog != nil && one.Case.Catalog.File != one.suite.File {
			note(one.was.Case.Catalog, one.Case.Catalog)
		}
	}
	return moved
}

// movedServers notes the snapshots of the servers of two suites.
func (b *verdictSuites) movedServers(was, is *suite.Suite, note func(was, is *catalog.Catalog)) {
	names := (&baseFiles{head: b.head}).renamedServers(was.Servers, is.Servers)
	for _, server := range is.Servers {
		if before := serverIn(was.Servers, names.of(server.Name)); before != nil {
			note(before.Snapshot, server.Snapshot)
		}
	}
}

// serverIn returns the server of a name; nil when there is none.
func serverIn(servers []*suite.Server, name string) *suite.Server {
	at := slices.IndexFunc(servers, func(one *suite.Server) bool { return one.Name == name })
	if at < 0 {
		return nil
	}
	return servers[at]
}

// refuse reports suites of the base that cannot judge. Nobody stands in for them, but a suite that the head has as it is and that
// only the base's own evidence broke.
func (b *verdictSuites) refuse(r *report.Report) {
	for _, file := range b.files {
		one := b.loaded[file]
		switch {
		case one.Suite == nil:
			r.Problems = append(r.Problems, report.Problem{Path: file, Line: 1, Col: 1, Message: cannotJudge(one.errs)})
		case slices.Contains(b.base.report.Unread, file) && !b.head.has(one.Suite):
			r.Problems = append(r.Problems, report.Problem{Path: file, Line: 1, Col: 1,
				Message: "the base's suite of this name has mistakes in the base, so that it cannot judge, and the change edits it (gates-from: base)"})
		}
	}
}

func cannotJudge(errs source.Errors) string {
	return fmt.Sprintf("the base's suite of this name judges (gates-from: base), and it has a mistake: %s", errs[0])
}

// find finds the suites. Under ByBase the head may have none where the base has some, because those judge.
func (c *checker) find() ([]string, error) {
	files, err := suite.Find(c.fsys, c.options.Suites)
	if err == nil || !c.options.ByBase || errors.Is(err, suite.ErrUnsearched) {
		return files, err
	}
	args := c.options.Suites
	if len(args) == 0 {
		args = []string{"."}
	}
	files = nil
	var problems []error
	for _, arg := range args {
		found, err := suite.Find(c.fsys, []string{arg})
		files = append(files, found...)
		if err == nil {
			continue
		}
		if _, inBase := suite.Find(c.options.BaseSuites.checker.fsys, []string{arg}); inBase != nil {
			problems = append(problems, err)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), errors.Join(problems...)
}

// removable returns the cases that the base's suites may judge although the head does not have them: none unless they give the
// verdicts, for which there must be some.
func (b *BaseSuites) removable(o *Options) []report.Case {
	if !o.ByBase {
		return nil
	}
	return b.report.Cases
}

// has reports whether the head has a suite as it is.
func (c *checker) has(s *suite.Suite) bool {
	return slices.ContainsFunc(c.suites, func(own *suite.Suite) bool { return own.File == s.File && own.SHA256 == s.SHA256 })
}

// instead returns the base's case with the head's evidence, which takes the place of a case of the head; nil where the base's suite
// has nothing to judge it by, so that it is a new one.
func (b *verdictSuites) instead(s selectedCase) *selectedCase {
	if len(s.Mistakes) > 0 {
		return nil // which are the case's error
	}
	base := b.loaded[s.was.suite.File]
	if base.Suite == nil {
		return &selectedCase{suite: s.suite, Case: &suite.Case{Pos: s.Pos, Mistakes: base.errs}, was: s.was}
	}
	found := base.byID[s.was.Case.ID]
	if found == nil || found.LeftOut != nil && len(found.Mistakes) == 0 {
		return nil
	}
	if len(found.Mistakes) > 0 && s.was.IsJudged() {
		*found = b.withoutMistakes(*s.was.Case, base.Suite)
	}
	if found.Catalog != nil && found.Catalog.File == base.File && s.Case.Catalog != nil {
		found.Catalog = s.Case.Catalog // tools in the suite itself are evidence, and the head's
	}
	found.Pos, found.CassettePos, found.PromptPos = s.Pos, s.CassettePos, s.PromptPos
	as := &selectedCase{suite: base.Suite, Case: found, was: s.was, names: s.Case}
	if found.Kind == suite.AgentTest && s.Kind == suite.AgentTest && !b.head.hasCassettes(*as) {
		found.Cassettes, found.Log, found.DefaultCassette = s.Cassettes, s.Log, s.DefaultCassette
	}
	return as
}

// withoutMistakes returns a case as the base has it, with the head's catalogs: the base's own files make no mistake of it, and the
// head's, such as a tool that is gone from where a rule is ignored, are evidence.
func (b *verdictSuites) withoutMistakes(one suite.Case, of *suite.Suite) suite.Case {
	one.Servers = slices.Clone(one.Servers)
	for i, server := range one.Servers {
		if now := serverIn(of.Servers, server.Name); now != nil {
			one.Servers[i] = now
		}
	}
	switch {
	case one.Kind == suite.AgentTest || one.Catalog == nil:
	case len(one.Servers) > 0:
		one.Catalog = one.Servers[0].Snapshot
	case one.Catalog.File != of.File:
		if at := slices.IndexFunc(of.Catalogs, func(c *suite.Catalog) bool { return c.Path == b.placeOf(one.Catalog.File) }); at >= 0 {
			one.Catalog = of.Catalogs[at].Catalog
		}
	}
	return one
}

// placeOf returns where a catalog of the base stands in the head.
func (b *verdictSuites) placeOf(file string) string { return cmp.Or(b.places[file], file) }

// hasCassettes reports whether something is at each of the case's paths and globs.
func (c *checker) hasCassettes(s selectedCase) bool {
	files, errs := c.cassettes(s)
	isGone := func(name string) bool { return !source.Stands(c.fsys, name) }
	return len(errs) == 0 && !slices.ContainsFunc(files, isGone)
}

// addRemoved adds the cases that only the base has: its suites judge what they name in the head.
func (b *verdictSuites) addRemoved(selected []selectedCase, vanished []*report.Case) []selectedCase {
	for _, was := range vanished {
		base := b.loaded[was.Suite]
		if base.Suite == nil || base.byID[was.ID] == nil {
			continue // which was refused
		}
		selected = append(selected, selectedCase{
			suite: base.Suite, Case: base.byID[was.ID], was: &baseCase{b.base.cases[was], b.base.checker, was}, removed: true,
		})
	}
	slices.SortStableFunc(selected, func(a, b selectedCase) int { return cmp.Compare(a.suite.File, b.suite.File) })
	return selected
}
