package annotate

import (
	"fmt"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/sethvargo/go-githubactions"
)

// Delta is what a comparison with a baseline came to.
type Delta struct {
	SurfaceTokens string // how many more than in the baseline; "" where that is not known
	NewFindings   int
	Regressions   int
}

// outputs returns the values of the outputs by name: one for each row of [OutputTable]. delta is nil when nothing was
// compared.
func outputs(r *report.Report, delta *Delta, links resultLinks) map[string]string {
	surface := compare.TotalsOf(nil, r.Catalogs).Surface
	values := map[string]string{
		"verdict":        string(r.Verdict),
		"cases":          strconv.Itoa(r.Counts.Cases),
		"passed":         strconv.Itoa(r.Counts.Passed),
		"failed":         strconv.Itoa(r.Counts.Failed),
		"errors":         strconv.Itoa(r.Counts.Errors),
		"affected-cases": strconv.Itoa(r.CountFreshness(report.Affected)),
		"broken-cases":   strconv.Itoa(r.CountFreshness(report.Broken)),
		"f1":             lowest(r, "tool_selection.f1"),
		"selection-rate": lowest(r, "tool_selection.rate"),
		"surface-tokens": digits(surface),
		"critical":       strconv.Itoa(r.Counts.Critical),
		"warning":        strconv.Itoa(r.Counts.Warning),
		"report":         links.Report,
		"comment-url":    links.Comment,
		"check-url":      links.Check,

		"surface-tokens-delta": "", "new-findings": "", "regressions": "",
	}
	if delta != nil {
		values["surface-tokens-delta"] = delta.SurfaceTokens
		values["new-findings"] = strconv.Itoa(delta.NewFindings)
		values["regressions"] = strconv.Itoa(delta.Regressions)
	}
	return values
}

// digits returns a count; "" where it is not known.
func digits(n report.Count) string {
	if !n.IsKnown() {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// resultLinks says where things are that an action made; "" for what it did not make.
type resultLinks struct {
	Report         string // path from the workspace
	Comment, Check string
}

// lowest returns the lowest figure of any case for a target; "" when no case has one.
func lowest(r *report.Report, target string) string {
	var low *judge.Value
	for i := range r.Cases {
		for _, g := range r.Cases[i].Gates {
			if v, ok := g.Metrics[target]; ok && (low == nil || v.Cmp(*low) < 0) {
				low = &v
			}
		}
	}
	if low == nil {
		return ""
	}
	return low.Digits()
}

// writeOutputs hands the values to the runner, in the order of [OutputTable]. Without a runner nothing is done.
func writeOutputs(getenv func(string) string, values map[string]string) error {
	if getenv("GITHUB_OUTPUT") == "" {
		return nil
	}
	action := githubactions.New(githubactions.WithGetenv(getenv))
	return guard("write the outputs", func() {
		for _, out := range OutputTable {
			action.SetOutput(out.Name, outputValue(values[out.Name]))
		}
	})
}

// writeSummary appends Markdown to the step's job summary. Without a runner nothing is done. The runner drops a summary of
// more than 1 MiB as a whole.
func writeSummary(getenv func(string) string, markdown string) error {
	if getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	action := githubactions.New(githubactions.WithGetenv(getenv))
	return guard("write the job summary", func() { action.AddStepSummary(markdown) })
}

// guard calls what the library does and turns its panic, which it has for a file that cannot be written, into an error.
func guard(what string, do func()) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: %v", what, fault)
		}
	}()
	do()
	return nil
}
