package report

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// BaseJudgement is the result of judging the head's evidence of a case by the base's suite.
type BaseJudgement struct {
	Case    string        `json:"case"`    // id of the base's case
	Verdict judge.Verdict `json:"verdict"` // the verdict by the base's suite

	// Reason is the message of the first failure by the base's suite for which the head's author is responsible. It is "" for
	// any other failure, such as a removed tool that the base's suite names.
	Reason string `json:"reason"`

	Fault string `json:"fault"` // why the base's suite could not judge; "" if it could
	// recordings of the base that were dropped without replacement and fail by the base's suite
	Lost     []string      `json:"lost,omitzero"`
	SameRuns bool          `json:"same_runs,omitzero"` // the head's recordings are other files with the same runs as the base's
	Renames  Renames       `json:"renames"`            // renamed tools whose new names the head's suite uses
	Servers  ServerRenames `json:"servers,omitzero"`   // servers that have another name in the head, by their new names
	Gone     []string      `json:"gone"`               // tools that the base's suite names but the head's suite and all servers lack; sorted
}

// OwnJudgement is the result of judging a case by the change's own suite, while the verdict in Case is by the base's suite.
type OwnJudgement struct {
	Verdict judge.Verdict `json:"verdict"`
	LeftOut Optional      `json:"left_out,omitzero"` // see [Case]
	Stands  bool          `json:"stands,omitzero"`   // the judgement is the case's verdict, because the base's suite needs tools that are gone
}

// ByOwnSuite returns the verdict by the change's own suite, and the reason if no gate of that suite judges the case.
func (c *Case) ByOwnSuite() (judge.Verdict, Optional) {
	if c.Own != nil {
		return c.Own.Verdict, c.Own.LeftOut
	}
	return c.Verdict, c.LeftOut
}

// Rename is a tool of a server that has another name in the head.
type Rename struct {
	Server string `json:"server"`
	Old    string `json:"old"` // name in the base
	New    string `json:"new"`
	Shared bool   `json:"shared"` // a tool of another server also has the new name, so a call that names no server may mean either
}

// ServerRename is a server that has another name in the head.
type ServerRename struct {
	Old string `json:"old"` // name in the base
	New string `json:"new"`
}

// ServerRenames map the names of servers in the base to their names in the head.
type ServerRenames []ServerRename

// NewTool returns a tool, or a pattern of tools, with the new name of its server. A name without a server is returned unchanged.
func (l ServerRenames) NewTool(old string) string {
	for _, r := range l {
		if tool, ok := strings.CutPrefix(old, r.Old+"."); ok {
			return r.New + "." + tool
		}
	}
	return old
}

// HaveMoved reports whether two lists of tools share more than half of the longer list. Then one catalog replaces the other if the
// other's file is gone.
func HaveMoved(was, is []string) bool { return 2*countShared(was, is) > max(len(was), len(is)) }

func countShared(was, is []string) int {
	held := lists.SetOf(was, func(name string) string { return name })
	return lists.Count(is, func(name string) bool { return held[name] })
}

// Renames map the names of tools in the base to their names in the head, and back.
type Renames []Rename

// New returns the new name of a tool, bare or qualified like the old one.
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

// Old returns a tool with its old name, and whether it was renamed.
func (l Renames) Old(ref catalog.Ref) (catalog.Ref, bool) {
	for _, r := range l {
		if ref.Matches(catalog.Ref{Server: r.Server, Name: r.New}) && (ref.Server != "" || !r.Shared) {
			ref.Name = r.Old
			return ref, true
		}
	}
	return ref, false
}

// InEffect is the kind of weakening that changes the verdict: the evidence fails by the base's suite and passes by the head's.
const InEffect = "in effect"

// Unjudged is a case whose evidence the base's suite could not judge, so a weakening may be hidden.
type Unjudged struct {
	Case   string `json:"case"` // id
	Reason string `json:"reason"`
}

// WeakenedCase is an entry in renderings: a weakening, and the case's weakened settings if the weakening changes the case's
// verdict.
type WeakenedCase struct {
	Weakening
	Settings []Weakening
}

// WeakenedCases returns the weakenings as entries. If a weakening changes a case's verdict, the case's weakened settings are in the
// entry of this weakening, and have no entries of their own. Any other weakening has an entry.
func (c *Comparison) WeakenedCases() (list []WeakenedCase) {
	for _, w := range c.Weakened {
		if n := len(list) - 1; n >= 0 && list[n].Kind == InEffect && list[n].Case == w.Case {
			list[n].Settings = append(list[n].Settings, w)
			continue
		}
		list = append(list, WeakenedCase{Weakening: w})
	}
	return list
}

// Weakenings returns the number of weakenings that count for fail-on-weakened.
func (c *Comparison) Weakenings() int {
	counted, _ := c.countWeakenings()
	return counted
}

// countWeakenings returns the number of weakenings that count for fail-on-weakened, and the number of those that are only
// shown. A case whose verdict changes counts once.
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

// Doubts returns a line for each thing that could not be compared. show writes an untrusted text.
func (c *Comparison) Doubts(show func(string) string) []string {
	lines := slices.Concat(lists.Map(c.Partial, func(p Partial) []string { return p.lines(show) })...)
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

// Became returns a text on the change of a setting. show writes an untrusted text.
func (w Weakening) Became(show func(string) string) string {
	switch {
	case w.Head == "":
		return show(string(w.Base)) + " was removed"
	case w.Base == "":
		return show(string(w.Head)) + " was added"
	}
	return show(string(w.Base)) + " became " + show(string(w.Head))
}

// Verdicts returns the verdicts by both suites, for a weakening that changes the verdict. The text follows the case's name.
func (w Weakening) Verdicts() string {
	by := map[Optional]string{
		Optional(judge.Pass): "passes", Optional(judge.Skipped): "is skipped", Optional(judge.Fail): "fails", Optional(judge.Error): "is an error",
	}
	return by[w.Head] + " by this change's suite and " + by[w.Base] + " by the base's"
}
