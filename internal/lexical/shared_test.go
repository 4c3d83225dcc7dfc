package lexical_test

import (
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/lexical"
)

func TestSharedWords(t *testing.T) {
	tools := []lexical.Doc{{Name: "findTickets", Description: "Lists what is open."}, {Name: "close", Description: ""}}
	got := lexical.SharedWords("Find the OPEN ticket, finding the ticket and closing it at once", tools)
	if want := []string{"find", "open", "ticket", "closing"}; !slices.Equal(got, want) {
		t.Errorf("shared words %q, want %q", got, want)
	}
	if got := lexical.SharedWords("Find the ticket", nil); got != nil {
		t.Errorf("shared words %q of no tool", got)
	}
}
