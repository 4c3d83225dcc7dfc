package english

import (
	"regexp"
	"slices"
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
		if got := HasVerb(text); got != want {
			t.Errorf("HasVerb(%q) is %t, want %t", text, got, want)
		}
	}
}

func TestBeginsMisspelt(t *testing.T) {
	tests := map[string]bool{
		"Povides it": true, "Retreive it": true, "retreives": true, "Calculattes x": true, "Generatse x": false, "Looksup an IP": true, "Lookup of an IP": false, "Startups": false, "SEARHCES": true,
		"": false, "…": false, "managers": false, "Summaries of it": false, "Pending orders": false,
		"Nothing": false, "The povides": false, "Provider": false, "Gtes": false, strings.Repeat("s", 30): false, "Créates": false,
	}
	for text, want := range tests {
		if got := BeginsMisspelt(text); got != want {
			t.Errorf("BeginsMisspelt(%q) is %t, want %t", text, got, want)
		}
	}
}

// TestInflections pins the forms of verbs of every kind of spelling, and that there are no others.
func TestInflections(t *testing.T) {
	tests := map[string]string{
		"delete":          "delete deletes deleted deleting",
		"copy":            "copy copies copied copying",
		"play":            "play plays played playing",
		"fetch":           "fetch fetches fetched fetching",
		"push":            "push pushes pushed pushing",
		"fix":             "fix fixes fixed fixing",
		"pass":            "pass passes passed passing",
		"free":            "free frees freed freeing",
		"tie":             "tie ties tied tying",
		"veto":            "veto vetoes vetoed vetoing",
		"mimic":           "mimic mimics mimicked mimicking",
		"sync":            "sync syncs synced syncing",
		"cancel":          "cancel cancels canceled cancelled canceling cancelling",
		"map":             "map maps mapped mapping",
		"edit":            "edit edits edited editing",
		"load":            "load loads loaded loading",
		"commit":          "commit commits committed committing",
		"equip":           "equip equips equipped equipping",
		"fulfill":         "fulfill fulfills fulfilled fulfilling fulfil fulfils",
		"color*":          "-color -colors colored coloring -colour -colours coloured colouring",
		"catalog":         "catalog catalogs cataloged cataloging catalogue catalogues catalogued cataloguing",
		"view":            "view views viewed viewing",
		"maximize":        "maximize maximizes maximized maximizing maximise maximises maximised maximising",
		"analyze":         "analyze analyzes analyzed analyzing analyse analyses analysed analysing",
		"resize":          "resize resizes resized resizing",
		"go/went/gone":    "go goes going went gone",
		"put/put":         "put puts putting",
		"oversee/oversaw": "oversee oversees overseeing oversaw",
		"tag*":            "-tag -tags tagged tagging",
		"list+":           "-list lists listed listing",
		"cost*/cost":      "-cost -costs costing",
	}
	for entry, want := range tests {
		f := verbForms{}
		f.add(entry)
		var got []string
		for form, where := range f {
			if where == leading {
				form = "-" + form
			}
			got = append(got, form)
		}
		words := strings.Fields(want)
		slices.Sort(words)
		slices.Sort(got)
		if !slices.Equal(got, words) {
			t.Errorf("%s: got %q, want %q", entry, got, words)
		}
	}
}

// TestVerbs pins that the list is sorted, that nothing stands in it twice or is derived from another entry, and that each
// entry is a base form: a slip such as "maximisemarise" is longer than a verb is.
func TestVerbs(t *testing.T) {
	const longest = 13
	entry := regexp.MustCompile(`^[a-z]+[*+]?(/[a-z]+)*$`)
	previous := ""
	for text := range strings.FieldsSeq(verbs) {
		marked, _, _ := strings.Cut(text, "/")
		verb := strings.TrimRight(marked, "*+")
		switch {
		case !entry.MatchString(text):
			t.Errorf("%q is not written as an entry is", text)
		case previous >= verb:
			t.Errorf("%q stands after %q", verb, previous)
		case len(verb) > longest:
			t.Errorf("%q has more than %d letters", verb, longest)
		case strings.HasSuffix(verb, "ise") && strings.Contains(verbs, " "+strings.TrimSuffix(verb, "ise")+"ize "):
			t.Errorf("%q is derived", verb)
		}
		previous = verb
	}
	for form := range commonVerbs() {
		if len(form) > maxVerb {
			t.Errorf("%q is longer than maxVerb", form)
		}
	}
}
