package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/spf13/pflag"
	"golang.org/x/tools/txtar"
)

// optionNames returns the flags of run and merge and the inputs of the action.
func optionNames() map[string]bool {
	names := map[string]bool{}
	root := (&program{getenv: func(string) string { return "" }}).rootCommand()
	for _, command := range []string{"run", "merge"} {
		cmd, _, err := root.Find([]string{command})
		if err != nil {
			panic(err)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
	}
	for _, in := range annotate.InputTable {
		names[in.Name] = true
	}
	return names
}

// The outcomes that the table has, one letter each.
const (
	weakened  = 'W' // exit status 1: told and counted as a weakening
	breaking  = 'B' // exit status 1: told and counted as a breaking change
	fails     = 'F' // exit status 1: a gate fails, or a case got worse
	errored   = 'E' // exit status 2: a case cannot be judged
	refused   = 'R' // exit status 2: the options are refused, with a reason
	unknowns  = 'U' // exit status 3: it is not known, with a reason
	told      = 't' // exit status 0: shown and not counted
	deferred  = 'D' // exit status 0: for the merge of the shards to find out
	apart     = 'x' // exit status 0: not compared, which is said
	nothing   = '.' // exit status 0, and nothing is shown
	pairsFile = "testdata/pairs/pairs.txt"
)

// allowance is an outcome that fails no check, and why that is right.
type allowance struct {
	choice, change string // "" for any
	outcome        rune
	why            string
}

var allowances = []allowance{
	{"shard", "", deferred, "a shard is not compared; the merged report is"},
	{"", "a recording replaced", told, "recordings are their author's word"},
	{"live-from base", "stale evidence", told, "runs that were just made are not stale"},
	{"fail-on never", "a catalog spoiled", told, "which is what never asks for"},
	{"baseline REPORT", "a snapshot forgotten", nothing, "a saved report has no code to compare"},
	{"failed, others", "a snapshot forgotten", told, "it checks again what failed"},
	{"filter of others", "", apart, "what is not selected is not compared"},
	{"filter of others", "", told, "what is not selected is not compared"},
	{"failed, none", "", apart, "it checks nothing again, and the report is of a whole check that passed"},
	{"failed, others", "a catalog spoiled", told, "it checks again what failed"},
	{"tags of others", "", apart, "what is not selected is not compared"},
	{"tags of others", "", told, "what is not selected is not compared"},
	{"filter of others", "a figure dropped", nothing, "what is not selected is not compared"},
	{"tags of others", "a figure dropped", nothing, "what is not selected is not compared"},
	{"failed, others", "a figure dropped", nothing, "it checks again what failed"},
	{"live-from base", "a figure dropped", told, "runs that were just made are judged, not the recording"},
	{"live-from base", "a max_drop removed, a figure dropped", told, "runs that were just made are judged, not the recording"},
}

// pairSide are the workspaces of the changes, and what was saved of their base, once with the suite's settings in the suite
// and once in a file that it includes.
type pairSide struct {
	base    *checkouts
	sha     string
	saved   map[string]string     // reports of the base, by what stands for them in flags
	changed map[string]*checkouts // by the change's name
}

// baseFiles returns the files of the base.
func baseFiles(t *testing.T, include bool) pairFiles {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/pairs/workspace.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := pairFiles{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	defaults := files["defaults"]
	delete(files, "defaults")
	if include {
		files["shared/main.yml"] = defaults
		files.swap("include: ../shared/servers.yml\n#defaults\n", "include: [../shared/servers.yml, ../shared/main.yml]\n")
	}
	files.swap("#defaults\n", defaults)
	files["tools.json"] = files["tools.yml"]
	files.swap("#tools", strings.ReplaceAll(files["tools.yml"], "\n", ""))
	return files
}

func newPairSide(t *testing.T, include bool) *pairSide {
	t.Helper()
	side := &pairSide{base: newRepository(t), saved: map[string]string{}, changed: map[string]*checkouts{}}
	base := baseFiles(t, include)
	for name, text := range base {
		side.base.write(name, text)
	}
	side.base.write(".gitignore", "/out/\n")
	side.base.git("add", "-A")
	side.base.git("commit", "-qm", "base")
	side.sha = side.base.git("rev-parse", "HEAD")
	none := &pairChange{name: "nothing", edit: func(pairFiles) {}}
	for _, change := range append([]*pairChange{none}, pairChangeList()...) {
		c := side.base.copy(t)
		files := maps.Clone(base)
		change.edit(files)
		for name := range base {
			if _, kept := files[name]; !kept {
				if err := os.Remove(filepath.Join(c.dir, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, text := range files {
			if text != base[name] {
				c.write(name, text)
			}
		}
		side.changed[change.name] = c
	}
	side.save(t, "#none", pairFiles{})
	them := failingRuns("finds", "closes", "counts")
	them["tools.yml"] = base["tools.yml"]
	spoil(them)
	side.save(t, "#them", them)
	side.save(t, "#others", failingRuns("reads"))
	return side
}

// failingRuns returns recordings by which cases fail.
func failingRuns(cases ...string) pairFiles {
	files := pairFiles{}
	for _, name := range cases {
		files["runs/"+name+".json"] = `{"runs": [{"tool_calls": []}, {"tool_calls": []}]}`
	}
	return files
}

// save makes a report of the base with some files changed, by which cases fail.
func (side *pairSide) save(t *testing.T, name string, changed pairFiles) {
	t.Helper()
	c := side.base.copy(t)
	for file, text := range changed {
		c.write(file, text)
	}
	file := filepath.Join(t.TempDir(), "report.json")
	var stdout, stderr stream
	status := run([]string{"run", "--workspace", c.dir, "--format", "json=" + file}, os.Getenv, strings.NewReader(""), &stdout, &stderr)
	if status != min(len(changed), 1) {
		t.Fatalf("the report %s of the base: exit status %d\n%s%s", name, status, stdout.all(), stderr.all())
	}
	side.saved[name] = file
}

func pairChangeList() []*pairChange {
	var list []*pairChange
	for i := range pairChanges {
		list = append(list, &pairChanges[i])
	}
	return list
}

// pair is the check of a change with one choice or two.
type pair struct {
	side    *pairSide
	change  *pairChange
	choices []choice // the one that is to notice the change, and those of the pair
}

// newPair returns the check of a change with choices.
func newPair(sides map[bool]*pairSide, change *pairChange, of ...choice) *pair {
	p := &pair{change: change}
	has := map[string]bool{}
	for _, c := range of {
		has[c.option] = true
	}
	for _, needed := range change.needs {
		if !has[needed.option] {
			p.choices = append(p.choices, needed)
		}
	}
	for _, c := range choices {
		if c.name == change.demand && !has[c.option] {
			p.choices = append(p.choices, c)
		}
	}
	p.choices = append(p.choices, of...)
	p.side = sides[p.any(func(c choice) bool { return c.include })]
	return p
}

func (p *pair) any(is func(choice) bool) bool { return slices.ContainsFunc(p.choices, is) }

// result is what a check says.
type result struct {
	status int
	report *report.Report // nil where none was written
	text   string
}

func (p *pair) dir() string { return p.side.changed[p.change.name].dir }

// run has the command run check, or merge the shards that it checked.
func (p *pair) run(t *testing.T) result {
	t.Helper()
	out := t.TempDir()
	flags := []string{"--workspace", p.dir(), "--baseline", p.side.sha}
	if p.any(func(c choice) bool { return c.saved }) {
		flags[3] = "file:" + p.side.saved["#none"]
	}
	var selects []string
	for _, c := range p.choices {
		flags = append(flags, c.demands...)
		for _, flag := range c.selects {
			selects = append(selects, cmp.Or(p.side.saved[flag], flag))
		}
	}
	all := slices.Concat([]string{"run"}, flags, selects)
	if p.any(func(c choice) bool { return c.merge }) {
		var shards []string
		for _, part := range []string{"1", "2"} {
			shards = append(shards, filepath.Join(out, part+".json"))
			first := p.command(t, filepath.Join(out, part+".json"), append(slices.Clone(all), "--shard", part+"/2")...)
			if first.report == nil {
				return first
			}
		}
		all = slices.Concat([]string{"merge"}, flags, shards)
	} else if p.any(func(c choice) bool { return c.shard }) {
		all = append(all, "--shard", "1/1")
	}
	return p.command(t, filepath.Join(out, "report.json"), all...)
}

func (p *pair) command(t *testing.T, file string, args ...string) result {
	t.Helper()
	var stdout, stderr stream
	status := run(append(args, "--format", "text", "--format", "json="+file), os.Getenv, strings.NewReader(""), &stdout, &stderr)
	return resultOf(t, file, status, string(stdout.all())+string(stderr.all()))
}

// resultOf adds the report that was written to a result.
func resultOf(t *testing.T, file string, status int, text string) result {
	t.Helper()
	in, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return result{status: status, text: text}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r, err := report.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	return result{status, r, text}
}

// act has the action check.
func (p *pair) act(t *testing.T) result {
	t.Helper()
	c := p.side.changed[p.change.name]
	out, err := os.MkdirTemp(c.dir, "out-*")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Base(out)
	env := []string{"INPUT_BASELINE=" + p.side.sha, "INPUT_ANNOTATE-AT=catalog", "GITHUB_REPOSITORY=org/tools",
		"GITHUB_WORKFLOW_REF=org/tools/.github/workflows/ci.yml@refs/heads/topic"}
	if p.any(func(c choice) bool { return c.saved }) {
		text, err := os.ReadFile(p.side.saved["#none"])
		if err != nil {
			t.Fatal(err)
		}
		c.write(folder+"/saved.json", string(text))
		env[0] = "INPUT_BASELINE=file:" + folder + "/saved.json"
	}
	var selects []string
	for _, one := range p.choices {
		for _, in := range one.inputs {
			name, value, _ := strings.Cut(in, "=")
			variable := "INPUT_" + strings.ToUpper(name) + "=" + value
			if one.live { // the merge makes no runs
				selects = append(selects, variable)
				continue
			}
			env = append(env, variable)
		}
	}
	action := func(name string, more ...string) result {
		file := filepath.Join(out, name+".json")
		status, log := c.actIn(t, append(append(slices.Clone(env), "INPUT_REPORT="+folder+"/"+name+".json"), more...)...)
		return resultOf(t, file, status, log)
	}
	switch {
	case p.any(func(c choice) bool { return c.merge }):
		for _, part := range []string{"1", "2"} {
			if first := action("shard-"+part, append(selects, "INPUT_SHARD="+part+"/2")...); first.report == nil {
				return first
			}
		}
		return action("merged", "INPUT_MERGE="+folder+"/shard-*.json")
	case p.any(func(c choice) bool { return c.shard }):
		return action("report", append(selects, "INPUT_SHARD=1/1")...)
	}
	return action("report", selects...)
}

// outcome returns the letter of a result.
func (p *pair) outcome(r result) rune {
	switch {
	case r.status == report.ExitWorld:
		return unknowns
	case r.report == nil && r.status != report.ExitPass:
		return refused
	case r.status == report.ExitUser:
		return errored
	case r.report != nil && p.change.demand == report.FailOnBreaking && r.report.Refuses(report.FailOnBreaking):
		return breaking
	case r.report != nil && r.report.Refuses(report.FailOnWeakened):
		return weakened
	case r.status != report.ExitPass:
		return fails
	case r.report != nil && r.report.Shard != nil:
		return deferred
	case r.report != nil && r.report.Baseline != nil && r.report.Baseline.IsChanged():
		return told
	case strings.Contains(r.text, "left out was not compared"), strings.Contains(r.text, "so nothing is checked again"):
		return apart
	}
	return nothing
}

// check returns the outcome, and says what is wrong with it whatever the table says.
func (p *pair) check(t *testing.T, r result, used map[int]bool) rune {
	t.Helper()
	got := p.outcome(r)
	switch got {
	case told, deferred, apart, nothing:
		for i, a := range allowances {
			isChoice := a.choice == "" || p.any(func(c choice) bool { return c.name == a.choice })
			if a.outcome == got && isChoice && (a.change == "" || a.change == p.change.name) {
				used[i] = true
				return got
			}
		}
		t.Errorf("%s: outcome %c is a hole: nothing fails and no allowance says why\n%s", p, got, r.text)
	case weakened, breaking, fails:
		if !strings.Contains(r.text, p.change.shows) {
			t.Errorf("%s: the text lacks %q\n%s", p, p.change.shows, r.text)
		}
	}
	if strings.TrimSpace(r.text) == "" {
		t.Errorf("%s: nothing is said", p)
	}
	return got
}

// String names the check.
func (p *pair) String() string {
	var names []string
	for _, c := range p.choices {
		names = append(names, cmp.Or(c.name, strings.Join(c.selects, " ")))
	}
	return p.change.name + " with " + strings.Join(names, ", ")
}

// rows returns each choice alone, and with each other one of another option.
func pairRows() (rows [][]choice) {
	rows = append(rows, nil)
	for i, a := range choices {
		rows = append(rows, []choice{a})
		for _, b := range choices[i+1:] {
			if a.option != b.option {
				rows = append(rows, []choice{a, b})
			}
		}
	}
	return rows
}

func rowName(row []choice) string {
	var names []string
	for _, c := range row {
		names = append(names, c.name)
	}
	return cmp.Or(strings.Join(names, " + "), "none of these")
}

// TestPairs has each change checked with each pair of choices that touch judging: it is told and counted, or the pair is refused,
// or an allowance says why not.
func TestPairs(t *testing.T) {
	t.Parallel()
	all := *update || thorough.Asked()
	want := readPairs(t)
	sides := map[bool]*pairSide{false: newPairSide(t, false), true: newPairSide(t, true)}
	got, used := make([]string, len(pairRows())), map[int]bool{}
	var mu sync.Mutex
	t.Run("rows", func(t *testing.T) {
		t.Run("compared", func(t *testing.T) {
			t.Parallel()
			comparePairs(t, sides)
		})
		for i, row := range pairRows() {
			t.Run(rowName(row), func(t *testing.T) {
				t.Parallel()
				line, usedHere := []rune(nil), map[int]bool{}
				for j, change := range pairChangeList() {
					at := '?'
					if old := want[rowName(row)]; j < len(old) {
						at = old[j]
					}
					n := i*len(pairChanges) + j
					if *update || n%everyPair() == 0 || thorough.Asked() && len(row) < 2 {
						at = checkPair(t, newPair(sides, change, row...), at, usedHere, n%everyAction == 0)
					}
					line = append(line, at)
				}
				mu.Lock()
				defer mu.Unlock()
				got[i] = string(line)
				maps.Copy(used, usedHere)
			})
		}
	})
	for i, a := range allowances {
		if all && !used[i] {
			t.Errorf("no outcome needs the allowance %+v", a)
		}
	}
	if *update {
		writePairs(t, got)
	}
}

// everyPair returns which checks are made: all with -update, which writes the table, and each seventh where everything else is done.
// A change of the program that makes one outcome another makes many others, too.
func everyPair() int {
	switch {
	case thorough.Raced:
		return 311 // each starts the same goroutines
	case thorough.Asked():
		return 7
	}
	return 31
}

// Each fifth check is made through the action, too, and each fifth of saved reports.
const everyAction, everyCompared = 5, 5

// checkPair has run and the action check, and compares the outcome with that in the table.
func checkPair(t *testing.T, p *pair, want rune, used map[int]bool, acts bool) rune {
	t.Helper()
	r := p.run(t)
	got := p.check(t, r, used)
	if got != want && !*update {
		t.Errorf("%s: outcome %c, want %c\n%s", p, got, want, r.text)
	}
	if !acts || p.any(func(c choice) bool { return c.onlyRun }) {
		return got
	}
	if acted := p.act(t); p.outcome(acted) != got && !(isRefusal(got) && isRefusal(p.outcome(acted))) {
		t.Errorf("%s: outcome %c, and %c through the action\n%s\n%s", p, got, p.outcome(acted), r.text, acted.text)
	}
	return got
}

// isRefusal reports whether nothing that is said of the change can be taken for a verdict. Run and the action refuse in different
// places, so that their exit statuses can differ.
func isRefusal(outcome rune) bool {
	return strings.ContainsRune(string([]rune{errored, refused, unknowns}), outcome)
}

// readPairs reads the table: the outcomes of each row.
func readPairs(t *testing.T) map[string][]rune {
	t.Helper()
	data, err := os.ReadFile(pairsFile)
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]rune{}
	for line := range strings.Lines(string(data)) {
		name, outcomes, isRow := strings.Cut(strings.TrimRight(line, "\n"), " | ")
		if isRow && !strings.HasPrefix(line, "#") {
			table[strings.TrimSpace(name)] = []rune(strings.ReplaceAll(outcomes, " ", ""))
		}
	}
	for _, row := range pairRows() {
		if n := len(table[rowName(row)]); n != len(pairChanges) && !*update {
			t.Errorf("%s: the row %q has %d outcomes, want %d: go test ./internal/cli -run TestPairs -update, and read the difference",
				pairsFile, rowName(row), n, len(pairChanges))
		}
		delete(table, "")
	}
	if len(table) != len(pairRows()) && !*update {
		t.Errorf("%s has %d rows, want %d", pairsFile, len(table), len(pairRows()))
	}
	return table
}

// writePairs writes the table.
func writePairs(t *testing.T, got []string) {
	t.Helper()
	var text strings.Builder
	text.WriteString(pairsLegend)
	for i, change := range pairChanges {
		fmt.Fprintf(&text, "#  %c %s\n", 'a'+i, change.name)
	}
	width := 0
	for _, row := range pairRows() {
		width = max(width, len(rowName(row)))
	}
	fmt.Fprintf(&text, "#\n#%-*s |", width-1, "")
	for i := range pairChanges {
		fmt.Fprintf(&text, " %c", 'a'+i)
	}
	text.WriteString("\n")
	for i, row := range pairRows() {
		fmt.Fprintf(&text, "%-*s |", width, rowName(row))
		for _, letter := range got[i] {
			fmt.Fprintf(&text, " %c", letter)
		}
		text.WriteString("\n")
	}
	if err := os.WriteFile(pairsFile, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

const pairsLegend = `# The outcome of each change with each pair of options that touch judging, beside the option that is to notice the change.
# TestPairs makes this file (-update) and holds it: read the difference.
#
#  W exit status 1, a weakening is told and counted    E exit status 2, a case cannot be judged
#  B exit status 1, a breaking change is               R exit status 2, the options are refused
#  F exit status 1, a gate fails                       U exit status 3, nobody knows
#  t exit status 0, shown and not counted              D exit status 0, for the merge of the shards
#  x exit status 0, not compared, which is said        . exit status 0, nothing is shown
#
`

// comparePairs has saved reports of the base and of each change compared: what differs is told, or the text says why it may not be.
func comparePairs(t *testing.T, sides map[bool]*pairSide) {
	t.Helper()
	partly := []string{"is not of all", "is shard 1 of 1", "judges run 1 of each case alone"}
	for j, c := range append([]choice{{name: "none of these"}}, choices...) {
		for i := range pairChanges {
			change := &pairChanges[i]
			if (j*len(pairChanges)+i)%everyCompared != 0 && !thorough.Asked() {
				continue
			}
			if c.live || c.saved || len(c.demands) > 0 || change.shows == "" || change.absent || len(change.needs) > 0 {
				continue
			}
			p := &pair{side: sides[c.include], change: change, choices: []choice{c}}
			file := filepath.Join(t.TempDir(), "head.json")
			args := []string{"run", "--workspace", p.dir()}
			for _, flag := range c.selects {
				args = append(args, cmp.Or(p.side.saved[flag], flag))
			}
			if c.shard {
				args = append(args, "--shard", "1/1")
			}
			if made := p.command(t, file, args...); made.report == nil {
				continue // nothing was checked, or the options are refused
			}
			var stdout, stderr stream
			run([]string{"compare", p.side.saved["#none"], file}, os.Getenv, strings.NewReader(""), &stdout, &stderr)
			text := string(stdout.all()) + string(stderr.all())
			says := func(words string) bool { return strings.Contains(text, words) }
			if !says(change.shows) && !slices.ContainsFunc(partly, says) {
				t.Errorf("%s: the text lacks %q and why\n%s", p, change.shows, text)
			}
		}
	}
}
