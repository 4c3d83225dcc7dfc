package report

import (
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
)

// BaseJudgement is the judgement of the head's evidence of a case by the base's suite.
type BaseJudgement struct {
	Case    string        `json:"case"`    // id of the base's case
	Verdict judge.Verdict `json:"verdict"` // the verdict by the base's suite

	// Reason is the message of the first failure by the base's suite that the head's author is responsible for. It is "" for other
	// failures, such as a tool that the base's suite names and that is gone.
	Reason string `json:"reason"`

	Fault    string        `json:"fault"`              // why the base's suite could not judge; "" if it could
	Lost     []string      `json:"lost,omitzero"`      // dropped recordings of the base without replacement that fail by the base's suite
	SameRuns bool          `json:"same_runs,omitzero"` // the head's recordings are other files with the same runs as the base's
	Renames  Renames       `json:"renames"`            // renamed tools whose new names the head's suite uses
	Servers  ServerRenames `json:"servers,omitzero"`   // servers that have another name in the head, by their new names
	Gone     []string      `json:"gone"`               // tools that the base's suite names but the head's suite and all servers lack; sorted
}

// OwnJudgement is the judgement of a case by the change's own suite. The base's suite gave the verdict of the case.
type OwnJudgement struct {
	Verdict judge.Verdict `json:"verdict"`
	LeftOut Optional      `json:"left_out,omitzero"` // as of [Case]
	Stands  bool          `json:"stands,omitzero"`   // it is the case's verdict, because the base's suite needs tools that are gone
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
	Old    string `json:"old"` // in the base
	New    string `json:"new"`
	Shared bool   `json:"shared"` // a tool of another server has the new name, too: a call that names no server may mean either
}

// ServerRename is a server that has another name in the head.
type ServerRename struct {
	Old string `json:"old"` // in the base
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

// HaveMoved reports whether a catalog with the tools called is replaces one with the tools called was: most of the tools are in both.
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

// InEffect is the kind of weakening by which evidence that fails by the base's suite passes by the head's suite.
const InEffect = "in effect"

// Unjudged is a case whose evidence the base's suite could not judge, so that a weakening cannot be ruled out.
type Unjudged struct {
	Case   string `json:"case"` // id
	Reason string `json:"reason"`
}

// WeakenedCase is an entry in renderings: a weakening of Comparison.Weakened and, if it is in effect, the weakened settings of its
// case.
type WeakenedCase struct {
	Weakening
	Settings []Weakening
}

// WeakenedCases returns the weakenings; those of settings are below the weakening in effect that they cause.
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

// Weakenings returns the number of weakenings that count for fail-on-weakened.
func (c *Comparison) Weakenings() int {
	counted, _ := c.countWeakenings()
	return counted
}

// countWeakenings returns the number of weakenings that count for fail-on-weakened, with one for each case that is weakened in effect,
// and the number of changes that are only shown.
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

// Doubts returns a line for each thing that could not be compared. show writes a text of a user.
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

// Became returns the change of a setting as text; show writes a text of a user.
func (w Weakening) Became(show func(string) string) string {
	switch {
	case w.Head == "":
		return show(string(w.Base)) + " was removed"
	case w.Base == "":
		return show(string(w.Head)) + " was added"
	}
	return show(string(w.Base)) + " became " + show(string(w.Head))
}

// Verdicts returns the verdicts by both suites of a case that is weakened in effect. The text follows the case's name.
func (w Weakening) Verdicts() string {
	by := map[Optional]string{
		Optional(judge.Pass): "passes", Optional(judge.Skipped): "is skipped", Optional(judge.Fail): "fails", Optional(judge.Error): "is an error",
	}
	return by[w.Head] + " by this change's suite and " + by[w.Base] + " by the base's"
}
