package basesuites

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/weaken"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// Judges are the base's versions of the suites that the change edits, with the head's catalogs. They give the verdicts on the head.
type Judges struct {
	head   *suite.Loader
	files  []string              // paths of the loaded suites, sorted
	loaded map[string]*baseSuite // suites by path
	places map[string]string     // new paths of moved catalogs, by their old paths
}

// baseSuite is a suite of the base, or the reason why it cannot be read.
type baseSuite struct {
	*suite.Suite // nil after a mistake that concerns the whole suite
	errs         source.Errors
	byID         map[string]*suite.Case
}

// Load reads the suites of the pairs that differ, and additional suites by their paths. head is the loader of the head's
// suites.
func Load(head *suite.Loader, base fs.FS, pairs []Pair, others []string, parallel func(n int, do func(i int))) *Judges {
	j := &Judges{head: head, loaded: map[string]*baseSuite{}, places: movedCatalogs(head, pairs)}
	for _, file := range others {
		j.loaded[file] = &baseSuite{}
	}
	for _, p := range pairs {
		if p.Differs() {
			j.loaded[p.Was.Suite.File] = &baseSuite{}
		}
	}
	j.files = slices.Sorted(maps.Keys(j.loaded))
	loader := head.From(base, j.places)
	parallel(len(j.files), func(i int) {
		one := j.loaded[j.files[i]]
		one.byID = map[string]*suite.Case{}
		one.Suite, one.errs = loader.Load(j.files[i])
		if one.Suite == nil {
			return
		}
		for _, c := range slices.Backward(one.Cases) { // backwards, so that the first case with an id is kept
			one.byID[c.ID] = c
		}
	})
	return j
}

// Suites returns all suites of the base with the head's evidence. Suites that the change does not edit are the head's own. The list
// is empty if the change edits no suite.
func (j *Judges) Suites(base, head []*suite.Suite) (list []*suite.Suite) {
	if len(j.files) == 0 {
		return nil
	}
	for _, file := range j.files {
		if one := j.loaded[file]; one.Suite != nil {
			list = append(list, one.Suite)
		}
	}
	for _, own := range head {
		if j.loaded[own.File] == nil && hasUnchanged(base, own) {
			list = append(list, own)
		}
	}
	return list
}

func hasUnchanged(suites []*suite.Suite, s *suite.Suite) bool {
	return slices.ContainsFunc(suites, func(one *suite.Suite) bool { return one.File == s.File && one.SHA256 == s.SHA256 })
}

// movedCatalogs returns the new paths of the base's catalogs that are gone from the head, by their old paths. The new path of a
// catalog is the path that the head has for the same server, or for the case that judges the catalog.
func movedCatalogs(head *suite.Loader, pairs []Pair) map[string]string {
	moved := map[string]string{}
	note := func(was, is *catalog.Catalog) {
		if was == nil || is == nil {
			return
		}
		hasOtherPath := is.File != was.File && is.File != ""
		if hasOtherPath && moved[was.File] == "" && !head.Stands(was.File) {
			moved[was.File] = is.File
		}
	}
	type suites struct{ was, is *suite.Suite }
	known := map[suites]bool{}
	for _, p := range pairs {
		if !p.Differs() {
			continue
		}
		if both := (suites{p.Was.Suite, p.Suite}); !known[both] {
			known[both] = true
			names := Names{servers: renamedServers(head, both.was.Servers, both.is.Servers)}
			for _, server := range both.is.Servers {
				if before := serverIn(both.was.Servers, names.oldServer(server.Name)); before != nil {
					note(before.Snapshot, server.Snapshot)
				}
			}
		}
		if cat := p.Case.Catalog; cat != nil && cat.File != p.Suite.File {
			note(p.Was.Case.Catalog, cat)
		}
	}
	return moved
}

// Softens calls [weaken.Softens] for the pair; now is the result of the head's case by the head's suite.
func (p Pair) Softens(now *report.Case, head *suite.Loader) bool {
	return weaken.Softens(p.Was.Report, now, movedCatalogs(head, []Pair{p}))
}

// Refuse returns the reasons why suites of the base cannot judge. unread are the suites that have mistakes in the base. Such a
// suite may judge only if the head has it unchanged, because then the mistakes are about other files of the base.
func (j *Judges) Refuse(unread []string, head []*suite.Suite) (list []report.Problem) {
	for _, file := range j.files {
		switch one := j.loaded[file]; {
		case one.Suite == nil:
			list = append(list, report.Problem{Path: file, Line: 1, Col: 1, Message: CannotJudgeMessage(one.errs)})
		case slices.Contains(unread, file) && !hasUnchanged(head, one.Suite):
			list = append(list, report.Problem{Path: file, Line: 1, Col: 1,
				Message: "the base's suite of this name has mistakes in the base, so that it cannot judge, and the change edits it (gates-from: base)"})
		}
	}
	return list
}

// CannotJudgeMessage returns the message for a suite of the base that cannot judge because of mistakes.
func CannotJudgeMessage(errs source.Errors) string {
	return fmt.Sprintf("the base's suite of this name judges (gates-from: base), and it has a mistake: %s", errs[0])
}

// Instead returns the base's case with the head's evidence, which replaces a case of the head. It returns nil if the base's
// suite has no such case to judge, so that the head's case counts as new.
func (j *Judges) Instead(p Pair) *Entry {
	if len(p.Mistakes) > 0 {
		return nil // the case is an error because of its mistakes
	}
	base := j.loaded[p.Was.Suite.File]
	if base.Suite == nil {
		return &Entry{p.Suite, &suite.Case{Pos: p.Pos, Mistakes: base.errs}}
	}
	found := base.byID[p.Was.ID]
	if found == nil {
		return nil
	}
	if isLeftOut := found.LeftOut != nil && len(found.Mistakes) == 0; isLeftOut {
		return nil
	}
	if len(found.Mistakes) > 0 && p.Was.IsJudged() {
		*found = j.withoutMistakes(*p.Was.Case, base.Suite)
	}
	if found.Catalog != nil && found.Catalog.File == base.File && p.Case.Catalog != nil {
		found.Catalog = p.Case.Catalog // tools that the suite itself lists are evidence, so the head's are judged
	}
	found.Pos, found.CassettePos, found.PromptPos = p.Pos, p.CassettePos, p.PromptPos
	return &Entry{base.Suite, found}
}

// withoutMistakes returns the base's version of a case, which has no mistakes with the base's files, with the head's catalogs.
// Mistakes with the head's files, such as a missing tool for which a rule is ignored, are then evidence.
func (j *Judges) withoutMistakes(one suite.Case, of *suite.Suite) suite.Case {
	one.Servers = slices.Clone(one.Servers)
	for i, server := range one.Servers {
		one.Servers[i] = cmp.Or(serverIn(of.Servers, server.Name), server)
	}
	switch {
	case one.Kind == suite.AgentTest || one.Catalog == nil:
	case len(one.Files) > 0:
		one.Catalog, one.Beside = j.mergedCatalog(one.Files), j.mergedCatalog(one.BesideFiles)
	case len(one.Servers) > 0:
		one.Catalog = one.Servers[0].Snapshot
	case one.Catalog.File != of.File:
		one.Catalog = cmp.Or(j.catalogAt(one.Catalog.File), one.Catalog)
	}
	return one
}

func (j *Judges) mergedCatalog(files []suite.CatalogFile) *catalog.Catalog {
	var cats []*catalog.Catalog
	for _, file := range files {
		if cat := j.catalogAt(file.Path); cat != nil {
			cats = append(cats, cat.Named(file.Server))
		}
	}
	return catalog.Merge(cats...)
}

// catalogAt returns the head's catalog for a path in the base; nil if the head has no such catalog, or it has mistakes.
func (j *Judges) catalogAt(file string) *catalog.Catalog {
	cat, err := j.head.Catalog(cmp.Or(j.places[file], file))
	if err != nil {
		return nil
	}
	return cat
}

// Removed returns a case that only the base has; nil if its suite cannot judge. The case judges the head's files at its own paths,
// or at the new paths of moved catalogs.
func (j *Judges) Removed(was *report.Case) *Entry {
	base := j.loaded[was.Suite]
	if base.Suite == nil || base.byID[was.ID] == nil {
		return nil
	}
	return &Entry{base.Suite, base.byID[was.ID]}
}
