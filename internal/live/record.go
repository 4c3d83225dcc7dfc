package live

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

func (p *plan) assemble(runs []*oneRun) *trace.Trace {
	tr := &trace.Trace{Header: p.header()}
	if i := slices.IndexFunc(runs, func(o *oneRun) bool { return o.real != nil }); i >= 0 {
		setCatalog(&tr.Header, runs[i].real, runs[i].distractors)
	}
	if old := p.partial(); old != nil && old.Recorded != nil {
		tr.Recorded, tr.Distractors = old.Recorded, old.Distractors // the earlier runs had the same tools, and their placeholders stay the same
	}
	for _, o := range runs {
		tr.Runs = append(tr.Runs, o.run)
		tr.ProviderModel = cmp.Or(tr.ProviderModel, o.model)
		tr.Deferred = trace.UnionOf(tr.Deferred, o.deferred)
	}
	p.noteNothingDeferred(tr, runs)
	p.redact(tr, runs)
	for i := range tr.Runs {
		breakOversized(&tr.Runs[i])
	}
	tr.Catalog = tr.Recorded
	return tr
}

// noteNothingDeferred handles an agent that was asked to search for tools but shows no deferred tool in its output. If the agent
// always searches when asked, it deferred tools but no run searched, and an empty list in tr says that the names of these tools are
// unknown. Otherwise it is possible that the agent does not search with this model, and a note says this.
func (p *plan) noteNothingDeferred(tr *trace.Trace, runs []*oneRun) {
	hasScoredRun := slices.ContainsFunc(runs, func(o *oneRun) bool { return o.err == nil })
	lacksDeferred := tr.ToolSearch == trace.SearchOn && tr.Deferred == nil
	if !lacksDeferred || !hasScoredRun {
		return
	}
	preset := p.tested.Agent.Preset
	if preset.Searching == agents.SearchesAsked {
		tr.Deferred = []catalog.Ref{}
		return
	}
	p.runner().note(fmt.Sprintf("%q: \"tool_search\" is on, but %s had all tools in front of the model: it searches with some models only", p.tested.Name, preset.Name))
}

// header returns the header of the recording, still without the tools that the runs were offered.
func (p *plan) header() trace.Header {
	h := trace.Header{
		Test:               p.tested.Name,
		Model:              p.tested.Model,
		Provider:           p.resolved.Provider,
		Recorder:           "mcp-gates " + p.runner().options.Version,
		RecordedAt:         time.Now().UTC().Format(time.RFC3339),
		PromptSHA256:       trace.PromptSHA256(p.tested.Recorded.Prompt),
		SystemPromptSHA256: trace.PromptSHA256(p.tested.Recorded.SystemPrompt),
		Faults:             p.tested.PlainFaults(),
		DeferredBy:         p.tested.Deferred.String(),
	}
	if a := p.tested.Agent; a != nil {
		h.Agent, h.AgentSHA256, h.AgentVersion = a.Title(), a.SHA256(), p.program.version
		h.ToolSearch = a.ToolSearch
		h.AgentRun, h.SystemPromptSHA256 = p.program.runNotes(), "" // the system prompt is the agent's own
	}
	return h
}

// breakOversized turns a run that is too large for a recording into a broken run that keeps only its figures.
func breakOversized(run *trace.Run) {
	err := run.Check()
	if err == nil {
		return
	}
	bare := trace.Run{Number: run.Number, Error: cmp.Or(run.Error, "a recording cannot hold what the agent did: "+err.Error())}
	figures := bare
	figures.Input, figures.Output, figures.Total, figures.Cost = run.Input, run.Output, run.Total, run.Cost
	figures.Duration, figures.Offered = run.Duration, run.Offered
	if figures.Check() != nil {
		figures = bare
	}
	*run = figures
}

// setCatalog puts the offered tools into the header: the servers in the suite's order, each with its tools sorted by
// name, and then the distractors in the order in which they are injected.
func setCatalog(h *trace.Header, real *catalog.Catalog, distractors []*catalog.Tool) {
	sorted := slices.Clone(real.All())
	order := map[string]int{}
	for _, t := range sorted {
		if _, known := order[t.Server]; !known {
			order[t.Server] = len(order)
		}
	}
	slices.SortStableFunc(sorted, func(a, b *catalog.Tool) int {
		return cmp.Or(cmp.Compare(order[a.Server], order[b.Server]), cmp.Compare(a.Name, b.Name))
	})
	h.Recorded = catalog.Merge(catalog.New("", sorted), &catalog.Catalog{Tools: distractors})
	if distractors == nil {
		return
	}
	h.Distractors = []catalog.Ref{}
	for _, t := range distractors {
		h.Distractors = append(h.Distractors, t.Ref())
	}
}

func (p *plan) redact(tr *trace.Trace, runs []*oneRun) {
	r := p.shared.rules.File()
	if old := p.partial(); old != nil {
		reserveNumbers(r, old)
	}
	redactHeader(r, &tr.Header)
	tools := trace.Tools{}
	for i := range tr.Runs {
		tr.Runs[i].Redact(r, tools)
		tr.Runs[i].Error = mcpclient.SafeText(r, runs[i].err)
	}
}

// redactHeader removes the secrets from the header, and computes the hash of the catalog.
func redactHeader(r *redact.Redactor, h *trace.Header) {
	h.ProviderModel = r.Text(h.ProviderModel)
	h.Agent, h.AgentVersion = r.Text(h.Agent), r.Text(h.AgentVersion)
	if h.Recorded != nil {
		h.Recorded = h.Recorded.Redacted(r)
		h.CatalogSHA256 = h.Recorded.Without(h.Distractors).SHA256()
	}
	redactRefs(r, h.Deferred)
}

func redactRefs(r *redact.Redactor, refs []catalog.Ref) {
	for i := range refs {
		refs[i].Name = r.Text(refs[i].Name)
	}
}

// save writes the trace to the case's cassette, unless a replay could not use it or the file already has the same
// content.
func (p *plan) save(tr *trace.Trace) error {
	scored, failed := tr.Split()
	if len(scored) == 0 || len(failed) > p.tested.AllowRunErrors {
		return nil // the check reports the runs that did not finish; an earlier recording stays as it is
	}
	p.isSilent = !slices.ContainsFunc(scored, func(run trace.Run) bool { return len(run.Calls) > 0 })
	path := p.tested.Cassettes[0]
	var text bytes.Buffer
	if err := trace.Write(&text, tr); err != nil {
		return err
	}
	if err := new(trace.Reader).Check(bytes.NewReader(text.Bytes()), int64(text.Len())); err != nil {
		p.saveOutcome = outcomeLeft
		return &source.Error{Pos: p.tested.Pos, Msg: fmt.Sprintf("nothing was recorded, because the recording could not be read: %s", err)}
	}
	p.saveOutcome = outcomeSame
	if !p.isSameAsFile(path, tr) {
		p.saveOutcome = outcomeLeft
		err := p.runner().options.Save(path, func(w io.Writer) error {
			_, err := w.Write(text.Bytes())
			return err
		})
		if err != nil {
			return fmt.Errorf("write cassette %q: %w", path, err)
		}
		p.saveOutcome = outcomeWritten
	}
	tr.Sources = []trace.Source{{File: path, Runs: len(tr.Runs), Recorder: tr.Recorder, Hashed: true, Keeps: tr.Keeps()}}
	return nil
}

// outcome is the result of saving a case's cassette.
type outcome int

const (
	outcomeSame outcome = iota + 1
	outcomeLeft
	outcomeWritten
)

// Recordings lists the cassettes of all cases that were to be recorded. Each path is in exactly one of Written, Same
// and Left, and the lists are sorted.
type Recordings struct {
	Written []string
	Same    []string // the file had the same content, except for times
	Left    []string // paths that are unchanged or still missing, because the case has an error
	Silent  []string // the paths in Written and Same whose runs called no tool
	Kept    []Kept   // partial recordings that exist now
}

// Recordings returns the results of recording, after all cases have run.
func (r *Runner) Recordings() Recordings {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out Recordings
	for _, path := range slices.Sorted(maps.Keys(r.cassettes)) {
		p := r.cassettes[path]
		if p.isSilent && p.saveOutcome != outcomeLeft {
			out.Silent = append(out.Silent, path)
		}
		if kept, isKept := p.keeper.remaining(); isKept {
			out.Kept = append(out.Kept, kept)
		}
		switch p.saveOutcome {
		case outcomeWritten:
			out.Written = append(out.Written, path)
		case outcomeSame:
			out.Same = append(out.Same, path)
		default:
			out.Left = append(out.Left, path)
		}
	}
	return out
}

func (p *plan) isSameAsFile(path string, tr *trace.Trace) bool {
	const everything = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers
	old, errs := trace.Read(p.runner().options.FS, []string{path}, everything)
	return len(errs) == 0 && bytes.Equal(withoutTimes(old), withoutTimes(tr))
}

func withoutTimes(tr *trace.Trace) []byte {
	bare := &trace.Trace{Header: tr.Header, Runs: slices.Clone(tr.Runs)}
	bare.RecordedAt = ""
	for i := range bare.Runs {
		run := &bare.Runs[i]
		run.Duration, run.Calls = trace.Count{}, slices.Clone(run.Calls)
		for j := range run.Calls {
			if d := run.Calls[j].Detail; d != nil {
				run.Calls[j].Detail = &trace.Detail{Args: d.Args, Result: d.Result, Error: d.Error, Agent: d.Agent, Witness: d.Witness, Fault: d.Fault, Search: d.Search}
			}
		}
	}
	var out bytes.Buffer
	if trace.Write(&out, bare) != nil {
		return nil
	}
	return out.Bytes()
}
