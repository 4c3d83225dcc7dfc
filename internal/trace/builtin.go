package trace

// The built-in agents, as suites and cassettes name them under "model".
const (
	ModelLexical = "builtin:lexical" // picks tools by the words that their descriptions share with the prompt
	ModelScript  = "builtin:script"  // makes the calls of recorded runs again
)

// ModelNote returns the note that every report adds to the name of a built-in agent, so that nobody takes its figures for
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

// TokenNote returns the note that every report adds to an agent's tokens where no provider has counted them; "" where one
// has.
func TokenNote(model string) string {
	if model == ModelLexical {
		return "cl100k counts of what a model would have read and written"
	}
	return ""
}
