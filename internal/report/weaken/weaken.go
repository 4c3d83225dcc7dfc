// Package weaken finds how a change weakens what judges it: settings that judge by less, cases and recordings that are gone, and cases
// that pass by the suite of the head and not by that of the base. The base and the head of a case come in, and go out as a list of
// [report.Weakening].
//
// A kind of setting that can be weakened is a row of the table: its key, the direction in which it is weaker, and the words for that.
// A setting has its key from the gate that reads it, or from package suite. One without a row is said to have changed, which counts.
package weaken

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Case returns how a case is weakened: first in effect, then by setting, then by recordings that are gone. All that judged a case is gone
// with its judgement, which is one weakening then. moved are the catalogs of the
// base that stand elsewhere, by their old paths; live means that the runs were made just now, by the head's agent.
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

// Softens reports whether a case of the head is judged by less than the base's, once it follows what the change did to tools, and to
// the catalogs that have moved, by their old paths.
func Softens(base, head *report.Case, moved map[string]string) bool {
	counts := func(w report.Weakening) bool { return !w.ToldOnly }
	return slices.ContainsFunc(weakerSettings(followed(base, head, moved), head, false), counts)
}

func weakeningOf(c *report.Case, kind, key string) report.Weakening {
	return report.Weakening{Kind: kind, Case: c.ID, Suite: c.Suite, Name: c.Name, Model: c.Model, Key: key, Line: c.Line}
}

// IsUnjudged reports whether a case is no longer judged: it is skipped, or has no gates. The base's verdict does not matter: a failed
// case is not repaired by this.
func IsUnjudged(base, head *report.Case) bool {
	verdict, leftOut := head.ByOwnSuite()
	isSkipped := verdict == judge.Skipped && base.Verdict != judge.Skipped
	return isSkipped || leftOut != "" && leftOut != report.HasMistakes && base.LeftOut == ""
}

// IsSoftened reports whether the case fails by the base's suite and does not fail by its own.
func IsSoftened(c *report.Case) bool {
	own, _ := c.ByOwnSuite()
	return c.Base != nil && c.Base.Reason != "" && (own == judge.Pass || own == judge.Skipped)
}

// inEffect returns the weakening of a case that fails by the base's suite alone, or of which a figure dropped further than that allows.
func inEffect(base, head *report.Case, settings []report.Weakening) []report.Weakening {
	own, _ := head.ByOwnSuite()
	w := weakeningOf(head, report.InEffect, "")
	w.Base, w.Head, w.Reason, w.Settings = report.Optional(judge.Fail), report.Optional(own), dropInEffect(base, head, settings), []string{}
	switch {
	case IsSoftened(head) && head.Base.Fault == "":
		w.Base, w.Reason = report.Optional(head.Base.Verdict), head.Base.Reason
	case own != judge.Pass || w.Reason == "":
		return nil
	}
	for _, s := range settings {
		w.Settings = append(w.Settings, s.Key)
	}
	return []report.Weakening{w}
}

// lostRecordings returns the weakening by recordings that are gone and whose runs fail by the base's suite, unless the settings name others already.
func lostRecordings(head *report.Case, settings []report.Weakening) []report.Weakening {
	isTold := slices.ContainsFunc(settings, func(w report.Weakening) bool { return w.Key == cassetteKey })
	if head.Base == nil || len(head.Base.Lost) == 0 || isTold {
		return nil
	}
	w := weakeningOf(head, report.RecordingLost, cassetteKey)
	w.Base = report.Optional(strings.Join(head.Base.Lost, "; "))
	return []report.Weakening{w}
}

// weakerSettings returns the case's settings that are weaker than the base's or cannot be compared with them, by key.
func weakerSettings(base, head *report.Case, live bool) (list []report.Weakening) {
	if len(base.Settings) == 0 || len(head.Settings) == 0 {
		return nil // the report is of a version without settings
	}
	s := &sides{before: byKey(base.Settings), after: byKey(head.Settings), of: head, live: live}
	s.classes = classChanges(s.before, s.after)
	sameRuns := head.Base != nil && head.Base.SameRuns
	for _, c := range s.changes() {
		if c.ofMissingGate() || c.key == cassetteKey && keepsEvidence(base, head) || sameRuns && keyOf(shapeOf(c.key)) == ofRuns {
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

// Suites returns what the suites redact no more and may spend more, by the path of each of the head's that is paired with one of the base's.
// Neither bears on a verdict, so that it is only shown.
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
