package trace

import (
	"slices"
	"strings"
)

// The built-in agents, as suites and cassettes name them under "model".
const (
	ModelLexical = "builtin:lexical" // picks tools by the words that their descriptions share with the prompt
	ModelScript  = "builtin:script"  // makes the calls of recorded runs again
)

// ModelNote returns the note that every report adds to the name of a built-in agent, so that its figures are not mistaken for
// those of a model; "" for a model.
func ModelNote(model string) string {
	switch model {
	case ModelLexical:
		return "a lexical baseline, not a model"
	case ModelScript:
		return "played from a script, not a model"
	}
	return ""
}

// The parts of the note on a program of the user.
const (
	noteProgram = "an agent of one's own"
	noteBlind   = ", blind to calls that never reach a server"
	noteCwd     = ", in a folder that runs share"
	noteHome    = ", with its user's HOME"
)

// The ways of running a program that a header keeps in AgentRun.
const (
	AgentBlind = "blind" // the program has no output format: calls that never reach a server are not seen
	AgentCwd   = "cwd"   // the program starts in a folder that is not empty
	AgentHome  = "home"  // the program has its user's HOME
)

// ProgramNote returns the note that every report adds to cases that a program of the user ran; "" for others.
func ProgramNote(h *Header) string {
	if h.AgentSHA256 == "" {
		return ""
	}
	note := noteProgram
	for _, way := range []struct{ name, note string }{{AgentBlind, noteBlind}, {AgentCwd, noteCwd}, {AgentHome, noteHome}} {
		if slices.Contains(strings.Fields(h.AgentRun), way.name) {
			note += way.note
		}
	}
	return note
}

// IsProgramNote reports whether ProgramNote can return the text.
func IsProgramNote(text string) bool {
	rest, ok := strings.CutPrefix(text, noteProgram)
	for _, note := range []string{noteBlind, noteCwd, noteHome} {
		rest = strings.TrimPrefix(rest, note)
	}
	return ok && rest == ""
}

// TokenNote returns the note that every report adds to an agent's tokens if no provider has counted them; "" if a provider has.
func TokenNote(model string) string {
	if model == ModelLexical {
		return "cl100k counts of what a model would have read and written"
	}
	return ""
}
