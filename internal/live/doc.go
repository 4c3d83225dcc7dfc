// Package live runs the cases of a suite: it starts or reaches the MCP servers, has a model or a built-in agent work on
// the prompt with their tools, and returns what happened as the trace that a cassette holds.
//
// A [Runner] serves one program run. [Runner.Prepare] reports the mistakes that can be found before anything is
// started, and returns the suite ready to be run: [Prepared.Run] runs a case (attempt.go), [Prepared.Tools] asks a
// server for its tools, and [Prepared.Close] ends what runs share. Each run of a case has sessions of its own with the
// servers (package mcpclient), offers their tools under names that every model interface takes (names.go), and turns
// until the model stops (loop.go). A [model.Provider] is the model's side of it. A failure around a run ends that run
// and no other.
package live
