package report

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// Invocation has the arguments of a check that are not in [Report.Flags]. With the same files, these arguments and Flags give
// the same report.
type Invocation struct {
	Workspace string   `json:"workspace,omitempty"` // relative to the current folder; "" for the current folder, or for an absolute path
	Suites    []string `json:"suites,omitempty"`    // files, globs and folders as the user gave them; empty for the usual places
	Filter    string   `json:"filter,omitempty"`    // RE2
	Tags      []string `json:"tags,omitempty"`
	SkipTags  []string `json:"skip_tags,omitempty"`
	Affected  bool     `json:"affected,omitzero"`  // check only the suites that the change touches
	Shard     string   `json:"shard,omitempty"`    // I/N
	ShardBy   string   `json:"shard_by,omitempty"` // path of a saved report
	Limits
}

// Limits are the bounds of live runs, if they differ from the program's defaults.
type Limits struct {
	Budget      *int   `json:"budget,omitzero"` // in US cents; nil for no bound
	TurnTimeout string `json:"turn_timeout,omitempty"`
	CaseTimeout string `json:"case_timeout,omitempty"`
}

func (i *Invocation) isZero() bool {
	return i.Workspace == "" && len(i.Suites) == 0 && i.Filter == "" && len(i.Tags) == 0 && len(i.SkipTags) == 0 &&
		!i.Affected && i.Shard == "" && i.ShardBy == "" && i.Limits == Limits{}
}

// SetInvocation sets the arguments of the check.
func (r *Report) SetInvocation(i Invocation) {
	if r.Invocation = nil; !i.isZero() {
		r.Invocation = &i
	}
}

// Reproduce returns the command that repeats the check, and a command for each of the indexed cases that does not pass. most
// bounds the number of commands for cases. People paste the commands, so a command that a shell could read in another way is left
// out.
func (r *Report) Reproduce(cases []int, most int) (commands []string) {
	if len(r.Cases) == 0 {
		return nil
	}
	if line, ok := r.reproduceAll(); ok {
		commands = append(commands, line)
	}
	count := 0 // commands for single cases
	for _, i := range cases {
		c := &r.Cases[i]
		if c.Verdict == judge.Pass || count >= most {
			continue
		}
		line, ok := r.reproduceCase(c)
		isRepeated := slices.Contains(commands, line) // cases with several searches or models share a name, and so a command
		if ok && !isRepeated {
			commands = append(commands, line)
			count++
		}
	}
	return commands
}

// reproduceAll returns the command that repeats the check; ok is false if a shell could read it in another way.
func (r *Report) reproduceAll() (line string, ok bool) {
	asked := r.asked()
	c := r.command(asked)
	if asked.Affected && r.baseToName() != "" {
		c.add("--affected")
	}
	filter := asked.Filter
	isListed := r.Chosen != nil && strings.HasPrefix(r.Chosen.By, Again)
	if isListed { // other people do not have the file with the list of cases
		filter = r.filterForCases()
	}
	if filter != "" {
		c.add("--filter", c.quote(filter))
	}
	c.addTags("--tag", asked.Tags)
	c.addTags("--skip-tag", asked.SkipTags)
	c.addValue("--shard", asked.Shard)
	c.addValue("--shard-by", asked.ShardBy)
	for _, name := range asked.Suites {
		c.addPath(name)
	}
	return c.commandLine()
}

func (r *Report) reproduceCase(one *Case) (line string, ok bool) {
	c := r.command(r.asked())
	c.add("--verbose", "--filter", c.quote(filterFor(one.Name)))
	c.addPath(one.Suite)
	return c.commandLine()
}

func (r *Report) asked() *Invocation {
	if r.Invocation == nil {
		return &Invocation{}
	}
	return r.Invocation
}

// command returns the beginning of a command, with the arguments that decide verdicts.
func (r *Report) command(asked *Invocation) *command {
	c := &command{words: []string{"mcp-gates", "run"}}
	c.addValue("--workspace", asked.Workspace)
	if r.Mode == Live {
		c.add("--live")
		if asked.Budget != nil {
			c.add("--budget", strconv.Itoa(*asked.Budget))
		}
		c.addValue("--turn-timeout", asked.TurnTimeout)
		c.addValue("--case-timeout", asked.CaseTimeout)
	}
	if r.JudgedRun > 0 {
		c.add("--judge-run", strconv.Itoa(r.JudgedRun))
	}
	base := r.baseToName()
	c.addValue("--baseline", base)
	for _, flag := range r.Decided() {
		if base != "" || !flag.NeedsBase {
			c.add(flag.Text)
		}
	}
	return c
}

// plainSHA matches a commit's hash, or its beginning.
var plainSHA = regexp.MustCompile(`^[0-9a-f]+$`)

// baseToName returns the commit or the saved report to name as the base; "" for none.
func (r *Report) baseToName() string {
	switch {
	case r.Baseline == nil:
	case plainSHA.MatchString(string(r.Baseline.Base.SHA)):
		return string(r.Baseline.Base.SHA)
	case r.Baseline.Base.File != "" && r.Baseline.Base.File != "-":
		return "file:" + string(r.Baseline.Base.File)
	}
	return ""
}

func (r *Report) filterForCases() string {
	filters := lists.Map(r.Cases, func(c Case) string { return filterFor(c.ID) })
	return "^(" + strings.Join(filters, "|") + ")$"
}

// filterFor returns a regular expression that matches a name. It consists of letters, digits, spaces, - and _, with a dot for
// any other character of the name.
func filterFor(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == ' ' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '.'
	}, name)
}
