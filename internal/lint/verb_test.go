package lint

import (
	"strings"
	"testing"
)

func TestHasVerb(t *testing.T) {
	tests := map[string]bool{
		"Lists": true, "Fetches": true, "Retrieve": true, "Spins up": true, "copies": true, "copied": true, "planned": true,
		"committed": true, "edited": true, "sent": true, "built": true, "wrote": true, "overwritten": true, "ran": true,
		"creating": true, "deploys": true, "queries": true, "Tries": true, "analyses": true, "re-creates it": true,
		"Reprioritizes": true, "undeletes": true, "GET it": true, "the tool lists files": true, "files to list": true,
		"a file, then lists": true, "One thing. Lists files": true, "this tool filters files": true, "Bing searches the web": true, "one\nsort": true, "Quickly sort": true,
		"": false, "weather": false, "the list of files": false, "order": true, "the order": false, "is": false, "has": false,
		"may": false, "prefix": false, "créer": false, "getaway": false, "Großgetan": false, "news of the day": false,
		strings.Repeat("a", 30) + " get": true, strings.Repeat("get", 10): false,
	}
	for text, want := range tests {
		if got := hasVerb(text); got != want {
			t.Errorf("hasVerb(%q) is %t, want %t", text, got, want)
		}
	}
}

func TestBeginsMisspelt(t *testing.T) {
	tests := map[string]bool{
		"Povides it": true, "Retreive it": true, "retreives": true, "Calculattes x": true, "Generatse x": false, "SEARHCES": true,
		"": false, "…": false, "managers": false, "Summaries of it": false, "Pending orders": false,
		"Nothing": false, "The povides": false, "Provider": false, "Gtes": false, strings.Repeat("s", 30): false, "Créates": false,
	}
	for text, want := range tests {
		if got := beginsMisspelt(text); got != want {
			t.Errorf("beginsMisspelt(%q) is %t, want %t", text, got, want)
		}
	}
}

// TestInflections checks forms that rules of spelling get wrong easily.
func TestInflections(t *testing.T) {
	for form := range strings.FieldsSeq(`fixes pushes searches applies plays goes undoes making dying tied submitted canceled
cancelled mapped mixed rebuilt went`) {
		if !verbForms()[form] && !nounVerbForms()[form] {
			t.Errorf("%q is no form of a verb", form)
		}
	}
	for no := range strings.FieldsSeq("makeing applys fixs deleteed") {
		if verbForms()[no] || nounVerbForms()[no] {
			t.Errorf("%q is a form of a verb", no)
		}
	}
}

func TestVerbLists(t *testing.T) {
	verbs, nounVerbs := strings.Fields(verbs), setOf(nounVerbs)
	for i, verb := range verbs {
		if nounVerbs[verb] {
			t.Errorf("%q is in both lists", verb)
		}
		if i > 0 && verbs[i-1] >= verb {
			t.Errorf("%q stands after %q", verb, verbs[i-1])
		}
	}
	for form := range verbForms() {
		if len(form) > maxVerb {
			t.Errorf("%q is longer than maxVerb", form)
		}
	}
}
