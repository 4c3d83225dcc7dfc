package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/pflag"
)

// demands are the settings that decide when a change is refused. They are inputs of the action, and flags of run and merge with the
// same names.
type demands struct {
	failOn             string // annotate.FailOnGate, FailOnRegression or FailOnNever
	weakened, breaking bool
	gatesFrom          string // annotate.GatesFromHead or GatesFromBase
	checkSnapshots     bool   // only the command run has this flag
}

func (d *demands) register(flags *pflag.FlagSet) {
	wordFlag(flags, &d.failOn, "fail-on")
	flags.BoolVar(&d.weakened, "fail-on-weakened", false, flagUsage("fail-on-weakened"))
	flags.BoolVar(&d.breaking, "fail-on-breaking", false, flagUsage("fail-on-breaking"))
	wordFlag(flags, &d.gatesFrom, "gates-from")
}

// baseFlag returns a given flag that needs a base to compare with; "" if there is none.
func (d demands) baseFlag() string {
	switch {
	case d.weakened:
		return "--fail-on-weakened"
	case d.breaking:
		return "--fail-on-breaking"
	case d.gatesFrom == annotate.GatesFromBase:
		return "--gates-from base"
	}
	return ""
}

// exitStatus returns the exit status of a report. fail-on can turn status 1 into 0, and no other status.
func (d demands) exitStatus(r *report.Report) int {
	status := r.ExitStatus()
	if status != report.ExitFail {
		return status
	}
	switch d.failOn {
	case annotate.FailOnNever:
		return report.ExitPass
	case annotate.FailOnRegression:
		hasNoRegression := r.Baseline != nil && !r.Baseline.Regressed()
		if r.Shard != nil || hasNoRegression { // a shard has no comparison, and the merged report has one
			return report.ExitPass
		}
	}
	return status
}

// refusals returns the reasons why the change is refused. The change is also refused if it is unknown what it weakens or breaks;
// lostReason is one reason for that, or "". A shard is not refused for what the change weakens or breaks, because only the merged
// report is compared with the base.
func (d demands) refusals(r *report.Report, base *basis, lostReason string) []report.Refusal {
	var list []report.Refusal
	if d.baseFlag() != "" && r.Baseline != nil && r.Chosen != nil {
		r.Baseline.Uncompared = report.Optional(r.Chosen.Uncompared())
	}
	if d.weakened && r.Shard == nil {
		list = append(list, weakenedRefusal(r, base, lostReason))
	}
	if d.breaking && r.Shard == nil {
		list = append(list, breakingRefusal(r, cmp.Or(base.unknownBreaksReason(r), lostReason)))
	}
	list = append(list, dropRefusal(r))
	return slices.DeleteFunc(list, func(one report.Refusal) bool { return one.Exit == report.ExitPass })
}

// dropRefusal returns the refusal by max_drop of the suites; the zero value if there is none.
func dropRefusal(r *report.Report) report.Refusal {
	tooFar := len(droppedCases(r))
	if tooFar == 0 {
		return report.Refusal{}
	}
	return report.Refusal{Demand: report.MaxDrop, Exit: report.ExitFail, Title: judge.CountOf(tooFar, "figure") + " dropped too far",
		Message: "A figure is farther below the base's than max_drop of its suite allows; the report says which."}
}

// weakenedRefusal returns the refusal by fail-on-weakened; the zero value if there is none.
func weakenedRefusal(r *report.Report, base *basis, lostReason string) report.Refusal {
	if reason := unknownWeakeningsReason(r, base, lostReason); reason != "" {
		return report.Refusal{Demand: report.FailOnWeakened, Exit: report.ExitWorld, Title: "unknown weakenings",
			Message: "It is not known whether the change weakens its own judge, which fail-on-weakened asks for: " + reason}
	}
	if r.Baseline != nil && r.Baseline.IsWeakened() {
		return report.Refusal{Demand: report.FailOnWeakened, Exit: report.ExitFail, Title: "weakened gates",
			Message: "The change weakens its own judge, which fail-on-weakened does not allow; the report says where."}
	}
	return report.Refusal{}
}

// unknownWeakeningsReason returns the reason why it is unknown what the change weakens; "" if it is known.
func unknownWeakeningsReason(r *report.Report, base *basis, lostReason string) string {
	switch {
	case base.broken != nil:
		return base.noBaseReason()
	case base.missingFilesReason() != "":
		return base.missingFilesReason()
	case r.Baseline != nil && len(r.Baseline.Unjudged) > 0:
		return fmt.Sprintf("the base's suite broke on the evidence of %q: %s", r.Baseline.Unjudged[0].Case, r.Baseline.Unjudged[0].Reason)
	case lostReason != "":
		return lostReason
	case base.unsureReason != "":
		return base.unsureReason
	case base.isSaved && base.report != nil && !base.hasSettings():
		return fmt.Sprintf("the saved report %q does not say how its cases are judged", string(base.about.File))
	}
	return ""
}

// baseJudges reports whether the base's suites give the verdicts, as gates-from asks. If the base cannot be read, this is an error,
// because the head's suites must not judge instead. If the base has no suites, or if isBaseOptional is set and there is no base,
// warn is called, and the head's suites judge.
func (d demands) baseJudges(base *basis, isBaseOptional bool, warn func(reason string)) (bool, error) {
	if d.gatesFrom != annotate.GatesFromBase {
		return false, nil
	}
	if err := d.missingJudgesError(base); err != nil {
		return false, err
	}
	hasNoSuites := base.noneReason != "" && base.broken == nil
	switch {
	case base.suites != nil:
		return true, nil
	case hasNoSuites && (base.files != nil || isBaseOptional):
		warn(base.noneReason)
		return false, nil
	}
	return false, worldError{fmt.Errorf("gates-from: base needs a base commit whose suites judge: %s",
		cmp.Or(base.noBaseReason(), "the baseline is a saved report"))}
}

// missingJudgesError returns an error if gates-from asks for the base's suites but some of them are unknown.
func (d demands) missingJudgesError(base *basis) error {
	if d.gatesFrom != annotate.GatesFromBase || base.missingFilesReason() == "" {
		return nil
	}
	return worldError{errors.New("gates-from: base needs the base's suites: " + base.missingFilesReason())}
}

// decidingFlags lists, for the report, the flags that decide the outcome of a check with these options.
func (d demands) decidingFlags(o *check.Options, liveFrom string) (list []string) {
	given := map[string]bool{
		"--skip-foreign":              o.SkipForeign,
		"--fail-on " + d.failOn:       true,
		"--fail-on-weakened":          d.weakened,
		"--fail-on-breaking":          d.breaking,
		"--gates-from " + d.gatesFrom: true,
		"--live-from " + liveFrom:     true,
		"--check-snapshots":           d.checkSnapshots,
	}
	for word, floor := range staleFloors {
		given["--fail-on-stale "+word] = floor == o.FailOnStale
	}
	for _, flag := range report.Deciding {
		if given[flag.Text] {
			list = append(list, flag.Text)
		}
	}
	return list
}

// ownSuitesNotice returns the message that the change's own suites judge it, although the base's suites should.
func ownSuitesNotice(reason string) string { return "The change's own suites judge it: " + reason }

func wordFlag(flags *pflag.FlagSet, value *string, name string) {
	in := annotate.InputNamed(name)
	*value = in.Default
	flags.Var(&word{value, in}, name, flagUsage(name))
}

func flagUsage(name string) string {
	doc := strings.TrimSuffix(strings.ReplaceAll(annotate.InputNamed(name).Doc, "`", ""), ".")
	first, size := utf8.DecodeRuneInString(doc)
	return string(unicode.ToLower(first)) + doc[size:]
}

// word is the value of a flag that takes one of the words of an input.
type word struct {
	value *string
	input annotate.Input
}

// String returns the word.
func (w *word) String() string {
	if w.value == nil {
		return ""
	}
	return *w.value
}

// Set accepts only the words of the input.
func (w *word) Set(value string) error {
	if err := w.input.Accepts(value); err != nil {
		return err
	}
	*w.value = value
	return nil
}

// Type names the value in the help.
func (w *word) Type() string { return strings.Join(w.input.Values, "|") }

func (a *action) demands() demands {
	return demands{failOn: a.inputs.FailOn, weakened: a.inputs.FailOnWeakened, breaking: a.inputs.FailOnBreaking, gatesFrom: a.inputs.GatesFrom}
}

// applyDemands returns the exit status of the report. It notes, and writes to the log, why a change is refused.
func (a *action) applyDemands(r *report.Report, base *basis) int {
	lostReason := a.strayReason
	if lostReason == "" && base.lacksRequested && a.baseHasWorkflow(base) {
		lostReason = "the workflow asks for what the base does not have: " + base.noneReason
	}
	status := a.demands().exitStatus(r)
	r.Refused = a.demands().refusals(r, base, lostReason)
	r.Flags = a.demands().decidingFlags(&a.pipeline.options, a.pipeline.liveFrom())
	asked := invocation(&a.pipeline.options, a.pipeline.live)
	asked.ShardBy = a.inputs.ShardBy
	r.SetInvocation(asked)
	for _, one := range r.Refused {
		status = max(status, one.Exit)
		a.commands.Fail("%s", one.Message)
	}
	a.warnStray(r.Refused)
	if gone := serversGoneNotice(r); gone != "" && a.inputs.FailOnBreaking {
		a.commands.Warn("%s", gone)
	}
	return status
}

// applyDemands returns the exit status of the report, notes in it why a change is refused, and prints to standard error that a
// failure is forgiven. If printsRefusals is set, it also prints why the change is refused, which the report on standard output may
// already have.
func (p *program) applyDemands(f runFlags, r *report.Report, base *basis, printsRefusals bool) int {
	status := f.demands.exitStatus(r)
	if status != r.ExitStatus() {
		p.say("--fail-on " + f.failOn + " forgives what failed")
	}
	r.Refused = append(f.refusals(r, base, lostSuitesReason(base)), base.snapshots...)
	for _, one := range r.Refused {
		status = max(status, one.Exit)
		if printsRefusals {
			p.say(one.Message)
		}
	}
	if gone := serversGoneNotice(r); gone != "" && f.breaking {
		p.say(gone)
	}
	return status
}

// lostSuitesReason returns a message if a base with suites has none of the requested ones; "" otherwise.
func lostSuitesReason(base *basis) string {
	if !base.lacksRequested || base.files == nil {
		return ""
	}
	if _, err := suite.Find(base.files, nil); errors.Is(err, suite.ErrNone) {
		return ""
	}
	return "the command asks for what the base does not have: " + base.noneReason
}
