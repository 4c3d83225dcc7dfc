package suggest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// Item is a group of runs, with the place of its cassettes.
type Item struct {
	Group    *imports.Group
	Name     string // see Names
	Cassette string // a path or glob in the form of the draft, relative to its folder
}

// Draft is a suite that passes on today's runs.
type Draft struct {
	Text  []byte // text of the file; nil if no run called a tool of a server
	Cases int
	Left  []string // reasons why some of the items have no case, a line each
	Named []string // servers that the logs do not name, and that are named after their files, sorted
}

// maxDrafted bounds the cases of a draft, because users review it.
const maxDrafted = 500

// New drafts a suite that is written as file of fsys, with the cassettes below its folder. The gates judge the runs to
// determine floors, and the returned draft has been judged to pass.
func New(ctx context.Context, fsys fs.FS, file string, items []Item, version string) (*Draft, error) {
	d := &drafting{Draft: &Draft{}, ctx: ctx, fsys: fsys, file: file, version: version, promptBytesLeft: maxPrompts}
	for _, item := range items {
		d.add(item)
	}
	d.evaluate((*drafting).setFloors) // leaves out cases without floors
	for rounds := 0; len(d.cases) > 0; rounds++ {
		leftOut := d.evaluate((*drafting).whyNotKept)
		if d.err != nil {
			return nil, d.err
		}
		if leftOut == 0 {
			break
		}
		if rounds > 2 {
			return nil, errors.New("the draft does not pass")
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	if d.Cases = len(d.cases); d.Cases > 0 {
		d.Text = d.renderSuite()
	}
	return d.Draft, nil
}

// drafting is the work on a draft.
type drafting struct {
	*Draft
	ctx             context.Context
	fsys            fs.FS
	file            string
	version         string
	cases           []*draftCase
	promptBytesLeft int // bytes of prompts that may still be written
	err             error
}

type draftCase struct {
	item           Item
	name           string
	servers        []string
	hasPrompt      bool // prompt and system prompt are written
	hasNoRoom      bool // the prompts are not written, because the prompts of other cases leave no room
	classes        []class
	mistakenTools  []mistakenTool // tools outside of all classes
	alwaysUsedTool int            // index of the tool that every run used; -1 if there is none
	f1, rate       int64          // floors of the F1 and of the selection rate, in percent
	budget         int64          // bound on the tokens of a run; 0 for none
}

// maxPrompts bounds the prompts of a draft, in bytes: a suite of more than 4 MiB is not read.
const maxPrompts = 2 << 20

// add drafts a case for a group of runs, or leaves it out with a reason.
func (d *drafting) add(item Item) {
	g := item.Group
	c := &draftCase{item: item, name: strings.ReplaceAll(item.Name, "-", " "), mistakenTools: mistakenOf(g)}
	c.classes = classesOf(g, c.mistakenTools)
	c.alwaysUsedTool = alwaysUsed(g, c.classes)
	hasTooManyTools := g.More || g.Sets == nil || len(g.Tools) > maxClassTools
	switch {
	case g.Runs == g.Broken:
		d.leaveOut(c, "no run came to its end")
	case len(c.classes) == 0 && hasTooManyTools:
		d.leaveOut(c, "its runs called too many tools to offer classes")
	case len(c.classes) == 0 && len(c.mistakenTools) > 0:
		d.leaveOut(c, fmt.Sprintf("it calls nothing that a case could demand: %s, because %s", g.Tools[c.mistakenTools[0].tool].ID(), c.mistakenTools[0].reason))
	case len(c.classes) == 0:
		d.leaveOut(c, "no run called a tool of a server")
	case len(d.cases) >= maxDrafted:
		d.leaveOut(c, fmt.Sprintf("a draft has at most %d cases", maxDrafted))
	default:
		d.setServers(c)
		c.setBudget()
		d.reservePrompt(c)
		d.cases = append(d.cases, c)
	}
}

func (d *drafting) leaveOut(c *draftCase, reason string) {
	d.Left = append(d.Left, fmt.Sprintf("no case for %s: %s", c.item.Cassette, reason))
}

// reservePrompt decides whether the prompts are written: both or neither, because a prompt without its system prompt is a
// different prompt.
func (d *drafting) reservePrompt(c *draftCase) {
	g := c.item.Group
	size := len(text(g.Prompt.Whole)) + len(text(g.System.Whole))
	isWhole := g.Prompt.Whole != "" && (g.System.SHA256 == "" || g.System.Whole != "")
	c.hasNoRoom = isWhole && size > d.promptBytesLeft
	c.hasPrompt = isWhole && !c.hasNoRoom
	if c.hasPrompt {
		d.promptBytesLeft -= size
	}
}

// setServers sets the servers of a case. If the log lists tools without a server, their server is named after the file, so
// that it can get a catalog.
func (d *drafting) setServers(c *draftCase) {
	g := c.item.Group
	c.servers = serversOf(g)
	if !NamesServer(g) {
		return
	}
	base := path.Base(filepath.ToSlash(g.File))
	name := suite.Slug(strings.TrimSuffix(base, path.Ext(base)))
	if !isName(name) || name == trace.BuiltinServer {
		name = "tools"
	}
	c.servers = []string{name}
	if !slices.Contains(d.Named, name) {
		d.Named = append(d.Named, name)
		slices.Sort(d.Named)
	}
}

// NamesServer reports whether a draft names a server for the tools of a group because the logs do not name one.
func NamesServer(g *imports.Group) bool { return g.Catalog() != nil && len(serversOf(g)) == 0 }

func serversOf(g *imports.Group) (servers []string) {
	for _, t := range g.Tools {
		servers = append(servers, t.Server)
	}
	if c := g.Catalog(); c != nil {
		for _, t := range c.Tools {
			servers = append(servers, t.Server)
		}
	}
	slices.Sort(servers)
	return slices.DeleteFunc(slices.Compact(servers), func(s string) bool { return s == trace.BuiltinServer || !isName(s) })
}

// setBudget sets the budget to a quarter more than the most tokens of a run, rounded up to two digits.
func (c *draftCase) setBudget() {
	largest := c.item.Group.MaxTokens
	if !largest.Known || largest.N == 0 {
		return
	}
	c.budget = largest.N + (largest.N+3)/4
	unit := int64(1)
	for c.budget/unit >= 100 {
		unit *= 10
	}
	c.budget = (c.budget + unit - 1) / unit * unit
}

// evaluate lets the gates judge the draft, leaves out the cases for which look returns a reason, and returns the number of cases
// left out.
func (d *drafting) evaluate(look func(*drafting, *draftCase, *report.Case) string) (leftOut int) {
	if len(d.cases) == 0 || d.err != nil {
		return 0
	}
	files := withFiles{d.fsys, map[string][]byte{d.file: d.renderSuite()}}
	r := check.Run(d.ctx, files, check.Options{Suites: []string{d.file}, Version: d.version})
	byName := map[string]*report.Case{}
	for i := range r.Cases {
		byName[r.Cases[i].Name] = &r.Cases[i]
	}
	var kept []*draftCase
	for _, c := range d.cases {
		judged := byName[c.name]
		if judged == nil {
			d.err = errors.New("the draft cannot be read")
			if len(r.Problems) > 0 {
				d.err = fmt.Errorf("judge the draft: %s", r.Problems[0].Message)
			}
			return 0
		}
		if reason := look(d, c, judged); reason != "" {
			d.leaveOut(c, reason)
			leftOut++
			continue
		}
		kept = append(kept, c)
	}
	d.cases = kept
	return leftOut
}

// setFloors sets the floors of a case to the values that its runs reach, and returns the reason if no floor holds.
func (d *drafting) setFloors(c *draftCase, judged *report.Case) string {
	if judged.Err != nil {
		return judged.Err.Message
	}
	for _, result := range judged.Gates {
		if f1, ok := result.Metrics[f1Target]; ok {
			c.f1 = floorOf(f1)
		}
		if rate, ok := result.Metrics[rateTarget]; ok {
			c.rate = floorOf(rate)
		}
	}
	if c.f1 == 0 {
		return "no floor holds: the F1 of its classes is below 5 %"
	}
	return ""
}

// The figures that floors are derived from.
const (
	f1Target   = "tool_selection.f1"
	rateTarget = "tool_selection.rate"
)

func floorOf(v judge.Value) int64 {
	if v.Rat == nil || !v.Rat.IsInt() {
		return 0
	}
	return v.Rat.Num().Int64() / 5 * 5
}

func (d *drafting) whyNotKept(_ *draftCase, judged *report.Case) string {
	switch {
	case judged.Verdict == judge.Pass:
		return ""
	case judged.Err != nil:
		return judged.Err.Message
	}
	return "its floors do not hold"
}
