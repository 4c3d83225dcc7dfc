package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/check/basesuites"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// selectedCase is a case to evaluate, with its suite and the case of the base that it is compared with.
type selectedCase struct {
	basesuites.Pair
	byBoth bool // the base's suite also judges the evidence

	judgedAs *selectedCase // the base's case, if it gives the verdict on the head's evidence; otherwise nil
	headCase *suite.Case   // the head's case that this case of the base replaces, see [basesuites.Given]; nil for other cases
	removed  bool          // only the base has this case
	replays  bool          // in a live check, the case is judged by its recording

	asksVague bool // the case is also judged with vague descriptions
}

// caseOf returns a case of a suite that is not compared with a base.
func caseOf(s *suite.Suite, c *suite.Case) selectedCase {
	return selectedCase{Pair: basesuites.Pair{Entry: basesuites.Entry{Suite: s, Case: c}}}
}

// verdictBy returns the case that gives the verdict: this one, or the base's case that replaces it.
func (s selectedCase) verdictBy() selectedCase {
	if s.judgedAs != nil {
		return *s.judgedAs
	}
	return s
}

// selectCases returns the cases that the options select, in order. An empty selection is a problem.
func (c *checker) selectCases(suites []*suite.Suite, r *report.Report) (selected []selectedCase) {
	var leftOut []string
	total, matching, requested := 0, 0, 0
	for _, s := range slices.Concat(c.unaffected, suites) {
		total += len(s.Cases)
		isAffected := c.options.Affected.has(s)
		for _, one := range s.Cases {
			matches := c.options.selects(one)
			if matches {
				matching++
			}
			if matches && isAffected {
				selected = append(selected, caseOf(s, one))
				continue
			}
			leftOut = append(leftOut, one.ID)
			if isAffected && c.options.Only[one.ID] { // it is requested by its id, and other options leave it out
				requested++
			}
		}
	}
	var removable []report.Case // cases that the base's suites judge even if the head removed them
	if c.options.ByBase {
		removable = c.options.BaseSuites.report.Cases
	}
	if gone := c.options.goneCases(suites, removable); c.isBase {
		r.Warnings = append(r.Warnings, gone...)
	} else {
		r.Problems = append(r.Problems, gone...)
	}
	if matching == 0 && len(removable) == 0 && total > 0 {
		r.Problems = append(r.Problems, report.Problem{Message: c.options.selectsNoneMessage(total)})
	}
	r.Chosen = c.chosenNote(total, leftOut)
	if requested > 0 && len(selected) > 0 {
		r.Warnings = append(r.Warnings, report.Problem{Message: c.options.leftOutMessage(requested)})
	}
	return selected
}

// chosenNote returns the report's note about the cases and suites that options or arguments leave out; nil if they leave out
// nothing. leftOut has the ids of these cases.
func (c *checker) chosenNote(total int, leftOut []string) *report.Chosen {
	chosen := &report.Chosen{Of: total, Left: leftOut}
	if len(leftOut) > 0 {
		chosen.By = c.options.selectionFlags()
	}
	if c.mayLackSuites {
		chosen.Suites = slices.Compact(slices.Sorted(slices.Values(c.options.Suites)))
	}
	if chosen.By == "" && len(chosen.Suites) == 0 {
		return nil
	}
	return chosen
}

// mayLackOthers reports whether arguments selected files that may differ from the suites in the usual places.
func (c *checker) mayLackOthers(files []string) bool {
	if c.isBase || c.options.Recall != nil || len(c.options.Suites) == 0 {
		return false
	}
	all, err := suite.Find(c.fsys, nil)
	return err != nil || !slices.Equal(all, files)
}

// leftOutMessage returns the message for cases to run again that other options left out.
func (o *Options) leftOutMessage(left int) string {
	others := *o
	others.Only = nil
	if left == 1 {
		return fmt.Sprintf("%s left out 1 case that is to run again: it was not checked", others.selectionFlags())
	}
	return fmt.Sprintf("%s left out %d cases that are to run again: they were not checked", others.selectionFlags(), left)
}

// goneCases returns a message for each case that is requested by its id but is neither in a suite nor in removed.
func (o *Options) goneCases(suites []*suite.Suite, removed []report.Case) (list []report.Problem) {
	known := map[string]bool{}
	for i := range removed {
		known[removed[i].ID] = true
	}
	for _, s := range suites {
		for _, one := range s.Cases {
			known[one.ID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(o.Only)) {
		if !known[id] {
			list = append(list, report.Problem{Message: fmt.Sprintf("case %q is in none of these suites, so it was not checked", id)})
		}
	}
	return list
}

// SelectsID reports whether the options select an id, apart from the tags of its case.
func (o *Options) SelectsID(id string) bool {
	return (o.Only == nil || o.Only[id]) && (o.Filter == nil || o.Filter.MatchString(id))
}

// SelectsAs reports whether the options leave out the same cases as the check that c describes.
func (o *Options) SelectsAs(c *report.Chosen) bool {
	return o.Only == nil && !o.OnlyAffected && c.By != "" && c.By == o.selectionFlags()
}

func (o *Options) selects(c *suite.Case) bool {
	hasAny := func(tags []string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(c.Tags, tag) })
	}
	return o.SelectsID(c.ID) && (len(o.Tags) == 0 || hasAny(o.Tags)) && !hasAny(o.SkipTags)
}

func (o *Options) selectsNoneMessage(total int) string {
	if total == 1 {
		return o.selectionFlags() + " does not select the only case, so nothing was checked"
	}
	return fmt.Sprintf("%s selects none of the %d cases, so nothing was checked", o.selectionFlags(), total)
}

func (o *Options) selectionFlags() string {
	var given []string
	if o.Filter != nil {
		given = append(given, fmt.Sprintf("--filter %q", o.Filter))
	}
	if len(o.Tags) > 0 {
		given = append(given, fmt.Sprintf("--tag %q", strings.Join(o.Tags, ",")))
	}
	if len(o.SkipTags) > 0 {
		given = append(given, fmt.Sprintf("--skip-tag %q", strings.Join(o.SkipTags, ",")))
	}
	flags := strings.Join(given, " ")
	kind := ""
	switch {
	case o.Only != nil:
		kind = report.Again
	case o.Affected != nil:
		kind = report.OnlyAffected
	default:
		return flags
	}
	if flags == "" {
		return kind
	}
	return kind + " with " + flags
}

// reportSharedCassettes reports default cassettes that cases of several suites share, because recording one case would overwrite
// the runs of the other. Package suite reports default cassettes that cases of one suite share. Several cases may judge a cassette
// that a suite names.
func (c *checker) reportSharedCassettes(suites []*suite.Suite, r *report.Report) {
	first := map[string]selectedCase{}
	for _, s := range suites {
		for _, one := range s.Cases {
			if !one.DefaultCassette {
				continue
			}
			path := one.Cassettes[0]
			other, taken := first[path]
			switch {
			case !taken:
				first[path] = caseOf(s, one)
			case other.Suite != s && (c.options.Affected.has(s) || c.options.Affected.has(other.Suite)):
				at := source.Pos{File: other.CassettePos.File, Line: other.CassettePos.Line}
				message := fmt.Sprintf("cassette %q is also that of %q at %s, expected one for each case", path, other.Name, at)
				r.Problems = append(r.Problems, problemAt(&source.Error{Pos: one.CassettePos, Msg: message}))
			}
		}
	}
}

// Affected lists the suites that a change touches, including those that it removes.
type Affected struct {
	Suites map[string]bool // by path
	Of     int             // number of suites in head and base
}

// has reports whether a suite is checked. A nil Affected has all suites.
func (a *Affected) has(s *suite.Suite) bool { return a == nil || a.Suites[s.File] }

// report returns the numbers of suites for the report; nil if the check is not limited to affected suites.
func (a *Affected) report() *report.AffectedSuites {
	if a == nil {
		return nil
	}
	return &report.AffectedSuites{Suites: len(a.Suites), Of: a.Of}
}
