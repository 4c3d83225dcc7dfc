package tell

import "strings"

// Medium is a place where a story is written.
type Medium int

// The media.
const (
	Terminal Medium = iota
	Comment         // comment of a pull request, and summary of a check run
	Summary         // summary of a job
	Page
)

// Section is a part of a story, by its title.
type Section string

// The sections, in their order.
const (
	WhatWentWrong     Section = "what went wrong"
	ExecutableChanges Section = "executable changes"
	ChangedTools      Section = "changed tools"
	MayBreakCallers   Section = "changes that may break callers"
	MovedFigures      Section = "figures that moved"
	OtherSettings     Section = "other changes of how cases are judged"
	Cassettes         Section = "changed recordings"
	StaleRecordings   Section = "recordings of tools that have changed"
	NewFindings       Section = "new findings"
	FixedFindings     Section = "fixed findings"
	Warnings          Section = "warnings"
	Facts             Section = "facts" // facts of one item
	Parts             Section = "parts" // parts of one changed tool
)

// Title returns the name of the section with a capital letter.
func (s Section) Title() string { return strings.ToUpper(string(s[:1])) + string(s[1:]) }

// Limit bounds the entries of a section in a medium. Open entries are visible at once. All also counts entries that are folded or
// have only a line. For the entries beyond All, only their number is shown.
type Limit struct{ Open, All int }

// Room is the table of all limits. A terminal with all output, and the run of one recording, have no limits.
var Room = map[Section][Page + 1]Limit{
	//                  Terminal    Comment    Summary      Page
	WhatWentWrong:     {{30, 230}, {8, 100}, {8, 5000}, {500, 5000}},
	ExecutableChanges: {{20, 20}, {100, 100}, {5000, 5000}, {500, 500}},
	ChangedTools:      {{20, 20}, {8, 100}, {8, 5000}, {500, 500}},
	MayBreakCallers:   {{20, 20}, {100, 100}, {5000, 5000}, {500, 500}},
	MovedFigures:      {{20, 20}, {8, 100}, {8, 5000}, {500, 500}},
	OtherSettings:     {{20, 20}, {100, 100}, {5000, 5000}, {500, 500}},
	Cassettes:         {{20, 20}, {100, 100}, {5000, 5000}, {500, 500}},
	StaleRecordings:   {{20, 20}, {100, 100}, {5000, 5000}, {500, 500}},
	NewFindings:       {{20, 20}, {100, 100}, {5000, 5000}, {2000, 2000}},
	FixedFindings:     {{20, 20}, {100, 100}, {5000, 5000}, {0, 0}}, // a page lists the findings that remain
	Warnings:          {{50, 50}, {100, 100}, {5000, 5000}, {500, 500}},
	Facts:             {{30, 30}, {8, 8}, {8, 8}, {100, 100}},
	Parts:             {{20, 20}, {6, 6}, {6, 6}, {100, 100}},
}

// Limit returns how many entries of a section the medium shows.
func (m Medium) Limit(s Section) Limit { return Room[s][m] }
