// Package live runs the cases of a suite. It starts or reaches the MCP servers, lets a model or a built-in agent work on the
// prompt with their tools, and returns what happened as a trace, in the same form as a cassette.
//
// A [Runner] serves one program run. [Runner.Prepare] reports the mistakes that can be found before anything is started, and
// returns the suite ready to be run: [Prepared.Run] runs a case (attempt.go), [Prepared.Tools] asks a server for its tools, and
// [Prepared.Close] ends what runs share.
//
// Each run of a case has its own sessions with the servers (package mcpclient). It offers their tools under names that every
// model interface accepts (names.go), and takes turns until the model stops (loop.go). A [model.Provider] speaks to the model.
// A failure of one run ends only that run.
package live
