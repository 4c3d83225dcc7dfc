package english

import (
	"fmt"
	"strings"
	"testing"
)

func TestGivesExample(t *testing.T) {
	tests := map[string]bool{
		"A city, e.g. Paris": true, "City (eg. Paris)": true, "For example Paris": true, "Examples: a, b": true, "for instance, 3": true,
		"A unit such as km": true, "城市,例如北京": true, "": false, "A city": false, "As such": false, "The regard": false, "counterexample": false,
	}
	for text, want := range tests {
		if got := GivesExample(text); got != want {
			t.Errorf("GivesExample(%q) is %t, want %t", text, got, want)
		}
	}
}

func TestDocuments(t *testing.T) {
	tests := map[string]bool{
		"Args: city: the city": true, "city (str): the city": true, "- `city` - the city": true, "* **city**: the city": true, "city：城市": true,
		"": false, "the city of a user": false, "by city (or town)": false, "capacity: 3": false, "city (": false,
	}
	for text, want := range tests {
		if got := Documents(text, "city"); got != want {
			t.Errorf("Documents(%q) is %t, want %t", text, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	text := NewVocabulary("Runs and re-runs workflows of stories; deletes the PID of a top ETF. Cancelling too")
	tests := map[string]bool{
		"run_workflow": true, "story": true, "pid": true, "top_etfs": true, "cancel": true, "delete_story": true,
		"": false, "id": false, "slide_index": false, "run_slide": false, "etc": false,
	}
	for name, want := range tests {
		if got := Covers(name, text); got != want {
			t.Errorf("Covers(%q) is %t, want %t", name, got, want)
		}
	}
}

// TestVocabularyIsBounded pins that a description cannot be made of words that every name has to be compared with.
func TestVocabularyIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "abc%c%c%c ", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26)
	}
	if n := len(NewVocabulary(b.String())["abc"]); n != maxAlike {
		t.Errorf("%d words that begin alike, want %d", n, maxAlike)
	}
}

func TestSaysRequired(t *testing.T) {
	tests := map[string]bool{
		"Required. The id": true, "(required) The id": true, "The id (required)": true, "The id. This is required.": true, "Mandatory: the id": true,
		"REQUIRED - the id": true, "The id, required": true, "The id – required – of it": true, "": false, "The id": false, "Not required": false, "The id is not required": false,
		"Required if no name is given": false, "Required for updates": false, "The required id": false, "Optional. Required.": false,
	}
	for text, want := range tests {
		if got := SaysRequired(text); got != want {
			t.Errorf("SaysRequired(%q) is %t, want %t", text, got, want)
		}
	}
}
