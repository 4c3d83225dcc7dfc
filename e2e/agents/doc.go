// Package agents tests runs of command-line agents that other people ship: the agents in package.json, in the versions that
// package-lock.json pins, and opencode if it is installed. ../setup installs the agents in package.json; without them the tests
// skip. The models of the agents are standin.mjs, on loopback.
//
// If the machine lets any user create a network namespace, each run has one with loopback alone, so that no agent reaches the
// network. Every test checks at its end that no process is left.
package agents
