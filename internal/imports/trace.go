package imports

import (
	"cmp"
	"io/fs"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// InPlace configures the reading of logs instead of cassettes.
type InPlace struct {
	Options
	Where Where         // selects the runs that are judged
	Keep  trace.Keep    // the parts of runs that are kept in memory
	Rules *redact.Rules // rules for the secrets that are removed, as in a recording
	At    source.Pos    // position in the suite that names the logs, for mistakes in the selection
}

// ReadTrace reads logs instead of cassettes: the selected runs, without secrets, numbered from 1 in the order of the files. The
// header has the values that all of them share. There must be a run, and all must have the same model. The account, which is
// never nil, lists what was left out.
func ReadTrace(fsys fs.FS, files []string, o InPlace) (*trace.Trace, *Account, source.Errors) {
	at := o.At
	c := collector{
		where: o.Where, keep: o.Keep, redact: o.Rules.File(), trace: &trace.Trace{}, tools: trace.Tools{}, models: map[string]bool{},
	}
	account, err := Read(fsys, files, o.Options, c.add)
	errs := account.Mistakes
	if err != nil {
		errs.Addf(at, "%s", err)
	}
	if len(errs) > 0 {
		return nil, account, errs
	}
	switch {
	case c.found.runs == 0 && len(account.Skipped) > 0:
		errs.Addf(at, "the logs hold no run; %s", account.Skipped[0])
	case c.found.runs == 0:
		errs.Addf(at, "the logs hold no run")
	case len(c.trace.Runs) == 0:
		errs.Addf(at, "%s", c.found.noneChosenMessage())
	case len(c.models) > 1:
		errs.Addf(at, "the runs are of %d models (%s), expected one; choose it with \"where\": {model: …}", len(c.models), quotedFirst(c.models))
	}
	if len(errs) > 0 {
		return nil, account, errs
	}
	c.setHeader(files, account)
	return c.trace, account, nil
}

type collector struct {
	where  Where
	keep   trace.Keep
	trace  *trace.Trace
	redact *redact.Redactor
	tools  trace.Tools
	names  trace.NameLists
	found  foundRuns

	models            map[string]bool
	differingCatalogs int // number of catalogs and lists of deferred tools that could not be merged into the header
	header            trace.Header
	format            string // format of all runs; "" if they differ
}

func (c *collector) add(run *Run) error {
	c.found.addRun(run, c.redact)
	if !c.where.matches(run) {
		return nil
	}
	if run.Model != "" {
		c.models[run.Model] = true
	}
	c.mergeHeader(run)
	kept := run.Run
	kept.Number = len(c.trace.Runs) + 1
	c.dropUnkept(&kept)
	c.trace.Runs = append(c.trace.Runs, kept)
	return nil
}

// mergeHeader keeps the values of the header that all runs so far have in common.
func (c *collector) mergeHeader(run *Run) {
	if len(c.trace.Runs) == 0 {
		c.format = run.Format
	} else if c.format != run.Format {
		c.format = ""
	}
	own := trace.Header{
		Model: run.Model, Provider: run.Provider, ProviderModel: run.ProviderModel, PromptSHA256: hashOf(run.Prompt), SystemPromptSHA256: hashOf(run.System),
	}
	if c.where.Prompt != "" { // a prompt in the log can have other white space
		own.PromptSHA256 = trace.PromptSHA256(c.where.Prompt)
	}
	c.header.Deferred = trace.UnionOf(c.header.Deferred, run.Deferred)
	hasTooMany := len(c.header.Deferred) == 0 && len(run.Deferred) > 0 // see UnionOf
	if hasTooMany {
		c.differingCatalogs++
	}
	if run.Catalog != nil {
		own.CatalogSHA256 = run.Catalog.SHA256()
	}
	if len(c.trace.Runs) == 0 {
		own.Recorded, own.Deferred = run.Catalog, c.header.Deferred
		c.header = own
		return
	}
	for _, field := range []struct {
		common *string
		own    string
	}{
		{&c.header.Provider, own.Provider}, {&c.header.ProviderModel, own.ProviderModel},
		{&c.header.PromptSHA256, own.PromptSHA256}, {&c.header.SystemPromptSHA256, own.SystemPromptSHA256},
	} {
		if *field.common != field.own {
			*field.common = ""
		}
	}
	c.header.Model = cmp.Or(c.header.Model, own.Model)
	if c.header.CatalogSHA256 != own.CatalogSHA256 {
		c.mergeCatalog(run)
	}
}

// mergeCatalog adds the deferred tools that a run loaded and earlier runs did not load.
func (c *collector) mergeCatalog(run *Run) {
	merged, same := trace.MergeOffered(c.header.Recorded, run.Catalog, c.header.Deferred)
	if !same || merged == nil {
		c.differingCatalogs++
		return
	}
	c.header.Recorded, c.header.CatalogSHA256 = merged, merged.SHA256()
}

func hashOf(text string) string {
	if text == "" {
		return ""
	}
	return trace.PromptSHA256(text)
}

// dropUnkept drops the parts of a run that are not kept, removes secrets, and shares equal tools.
func (c *collector) dropUnkept(run *trace.Run) {
	switch {
	case c.keep&(trace.KeepTurns|trace.KeepUsage) == 0:
		run.DropTurns()
	case c.keep&trace.KeepTurns == 0:
		for i := range run.Turns {
			run.Turns[i].Content = ""
		}
	}
	if c.keep&trace.KeepAnswers == 0 {
		run.FinalResponse, run.HasFinal = "", false
	}
	for i := range run.Calls {
		call := &run.Calls[i]
		if c.keep&trace.KeepTimelines != 0 && c.keep&trace.KeepArgs == 0 {
			call.Names = c.names.Of(call.Detail.Args)
		}
		call.Detail = c.keptDetail(call.Detail)
	}
	run.Redact(c.redact, c.tools)
}

func (c *collector) keptDetail(d *trace.Detail) *trace.Detail {
	out := trace.Detail{Search: d.Search}
	if c.keep&trace.KeepResults != 0 {
		out = *d
		out.Args = nil
	}
	if c.keep&trace.KeepTimelines != 0 {
		out.Duration, out.Agent = d.Duration, d.Agent
	}
	if c.keep&trace.KeepArgs != 0 {
		out.Args = d.Args
	}
	hasTimes := out.Duration.Known || out.Agent != ""
	if c.keep&(trace.KeepResults|trace.KeepArgs) == 0 && !hasTimes && d.Search == nil {
		return nil
	}
	return &out
}

// setHeader sets the header, and the number of runs of each file.
func (c *collector) setHeader(files []string, account *Account) {
	if c.differingCatalogs > 0 {
		account.LeaveOut("lists of offered tools, because the runs do not agree on one")
		c.header.Recorded, c.header.CatalogSHA256 = nil, ""
	}
	c.trace.Header, c.trace.Logged = c.header, c.format
	c.trace.Catalog = c.header.Recorded
	byFile := map[string]int{}
	for i := range c.trace.Runs {
		byFile[c.trace.Runs[i].Pos.File]++
	}
	for _, file := range files {
		c.trace.Sources = append(c.trace.Sources, trace.Source{File: file, Runs: byFile[file], Keeps: c.header.Keeps()})
	}
}
