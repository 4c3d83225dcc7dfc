package lexical

import "testing"

// TestRanking holds the scores of any query to those of a selector that was made for it.
func TestRanking(t *testing.T) {
	docs := []Doc{
		{"close_ticket", "Closes a ticket."},
		{"open_ticket", "Opens a ticket."},
		{"list", "Finds things, one by one, and a ticket."},
		{"weather", "Sunshine"},
	}
	ranking := NewRanking(docs)
	for _, query := range []string{"the ticket", "nothing of that", "Closing tickets; tickets!", "sunshine and things", ""} {
		got := map[int]int64{}
		for doc, score := range ranking.Scores(query) {
			got[doc] = score
		}
		list := NewSelector(docs, []string{query}).Explain([]int{0}, []string{query}, len(docs))[0]
		for _, want := range list {
			if got[want.Doc] != want.Score {
				t.Errorf("%q: document %d: got score %d, want %d", query, want.Doc, got[want.Doc], want.Score)
			}
			if words := ranking.Matched(query, want.Doc); len(words) != len(want.Words) || words[0] != want.Words[0] {
				t.Errorf("%q: document %d: got words %+v, want %+v", query, want.Doc, words, want.Words)
			}
		}
		if len(got) != len(list) {
			t.Errorf("%q: got %d documents, want %d", query, len(got), len(list))
		}
	}
}
