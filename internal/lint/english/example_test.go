package english

import "testing"

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

func TestSaysRequired(t *testing.T) {
	tests := map[string]bool{
		"Required. The id": true, "(required) The id": true, "The id (required)": true, "The id. This is required.": true, "Mandatory: the id": true,
		"REQUIRED - the id": true, "The id, required": true, "": false, "The id": false, "Not required": false, "The id is not required": false,
		"Required if no name is given": false, "Required for updates": false, "The required id": false, "Optional. Required.": false,
	}
	for text, want := range tests {
		if got := SaysRequired(text); got != want {
			t.Errorf("SaysRequired(%q) is %t, want %t", text, got, want)
		}
	}
}
