package trace

import (
	"slices"
	"strings"
)

// importWord is what stands behind the version in the recorder of an imported cassette.
const importWord = "import"

// ImportRecorder returns the recorder of cassettes that are imported from logs of these formats.
func ImportRecorder(version string, formats []string) string {
	return "mcp-gates " + version + " " + importWord + " " + strings.Join(formats, ", ")
}

// Renewal says how newer runs are made, in the words of advice.
func (t *Trace) Renewal() string {
	switch {
	case t.InPlace:
		return "log newer runs"
	case t.IsImported():
		return "import a newer log"
	}
	return "record again"
}

// IsImported reports whether all cassettes say that they were imported from logs of other programs, which nobody can record again.
func (t *Trace) IsImported() bool {
	isImported := func(from Source) bool {
		words := strings.Fields(from.Recorder)
		return len(words) > 3 && words[0] == "mcp-gates" && words[2] == importWord
	}
	return len(t.Sources) > 0 && !slices.ContainsFunc(t.Sources, func(from Source) bool { return !isImported(from) })
}
