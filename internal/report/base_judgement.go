package report

import (
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
)

// BaseJudgement is the base's judgement of the head's evidence of a case.
type BaseJudgement struct {
	Case    string        `json:"case"`    // id of the base's case
	Verdict judge.Verdict `json:"verdict"` // by the base's suite

	// Reason is the message of the first failure by the base's suite for which the head's author answers; "" when there is
	// none, such as when a tool that the base's suite names is gone.
	Reason string `json:"reason"`

	Fault    string        `json:"fault"`              // why the base's suite could not judge; "" when it could
	Lost     []string      `json:"lost,omitzero"`      // recordings of the base that the case no longer has, with no others in their place, and whose runs fail by the base's suite
	SameRuns bool          `json:"same_runs,omitzero"` // the head's recordings are other files that hold the runs of the base's
	Renames  Renames       `json:"renames"`            // that the head's suite follows
	Servers  ServerRenames `json:"servers,omitzero"`   // that have another name in the head, by that
	Gone     []string      `json:"gone"`               // tools that the base's suite names, the head's does not, and no server has any more; sorted
}

// OwnJudgement is the judgement by the change's own suite of a case to which the base's suite gave the verdict.
type OwnJudgement struct {
	Verdict judge.Verdict `json:"verdict"`
	LeftOut Optional      `json:"left_out,omitzero"` // as of [Case]
	Stands  bool          `json:"stands,omitzero"`   // it is the case's: the base's suite needs tools that are gone
}

// ByOwnSuite returns the verdict by the change's own suite, and why no gate of that suite judges the case.
func (c *Case) ByOwnSuite() (judge.Verdict, Optional) {
	if c.Own != nil {
		return c.Own.Verdict, c.Own.LeftOut
	}
	return c.Verdict, c.LeftOut
}

// Rename is a tool of a server that has another name in the head.
type Rename struct {
	Server string `json:"server"`
	Old    string `json:"old"` // in the base
	New    string `json:"new"`
	Shared bool   `json:"shared"` // a tool of another server has the new name, too: a call that names no server may be to either
}

// ServerRename is a server that has another name in the head.
type ServerRename struct {
	Old string `json:"old"` // in the base
	New string `json:"new"`
}

// ServerRenames give servers of the base their names in the head.
type ServerRenames []ServerRename

// NewTool returns a tool, or a pattern of tools, as it is written now. One that names no server stays as it is.
func (l ServerRenames) NewTool(old string) string {
	for _, r := range l {
		if tool, ok := strings.CutPrefix(old, r.Old+"."); ok {
			return r.New + "." + tool
		}
	}
	return old
}

// HaveMoved reports whether a catalog that holds some tools, by their names, is the one that held others: most of them are the same.
func HaveMoved(was, is []string) bool { return 2*countShared(was, is) > max(len(was), len(is)) }

func countShared(was, is []string) int {
	held := map[string]bool{}
	for _, name := range was {
		held[name] = true
	}
	shared := 0
	for _, name := range is {
		if held[name] {
			shared++
		}
	}
	return shared
}

// Renames give tools of the base their names in the head, and back.
type Renames []Rename

// New returns the new name of a tool, bare or qualified as it is.
func (l Renames) New(old string) string {
	for _, r := range l {
		switch old {
		case r.Old:
			return r.New
		case r.Server + "." + r.Old:
			return r.Server + "." + r.New
		}
	}
	return old
}

// Old returns a tool under its old name, and whether it was renamed.
func (l Renames) Old(ref catalog.Ref) (catalog.Ref, bool) {
	for _, r := range l {
		if ref.Matches(catalog.Ref{Server: r.Server, Name: r.New}) && (ref.Server != "" || !r.Shared) {
			ref.Name = r.Old
			return ref, true
		}
	}
	return ref, false
}

// InEffect is the kind of weakening in which the same evidence passes by the head's suite and not by the base's.
const InEffect = "in effect"

// Unjudged is a case on whose evidence the base's suite could not judge, so that nobody knows whether it is weakened.
type Unjudged struct {
	Case   string `json:"case"` // id
	Reason string `json:"reason"`
}

// WeakenedCase is one entry of renderings: an entry of Comparison.Weakened, and below one that is in effect those of the
// same case.
type WeakenedCase struct {
	Weakening
	Settings []Weakening
}

// WeakenedCases returns the weakenings, those of settings below the weakening in effect that they cause.
func (c *Comparison) WeakenedCases() []WeakenedCase {
	var list []WeakenedCase
	for _, w := range c.Weakened {
		if n := len(list) - 1; n >= 0 && list[n].Kind == InEffect && list[n].Case == w.Case {
			list[n].Settings = append(list[n].Settings, w)
			continue
		}
		list = append(list, WeakenedCase{Weakening: w})
	}
	return list
}

// Weakenings returns how many weakenings count for fail-on-weakened.
func (c *Comparison) Weakenings() int {
	counted, _ := c.countWeakenings()
	return counted
}

// countWeakenings returns how many weakenings count for fail-on-weakened, those of a case that is weakened in effect once,
// and how many changes are only shown.
func (c *Comparison) countWeakenings() (counted, shown int) {
	for _, w := range c.WeakenedCases() {
		if w.ToldOnly {
			shown++
			continue
		}
		counted++
	}
	return counted, shown
}

// Doubts lists everything that could not be compared, a line each. show writes a text of a user's.
func (c *Comparison) Doubts(show func(string) string) []string {
	var lines []string
	for _, p := range c.Partial {
		lines = append(lines, p.lines(show)...)
	}
	if by := string(c.Uncompared); by != "" {
		lines = append(lines, "what the change does to the cases that "+show(by)+" left out was not compared")
	}
	for _, suite := range c.Base.Unread {
		lines = append(lines, "the base's suite "+show(suite)+" has mistakes: it judged nothing, and its settings were not compared")
	}
	for _, id := range c.Base.Mistaken {
		lines = append(lines, "the base's test "+show(id)+" has mistakes: it judged nothing, and its settings were not compared")
	}
	if n := c.Base.Mistakes; n > 0 {
		lines = append(lines, "the base has "+judge.CountOf(n, "mistake")+" in its input; what they are about was not compared")
	}
	for _, u := range c.Unjudged {
		lines = append(lines, "the base's suite could not judge "+show(u.Case)+": "+show(u.Reason))
	}
	return lines
}

// Became returns the change of a setting; show writes a text of a user's.
func (w Weakening) Became(show func(string) string) string {
	switch {
	case w.Head == "":
		return show(string(w.Base)) + " was removed"
	case w.Base == "":
		return show(string(w.Head)) + " was added"
	}
	return show(string(w.Base)) + " became " + show(string(w.Head))
}

// Verdicts returns the verdicts of a case that is weakened in effect, by both suites, to follow its name.
func (w Weakening) Verdicts() string {
	by := map[Optional]string{
		Optional(judge.Pass): "passes", Optional(judge.Skipped): "is skipped", Optional(judge.Fail): "fails", Optional(judge.Error): "is an error",
	}
	return by[w.Head] + " by this change's suite and " + by[w.Base] + " by the base's"
}
