package trace

import (
	"cmp"
	"slices"
	"strings"
)

// importWord follows the version in the recorder of an imported cassette.
const importWord = "import"

// RecorderOfImport returns the text for "recorder" of a cassette that is imported from logs of these formats.
func RecorderOfImport(version string, formats []string) string {
	return "mcp-gates " + version + " " + importWord + " " + strings.Join(formats, ", ")
}

// Client returns the client that made the runs: its name in agent:, or the format of its logs. It is "" if the recording does
// not name a client, or if several clients made the runs.
func (t *Trace) Client() string {
	if t.Agent != "" || t.Logged != "" {
		return cmp.Or(t.Agent, t.Logged)
	}
	client := ""
	for _, from := range t.Sources {
		words := strings.Fields(from.Recorder)
		if !from.isImported() || len(words) != 4 {
			return "" // several formats have more words
		}
		format := words[3]
		if client != "" && format != client {
			return ""
		}
		client = format
	}
	return client
}

// Renewal returns advice on how to make newer runs.
func (t *Trace) Renewal() string {
	switch {
	case t.InPlace:
		return "log newer runs"
	case t.IsImported():
		return "import a newer log"
	}
	return "record again"
}

// IsImported reports whether all cassettes were imported from logs of other programs, which cannot be recorded again.
func (t *Trace) IsImported() bool {
	return len(t.Sources) > 0 && !slices.ContainsFunc(t.Sources, func(from Source) bool { return !from.isImported() })
}

func (s Source) isImported() bool {
	words := strings.Fields(s.Recorder)
	return len(words) > 3 && words[0] == "mcp-gates" && words[2] == importWord
}
