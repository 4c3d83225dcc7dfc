package trace

// The models that the program has built in, as suites and cassettes name them. None of them is a model.
const (
	ModelLexical = "builtin:lexical" // picks tools by the words that their descriptions share with the prompt
	ModelScript  = "builtin:script"  // makes the calls of recorded runs again
)

// ModelNote returns what every report says of an agent beside the name of its model, so that nobody takes its figures for
// those of a model; "" for what is a model.
func ModelNote(model string) string {
	switch model {
	case ModelLexical:
		return "a lexical baseline, not a model"
	case ModelScript:
		return "played from a script, not a model"
	}
	return ""
}

// TokenNote returns what every report says of an agent's tokens where no provider has counted them; "" where one has.
func TokenNote(model string) string {
	if model == ModelLexical {
		return "cl100k counts of what a model would have read and written"
	}
	return ""
}
