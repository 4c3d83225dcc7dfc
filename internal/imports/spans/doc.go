// Package spans reads what programs for tracing and for evaluation keep: OpenTelemetry, Langfuse, LangSmith, promptfoo, Inspect
// and mcptest.
//
// Their records enclose each other, and hold messages in the forms of many providers: message.go and block.go read all of these
// forms. Records of a trace come in any order, and each repeats the history (tracing.go).
package spans
