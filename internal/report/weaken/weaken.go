// Package weaken finds how a change weakens what judges it: weaker settings, removed cases and recordings, and cases that pass
// only by the head's suite. It compares a case of the base with the case of the head, and returns a list of [report.Weakening].
//
// A kind of setting that can be weakened is a row of the table: its key, the direction in which it is weaker, and the words for
// this weakening. The gate that reads a setting, or package suite, makes its key. A changed setting without a row is reported
// as changed, which counts as a weakening.
package weaken

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// Case returns how a case is weakened: first the weakening that changes the verdict, then weaker settings, then lost
// recordings. If the case is no longer judged, this is the only weakening. moved has the new paths of moved catalogs by their
// paths in the base. live means that the head's agent has just made the runs.
func Case(base, head *report.Case, moved map[string]string, live bool) []report.Weakening {
	if IsUnjudged(base, head) {
		own, _ := head.ByOwnSuite()
		w := weakeningOf(head, report.NotJudged, "verdict")
		w.Base, w.Head = report.Optional(base.Verdict), report.Optional(own)
		return []report.Weakening{w}
	}
	settings := weakerSettings(followed(base, head, moved), head, live)
	return slices.Concat(inEffect(base, head, settings), settings, lostRecordings(head, settings))
}

// Softens reports whether the head's case is judged more mildly than the base's case. Renamed tools and moved catalogs do not
// count; moved has the new paths of catalogs by their paths in the base.
func Softens(base, head *report.Case, moved map[string]string) bool {
	counts := func(w report.Weakening) bool { return !w.ToldOnly }
	return slices.ContainsFunc(weakerSettings(followed(base, head, moved), head, false), counts)
}

func weakeningOf(c *report.Case, kind, key string) report.Weakening {
	return report.Weakening{Kind: kind, Case: c.ID, Suite: c.Suite, Name: c.Name, Model: c.Model, Key: key, Line: c.Line}
}

// IsUnjudged reports whether the head no longer judges a case: it is skipped, or has no gates. This holds even if the case
// failed in the base, because leaving out a case does not repair it.
func IsUnjudged(base, head *report.Case) bool {
	verdict, leftOut := head.ByOwnSuite()
	isSkipped := verdict == judge.Skipped && base.Verdict != judge.Skipped
	isLeftOut := leftOut != "" && leftOut != report.HasMistakes && base.LeftOut == ""
	return isSkipped || isLeftOut
}

// IsSoftened reports whether the case fails by the base's suite, but not by the change's own suite.
func IsSoftened(c *report.Case) bool {
	own, _ := c.ByOwnSuite()
	return c.Base != nil && c.Base.Reason != "" && (own == judge.Pass || own == judge.Skipped)
}

// inEffect returns the weakening of a case that does not fail, but would fail by the base's suite or by the base's max_drop.
func inEffect(base, head *report.Case, settings []report.Weakening) []report.Weakening {
	own, _ := head.ByOwnSuite()
	w := weakeningOf(head, report.InEffect, "")
	w.Base, w.Head, w.Reason = report.Optional(judge.Fail), report.Optional(own), dropInEffect(base, head, settings)
	switch {
	case IsSoftened(head) && head.Base.Fault == "":
		w.Base, w.Reason = report.Optional(head.Base.Verdict), head.Base.Reason
	case own != judge.Pass || w.Reason == "":
		return nil
	}
	w.Settings = lists.Map(settings, func(s report.Weakening) string { return s.Key })
	return []report.Weakening{w}
}

// lostRecordings returns a weakening if the head lacks recordings whose runs fail by the base's suite. It returns none if
// settings already name other recordings.
func lostRecordings(head *report.Case, settings []report.Weakening) []report.Weakening {
	isTold := slices.ContainsFunc(settings, func(w report.Weakening) bool { return w.Key == cassetteKey })
	if head.Base == nil || len(head.Base.Lost) == 0 || isTold {
		return nil
	}
	w := weakeningOf(head, report.RecordingLost, cassetteKey)
	w.Base = report.Optional(strings.Join(head.Base.Lost, "; "))
	return []report.Weakening{w}
}

// weakerSettings returns the settings of the case that are weaker in the head, or cannot be compared, sorted by key.
func weakerSettings(base, head *report.Case, live bool) (list []report.Weakening) {
	if len(base.Settings) == 0 || len(head.Settings) == 0 {
		return nil // the report is of a version without settings
	}
	s := &sides{before: byKey(base.Settings), after: byKey(head.Settings), of: head, live: live}
	s.classes = classChanges(s.before, s.after)
	sameRuns := head.Base != nil && head.Base.SameRuns
	for _, c := range s.changes() {
		isKeptEvidence := c.key == cassetteKey && keepsEvidence(base, head)
		isSourceOfSameRuns := sameRuns && keyOf(shapeOf(c.key)) == ofRuns
		if c.isOfMissingGate() || isKeptEvidence || isSourceOfSameRuns {
			continue
		}
		if kind := c.kind(); kind != "" {
			w := weakeningOf(head, kind, c.key)
			w.Base, w.Head, w.ToldOnly = c.base.text(), c.head.text(), kind == report.GivenChanged
			if len(c.head) > 0 && c.head[0].Line > 0 {
				w.File, w.Line = c.head[0].File, c.head[0].Line
			}
			list = append(list, w)
		}
	}
	return list
}

// Suites returns the settings of whole suites that are weaker: they redact less or may spend more. pairs has the path of the
// base's suite by the path of the head's. These weakenings are only shown, because they change no verdict.
func Suites(base, head *report.Report, pairs map[string]string) (list []report.Weakening) {
	was, is := bySuite(base.SuiteSettings), bySuite(head.SuiteSettings)
	for _, file := range slices.Sorted(maps.Keys(pairs)) {
		s := &sides{before: byKey(was[pairs[file]]), after: byKey(is[file])}
		for _, c := range s.changes() {
			if kind := c.kind(); kind != "" {
				w := report.Weakening{Kind: kind, Case: file, Suite: file, Name: file, Key: c.key, Base: c.base.text(), Head: c.head.text(), Line: 1, ToldOnly: true}
				if len(c.head) > 0 {
					w.Line = c.head[0].Line
				}
				list = append(list, w)
			}
		}
	}
	return list
}

func bySuite(list []report.SuiteSetting) map[string][]report.Setting {
	settings := map[string][]report.Setting{}
	for _, s := range list {
		settings[s.Suite] = append(settings[s.Suite], report.Setting{Key: s.Key, Value: s.Value, Line: s.Line})
	}
	return settings
}

// dropInEffect returns the reason why a case with a weakened max_drop would fail by the base's max_drop: its figure dropped
// farther than this bound allows. It returns "" if the case would not fail.
func dropInEffect(base, head *report.Case, settings []report.Weakening) string {
	for _, w := range settings {
		gate, isBound := strings.CutSuffix(w.Key, "."+report.MaxDrop)
		if !isBound {
			continue
		}
		was, is := base.Gate(gate), head.Gate(gate)
		if was == nil || was.MaxDrop == nil {
			continue
		}
		if d := report.DropOf(was.MaxDrop, was, is); d.IsTooFar() {
			return d.Says(func(name string) string { return name })
		}
	}
	return ""
}
