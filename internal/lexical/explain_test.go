package lexical

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExplain pins that the first of the ranked documents is the pick, that its words add up to its score, and that equal scores
// are equal.
func TestExplain(t *testing.T) {
	docs := []Doc{
		{"close_ticket", "Closes a ticket."},
		{"open_ticket", "Opens a ticket."},
		{"list", "Finds things, one by one, and a ticket."},
		{"weather", "Sunshine"},
	}
	queries := []string{"the ticket", "nothing of that", "Closing tickets; tickets!"}
	s := NewSelector(docs, queries)
	picks := s.Picks()
	lists := s.Explain([]int{0, 1, 2}, queries, 2)
	for i, list := range lists {
		if len(list) == 0 {
			if picks[i] != None {
				t.Errorf("%q: nothing ranked, and %d picked", queries[i], picks[i])
			}
			continue
		}
		sum := int64(0)
		for _, w := range list[0].Words {
			sum += w.Weight
		}
		if list[0].Doc != picks[i] || sum < list[0].Score-5 || sum > list[0].Score+5 || len(list) > 2 {
			t.Errorf("%q: %+v, want %d first, and words that add up", queries[i], list, picks[i])
		}
	}
	if tie := lists[0]; tie[0].Score != tie[1].Score {
		t.Errorf("%+v, want a tie", tie)
	}
	var words []string
	for _, w := range append(lists[2][0].Words, lists[0][2-1].Words...) {
		words = append(words, w.Word+" "+strings.Join(w.Where(), ","))
	}
	if diff := cmp.Diff([]string{"closing name,description", "tickets name,description", "ticket name,description"}, words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}
