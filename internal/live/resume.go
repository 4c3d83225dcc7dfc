package live

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// partial returns the partial recording that the case continues; nil for none.
func (p *plan) partial() *trace.Partial {
	if p.keeper == nil {
		return nil
	}
	return p.keeper.old
}

// openKeeper prepares a case to store its runs as they end, and reads the runs that are already stored.
func (p *plan) openKeeper(errs *source.Errors) {
	options := &p.runner().options
	path, ok := p.recordingPath()
	if !ok || options.Partials == nil {
		return
	}
	p.keeper = &keeper{plan: p, path: path + trace.PartialSuffix}
	info, err := fs.Lstat(options.FS, p.keeper.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		errs.Addf(p.tested.CassettePos, "%q cannot be read: %s", p.keeper.path, err)
	case !info.Mode().IsRegular():
		errs.Addf(p.tested.CassettePos, "%q is not a regular file, and finished runs are kept there; "+trace.BeginAgain, p.keeper.path)
	case !options.Resume:
		errs.Addf(p.tested.CassettePos, "%q keeps runs of a recording that is not whole: \"mcp-gates run --record --resume\" makes the missing ones. "+
			"To make all of them again, remove the file first", p.keeper.path)
	default:
		p.keptBytes = info.Size()
		p.readOld(errs)
	}
}

// readOld reads an earlier partial recording. One that git tracks is refused, because it may hold another person's runs.
func (p *plan) readOld(errs *source.Errors) {
	tracked, err := p.runner().options.Partials.Tracked(p.runner().ctx, p.keeper.path)
	switch {
	case err != nil:
		errs.Addf(p.tested.CassettePos, "%q is not resumed, because it is not known whether git tracks it: %s", p.keeper.path, err)
		return
	case tracked:
		errs.Addf(p.tested.CassettePos, "%q is tracked by git, so that its runs can be somebody else's; "+trace.BeginAgain+" with \"*%s\" in .gitignore",
			p.keeper.path, trace.PartialSuffix)
		return
	}
	old, mistakes := trace.ReadPartial(p.runner().options.FS, p.keeper.path)
	if len(mistakes) > 0 {
		first := mistakes[0]
		errs.Addf(first.Pos, "%s; "+trace.BeginAgain, first.Msg)
		return
	}
	p.keeper.isThere = true
	if len(old.Runs) == 0 {
		return
	}
	p.keeper.old = old
	for i := range old.Runs {
		run := &old.Runs[i]
		identity := &trace.PartialRun{Run: trace.Run{Number: run.Number, Error: run.Error}, Beside: run.Beside}
		p.keeper.written = append(p.keeper.written, p.keptRun(identity, nil))
	}
}

// unexpectedRun returns the number of a stored run that is neither a run of the case nor the replacement of a broken run; 0 if
// there is none.
func (p *plan) unexpectedRun() int {
	old := p.partial()
	for i := range old.Runs {
		run := &old.Runs[i]
		isBrokenOriginal := func(other trace.PartialRun) bool { return other.Number == run.Beside && other.Error != "" }
		isReplacement := run.Number > p.runCount()
		if isReplacement && !slices.ContainsFunc(old.Runs, isBrokenOriginal) {
			return run.Number
		}
		if !isReplacement && run.Beside != 0 {
			return run.Number
		}
	}
	return 0
}

func (p *plan) resume(all []*oneRun) (old, missing []*oneRun) {
	byNumber := map[int]*oneRun{}
	for _, o := range all {
		byNumber[o.number] = o
	}
	for i := range p.partial().Runs {
		old = append(old, p.keptRun(&p.partial().Runs[i], byNumber))
	}
	return old, p.missing(all, old)
}

// missing returns the runs that the case lacks: those that are not kept, and replacements for broken runs. A broken run gets no
// replacement if it has one already, or if the case tolerates it.
func (p *plan) missing(all, kept []*oneRun) (missing []*oneRun) {
	kept = slices.SortedFunc(slices.Values(kept), func(a, b *oneRun) int { return a.number - b.number })
	isTaken, isReplaced := map[int]bool{}, map[int]bool{}
	for _, o := range kept {
		isTaken[o.number], isReplaced[o.replaces] = true, true
	}
	for _, o := range all {
		if !isTaken[o.number] {
			missing = append(missing, o)
		}
	}
	nextNumber, tolerated := len(all)+1, p.tested.AllowRunErrors
	for _, o := range kept {
		if o.err == nil || isReplaced[o.number] {
			continue
		}
		if tolerated > 0 {
			tolerated--
			continue
		}
		for isTaken[nextNumber] {
			nextNumber++
		}
		isTaken[nextNumber] = true
		missing = append(missing, &oneRun{plan: p, number: nextNumber, offered: o.offered, replaces: o.number})
	}
	return missing
}

// keptRun returns a stored run as if it had just been made. byNumber holds the runs that the case is to have.
func (p *plan) keptRun(run *trace.PartialRun, byNumber map[int]*oneRun) *oneRun {
	o := &oneRun{plan: p, number: run.Number, replaces: run.Beside, run: run.Clone(), deferred: run.Deferred, model: run.ProviderModel, hasBegun: true}
	if planned := cmp.Or(byNumber[run.Number], byNumber[run.Beside]); planned != nil {
		o.offered = planned.offered
	}
	o.run.Pos = source.Pos{} // a new run has no place in a file
	if run.Error != "" {
		o.err = errors.New(run.Error)
	}
	return o
}

func (p *plan) missingRuns() int {
	if p.partial() == nil {
		return p.runCount()
	}
	_, missing := p.plannedRuns()
	return len(missing)
}

// Kept returns the path of the case's partial recording, "" for none, the number of its broken runs, and the number of
// missing runs.
func (p *Prepared) Kept(c *suite.Case) (path string, broken, missing int) {
	if p.plans[c] == nil {
		return "", 0, 0
	}
	kept, _ := p.plans[c].keeper.remaining()
	return kept.Path, kept.Broken, kept.Missing
}

// fact is an input on which the runs of a case depend.
type fact struct {
	name       string // the name of the input in a partial recording
	otherValue string // words for another value of the input, in a message about a partial recording
	value      func(*plan) any
}

var facts = []fact{
	{"prompt", "another prompt", func(p *plan) any { return p.tested.Prompt }},
	{"system_prompt", "another system prompt", func(p *plan) any { return p.tested.SystemPrompt }},
	{"model", "another model", func(p *plan) any {
		return []any{p.tested.Model, p.resolved.Model, p.resolved.Provider, p.resolved.BaseURL, p.resolved.API, p.scriptText()}
	}},
	{"limits", "another temperature or other limits", func(p *plan) any {
		l := &p.tested.Live
		return []any{p.maxTurns, p.maxOutput, l.Temperature}
	}},
	{"agent", "another agent", func(p *plan) any {
		if p.tested.Agent == nil {
			return nil
		}
		return p.tested.Agent.Written
	}},
	{"servers", "other servers", func(p *plan) any {
		var list []any
		for _, s := range p.tested.Servers {
			start := s.Start
			env, headers := takeTexts(&start.Env), takeTexts(&start.Headers)
			list = append(list, []any{s.Name, start, env, headers})
		}
		return list
	}},
	{"faults", "other faults", func(p *plan) any { return p.tested.PlainFaults() }},
	{"deferred", "another search for tools", func(p *plan) any { return p.tested.Deferred.String() }},
	{"distractors", "other distractors", func(p *plan) any {
		inject, offer := p.distractorPoints()
		return []any{inject != nil, offer}
	}},
	{"runs", "another number of runs", func(p *plan) any { return p.tested.Runs }},
}

// takeTexts removes the texts from settings, and returns them by name, so that secrets are recognized by their names.
func takeTexts(settings *[]suite.Setting) map[string]string {
	texts := map[string]string{}
	*settings = slices.Clone(*settings)
	for i := range *settings {
		one := &(*settings)[i]
		texts[one.Name], one.Literal = one.Literal, ""
	}
	return texts
}

func (p *plan) scriptText() string {
	if p.tested.Live.Script == "" {
		return ""
	}
	text, _ := fs.ReadFile(p.runner().options.FS, p.tested.Live.Script) // an error was reported when an earlier step read the file
	return string(text)
}

// madeWith returns the hashes of the inputs on which the case's runs depend. The hashed texts have no secrets, because
// a weak secret can be guessed from its hash.
func (p *plan) madeWith() []trace.Fact {
	var list []trace.Fact
	for _, f := range facts {
		text, err := json.Marshal(f.value(p))
		if err != nil {
			text = []byte(err.Error())
		}
		sum := sha256.Sum256(p.shared.rules.File().JSON(text))
		list = append(list, trace.Fact{Of: f.name, SHA256: hex.EncodeToString(sum[:])})
	}
	return list
}

// checkMadeWith reports partial recordings that were made with other inputs than the cases have now.
func (p *Prepared) checkMadeWith(cases []*suite.Case, errs *source.Errors) {
	if len(*errs) > 0 {
		return // the rules for secrets or a model may be missing
	}
	for _, c := range cases {
		casePlan := p.plans[c]
		if casePlan == nil || casePlan.partial() == nil {
			continue
		}
		if changed := casePlan.changedInputs(); len(changed) > 0 {
			errs.Addf(c.CassettePos, "%q was made with %s, so that its runs are not those of the case; "+trace.BeginAgain,
				casePlan.keeper.path, strings.Join(changed, ", "))
		} else if number := casePlan.unexpectedRun(); number > 0 {
			errs.Addf(c.CassettePos, "%q has a run %d, which the case does not have; "+trace.BeginAgain, casePlan.keeper.path, number)
		}
	}
}

// changedInputs names the inputs of the case that have changed since the partial recording was made.
func (p *plan) changedInputs() []string {
	old, now := p.partial().MadeWith, p.madeWith()
	if !slices.EqualFunc(old, now, func(a, b trace.Fact) bool { return a.Of == b.Of }) {
		return []string{"another version of mcp-gates"}
	}
	var list []string
	for i, f := range facts {
		if old[i].SHA256 != now[i].SHA256 {
			list = append(list, f.otherValue)
		}
	}
	return list
}

func (p *plan) checkVersion() error {
	old := p.partial()
	if old == nil || p.program == nil {
		return nil
	}
	if version := p.shared.rules.File().Text(p.program.version); old.AgentVersion != version {
		return &source.Error{Pos: p.tested.CassettePos, Msg: fmt.Sprintf("%q was made with version %q of the agent, which is %q now; "+trace.BeginAgain,
			p.keeper.path, old.AgentVersion, version)}
	}
	return nil
}

func (o *oneRun) checkSameCatalog() error {
	old := o.plan.partial()
	if old == nil {
		return nil
	}
	var h trace.Header
	setCatalog(&h, o.real, o.distractors)
	redactHeader(o.plan.shared.rules.File(), &h)
	if h.CatalogSHA256 == old.CatalogSHA256 && slices.Equal(h.Distractors, old.Distractors) {
		return nil
	}
	return &source.Error{Pos: o.plan.tested.CassettePos, Msg: fmt.Sprintf("the servers offer other tools than those that the runs in %q were offered; "+
		trace.BeginAgain, o.plan.keeper.path)}
}
