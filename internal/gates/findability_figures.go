package gates

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/finding"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/stat"
)

// found sums up the answers for the intents of one tool.
type found struct {
	tool    *catalog.Tool
	intents int
	within  int               // number of intents that find the tool
	lost    []*finding.Answer // answers that find the tool in the base but not in the head, the best rank in the base first
	best    *finding.Answer   // the answer with the best rank
	sank    *finding.Answer   // the answer that still finds the tool but whose rank fell most since the base; nil if none fell
	isNew   bool              // no intent of the tool was tried in the base
}

func byTool(r *finding.Result) []*found {
	tools := map[*catalog.Tool]*found{}
	var list []*found
	for i := range r.Answers {
		a := &r.Answers[i]
		f := tools[a.Tool]
		if f == nil {
			f = &found{tool: a.Tool, best: a, isNew: true}
			tools[a.Tool] = f
			list = append(list, f)
		}
		f.addAnswer(a)
	}
	return list
}

// addAnswer adds the answer for one intent of the tool.
func (f *found) addAnswer(a *finding.Answer) {
	f.intents++
	f.isNew = f.isNew && a.Was == 0
	if a.Rank < f.best.Rank {
		f.best = a
	}
	switch {
	case a.Lost():
		f.lost = append(f.lost, a)
		if last := len(f.lost) - 1; a.Was < f.lost[0].Was {
			f.lost[0], f.lost[last] = f.lost[last], f.lost[0]
		}
	case a.Found():
		f.within++
		fell := a.WasFound() && a.Rank > a.Was
		if fell && (f.sank == nil || a.Rank-a.Was > f.sank.Rank-f.sank.Was) {
			f.sank = a
		}
	}
}

// findMeasurement returns the figures and notes. noBase is the reason for absent figures if the base is not known.
func findMeasurement(q finding.Question, r *finding.Result, noBase string) judge.Measurement {
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	tools := byTool(r)
	var within, first, worst int
	for i := range r.Answers {
		a := &r.Answers[i]
		worst = max(worst, a.Rank)
		if a.Found() {
			within++
		}
		if a.Rank == 1 {
			first++
		}
	}
	n := len(r.Answers)
	low, high := stat.Wilson(within, n)
	m.Values[foundShareTarget] = judge.Ratio(int64(100*within), int64(n), judge.Percent)
	m.Detail[foundShareTarget] = fmt.Sprintf("%d of %s, 95%% interval %d.%02d%% to %d.%02d%%%s", within, judge.CountOf(n, "intent"),
		low/100, low%100, high/100, high%100, restText(r))
	m.Values[topOneTarget] = judge.Ratio(int64(100*first), int64(n), judge.Percent)
	m.Detail[topOneTarget] = fmt.Sprintf("%d of %s", first, judge.CountOf(n, "intent"))
	m.Values[worstRankTarget] = judge.Int(worst, judge.Number)
	m.Detail[worstRankTarget] = "of " + judge.CountOf(r.Among, "tool")
	m.Values[unfoundTarget] = judge.Int(r.Unfound(), judge.Number)
	if r.Compared {
		lost := func(f *found) bool { return len(f.lost) > 0 }
		m.Values[lostTarget] = judge.Int(lists.Count(tools, lost), judge.Number)
	} else {
		m.Absent[lostTarget] = noBase
	}
	m.Counts = map[string]int{
		"tools": len(q.Now.Tools.Tools), "among": r.Among, "limit": r.Limit, "intents": n, "found": within, "removed": r.Removed, "eager": r.Eager,
	}
	for _, reason := range leftOut(r) {
		m.Counts[reason.key] = reason.n
	}
	m.Notes = findNotes(q, r, tools)
	for target, kind := range map[string]string{lostTarget: judge.NotFoundNow, unfoundTarget: judge.Unfound} {
		m.Detail[target] = strings.TrimPrefix(m.Among(kind), ": ")
	}
	return m
}

// maxBehind bounds how many better-ranked tools a note names.
const maxBehind = 8

// findNotes returns notes on tools that are lost since the base, that no intent finds, or that rank lower than in the base.
func findNotes(q finding.Question, r *finding.Result, tools []*found) (notes []judge.Note) {
	addNote := func(kind string, f *found, a *finding.Answer, intents int) {
		n := judge.Note{
			Kind: kind, Subject: f.tool.Ref().ID(), Text: a.Query, Search: q.Client.Name, Was: a.Was, Rank: a.Rank, Calls: intents,
		}
		if a.Rank > r.Among {
			n.Rank = 0
		}
		at := f.tool.Pos
		if !a.Found() {
			before, changed := r.Before(a, maxBehind)
			for _, t := range before {
				n.Members = append(n.Members, t.Ref().ID())
			}
			if kind == judge.NotFoundNow && changed != nil {
				at = changed.Pos
			}
		}
		n.Path, n.Line = at.File, at.Line
		notes = append(notes, n)
	}
	for _, f := range tools {
		switch {
		case len(f.lost) > 0:
			addNote(judge.NotFoundNow, f, f.lost[0], len(f.lost))
		case f.within == 0 && f.isNew:
			addNote(judge.Unfound, f, f.best, f.intents)
		case f.sank != nil:
			addNote(judge.Sank, f, f.sank, 1)
		}
	}
	return notes
}

// leftOutReason is a reason why n sentences are not intents. key is its name in a report.
type leftOutReason struct {
	key, words string
	n          int
}

func leftOut(r *finding.Result) []leftOutReason {
	l := r.LeftOut
	return []leftOutReason{
		{"left_out_short", "with fewer than two content words", l.Short},
		{"left_out_shared", "that several tools share", l.Shared},
		{"left_out_named", "that name another tool", l.NamesOthers},
		{"left_out_not_ascii", "without an ASCII word", l.NoASCII},
		{"left_out_many", "behind the first 50 of a description", l.Many},
	}
}

func leftOutText(r *finding.Result) string {
	var parts []string
	for _, reason := range leftOut(r) {
		if reason.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", judge.CountOf(reason.n, "sentence"), reason.words))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "left out: " + strings.Join(parts, ", ")
}

func restText(r *finding.Result) string {
	text := ""
	if r.Removed > 0 {
		text += fmt.Sprintf("; %s of removed tools", judge.CountOf(r.Removed, "intent"))
	}
	if left := leftOutText(r); left != "" {
		text += "; " + left
	}
	return text
}
