package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// choice is one value of an option that touches judging. Its table row says what it does together with each other choice.
type choice struct {
	option, name string
	selects      []string // flags of run that the shards of a check have, and merge does not
	demands      []string // flags of run and merge
	inputs       []string // of the action, for the flags; none where it has no such input
	live         bool
	shard, merge bool
	include      bool // the settings of the suite stand in a file that it includes
	saved        bool // the base is a saved report
	onlyRun      bool // the action has no such input
}

var choices = []choice{
	{option: "gates-from", name: "gates-from base", demands: []string{"--gates-from", "base"}, inputs: []string{"gates-from=base"}},
	{option: "live-from", name: "live-from base", selects: []string{"--live", "--live-from", "base"}, inputs: []string{"mode=live", "live-from=base"}, live: true},
	{option: "fail-on", name: "fail-on never", demands: []string{"--fail-on", "never"}, inputs: []string{"fail-on=never"}},
	{option: "fail-on", name: "fail-on regression", demands: []string{"--fail-on", "regression"}, inputs: []string{"fail-on=regression"}},
	{option: "fail-on-weakened", name: "fail-on-weakened", demands: []string{"--fail-on-weakened"}, inputs: []string{"fail-on-weakened=true"}},
	{option: "fail-on-breaking", name: "fail-on-breaking", demands: []string{"--fail-on-breaking"}, inputs: []string{"fail-on-breaking=true"}},
	{option: "fail-on-stale", name: "fail-on-stale affected", selects: []string{"--fail-on-stale", "affected"}, inputs: []string{"fail-on-stale=affected"}},
	{option: "fail-on-stale", name: "fail-on-stale any", selects: []string{"--fail-on-stale", "any"}, inputs: []string{"fail-on-stale=any"}},
	{option: "baseline", name: "baseline REPORT", saved: true},
	{option: "filter", name: "filter of them", selects: []string{"--filter", "finds|closes|counts|quality"}, inputs: []string{"filter=finds|closes|counts|quality"}},
	{option: "filter", name: "filter of others", selects: []string{"--filter", "reads"}, inputs: []string{"filter=reads"}},
	{option: "tags", name: "tags of them", selects: []string{"--tag", "quick"}, inputs: []string{"tags=quick"}},
	{option: "tags", name: "tags of others", selects: []string{"--tag", "slow"}, inputs: []string{"tags=slow"}},
	{option: "skip-tag", name: "skip-tag of others", selects: []string{"--skip-tag", "slow"}, onlyRun: true},
	{option: "failed", name: "failed, them", selects: []string{"--failed", "#them"}, onlyRun: true},
	{option: "failed", name: "failed, others", selects: []string{"--failed", "#others"}, onlyRun: true},
	{option: "failed", name: "failed, none", selects: []string{"--failed", "#none"}, onlyRun: true},
	{option: "affected", name: "affected", selects: []string{"--affected"}, inputs: []string{"affected=true"}},
	{option: "judge-run", name: "judge-run", selects: []string{"--judge-run", "1"}, onlyRun: true},
	{option: "check-snapshots", name: "check-snapshots", selects: []string{"--check-snapshots"}, onlyRun: true},
	{option: "resume", name: "resume", selects: []string{"--record", "--resume"}, live: true, onlyRun: true},
	{option: "shard", name: "shard", shard: true},
	{option: "merge", name: "merge", merge: true},
	{option: "include", name: "include", include: true},
	{option: "skip-foreign", name: "skip-foreign", selects: []string{"--skip-foreign"}, inputs: []string{"skip-foreign=true"}},
}

// notJudging are the other flags of run and inputs of the action, which decide neither what is judged nor by what.
var notJudging = map[string]string{
	"workspace": "where", "config": "where", "suite": "where", "working-directory": "where", "mode": "the rows of live-from are live",
	"live": "the rows of live-from are live", "list": "judges nothing", "stale": "chooses what is listed or recorded", "record": "as live", "by-words": "told only", "jobs": "how fast", "shard-by": "how fast", "budget": "how long", "turn-timeout": "how long",
	"case-timeout": "how long", "format": "output", "reporter": "output", "run": "output", "json-runs": "output", "verbose": "output", "color": "output", "annotations": "output",
	"annotate-at": "output", "max-annotations": "output", "comment": "output", "comment-key": "output", "check-name": "output",
	"summary": "output", "report": "output", "formats": "output", "github-token": "access", "matrix": "output", "help": "output", "history": "output",
}

// pairChange is something that a change does to be green, or that breaks others.
type pairChange struct {
	name   string
	demand string          // the choice that is to notice it
	edit   func(pairFiles) // of the base's files
	shows  string          // is in the text where it is noticed
	needs  []choice        // unless the pair has another of the option
	absent bool            // saved reports do not have what shows it
}

// choicesNamed returns the choice of that name.
func choicesNamed(name string) []choice {
	at := slices.IndexFunc(choices, func(c choice) bool { return c.name == name })
	return choices[at : at+1]
}

type pairFiles map[string]string

// swap replaces a text wherever it stands.
func (f pairFiles) swap(old, now string) {
	for name, text := range f {
		f[name] = strings.ReplaceAll(text, old, now)
	}
}

func swap(old, now string) func(pairFiles) { return func(f pairFiles) { f.swap(old, now) } }

const closesCase = `  - name: closes
    tags: [quick]
    prompt: Close a ticket that is done.
    cassette: ../runs/closes.json
    tool_selection: {expected_tool: close_ticket, min_selection_rate: 0.8}
    orchestration: {}
`

var pairChanges = []pairChange{
	{name: "a floor lowered", demand: "fail-on-weakened", edit: swap("0.9", "0.1"), shows: "min_selection_rate"},
	{name: "a case deleted", demand: "fail-on-weakened", edit: swap(closesCase, ""), shows: "closes"},
	{name: "a class widened", demand: "fail-on-weakened", edit: swap("members: [find_ticket]", "members: [find_ticket, close_ticket]"), shows: "find"},
	{name: "runs lowered", demand: "fail-on-weakened", edit: swap("runs: 2\n", "runs: 1\n"), shows: "runs"},
	{name: "a rule disabled", demand: "fail-on-weakened", edit: swap("[DESC-010]", "[DESC-010, DESC-012]"), shows: "DESC-012"},
	{name: "a gate removed", demand: "fail-on-weakened", edit: swap("    orchestration: {}\n", ""), shows: "orchestration"},
	{name: "a catalog spoiled", edit: spoil, shows: "min_score"},
	{name: "a tool removed", demand: "fail-on-breaking", edit: swap(",\n"+exportTool, ""), shows: "export_report"},
	{name: "a recording replaced", demand: "fail-on-weakened", edit: swap(`"runs": [{"tool_calls": [{"name": "find_ticket",`, `"runs": [{"tool_calls": [{"name": "find_ticket", "args": {},`)},
	{name: "stale evidence", demand: "fail-on-stale affected", edit: stale, shows: "record", absent: true},
	{name: "a snapshot forgotten", demand: "fail-on-stale affected", edit: swap("Close a ticket that is done and tell its author.\", // code", "Close a ticket.\", // code"), shows: "older than the code", absent: true},
	{name: "a server that differs", demand: "check-snapshots", edit: func(f pairFiles) {
		f["tools.json"] = strings.ReplaceAll(f["tools.json"], "Close a ticket that is done", "Close a ticket")
	}, shows: "is not what the server advertises", absent: true},
	{name: "a suite deleted", demand: "fail-on-weakened", edit: func(f pairFiles) { delete(f, "suites/other.yml") }, shows: "counts"},
	{name: "a case renamed, a floor lowered", demand: "fail-on-weakened", edit: func(f pairFiles) {
		f.swap("0.9", "0.1")
		f.swap("name: finds", "name: locates")
	}, shows: "finds"},
	{name: "a case out of the tags", demand: "fail-on-weakened", edit: swap("name: closes\n    tags: [quick]", "name: closes\n    tags: [slow]"),
		shows: "closes", needs: choicesNamed("tags of them")},
	{name: "a case out of the filter", demand: "fail-on-weakened", edit: swap("name: closes", "name: shuts"),
		shows: "closes", needs: choicesNamed("filter of them")},
	{name: "a case that is foreign", demand: "fail-on-weakened", edit: swap("name: closes\n", "name: closes\n    effects: x\n"),
		shows: "closes", needs: choicesNamed("skip-foreign")},
	{name: "a figure dropped", edit: drop, shows: "max_drop allows 10 points"},
	{name: "a max_drop removed", demand: "fail-on-weakened", edit: swap(", max_drop: 10", ""), shows: "max_drop of counts"},
	{name: "a max_drop removed, a figure dropped", demand: "gates-from base", edit: func(f pairFiles) {
		drop(f)
		f.swap(", max_drop: 10", "")
	}, shows: "max_drop"},
}

// drop has one of two runs call another tool, which the floor allows.
func drop(f pairFiles) {
	f["runs/counts.json"] = strings.Replace(f["runs/counts.json"], `{"name": "count_tickets", "server"`, `{"name": "find_ticket", "server"`, 1)
}

const exportTool = `  {"name": "export_report", "description": "Export a monthly report as a spreadsheet.", "inputSchema": {"type": "object"}}`

// spoil leaves no tool a description of its own.
func spoil(f pairFiles) {
	for _, name := range []string{"tools.yml", "tools.json"} {
		lines := strings.Split(f[name], "\n")
		for i, line := range lines {
			before, rest, ok := strings.Cut(line, `"description": "`)
			if ok {
				_, after, _ := strings.Cut(rest, `"`)
				lines[i] = before + `"description": "Tool."` + after
			}
		}
		f[name] = strings.Join(lines, "\n")
	}
}

// stale changes what a recorded call was made by.
func stale(f pairFiles) {
	for _, name := range []string{"tools.yml", "tools.json"} {
		f[name] = strings.ReplaceAll(f[name], "subject, newest first", "subject, the oldest first")
	}
}

// TestPairsAreWhole requires a choice of every flag and input that touches judging.
func TestPairsAreWhole(t *testing.T) {
	known := map[string]bool{}
	for _, c := range choices {
		known[c.option] = true
	}
	known["tag"] = known["tags"]
	for _, name := range slices.Sorted(maps.Keys(optionNames())) {
		if known[name] == (notJudging[name] != "") {
			t.Errorf("option %q: want it among the choices, or among those that do not touch judging with the reason", name)
		}
	}
}
