package annotate

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// Input is a row of the table of inputs, from which action.yml and its documentation are made.
type Input struct {
	Name    string
	Default string // default value as in action.yml; "" if there is none
	Doc     string // one line of Markdown
	Values  []string
}

// InputNamed returns the row of an input in [InputTable]; it panics if there is none.
func InputNamed(name string) Input {
	return InputTable[slices.IndexFunc(InputTable, func(in Input) bool { return in.Name == name })]
}

// Accepts returns nil for one of the input's values. Otherwise its error continues a sentence that begins with the input's
// name, and lists the values and the nearest one.
func (in Input) Accepts(value string) error {
	if slices.Contains(in.Values, value) {
		return nil
	}
	return fmt.Errorf("must be %s, but it is %q%s", quotedChoices(in.Values), clip(value, maxQuoted), source.DidYouMean(clip(value, maxQuoted), in.Values))
}

// Output is a row of the table of outputs.
type Output struct {
	Name string
	Doc  string // one line of Markdown
}

// InputTable lists the inputs of the action, in the order of its documentation.
var InputTable = []Input{
	{Name: "suite", Doc: "Suite files, as paths or globs from `working-directory`. Default: `mcp-gates.yml`, `mcp-gates.yaml`, `mcptest.yml`, `mcptest.yaml`, `suites/**/*.{yml,yaml}` and `**/mcp-gates.{yml,yaml}`."},
	{Name: "mode", Default: Replay, Values: []string{Replay, Live, Record}, Doc: "`replay` judges recorded runs and starts nothing. `live` starts the suites' servers and calls the cases' models. `record` does the same and writes the runs to the cassettes. Under `pull_request_target` and `workflow_run`, only `replay` is allowed."},
	{Name: "jobs", Default: "4", Doc: "The number of runs that `live` and `record` make at once, 1 to 64."},
	{Name: "working-directory", Default: ".", Doc: "The folder in which the action looks for suites."},
	{Name: "filter", Doc: "Check only cases whose id (`SUITE::NAME::MODEL`) this regular expression (RE2) matches anywhere."},
	{Name: "tags", Doc: "Check only cases with any of these tags."},
	{Name: "shard", Doc: "Check only the cases of shard `I/N`, such as `2/8`, and publish only the outputs. Another job [merges](shards.md) the reports."},
	{Name: "shard-by", Doc: "A saved JSON report by which the action balances the shards. Give all shards the same report."},
	{Name: "merge", Doc: "The JSON reports of all shards, as paths or globs from the workspace. The action runs nothing, and judges and publishes the merged report. Set `suite`, `filter` and `tags` as for the shards."},
	{Name: "affected", Default: "false", Values: boolValues, Doc: "Check only suites with a file that the change touches, and list what the change removes. A suite's files are the suite itself, its includes, catalogs and recordings, and the files that `source:` and commands name. If the base cannot be read, all suites are checked."},
	{Name: "history", Default: "false", Values: boolValues, Doc: "Draw charts of changed figures and of catalogs over the last 50 commits that change checked files. The charts need a checkout with history (`fetch-depth: 0`), change no verdict, and are left out if they take too much work."},
	{Name: "skip-foreign", Default: "false", Values: boolValues, Doc: "Skip cases with keys that only mcptest has; otherwise such keys are mistakes. A case counts as weakened if it is skipped now, but was not skipped in the base."},
	{Name: "baseline", Default: BaselineAuto, Doc: "The base to compare with: `auto` (the base of the pull request, merge group or push), `none`, a git ref or SHA, or the path of a saved JSON report. If the report's path is also the name of a revision, write `file:PATH`."},
	{Name: "fail-on", Default: FailOnGate, Values: []string{FailOnGate, FailOnRegression, FailOnNever}, Doc: "When a failed gate fails the check: `gate` (always), `regression` (if something is worse than in the baseline, or if there is no baseline) or `never`. A case that could not be evaluated always fails the check."},
	{Name: "fail-on-weakened", Default: "false", Values: boolValues, Doc: "Fail if the change weakens a gate."},
	{Name: "fail-on-breaking", Default: "false", Values: boolValues, Doc: "Fail if the change breaks callers, whatever `fail-on` says. A change breaks callers if it removes a tool, renames it or hides it from models, if it removes an argument, if it newly requires one, or if an argument accepts fewer values."},
	{Name: "fail-on-stale", Default: StaleNone, Values: []string{StaleNone, StaleAffected, StaleAny}, Doc: "A minimum for `stale_catalog` that no suite can lower. With `affected`, a case is an error if a tool that it uses differs from the recorded tool. With `any`, a recording is an error if any of its tools differs or is unknown."},
	{Name: "gates-from", Default: GatesFromHead, Values: []string{GatesFromHead, GatesFromBase}, Doc: "Which suites judge: those of the change (`head`) or of its base (`base`). With `base`, a pull request cannot edit its own judge."},
	{Name: "live-from", Default: LiveFromHead, Values: []string{LiveFromHead, LiveFromBase}, Doc: "Which servers and agents `live` and `record` execute: those of the change (`head`), or those that the base's suites declare, with their environment (`base`). The checked-out files always belong to the change."},
	{Name: "annotations", Default: AnnotateNew, Values: []string{AnnotateNew, AnnotateAll, AnnotateNone}, Doc: "Which annotations to make: `new` (those that the baseline lacks, or all if there is no baseline), `all` or `none`."},
	{Name: "annotate-at", Default: AnnotateAtSource, Values: []string{AnnotateAtSource, AnnotateAtCatalog}, Doc: "Where annotations on tools are: `source` (at the tool's description in the code, if only one place has it) or `catalog` (in the snapshot)."},
	{Name: "max-annotations", Default: "200", Doc: "The largest number of annotations, 0 to 1000. The action makes the worst ones, and the job summary counts the rest."},
	{Name: "comment", Default: CommentChanges, Values: []string{CommentAlways, CommentChanges, CommentFailures, CommentOff}, Doc: "When to comment on the pull request: `always`, `changes` (a figure changed or a case fails), `failures` (a case fails) or `off`. All but `off` update an earlier comment."},
	{Name: "comment-key", Doc: "If a pull request runs the action several times, each key has its own comment. By default, the key is made from the workflow, the job, the matrix and the suites."},
	{Name: "check-name", Default: "mcp-gates report", Doc: "The name of the check run. The action adds the matrix in parentheses. `off` makes no check run. Branch protection should require the *job*."},
	{Name: "summary", Default: "true", Values: boolValues, Doc: "Write the job summary."},
	{Name: "report", Default: "mcp-gates-report.json", Doc: "The path of the JSON report in the workspace."},
	{Name: "formats", Doc: "More report files to write, as `FORMAT=PATH`, such as `junit=junit.xml` or `sarif=mcp-gates.sarif`."},
	{Name: "github-token", Default: "${{ github.token }}", Doc: "The token for publishing results and reading the base. `checks: write` and `pull-requests: write` allow everything."},
	{Name: "matrix", Default: "${{ toJSON(matrix) }}", Doc: "Do not set this input. The action uses it to tell the jobs of a matrix apart."},
}

// OutputTable lists the outputs of the action. Each is a text of one line.
var OutputTable = []Output{
	{"verdict", "`pass`, `fail` or `error`, before `fail-on` has an effect."},
	{"cases", "The number of checked cases."},
	{"passed", "The number of cases that passed."},
	{"failed", "The number of cases that failed."},
	{"errors", "The number of cases that could not be evaluated."},
	{"affected-cases", "The number of cases that call or name a tool that differs from the recorded tool."},
	{"broken-cases", "The number of cases that call or name a removed or renamed tool."},
	{"f1", "The lowest selection F1 of any case, in percent. Empty if no case has this figure."},
	{"selection-rate", "The lowest selection rate of any case, in percent. Empty if no case has this figure."},
	{"surface-tokens", "The known surface tokens of all tools in the suites' catalogs. Empty if none are known."},
	{"surface-tokens-delta", "The change of `surface-tokens` from the baseline. Empty if nothing was compared, or if one of the two figures is unknown."},
	{"critical", "The number of critical findings in the catalogs' descriptions (DESC rules)."},
	{"warning", "The number of warnings in the catalogs' descriptions (DESC rules)."},
	{"new-findings", "The number of findings that the baseline lacks. Empty if nothing was compared."},
	{"regressions", "The number of results that are worse than in the baseline. Empty if nothing was compared."},
	{"report", "The path of the JSON report in the workspace."},
	{"comment-url", "The address of the comment, or empty."},
	{"check-url", "The address of the check run, or empty."},
}
