package annotate

import (
	"fmt"
	"strconv"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/sethvargo/go-githubactions"
)

// Delta is the result of a comparison with a baseline.
type Delta struct {
	SurfaceTokens string // increase since the baseline; "" if unknown
	NewFindings   int
	Regressions   int
}

// outputs returns the values of the outputs by name: one for each row of [OutputTable]. delta is nil if nothing was compared.
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

// digits returns a count; "" if it is unknown.
func digits(n report.Count) string {
	if !n.IsKnown() {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// resultLinks has the places of an action's results; "" for results that were not made.
type resultLinks struct {
	Report         string // path relative to the workspace
	Comment, Check string
}

// lowest returns the lowest figure of any case for a target; "" if no case has one.
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

// writeOutputs passes the values to the runner, in the order of [OutputTable]. Without a runner it does nothing.
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

// writeSummary appends Markdown to the step's job summary. Without a runner it does nothing. The runner drops a summary of more
// than 1 MiB completely.
func writeSummary(getenv func(string) string, markdown string) error {
	if getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	action := githubactions.New(githubactions.WithGetenv(getenv))
	return guard("write the job summary", func() { action.AddStepSummary(markdown) })
}

// guard calls do and turns a panic into an error: the library panics if a file cannot be written.
func guard(what string, do func()) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: %v", what, fault)
		}
	}()
	do()
	return nil
}
