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
	return fmt.Errorf("must be %s, but it is %q%s", quotedChoices(in.Values), clip(value, maxName), source.DidYouMean(clip(value, maxName), in.Values))
}

// Output is a row of the table of outputs.
type Output struct {
	Name string
	Doc  string // one line of Markdown
}

// InputTable lists the inputs of the action, in the order of its documentation.
var InputTable = []Input{
	{Name: "suite", Doc: "Suite files, as paths or globs from `working-directory`. Default: `mcp-gates.yml`, `mcp-gates.yaml`, `mcptest.yml`, `mcptest.yaml`, `suites/**/*.{yml,yaml}` and `**/mcp-gates.{yml,yaml}`."},
	{Name: "mode", Default: Replay, Values: []string{Replay, Live, Record}, Doc: "`replay` judges recorded runs and starts nothing. `live` starts the suites' servers and asks the cases' models. `record` does the same and writes the runs to the cassettes. Under `pull_request_target` and `workflow_run`, only `replay` is allowed."},
	{Name: "jobs", Default: "4", Doc: "How many runs `live` and `record` make at once, 1 to 64."},
	{Name: "working-directory", Default: ".", Doc: "The folder from which suites are looked for."},
	{Name: "filter", Doc: "Check only cases whose id (`SUITE::NAME::MODEL`) this regular expression (RE2) matches anywhere."},
	{Name: "tags", Doc: "Check only cases with any of these tags."},
	{Name: "shard", Doc: "Check only the cases of shard `I/N`, such as `2/8`, and publish only the outputs. Another job [merges](shards.md) the reports."},
	{Name: "shard-by", Doc: "A saved JSON report to balance the shards by, the same for all shards."},
	{Name: "merge", Doc: "The JSON reports of all shards, as paths or globs from the workspace. Run nothing; judge and publish the merged report. Set `suite`, `filter` and `tags` as for the shards."},
	{Name: "affected", Default: "false", Values: boolValues, Doc: "Check only suites with a file that the change touches, and list what the change removes. A suite's files are the suite, its includes, catalogs, recordings, and files of `source:` and of commands. If the base cannot be read, all suites are checked."},
	{Name: "history", Default: "false", Values: boolValues, Doc: "Draw every changed figure and every catalog over the last 50 commits that change what is checked. The drawing needs a checkout with history (`fetch-depth: 0`), changes no verdict, and is left out if it takes too much work."},
	{Name: "skip-foreign", Default: "false", Values: boolValues, Doc: "Skip cases with keys that only mcptest has; otherwise such keys are mistakes. If a case of the base is now skipped, it counts as weakened."},
	{Name: "baseline", Default: BaselineAuto, Doc: "The base to compare with: `auto` (the base of the pull request, merge group or push), `none`, a git ref or SHA, or the path of a saved JSON report. If a revision has the path's name, write `file:PATH`."},
	{Name: "fail-on", Default: FailOnGate, Values: []string{FailOnGate, FailOnRegression, FailOnNever}, Doc: "When failing gates count: `gate` (always), `regression` (if something is worse than in the baseline, or if there is no baseline) or `never`. A case that could not be evaluated always counts."},
	{Name: "fail-on-weakened", Default: "false", Values: boolValues, Doc: "Fail if the change weakens a gate."},
	{Name: "fail-on-breaking", Default: "false", Values: boolValues, Doc: "Fail if the change breaks callers, whatever `fail-on` says: by a tool that is removed, renamed or hidden from models, or by an argument that is removed, newly required or accepts fewer values."},
	{Name: "fail-on-stale", Default: StaleNone, Values: []string{StaleNone, StaleAffected, StaleAny}, Doc: "A minimum for `stale_catalog` that no suite can lower. With `affected`, a case is an error if a tool that it uses differs from the recorded one. With `any`, a recording is an error if any of its tools differs or is unknown."},
	{Name: "gates-from", Default: GatesFromHead, Values: []string{GatesFromHead, GatesFromBase}, Doc: "Whose suites judge: the change's (`head`), or its base's (`base`). With `base`, a pull request cannot edit its own judge."},
	{Name: "live-from", Default: LiveFromHead, Values: []string{LiveFromHead, LiveFromBase}, Doc: "Whose servers and agents `live` and `record` execute: the change's (`head`), or those of its base's suites, with their environment (`base`). The files of the checkout are always the change's."},
	{Name: "annotations", Default: AnnotateNew, Values: []string{AnnotateNew, AnnotateAll, AnnotateNone}, Doc: "Annotations to make: `new` (those that the baseline does not have; without a baseline, all), `all` or `none`."},
	{Name: "annotate-at", Default: AnnotateAtSource, Values: []string{AnnotateAtSource, AnnotateAtCatalog}, Doc: "Where annotations on tools are: `source` (at the one line of code that has the description) or `catalog` (in the snapshot)."},
	{Name: "max-annotations", Default: "200", Doc: "The most annotations, 0 to 1000. The worst are made; the job summary counts the rest."},
	{Name: "comment", Default: CommentChanges, Values: []string{CommentAlways, CommentChanges, CommentFailures, CommentOff}, Doc: "When to comment on the pull request: `always`, `changes` (a figure changed or a case fails), `failures` (a case fails) or `off`. All but `off` update an earlier comment."},
	{Name: "comment-key", Doc: "A key that gives each of several uses in one pull request its own comment. Default: made from the workflow, the job, the matrix and the suites."},
	{Name: "check-name", Default: "mcp-gates report", Doc: "The name of the check run, followed by the matrix in parentheses. `off` makes no check run. Branch protection should require the *job*."},
	{Name: "summary", Default: "true", Values: boolValues, Doc: "Write the job summary."},
	{Name: "report", Default: "mcp-gates-report.json", Doc: "The path of the JSON report in the workspace."},
	{Name: "formats", Doc: "More files of the report, as `FORMAT=PATH`, such as `junit=junit.xml` or `sarif=mcp-gates.sarif`."},
	{Name: "github-token", Default: "${{ github.token }}", Doc: "The token for publishing and for reading the base. `checks: write` and `pull-requests: write` allow everything."},
	{Name: "matrix", Default: "${{ toJSON(matrix) }}", Doc: "Do not set this input. It separates the jobs of a matrix."},
}

// OutputTable lists the outputs of the action. Each is a text of one line.
var OutputTable = []Output{
	{"verdict", "`pass`, `fail` or `error`, before `fail-on` is applied."},
	{"cases", "How many cases were checked."},
	{"passed", "How many cases passed."},
	{"failed", "How many cases failed."},
	{"errors", "How many cases could not be evaluated."},
	{"affected-cases", "How many cases call or name a tool that differs from the recorded one."},
	{"broken-cases", "How many cases call or name a tool that is gone or renamed."},
	{"f1", "The lowest selection F1 of any case, in percent. Empty if no case has one."},
	{"selection-rate", "The lowest selection rate of any case, in percent. Empty if no case has one."},
	{"surface-tokens", "The tokens of all tools in the suites' catalogs, as far as known. Empty if none are known."},
	{"surface-tokens-delta", "How many more `surface-tokens` there are than in the baseline. Empty if nothing was compared, or if a figure is not known."},
	{"critical", "How many critical findings are in the catalogs' descriptions (rules DESC)."},
	{"warning", "How many warnings are in the catalogs' descriptions (rules DESC)."},
	{"new-findings", "How many findings the baseline does not have. Empty if nothing was compared."},
	{"regressions", "How many results are worse than in the baseline. Empty if nothing was compared."},
	{"report", "The path of the JSON report in the workspace."},
	{"comment-url", "The address of the comment, or empty."},
	{"check-url", "The address of the check run, or empty."},
}
