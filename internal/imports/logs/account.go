package logs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// maxSkipped bounds the length of [Account.Skipped].
const maxSkipped = 100

// Account lists what an import read, left out and could not read.
type Account struct {
	Files    int
	Sessions int
	Runs     int
	Calls    int
	Builtin  int      // calls of agents' own tools; Calls includes them
	Formats  []string // formats of the files, in the order in which they were first seen

	// Skipped has a mistake for each of the first hundred records that could not be read; Unread counts all such records.
	Skipped []*source.Error
	Unread  int

	// LeftOut counts things that were read but are not in the runs, by reason.
	LeftOut map[string]int

	// LeftOutAt has the place of the first thing that was left out, by reason. It lacks the reasons for which no place was noted.
	LeftOutAt map[string]source.Pos

	// Mistakes has a mistake for each file that was not read at all.
	Mistakes source.Errors

	// SeveralPrompts counts the sessions that have more than one user message, but are one run.
	SeveralPrompts int

	// RepliesAlone counts the sessions that have only replies and are not a whole run. Each is a broken run.
	RepliesAlone int
}

func (a *Account) mistake(err error) {
	a.Mistakes = append(a.Mistakes, source.ErrorsOf(err)...)
}

func (a *Account) skip(pos source.Pos, reason string) {
	a.Unread++
	if len(a.Skipped) < maxSkipped {
		a.Skipped = append(a.Skipped, &source.Error{Pos: pos, Msg: reason})
	}
}

// LeaveOut counts something that was read but is not in the runs.
func (a *Account) LeaveOut(reason string) {
	if a.LeftOut == nil {
		a.LeftOut = map[string]int{}
	}
	a.LeftOut[reason]++
}

// leaveOutAt is LeaveOut, and notes the place if it is the first for the reason.
func (a *Account) leaveOutAt(pos source.Pos, reason string) {
	a.LeaveOut(reason)
	if a.LeftOutAt == nil {
		a.LeftOutAt = map[string]source.Pos{}
	}
	if a.LeftOut[reason] == 1 {
		a.LeftOutAt[reason] = pos
	}
}

// Reasons lists the keys of LeftOut, sorted.
func (a *Account) Reasons() []string {
	return slices.Sorted(maps.Keys(a.LeftOut))
}

// Notes returns a sentence for each thing that was not read or is not in the runs, in a fixed order.
func (a *Account) Notes() []string {
	var notes []string
	if a.Unread > 0 {
		notes = append(notes, fmt.Sprintf("records that could not be read: %d, the first at %s", a.Unread, a.Skipped[0]))
	}
	if a.SeveralPrompts > 0 {
		notes = append(notes, fmt.Sprintf("sessions with several messages of the user, each of which is one run: %d; \"split\": turn makes each message a run", a.SeveralPrompts))
	}
	return slices.Concat(notes, a.RepliesAloneNotes(), a.LeftOutNotes())
}

// RepliesAloneNotes returns a note with the number of runs that are broken because the log has no requests; nil if there are
// none.
func (a *Account) RepliesAloneNotes() []string {
	if a.RepliesAlone == 0 {
		return nil
	}
	return []string{fmt.Sprintf("replies alone that end at a call or continue a reply that is not there, each of which is a broken run: %d; "+
		"log the requests, too, or join the replies by previous_response_id", a.RepliesAlone)}
}

// LeftOutNotes returns a line for each reason of LeftOut, sorted. The reason, in the plural, comes first, then the number, and then
// the first place if it is known.
func (a *Account) LeftOutNotes() []string {
	var notes []string
	for _, reason := range a.Reasons() {
		note := fmt.Sprintf("left out: %s: %d", reason, a.LeftOut[reason])
		if at, known := a.LeftOutAt[reason]; known {
			note += fmt.Sprintf(", the first at %s", at)
		}
		notes = append(notes, note)
	}
	return notes
}
