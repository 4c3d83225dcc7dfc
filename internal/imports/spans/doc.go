// Package spans reads the records of programs for tracing and for evaluation: OpenTelemetry, Langfuse, LangSmith, promptfoo,
// Inspect and mcptest.
//
// The records enclose each other, and contain messages in the forms of many providers, which message.go and block.go read. The
// records of a trace can be in any order, and each record repeats the history of messages (tracing.go).
package spans
