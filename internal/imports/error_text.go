package imports

import "regexp"

// ErrorPattern matches results that read like errors: "Error: ", "MCP error -32602: ", "Error executing tool get: ", or the name of
// an exception. Many servers return such results without an error flag, and the APIs of models have no such flag. Users can copy
// the pattern as error_pattern.
const ErrorPattern = `(?i)^((mcp|tool|api|http|server|internal) )?[\w.]*(error|exception)\b.*:`

var errorPattern = regexp.MustCompile(ErrorPattern)

// readsLikeError reports whether a result reads like an error. It examines only the beginning, because a result can be an image
// of megabytes.
func readsLikeError(result string) bool {
	const enough = 500 // bytes
	return errorPattern.MatchString(result[:min(len(result), enough)])
}
