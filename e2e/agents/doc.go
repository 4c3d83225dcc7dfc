// Package agents tests runs of command-line agents that other people ship: those of package.json, in the versions that
// package-lock.json pins, and opencode where it is installed. ../setup installs the others; without npm the tests skip. Their models are standin.mjs, on loopback.
//
// Nothing here reaches the network: where the machine lets anybody have a network of his own, each run has one that holds
// loopback alone. Every test ends with a look for processes that are left.
package agents
