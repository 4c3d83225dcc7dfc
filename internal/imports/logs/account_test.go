package logs_test

import (
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// TestNotes pins how an account is written: the numbers are behind what is counted, so that one is not "1 calls".
func TestNotes(t *testing.T) {
	var a logs.Account
	a.SeveralPrompts = 1
	a.LeaveOut("results without a call")
	a.LeaveOut("calls that repeat an id")
	a.LeaveOut("results without a call")
	want := []string{
		`sessions with several messages of the user, each of which is one run: 1; "split": turn makes each message a run`,
		"left out: calls that repeat an id: 1",
		"left out: results without a call: 2",
	}
	if got := a.Notes(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
