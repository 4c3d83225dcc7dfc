package redact

import (
	"slices"
	"testing"
)

func TestEnvironmentSecrets(t *testing.T) {
	got := EnvironmentSecrets([]string{"HOME=/home/someone", "API_KEY=k1k2k3k4k5", "ACME_TOKEN=true", "SECRET", "DB_PASSWORD=a=b=c=d=e", "=x"})
	if want := []string{"k1k2k3k4k5", "a=b=c=d=e"}; !slices.Equal(got, want) {
		t.Errorf("secrets: got %q, want %q", got, want)
	}
}

// TestCaseOfValues pins that a value of the environment is found in capital and in small letters, that a short one is not, and what
// docs/redaction.md lists as not found.
func TestCaseOfValues(t *testing.T) {
	rules, err := New(Config{Values: []string{"hunter2-Correct-Horse", "eu-West"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text  string
		found bool
	}{
		{"it is hunter2-Correct-Horse.", true},
		{"it is HUNTER2-CORRECT-HORSE.", true},
		{"it is hunter2-correct-horse.", true},
		{`{"a": "HUNTER2\u002dCORRECT-HORSE"}`, true},
		{"eu-West", true},
		{"EU-WEST and eu-west", false},
		{"a correct horse, and a hunter", false},
		{"hunter2-Cor\nrect-Horse", false}, // split over two blocks
		{"h u n t e r 2 - C o r r e c t - H o r s e", false},
		{"hUnTeR2-Correct-Horse", false},
	} {
		if got := rules.File().Text(test.text) != test.text; got != test.found {
			t.Errorf("%q: replaced %v, want %v", test.text, got, test.found)
		}
	}
}
