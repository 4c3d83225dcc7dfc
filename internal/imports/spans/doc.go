// Package spans reads the records of programs for tracing and for evaluation: OpenTelemetry, Langfuse, LangSmith, promptfoo,
// Inspect and mcptest.
//
// Their records enclose each other, and contain messages in the forms of many providers, which message.go and block.go read.
// The records of a trace are in any order, and each of them repeats the history (tracing.go).
package spans
