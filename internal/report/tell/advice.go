package tell

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// These are texts of advice, each of at most a dozen words. Commands are between back-ticks.
const (
	resume        = "Go on as the message says: `mcp-gates run --record --resume`."
	beginAgain    = "Remove the part of the recording, then record again."
	mendFile      = "Mend the line; `mcp-gates validate` checks it."
	mendInput     = "Mend what the message names, then check again."
	undoWeakening = "Undo it, or have the change of the suite approved."
	keepOld       = "Keep what callers use, or release it as a breaking version."
	showAgain     = "Offer the tool to models again, or name another in its cases."
	seeFindings   = "Mend the descriptions; `mcp-gates lint` says how."
	seeTools      = "Mend the descriptions of the tools that are named."
	seeSearch     = "Say in the description again what the tool was found by; `mcp-gates find` shows what each word earns."
	readBase      = "Make the base readable to the check, and run it again."
	takeSnapshots = "Write the snapshots again, then record again what is stale."
	mendServers   = "Start each server by hand, and mend what keeps it from answering."
	readFirst     = "Read these before anything is run live."
)

// renewal holds the words of advice on how evidence is renewed.
type renewal struct {
	sentence string // a sentence
	clause   string // clause that follows other words
	short    string // the words without the command
}

// renewals maps [report.Case.RenewedBy] to its words, which differ because a log cannot be recorded again.
var renewals = map[report.Optional]renewal{
	"":              {"Record again: `mcp-gates run --record --stale`.", "record again: `mcp-gates run --record --stale`", "record again"},
	report.ByImport: {"Import the log again, or a newer one: `mcp-gates import`.", "import a newer log: `mcp-gates import`", "import a newer log"},
	report.ByLogs:   {"Log newer runs where the case reads them.", "log newer runs", "log newer runs"},
	byEither:        {"Record again: `mcp-gates run --record --stale`; import newer logs.", "record again, or import newer logs", "record or import again"},
}

// byEither is the key for a group of cases that are not all renewed in the same way.
const byEither = "either"

// renewalOf returns the words for making newer evidence of these cases.
func renewalOf(cases ...*report.Case) renewal {
	by := report.Optional("")
	for i, c := range cases {
		if i > 0 && c.RenewedBy != by {
			return renewals[byEither]
		}
		by = c.RenewedBy
	}
	if one, known := renewals[by]; known {
		return one
	}
	return renewals[""]
}

// Renewal returns the words for making newer evidence of a case.
func Renewal(c *report.Case) string { return renewalOf(c).short }

// renewalOfRuns returns the renewal for the cases in list that are judged by runs. list has indexes of cases.
func (s *Story) renewalOfRuns(list ...int) renewal {
	var cases []*report.Case
	for _, i := range list {
		if c := &s.report.Cases[i]; c.Kind == "" {
			cases = append(cases, c)
		}
	}
	return renewalOf(cases...)
}

// causeAdvice returns the first advice that applies to a changed tool.
func (s *Story) causeAdvice(c *cause) Line {
	isLost, isOld := len(c.lost) > 0, s.needsRecording(c)
	again := s.renewalOfRuns(slices.Concat(c.lost, c.hit, c.older)...)
	for _, one := range []struct {
		is bool
		do string
	}{
		{isLost && c.tool.Kind == report.Removed, "Restore the tool, or name another in these cases and " + again.short + "."},
		{isLost && c.tool.Kind == report.Hidden, showAgain},
		{c.tool.Kind == report.Added && len(c.tool.Alike) > 0, "Say in both descriptions when to use which, then " + again.short + "."},
		{len(c.breaking) > 0 && isOld && !isLost, "Keep what callers use, or release a breaking version and " + again.short + "."},
		{len(c.breaking) > 0 && !isLost, keepOld},
		{len(c.critical) > 0 && isOld, "Mend the description, then " + again.clause + "."},
		{len(c.critical) > 0, seeFindings},
		{isOld && !isLost, again.sentence},
		{len(c.hit) > 0, seeTools},
	} {
		if one.is {
			return advice(one.do)
		}
	}
	return s.renameAdvice(c)
}

// needsRecording reports whether a case is judged by runs from before the change.
func (s *Story) needsRecording(c *cause) bool {
	return len(c.older) > 0 || slices.ContainsFunc(slices.Concat(c.lost, c.hit), func(i int) bool { return isOlder(&s.report.Cases[i]) })
}

func (s *Story) renameAdvice(c *cause) Line {
	var lines []report.Place
	for _, i := range c.lost {
		lines = append(lines, linesOf(&s.report.Cases[i])...)
	}
	slices.SortFunc(lines, report.Place.Compare)
	lines = slices.Compact(lines)
	again := s.renewalOfRuns(c.lost...)
	if c.tool.Kind != report.Renamed || len(lines) == 0 {
		return advice(again.sentence)
	}
	const most = 5
	where := listLine(len(lines), most, func(i int) any { return place(lines[i].Path, lines[i].Line) })
	return say("Keep the old name, or write ", name(c.tool.Name), " at ", where, " and ", advice(again.clause), ".")
}

func (s *Story) caseAdvice(i int) Line {
	c := &s.report.Cases[i]
	switch {
	case c.Verdict == judge.Error && c.Partial:
		return advice(resume)
	case c.Verdict == judge.Error && c.Err != nil && slices.Contains(c.Cassettes, c.Err.Path):
		return advice("Correct or restore the file, or delete it and " + renewalOf(c).short + ".") // recording does not replace a file that cannot be read
	case c.Verdict == judge.Error && c.Again:
		return advice(renewalOf(c).sentence)
	case c.Verdict == judge.Error:
		return advice(mendFile)
	case c.Verdict == judge.Skipped:
		return advice(undoWeakening)
	case c.Kind == "tool_quality":
		return advice(seeFindings)
	case c.Kind == "tool_bench":
		return advice(seeTools)
	case c.Kind == "findability":
		return advice(seeSearch)
	case s.compared != nil && s.pairs[i].New:
		return advice("Check what the case expects, then descriptions and agent, then " + renewalOf(c).short + ".")
	}
	return advice("Look at the runs with `--verbose`, mend descriptions or agent, " + renewalOf(c).short + ".")
}

func mistakeAdvice(p *report.Problem) Line {
	switch {
	case p.Path == "":
		return advice(mendInput)
	case strings.Contains(p.Message, trace.ResumeCommand):
		return advice(resume)
	case strings.Contains(p.Message, trace.BeginAgain):
		return advice(beginAgain)
	}
	return advice(mendFile)
}

// shareAdvice keeps the same advice of neighbours only in the last of them, and sets its Shared to the number of neighbours.
func shareAdvice(list []Item) []Item {
	for i := range list {
		list[i].Shared = 1
		if i > 0 && len(list[i].Do) > 0 && slices.Equal(list[i].Do, list[i-1].Do) {
			list[i].Shared += list[i-1].Shared
			list[i-1].Do = nil
		}
	}
	return list
}
