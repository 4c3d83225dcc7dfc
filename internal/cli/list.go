package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/text"
)

// listedCase is a case in the JSON of run --list.
type listedCase struct {
	ID        string             `json:"id"`
	Suite     string             `json:"suite"`
	Name      string             `json:"name"`
	Model     report.Optional    `json:"model"`
	Line      int                `json:"line"`
	Cassettes []string           `json:"cassettes"` // the files that were read
	State     report.Optional    `json:"state"`     // state of its evidence; null for a case that judges a catalog
	Since     report.Optional    `json:"since"`
	Tools     []report.StaleTool `json:"tools"`
	Again     bool               `json:"record_again"`

	unjudged string // why there is no evidence; shown instead of the state
}

var listFormats = []string{"text", formatJSON}

func (f *runFlags) checkList() error {
	switch {
	case f.stale && !f.list && !f.live.record:
		return errors.New("--stale needs --list or --record")
	case f.shard != "" && (f.list || f.stale || f.failed != ""):
		return errors.New("--shard divides all cases, so it cannot be combined with --list, --stale or --failed")
	case f.failed != "" && (f.list || f.stale):
		return errors.New("--failed says which cases are checked, so it cannot be combined with --list or --stale")
	case f.affected && (f.stale || f.failed != ""):
		return errors.New("--affected goes by what the change touches, so it cannot be combined with --stale or --failed")
	case (f.list || f.stale) && f.gatesFrom == annotate.GatesFromBase:
		return errors.New("--list and --stale go by the suites of the workspace, so they cannot be combined with --gates-from base")
	case f.baseFlag() != "" && (f.list || f.stale || f.failed != ""):
		return fmt.Errorf("%s asks about all that a change does, so it cannot be combined with --list, --stale or --failed", f.baseFlag())
	case f.list && (f.live.isLive() || f.byWords || f.output.run > 0):
		return errors.New("--list starts and judges nothing, so it cannot be combined with --live, --record, --by-words or --run")
	}
	return nil
}

// checkJudgeRun refuses flags that do not go with --judge-run, because one run that the user chose says nothing about the others.
// The output then shows this run.
func (f *runFlags) checkJudgeRun() error {
	switch {
	case f.judgeRun == 0:
	case f.baseline != "" || f.baseFlag() != "" || f.affected:
		return errors.New("--judge-run judges one run by hand, and compares nothing, so it cannot be combined with --baseline or options that need one")
	case f.shard != "":
		return errors.New("--judge-run judges one run by hand, which merge does not take, so it cannot be combined with --shard")
	case f.live.isLive() || f.list || f.stale:
		return errors.New("--judge-run judges one recorded run, so it cannot be combined with --live, --record, --list or --stale")
	case f.output.run > 0:
		return errors.New("--judge-run shows the run that it judges, so it cannot be combined with --run")
	}
	f.output.run = cmp.Or(f.judgeRun, f.output.run)
	return nil
}

// listCases writes the cases that a run would check, with the state of their evidence.
func (p *program) listCases(ctx context.Context, f runFlags, suites []string) error {
	places, err := readPlaces(f.output.formatArgs(), listFormats)
	if err != nil {
		return err
	}
	o, err := f.options(suites)
	if err != nil {
		return err
	}
	workspace, err := openWorkspace(f.workspace)
	if err != nil {
		return err
	}
	base, err := p.readBase(ctx, f, workspace, o)
	if err != nil {
		return err
	}
	if base.close != nil {
		defer base.close()
	}
	o.BaseSuites, o.Affected = base.suites, base.affected
	if why := base.allSuitesReason(); why != "" && o.OnlyAffected {
		p.say(allSuites + why)
	}
	r := check.Run(ctx, workspace, o)
	p.printProblems(r)
	list := []listedCase{}
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Again || !f.stale {
			list = append(list, listedCaseOf(c))
		}
	}
	return p.writeResult(places, rendering{
		noun: "list",
		write: func(w io.Writer, format string, _ text.Options) error {
			if format == formatJSON {
				encoder := json.NewEncoder(w)
				encoder.SetIndent("", "  ")
				return encoder.Encode(list)
			}
			return writeList(w, list)
		},
		failures: func(io.Writer, text.Options) error { return nil }, // the list already shows them
	}, f.output.options())
}

func (p *program) printProblems(r *report.Report) {
	for _, problem := range r.Problems {
		at := ""
		if problem.Path != "" {
			at = fmt.Sprintf("%s:%d:%d: ", problem.Path, problem.Line, problem.Col)
		}
		p.say(at + problem.Message)
		p.status = report.ExitUser
	}
}

func listedCaseOf(c *report.Case) listedCase {
	one := listedCase{
		ID: c.ID, Suite: c.Suite, Name: c.Name, Model: c.Model, Line: c.Line, Cassettes: append([]string{}, c.Cassettes...),
		Tools: []report.StaleTool{}, Again: c.Again,
	}
	switch {
	case c.LeftOut != "" && c.Err == nil:
		one.unjudged = "skipped"
	case c.LeftOut != "":
		one.unjudged = "mistake"
	}
	if f := c.Freshness; f != nil {
		one.State, one.Since, one.Tools = report.Optional(f.State), f.Since, f.Tools
	}
	return one
}

func writeList(w io.Writer, list []listedCase) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range list {
		state := string(cmp.Or(c.State, report.Optional(c.unjudged), "catalog"))
		isCurrent := c.State == report.Optional(report.Fresh) || c.State == report.Optional(report.Touched)
		if c.Again && isCurrent {
			state += ", refused"
		}
		model := cmp.Or(string(c.Model), "-")
		fmt.Fprintf(table, "%s\t%s:%d\t%s\t%s\n", state, report.Safe(c.Suite), c.Line, report.Safe(model), report.Safe(c.ID))
	}
	return table.Flush()
}

// staleCases returns the cases to record again. If there are none, it prints this and returns nil. It also returns nil if the input
// has mistakes.
func (p *program) staleCases(ctx context.Context, workspace fs.FS, o check.Options) map[string]bool {
	r := check.Run(ctx, workspace, o)
	only := map[string]bool{}
	for i := range r.Cases {
		c := &r.Cases[i]
		if !c.Again {
			continue
		}
		if c.RenewedBy != "" && c.Unrecordable {
			p.say(fmt.Sprintf("%s:%d: %q is not recorded: %s", c.Suite, c.Line, c.Name, tell.Renewal(c)))
			p.status = report.ExitUser
			continue
		}
		only[c.ID] = true
	}
	if len(only) > 0 {
		p.status = 0 // the runs that follow set the status
		return only
	}
	p.printProblems(r)
	if p.status == 0 {
		p.say("no case is to be recorded again")
	}
	return nil
}
